import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CornermanError, messageOf } from '../core/error.ts'
import { isAlive } from '../live/isAlive.ts'
import type { ModeCommand, OperatorCommand } from '../pipeline/index.ts'

/** What an operator has stopped: it holds from one run to the next, until something else is said. */
export type ControlState = 'running' | 'entries stopped' | 'stopped'

/** What was said of all bots of a data directory, and of single ones besides. */
export interface Control {
  readonly state: ControlState
  readonly bots: Readonly<Record<string, ControlState>>
  /** The newest word of each mode, of all bots or of one; absent where there is none. */
  readonly modes?: readonly ModeWord[] | undefined
}

/** A word of one mode: of one bot, or of all. */
export interface ModeWord extends ModeCommand {
  readonly bot?: string | undefined
}

/** The mildest first. */
const STATES = ['running', 'entries stopped', 'stopped'] as const satisfies readonly ControlState[]
const stateSchema = z.enum(STATES)
const modeWordSchema = z.strictObject({
  bot: z.string().optional(),
  mode: z.string(),
  command: z.enum(['open', 'close']),
  saidAt: z.number().int().min(0),
})
const controlSchema = z.strictObject({
  state: stateSchema,
  since: z.iso.datetime(),
  bots: z.record(z.string(), stateSchema).optional(),
  modes: z.array(modeWordSchema).readonly().optional(),
})

const COMMANDS: Readonly<Record<ControlState, Exclude<OperatorCommand, 'drain'>>> = {
  running: 'resume',
  'entries stopped': 'stopEntries',
  stopped: 'stopAll',
}

/** What the bots are told of a state. */
export const commandOf = (state: ControlState): Exclude<OperatorCommand, 'drain'> => COMMANDS[state]

/** What a command leaves the bots in. */
export const stateAfter = (command: Exclude<OperatorCommand, 'drain'>): ControlState =>
  STATES.find((state) => COMMANDS[state] === command) ?? 'stopped'

export const everythingPlays: Control = { state: 'running', bots: {} }

/** What holds for a bot: what was said of it, or of all, whichever stops more. */
export function stateOf({ state, bots }: Control, bot: string): ControlState {
  const own = Object.hasOwn(bots, bot) ? (bots[bot] ?? 'running') : 'running'
  return STATES.indexOf(own) > STATES.indexOf(state) ? own : state
}

/** Where two words hold, such as that of this host and that of its fleet: of each bot whichever stops more, of each mode the newer. */
export function bothOf(a: Control, b: Control): Control {
  const stronger = (one: ControlState, other: ControlState) => (STATES.indexOf(other) > STATES.indexOf(one) ? other : one)
  const names = [...new Set([...Object.keys(a.bots), ...Object.keys(b.bots)])].toSorted()
  const own = (control: Control, bot: string) => (Object.hasOwn(control.bots, bot) ? (control.bots[bot] ?? 'running') : 'running')
  const bots = Object.fromEntries(names.map((bot) => [bot, stronger(own(a, bot), own(b, bot))]))
  return withModes({ state: stronger(a.state, b.state), bots }, [...(a.modes ?? []), ...(b.modes ?? [])])
}

/**
 * A stop of all leaves single ones stopped as they are; that all play on forgets it.
 *
 * @param bots of whom it is said; none: of all
 */
export function withSaid(control: Control, state: ControlState, bots: readonly string[] = []): Control {
  if (bots.length === 0) return withModes({ state, bots: state === 'running' ? {} : control.bots }, control.modes)
  const own = new Map(Object.entries(control.bots))
  for (const bot of bots) {
    own.delete(bot)
    if (state !== 'running') own.set(bot, state)
  }
  const sorted = [...own].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return withModes({ state: control.state, bots: Object.fromEntries(sorted) }, control.modes)
}

const withModes = ({ state, bots }: Control, modes: readonly ModeWord[] = []): Control => ({
  state,
  bots,
  ...(modes.length === 0 ? {} : { modes }),
})

/**
 * A word of all bots takes the place of those of single ones: it is newer. A clock that was put back makes no word older than the one before.
 *
 * @param bots of whom it is said; none: of all
 * @param now Unix milliseconds
 */
export function withModeSaid(
  control: Control,
  { mode, command, bots = [] }: Pick<ModeCommand, 'mode' | 'command'> & { readonly bots?: readonly string[] },
  now: number,
): Control {
  const before = control.modes ?? []
  const saidAt = Math.max(now, ...before.map((word) => word.saidAt + 1))
  const isReplaced = (word: ModeWord) => word.mode === mode && (bots.length === 0 || (word.bot !== undefined && bots.includes(word.bot)))
  const words = bots.length === 0 ? [{ mode, command, saidAt }] : bots.map((bot) => ({ bot, mode, command, saidAt }))
  return withModes(control, [...before.filter((word) => !isReplaced(word)), ...words])
}

/** The newest word of each mode that is of the bot, or of all. */
export function modesSaidOf({ modes = [] }: Control, bot: string): readonly ModeCommand[] {
  const newest = new Map<string, ModeCommand>()
  for (const { bot: whose, mode, command, saidAt } of modes) {
    if (whose !== undefined && whose !== bot) continue
    if (saidAt > (newest.get(mode)?.saidAt ?? -1)) newest.set(mode, { mode, command, saidAt })
  }
  return [...newest.values()]
}

