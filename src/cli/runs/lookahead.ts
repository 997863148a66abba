import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { readLogs } from '../../backtest/index.ts'
import { CornermanError, messageOf } from '../../core/error.ts'
import { draw, keyedRandom } from '../../core/random.ts'
import { botKey } from '../../optimize/ledger/botKey.ts'
import { cutLog, readLog } from '../../recording/index.ts'
import type { Assignment } from '../../strategy/assignment.ts'
import { EXIT } from '../exit.ts'
import { endSignals } from '../hangup.ts'
import { loadConfig } from '../loadConfig.ts'
import { isoTime, print } from '../output.ts'
import { progressOf } from '../progress.ts'
import type { RangeEnd } from '../rangeEnd.ts'
import { withSet } from '../setParameters.ts'
import { openTrials } from './trials/openTrials.ts'
import { playRange } from './trials/playRange.ts'

export interface LookaheadOptions {
  readonly log: readonly string[]
  readonly config: string
  readonly set?: readonly Assignment[]
  readonly to?: RangeEnd
  readonly dataDir: string
  readonly samples: number
  readonly json?: boolean
}

/** A line of `backtest --decisions`. */
interface Decided {
  readonly bot: string
  readonly n: number
  readonly at: number
  readonly input: string
  readonly decisions: readonly { readonly type: string; readonly strategy?: string }[]
}

/** A decision that came out otherwise once the future was gone. */
interface Leak {
  readonly bot: string
  readonly strategy: string
  readonly n: number
  readonly at: number
  readonly input: string
  readonly withFuture: Decided['decisions']
  readonly without: Decided['decisions']
}

const SEED = 1

export async function lookahead({ log: named, config, set = [], to, dataDir, samples, json }: LookaheadOptions): Promise<number> {
  const log = named.map(fromHere)
  const { bots } = withSet(await loadConfig(config), set)
  const keys = new Map(bots.map((bot) => [bot.name, botKey(bot)]))
  const ledger = openTrials(dataDir)
  const spans = ledger.seals().length === 0 ? [] : readLogs(log).spans
  const range = await playRange({ data: { spans }, from: undefined, to, by: 'lookahead', keys, ledger })
  const progress = progressOf('runs')
  const interruption = new AbortController()
  const onSignal = () => interruption.abort()
  for (const signal of endSignals()) process.once(signal, onSignal)
  const world = { log, until: range.to, config: resolve(config), set, signal: interruption.signal }
  try {
    progress.update(0, 1 + samples)
    const whole = await decisionsOf(world, undefined)
    if (whole.length === 0)
      throw new CornermanError('LOOKAHEAD_NOTHING', `the bots decide nothing on ${log.join(', ')}: there is nothing to try`)
    const from = firstPriceAt(log)
    const candidates = whole.filter(({ at }) => at >= from)
    if (candidates.length === 0)
      throw new CornermanError(
        'LOOKAHEAD_NOTHING',
        `the bots decide on ${log.join(', ')} before its first price alone: there is no future to cut off`,
      )
    const chosen = draw(keyedRandom(SEED, 'lookahead'), candidates, samples).sort((a, b) => a.at - b.at)
    const leaks: Leak[] = []
    for (const [done, { at }] of chosen.entries()) {
      progress.update(1 + done, 1 + chosen.length)
      leaks.push(...leaksBetween(whole, await decisionsOf(world, at), at))
    }
    const found = [...new Map(leaks.map((leak) => [`${leak.bot} ${leak.n}`, leak])).values()]
    for (const [bot, look] of range.looks) ledger.answer(look, { leaks: found.filter((leak) => leak.bot === bot).length })
    if (found.length > 0) expectSteady(whole, await decisionsOf(world, undefined))
    print(json, { decisions: whole.length, samples: chosen.length, leaks: found }, linesOf(whole, chosen, found))
    return found.length > 0 ? EXIT.failed : EXIT.done
  } catch (thrown) {
    if (interruption.signal.aborted) return EXIT.interrupted
    throw thrown
  } finally {
    for (const signal of endSignals()) process.off(signal, onSignal)
    progress.end()
  }
}

/** What is backtested, and what calls it off: a copy of a whole recording must not stay behind. */
interface World {
  readonly log: readonly string[]
  /** Unix milliseconds: nothing of after it is played, or lies beside it. */
  readonly until: number | undefined
  readonly config: string
  readonly set: readonly Assignment[]
  readonly signal: AbortSignal
}

/**
 * The path from this folder, however it was named.
 *
 * @throws CornermanError `USAGE` where there is none
 */
function fromHere(path: string): string {
  const way = relative('.', path)
  if (isAbsolute(way))
    throw new CornermanError('USAGE', `--log ${path}: it is on another drive, and only a relative path can lead to a cut copy`)
  return way === '' ? '.' : way
}

/** How many folders above this one a path goes. */
const heightOf = (path: string): number => path.split(sep).filter((part) => part === '..').length

