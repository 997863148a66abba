import { Fragment } from 'preact'

/** A code of capitals and underscores, which may be broken after each. */
export function Code({ code }: { readonly code: string }) {
  const words = code.split('_')
  return (
    <code>
      {words.map((word, index) => (
        <Fragment key={index}>
          {index > 0 && (
            <>
              _<wbr />
            </>
          )}
          {word}
        </Fragment>
      ))}
    </code>
  )
}
