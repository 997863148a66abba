import { useState } from 'preact/hooks'
import type { NoteRow } from '../../watch/views.ts'
import { Instant } from '../parts/instant.tsx'
import { hashOf } from '../route.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
const FRAMEWORK = 'the framework'

interface NoteLogProps {
  readonly bot: string
  readonly notes: readonly NoteRow[]
  readonly strategies: readonly string[]
}

/** What the strategies and the framework say, newest first: of all, or of one, from a level on. */
export function NoteLog({ bot, notes, strategies }: NoteLogProps) {
  const [who, setWho] = useState('')
  const [level, setLevel] = useState<NoteRow['level']>('debug')
  const shown = notes
    .filter((note) => (who === '' || (note.strategy ?? FRAMEWORK) === who) && LEVELS.indexOf(note.level) >= LEVELS.indexOf(level))
    .toReversed()
  return (
    <>
      <form class="filters" aria-label="What is shown of the log">
        <label>
          Of{' '}
          <select value={who} onChange={({ currentTarget }) => setWho(currentTarget.value)}>
            <option value="">all</option>
            {[...strategies, FRAMEWORK].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          From level{' '}
          <select value={level} onChange={({ currentTarget }) => setLevel(currentTarget.value as NoteRow['level'])}>
            {LEVELS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <output>
          {shown.length} of {notes.length}
        </output>
      </form>
      {shown.length === 0 ? (
        <p class="soft">{notes.length === 0 ? 'Nothing was said yet.' : 'Nothing of this kind was said.'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard
        <div class="scroll log" role="group" aria-labelledby="log" tabIndex={0}>
          <ol>
            {shown.map((note, index) => (
              <Note key={`${note.at} ${shown.length - index}`} bot={bot} note={note} />
            ))}
          </ol>
        </div>
      )}
    </>
  )
}

function Note({ bot, note: { at, level, message, strategy, contestId, fields } }: { readonly bot: string; readonly note: NoteRow }) {
  const more = Object.keys(fields).length === 0 ? undefined : JSON.stringify(fields)
  return (
    <li class={level}>
      <Instant at={at} isOfToday={true} />
      <span class="level">{level}</span>
      <span class="who">{strategy ?? FRAMEWORK}</span>
      <span class="message">
        {message} {contestId && <a href={hashOf({ kind: 'contest', bot, contestId })}>its contest</a>}{' '}
        {more !== undefined && <code>{more}</code>}
      </span>
    </li>
  )
}