/** Every decision of a backtest in a folder of its own, where the log's path leads to a copy that ends at `at`, or with what may be seen. */
async function decisionsOf({ log, until, config, set, signal }: World, at = until): Promise<Decided[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lookahead-'))
  // As deep in the folder as the paths go up.
  const cwd = join(folder, ...Array.from({ length: Math.max(...log.map(heightOf)) }, () => 'here'))
  try {
    mkdirSync(cwd, { recursive: true })
    for (const path of log) {
      const copy = join(cwd, path)
      mkdirSync(dirname(copy), { recursive: true })
      if (at === undefined) cpSync(path, copy, { recursive: true })
      else cutLog(path, at, copy)
    }
    const file = join(cwd, 'decisions.ndjson')
    const args = [
      'backtest',
      '--json',
      '--seed',
      String(SEED),
      '--config',
      config,
      '--decisions',
      file,
      '--log',
      ...log.map((path) => resolve(path)),
      ...set.flatMap(({ strategy, parameter, text }) => ['--set', `${strategy}.${parameter}=${text}`]),
    ]
    const end = at === undefined ? [] : ['--to', new Date(at).toISOString()]
    await run([...args, ...end], { cwd, signal })
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Decided)
  } finally {
    // One that was called off may write a moment longer.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @throws CornermanError as the command itself would have ended */
async function run(args: readonly string[], world: { readonly cwd: string; readonly signal: AbortSignal }): Promise<void> {
  try {
    const main = join(import.meta.dirname, `../main${extname(import.meta.filename)}`)
    await promisify(execFile)(process.execPath, [...process.execArgv, main, ...args], { ...world, maxBuffer: 1e9 })
  } catch (thrown) {
    const { code, stderr = '' } = thrown as { code?: unknown; stderr?: string }
    const said = stderr.trim().replace(/^cornerman: (.*?)(?: \[[A-Z_]+\])?$/s, '$1')
    throw new CornermanError(code === EXIT.usage ? 'USAGE' : 'BACKTEST_FAILED', said === '' ? messageOf(thrown) : said, { cause: thrown })
  }
}

/**
 * Who decides otherwise on the same log has not looked ahead.
 *
 * @throws CornermanError `LOOKAHEAD_UNSTEADY`
 */
function expectSteady(whole: readonly Decided[], again: readonly Decided[]): void {
  const [first] = leaksBetween(whole, again, Number.POSITIVE_INFINITY)
  if (first === undefined) return
  const { bot, strategy, n } = first
  throw new CornermanError(
    'LOOKAHEAD_UNSTEADY',
    `${bot}: strategy ${strategy} decides otherwise when the same log is played twice (input ${n}), so that nothing can be told from a cut: take chance from the context's random, and time from its clock`,
  )
}

/** What was decided before it, a recorded bot's first steps, cannot be tried: a log that ends there has nothing to play on. */
function firstPriceAt(logs: readonly string[]): number {
  const firsts = logs.map((log) => readLog(log).find(({ line }) => line.kind === 'prices')?.line)
  return Math.min(...firsts.map((line) => (line?.kind === 'prices' ? line.at : Number.POSITIVE_INFINITY)))
}

/** Up to the cut both knew the same, unless somebody looked ahead. Of each bot, the first difference: the rest follows from it. */
function leaksBetween(whole: readonly Decided[], cut: readonly Decided[], at: number): Leak[] {
  const bots = [...new Set(whole.map(({ bot }) => bot))]
  return bots.flatMap((bot) => {
    const known = whole.filter((decided) => decided.bot === bot && decided.at <= at)
    const again = cut.filter((decided) => decided.bot === bot && decided.at <= at)
    const place = known.findIndex((decided, index) => JSON.stringify(decided) !== JSON.stringify(again[index]))
    const [one, other] = place < 0 ? [undefined, again[known.length]] : [known[place], again[place]]
    const decided = one ?? other
    if (decided === undefined) return []
    const { n, input } = decided
    const strategy = [...(one?.decisions ?? []), ...(other?.decisions ?? [])].find((decision) => decision.strategy !== undefined)?.strategy
    return [
      { bot, strategy: strategy ?? 'unknown', n, at: decided.at, input, withFuture: one?.decisions ?? [], without: other?.decisions ?? [] },
    ]
  })
}

function linesOf(whole: readonly Decided[], chosen: readonly Decided[], leaks: readonly Leak[]): string[] {
  if (leaks.length === 0) return [`${chosen.length} of ${whole.length} decisions tried: none changes when the future is cut off`]
  return leaks.flatMap(({ bot, strategy, n, at, input, withFuture, without }) => [
    `${bot}: strategy ${strategy} decides otherwise on input ${n} (${input}) at ${isoTime(at)} when the future is cut off`,
    `  with the future     ${JSON.stringify(withFuture)}`,
    `  without the future  ${JSON.stringify(without)}`,
  ])
}
