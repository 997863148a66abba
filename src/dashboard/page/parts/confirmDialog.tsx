import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type Command, type Said, say } from '../live/say.ts'

const WORDS: Readonly<Record<Command, { readonly title: string; readonly explained: string; readonly done: string }>> = {
  stopEntries: {
    title: 'Stop entries',
    explained: 'Nothing new is entered. Contests under way are played to their end.',
    done: 'Stop entries',
  },
  stopAll: {
    title: 'Kill switch',
    explained:
      'Nothing new is entered, no swap is made, tickets and open seats are taken back. Picks and reveals go on, since holding them back loses money.',
    done: 'Stop everything',
  },
  resume: { title: 'Resume', explained: 'Entries and swaps are allowed again, within the limits of the guard.', done: 'Resume' },
}

interface ConfirmDialogProps {
  readonly bot: string | undefined
  readonly commands: readonly Command[]
  readonly onClose: () => void
}

/** Asks before anything is done. The browser keeps the focus inside, and gives it back to the button it came from. */
export function ConfirmDialog({ bot, commands, onClose }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [said, setSaid] = useState<Said>()
  const [isSaying, setSaying] = useState(false)
  const title = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    // What is pressed by accident does nothing.
    cancel.current?.focus()
  }, [])
  const confirm = async (command: Command) => {
    setSaying(true)
    const now = await say(command, bot)
    setSaying(false)
    setSaid(now)
    if (now.message === undefined) dialog.current?.close()
    else if (now.isDone) cancel.current?.focus()
  }
  const [only] = commands
  const who = bot ?? 'all bots'
  return (
    <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{commands.length === 1 && only !== undefined ? `${WORDS[only].title}: ${who}` : `What should ${who} do?`}</h2>
      <p class="soft">It holds until it is said otherwise, over restarts too.</p>
      {said?.isDone !== true &&
        commands.map((command) => (
          <div key={command} class="choice">
            <p>{WORDS[command].explained}</p>
            <button type="button" class={`confirm ${command}`} disabled={isSaying} onClick={() => void confirm(command)}>
              {WORDS[command].done}
            </button>
          </div>
        ))}
      {said?.message !== undefined && (
        <p class="problem" role="alert">
          {said.message}
        </p>
      )}
      <form method="dialog">
        <button ref={cancel} type="submit">
          {said?.isDone === true ? 'Close' : 'Cancel'}
        </button>
      </form>
    </dialog>
  )
}
