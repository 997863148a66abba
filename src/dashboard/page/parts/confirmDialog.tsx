import { useState } from 'preact/hooks'
import { type Command, type Said, say } from '../live/say.ts'
import { AskDialog } from './askDialog.tsx'

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

/** Asks which of some commands is meant, or whether the one is. */
export function ConfirmDialog({ bot, commands, onClose }: ConfirmDialogProps) {
  const [said, setSaid] = useState<Said>()
  const [isSaying, setSaying] = useState(false)
  const confirm = async (command: Command) => {
    setSaying(true)
    const now = await say(command, bot)
    setSaying(false)
    setSaid(now)
  }
  const [only] = commands
  const who = bot ?? 'all bots'
  const title = commands.length === 1 && only !== undefined ? `${WORDS[only].title}: ${who}` : `What should ${who} do?`
  const isOver = said?.isDone === true
  return (
    <AskDialog {...{ title, said, isOver, leave: isOver ? 'Close' : 'Cancel', onClose }}>
      <p class="soft">It holds until it is said otherwise, over restarts too.</p>
      {!isOver &&
        commands.map((command) => (
          <div key={command} class="choice">
            <p>{WORDS[command].explained}</p>
            <button type="button" class={`confirm ${command}`} disabled={isSaying} onClick={() => void confirm(command)}>
              {WORDS[command].done}
            </button>
          </div>
        ))}
    </AskDialog>
  )
}
