import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Said } from '../live/say.ts'

interface AskDialogProps {
  readonly title: string
  /** What came of what was chosen; undefined before. */
  readonly said: Said | undefined
  /** Whether there is nothing left to choose. */
  readonly isOver: boolean
  /** On the button that does nothing. */
  readonly leave: string
  readonly onClose: () => void
  /** What is asked, and the choices. */
  readonly children: ComponentChildren
}

/**
 * Asks before anything is done, tells what came of it, and closes where there is nothing to tell. The browser keeps the focus inside, and
 * gives it back to the button it came from.
 */
export function AskDialog({ title, said, isOver, leave, onClose, children }: AskDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const titleId = useId()
  // Before it is painted: a key that is pressed then would go to the button it came from.
  useLayoutEffect(() => {
    dialog.current?.showModal()
    // What is pressed by accident does nothing.
    cancel.current?.focus()
  }, [])
  useLayoutEffect(() => {
    if (said === undefined) return
    if (said.message === undefined) dialog.current?.close()
    else if (isOver) cancel.current?.focus()
  }, [said, isOver])
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
      {said?.message !== undefined && (
        <p class="problem" role="alert">
          {said.message}
        </p>
      )}
      <form method="dialog">
        <button ref={cancel} type="submit">
          {leave}
        </button>
      </form>
    </dialog>
  )
}
