import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CornermanError, messageOf } from '../core/error.ts'
import { isAlive } from '../live/index.ts'
import type { OperatorCommand } from '../pipeline/index.ts'

/** What an operator has stopped: it holds from one run to the next, until something else is said. */
export type ControlState = 'running' | 'entries stopped' | 'stopped'

const controlSchema = z.strictObject({ state: z.enum(['running', 'entries stopped', 'stopped']), since: z.iso.datetime() })

const COMMANDS: Readonly<Record<ControlState, Exclude<OperatorCommand, 'drain'>>> = {
  running: 'resume',
  'entries stopped': 'stopEntries',
  stopped: 'stopAll',
}

/** What the bots are told of a state. */
export const commandOf = (state: ControlState): Exclude<OperatorCommand, 'drain'> => COMMANDS[state]

const controlFile = (dataDir: string) => join(dataDir, 'control.json')

/**
 * What was last said of this data directory; `running` where nothing was.
 *
 * @throws CornermanError `CONTROL_UNREADABLE`: a file that says nothing readable is no leave to go on
 */
export function readControl(dataDir: string): ControlState {
  const file = controlFile(dataDir)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'running'
    throw unreadable(file, cause)
  }
  try {
    return controlSchema.parse(JSON.parse(text)).state
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

/** Says it for this data directory, in one step: whoever reads sees the old state or the new one. */
export function writeControl(dataDir: string, state: ControlState, now: number): void {
  writeWhole(controlFile(dataDir), { state, since: new Date(now).toISOString() })
}

function unreadable(file: string, cause: unknown): CornermanError {
  return new CornermanError(
    'CONTROL_UNREADABLE',
    `${file} cannot be read (${messageOf(cause)}): it says whether the bots may play. Say it anew with stop --resume, or with stop --now`,
    { cause },
  )
}

const runSchema = z.strictObject({ pid: z.number().int().positive(), obeys: z.enum(['running', 'entries stopped', 'stopped']) })
/** A `start` that runs on the data directory, and the state it has told its bots. */
export type RunNote = z.infer<typeof runSchema>

/** One a process: a dry run beside the bots, or a start that fails, must not speak for them. */
const RUN_FILE = /^start\.\d+\.run\.json$/
const runFile = (dataDir: string, pid: number) => join(dataDir, `start.${pid}.run.json`)

export const writeRunNote = (dataDir: string, note: RunNote): void => writeWhole(runFile(dataDir, note.pid), note)

export const removeRunNote = (dataDir: string, pid: number): void => rmSync(runFile(dataDir, pid), { force: true })

/** Every `start` that runs on this data directory. */
export function readRunNotes(dataDir: string): RunNote[] {
  if (!existsSync(dataDir)) return []
  const files = readdirSync(dataDir).filter((file) => RUN_FILE.test(file))
  return files.flatMap((file) => readRunNote(join(dataDir, file)) ?? [])
}

/** The note, unless it cannot be read or its process is gone. */
function readRunNote(file: string): RunNote | undefined {
  try {
    const note = runSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    return isAlive(note.pid) ? note : undefined
  } catch {
    return undefined
  }
}

function writeWhole(file: string, content: object): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { flush: true })
  renameSync(draft, file)
}