/**
 * What stops more than was just said, for a person: who resumes one bot while all are stopped is told why it does not play.
 *
 * @param bots of whom it was said; none: of all
 */
export function stillText(control: Control, said: ControlState, bots: readonly string[] = []): string | undefined {
  const stopsMore = (state: ControlState) => STATES.indexOf(state) > STATES.indexOf(said)
  if (bots.length > 0) {
    if (!stopsMore(control.state)) return undefined
    return control.state === 'stopped' ? 'all bots are still stopped' : 'the entries of all bots are still stopped'
  }
  const still = Object.entries(control.bots).filter(([, state]) => stopsMore(state))
  return still.length === 0 ? undefined : still.map(([bot, state]) => `${bot} is still ${state}`).join(', ')
}

/** For a person; undefined where everything plays. */
export function controlText({ state, bots }: Control): string | undefined {
  const own = Object.entries(bots).map(([bot, ownState]) => `${bot}: ${ownState}`)
  const said = state === 'running' ? own : [state, ...own]
  return said.length === 0 ? undefined : said.join(', ')
}

export const isSameControl = (a: Control, b: Control): boolean => JSON.stringify(a) === JSON.stringify(b)

const controlFile = (dataDir: string) => join(dataDir, 'control.json')

/**
 * What was last said in this data directory; that everything plays where nothing was.
 *
 * @throws CornermanError `CONTROL_UNREADABLE`: a file that says nothing readable is no leave to go on
 */
export function readControl(dataDir: string): Control {
  const file = controlFile(dataDir)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return everythingPlays
    throw unreadable(file, cause)
  }
  try {
    return parseControl(text)
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

/** @throws what JSON or its schema does */
export function parseControl(text: string): Control {
  const { state, bots = {}, modes } = controlSchema.parse(JSON.parse(text))
  return withModes({ state, bots }, modes)
}

/** What `parseControl` reads. @param now Unix milliseconds */
export const controlJson = ({ state, bots, modes }: Control, now: number): string =>
  JSON.stringify({ state, since: new Date(now).toISOString(), bots, modes })

/** Says it for this data directory, in one step: whoever reads sees what was said before or what is said now. */
export const writeControl = (dataDir: string, control: Control, now: number): void =>
  writeWhole(controlFile(dataDir), controlJson(control, now))

function unreadable(file: string, cause: unknown): CornermanError {
  return new CornermanError(
    'CONTROL_UNREADABLE',
    `${file} cannot be read (${messageOf(cause)}): it says whether the bots may play. Say it again with stop --resume, or with stop --now`,
    { cause },
  )
}

const runSchema = z.strictObject({
  pid: z.number().int().positive(),
  obeys: z.strictObject({
    state: stateSchema,
    bots: z.record(z.string(), stateSchema),
    modes: z.array(modeWordSchema).readonly().optional(),
  }),
})
/** A `start` that runs on the data directory, and what it has told its bots. */
export type RunNote = z.infer<typeof runSchema>

/** One a process: a dry run beside the bots, or a start that fails, must not speak for them. */
const RUN_FILE = /^start\.(\d+)\.run\.json$/
/** What a process was writing when it was killed: it ends in its id. */
const DRAFT = /^(?:control|start\.\d+\.run)\.json\.(\d+)$/
const runFile = (dataDir: string, pid: number) => join(dataDir, `start.${pid}.run.json`)

export const writeRunNote = (dataDir: string, note: RunNote): void => writeWhole(runFile(dataDir, note.pid), JSON.stringify(note))

export const removeRunNote = (dataDir: string, pid: number): void => rmSync(runFile(dataDir, pid), { force: true })

/** Every `start` that runs on this data directory. */
export function readRunNotes(dataDir: string): RunNote[] {
  if (!existsSync(dataDir)) return []
  const files = readdirSync(dataDir).filter((file) => RUN_FILE.test(file))
  return files.flatMap((file) => readRunNote(join(dataDir, file)) ?? [])
}

/**
 * Takes away the notes of runs whose process is gone, and what a process was writing when it was killed: each ended without a word. For whoever has not written a note yet: one of its own
 * process id is of an earlier process, as in a container, where each start has the same one.
 *
 * @returns their process ids
 */
export function takeDeadRuns(dataDir: string): readonly number[] {
  if (!existsSync(dataDir)) return []
  const files = readdirSync(dataDir)
  const isDead = (pid: number) => pid === process.pid || !isAlive(pid)
  for (const file of files) {
    const writer = DRAFT.exec(file)?.[1]
    if (writer !== undefined && isDead(Number(writer))) rmSync(join(dataDir, file), { force: true })
  }
  const dead = files.flatMap((file) => Number(RUN_FILE.exec(file)?.[1] ?? [])).filter(isDead)
  for (const pid of dead) removeRunNote(dataDir, pid)
  return dead
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

/** Replaces a file in one step: a reader sees all of it, as it was or as it is. */
export function writeWhole(file: string, json: string, mode = 0o666): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${json}\n`, { flush: true, mode })
  renameSync(draft, file)
}
