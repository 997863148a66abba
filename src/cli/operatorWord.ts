import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CornermanError, messageOf } from '../core/error.ts'
import { type Control, isSameControl, readRunNotes, writeControl } from './control.ts'
import { botsOf, journalFile } from './journals.ts'

// What `stop` and `modes` share: each leaves a word in the control file, and sees whether a `start` takes it up.

/** How long a running `start` is waited for to say that it obeys. */
const PATIENCE_MS = 3000
const LOOK_EVERY_MS = 50

interface Whose {
  /** The command that says it, and how its messages end. */
  readonly command: string
  readonly nothing: string
  readonly dataDir: string
}

/**
 * A typing error would be a word that nobody hears.
 *
 * @throws CornermanError `USAGE` where there is no such data directory, or one of the bots has not played on it
 */
export function expectBots({ command, nothing, dataDir }: Whose, bots: readonly string[]): void {
  if (!existsSync(dataDir))
    throw new CornermanError('USAGE', `${command}: there is no ${dataDir}: name the bots' data directory with --data-dir. ${nothing}`)
  const strangers = bots.filter((name) => !existsSync(journalFile(dataDir, name)))
  if (strangers.length === 0) return
  const known = botsOf(dataDir).join(', ') || 'none'
  throw new CornermanError('USAGE', `${command}: no bot ${strangers.join(', ')} has played on ${dataDir}: there is ${known}. ${nothing}`)
}

/** @throws CornermanError `CONTROL_NOT_WRITTEN` */
export function sayControl({ command, nothing, dataDir }: Whose, control: Control): void {
  try {
    writeControl(dataDir, control, Date.now())
  } catch (cause) {
    throw new CornermanError(
      'CONTROL_NOT_WRITTEN',
      `${command}: ${dataDir} cannot be written (${messageOf(cause)}). ${nothing}: make room, or say it as the user whose bots these are`,
      { cause },
    )
  }
}

/** Both lists are of process ids. */
export interface Obeyed {
  readonly obeying: readonly number[]
  readonly silent: readonly number[]
}

/** Waits for whatever runs there to take the word up. */
export async function obeyedBy(dataDir: string, control: Control): Promise<Obeyed> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const notes = readRunNotes(dataDir)
    const pids = (obeys: boolean) => notes.filter((note) => isSameControl(note.obeys, control) === obeys).map(({ pid }) => pid)
    if (pids(false).length === 0 || performance.now() >= until) return { obeying: pids(true), silent: pids(false) }
    await delay(LOOK_EVERY_MS)
  }
}

/** The same for a person. */
export function obeyedText(dataDir: string, { obeying, silent }: Obeyed): string {
  const told = obeying.length > 0 ? `the bots of process ${obeying.join(', ')} have been told` : ''
  const untold = `process ${silent.join(', ')} has not said that it obeys within ${PATIENCE_MS / 1000} s: look at its log, or end it`
  const nobody = `nothing runs on ${dataDir}: it holds from the next start on`
  return [told, silent.length > 0 ? untold : ''].filter((part) => part !== '').join('; ') || nobody
}
