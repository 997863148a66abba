import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours for what they mean; plain text where the terminal has none, or NO_COLOR is set. */
export interface Look {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly warn: (text: string) => string
  readonly faint: (text: string) => string
  readonly strong: (text: string) => string
}

export function lookOf(stream: NodeJS.WriteStream): Look {
  const as = (style: Style) => (text: string) => styleText(style, text, { stream })
  return { good: as('green'), bad: as('red'), warn: as('yellow'), faint: as('gray'), strong: as('bold') }
}
