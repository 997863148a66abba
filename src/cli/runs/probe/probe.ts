import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { createTwoFilesPatch } from 'diff'
import { MODES } from '../../../contract/modes.ts'
import { hashOf } from '../../../contract/shapes/reading.ts'
import { lackingIn, SHAPES_VERSION, type Shapes, shapesSchema } from '../../../contract/shapes/shapes.ts'
import { CornermanError } from '../../../core/error.ts'
import { steadyClock, systemClock } from '../../../core/systemClock.ts'
import { formatUsdc, type Usdc } from '../../../core/usdc.ts'
import { isHeld, SqliteJournal, seal } from '../../../live/index.ts'
import { FIGURES_HOLD_MS, inPlace, PriceBook, statusOf } from '../../../pipeline/index.ts'
import { readExchanges } from '../../../probe/exchange.ts'
import { readFacts } from '../../../probe/facts.ts'
import { find } from '../../../probe/find/find.ts'
import type { Findings } from '../../../probe/find/finding.ts'
import { boundLines, boundOf, type PlannedEntry, planOf, SWAP } from '../../../probe/plan.ts'
import { ProbeRecorder } from '../../../probe/probeRecorder.ts'
import { writeShared } from '../../../probe/writeShared.ts'
import type { BotConfig, Config, ContestServiceConfig } from '../../../strategy/config.ts'
import { makeDataDir } from '../../dataDir.ts'
import { EXIT } from '../../exit.ts'
import { journalFile } from '../../journals.ts'
import { loadConfig } from '../../loadConfig.ts'
import { createLog, type Logger } from '../../log.ts'
import { modesAsked } from '../../modesAsked.ts'
import { pickBots } from '../../pickBots.ts'
import { openService, type ServiceAccess, serviceOf } from '../../service.ts'
import { expectShapes, overlaid, readShapes, shapesFileOf, shapesText, writeShapes } from '../../shapesFile.ts'
import { swapsOf } from '../doctorReads.ts'
import { probeFolder, readFree } from '../start/explore.ts'
import { leftOpenBy, leftOpenText } from '../start/leftOpen.ts'
import { serviceClock } from '../start/serviceClock.ts'
import { Signals } from '../start/signals.ts'
import { findingsLines } from './findingsText.ts'
import { type PlayedEntry, playPlan } from './paidStage.ts'

export interface ProbeOptions {
  readonly config: string
  readonly bot?: string
  readonly dataDir: string
  readonly play?: boolean
  /** USDC in micro-units. */
  readonly most?: Usdc
  readonly stake?: Usdc
  /** Left out: `SWAP`. */
  readonly swap?: Usdc
  /** With commas between them. */
  readonly modes?: string
  /** Milliseconds. */
  readonly duration?: number
  readonly from?: string
  readonly write?: boolean
  readonly share?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** What a swap and its sale may take from the wallet in fees of the network, besides the priority fee. Lamports. */
const FEES_A_SWAP = 10_000
const LAMPORTS = 1_000_000_000

/**
 * Finds out where a service keeps what its documentation leaves open.
 *
 * @returns 0 where every mode asked for can be played by what was found, 1 otherwise
 */
export async function probe(options: ProbeOptions): Promise<number> {
  modesAsked(options.modes)
  const config = await loadConfig(options.config)
  const { service } = config
  if (service.kind === 'sandbox')
    throw new CornermanError('USAGE', `${options.config}: service is sandbox(): its answers are known, there is nothing to find out`)
  // A named file that is not there is the one that this probe makes.
  if (typeof service.shapes !== 'string' || existsSync(shapesFileOf(service, options.config))) expectShapes(config, options.config)
  if (options.from !== undefined) return conclude(findingsOf(options.from), { options, config, service, folder: options.from, played: [] })
  if (options.play === true && options.most === undefined)
    throw new CornermanError('USAGE', '--play stakes money: say how much at most, as in --play --most 2.00')
  const name = options.bot ?? config.bots[0]?.name ?? ''
  const alone = pickBots(config, [name])
  const [bot] = alone.bots
  if (bot === undefined) throw new CornermanError('USAGE', `${options.config}: there is no bot to probe with`)
  makeDataDir(options.dataDir)
  const log = createLog({ pretty: process.stderr.isTTY === true })
  const access = await openService(alone, { dataDir: options.dataDir, configFile: options.config })
  const signals = new Signals()
  const stopping = new AbortController()
  signals.listen(() => stopping.abort())
  try {
    return await run({ options, config: alone, service, bot, access, log, signal: stopping.signal })
  } finally {
    signals.close()
    await access.close()
  }
}

interface Run {
  readonly options: ProbeOptions
  readonly config: Config
  readonly service: ContestServiceConfig
  readonly bot: BotConfig
  readonly access: ServiceAccess
  readonly log: Logger
  readonly signal: AbortSignal
}

async function run({ options, config, service, bot, access, log, signal }: Run): Promise<number> {
  sayLeftOpen({ options, service, bot, access, log })
  const startedAt = systemClock.now()
  const folder = probeFolder(options.dataDir, startedAt)
  const recorder = new ProbeRecorder({ folder, service: service.url, startedAt })
  const http = serviceOf(access, bot.name)
  let isSandbox: boolean
  try {
    log.info(`reads what is free to read of ${service.url}: at most 60 reads, nothing is sent`)
    const { reads } = await readFree(http, recorder, { clock: systemClock, signal })
    if (!recorder.exchanges.some(({ status }) => status >= 200 && status < 300))
      throw new CornermanError(
        'SERVICE_UNREACHABLE',
        `${service.url} answered none of ${reads} reads: check service.url, the key and the network`,
      )
    isSandbox = service.sandbox && http.isSandbox
    log.info(`${reads} reads, recorded in ${folder}`)
  } finally {
    await http.close()
  }
  if (isSandbox) log.info(`${service.url} is this project's sandbox: a start reads it without a mapping`)
  const found = () => find(recorder.exchanges, recorder.facts)
  if (options.play !== true) return conclude(found(), { options, config, service, folder, played: [] })
  const entries = await planned({
    options,
    bot,
    access,
    recorder,
    log,
    shapes: overlaid(overGiven(found().shapes, service, options.config), ofConfig(service)),
  })
  await consent(entries, { options, bot })
  const clock = serviceClock(steadyClock, log, systemClock)
  const played =
    entries.length === 0
      ? []
      : await playPlan({
          ...{ config, configFile: options.config, access, dataDir: options.dataDir, clock, log, recorder, entries },
          ...{ swap: options.swap ?? SWAP, isAsked: options.modes !== undefined, signal },
        })
  return conclude(found(), { options, config, service, folder, played })
}

/**
 * What the run before has left open: a probe that only reads leaves it there.
 *
 * @throws CornermanError `JOURNAL_IN_USE` of one that is to play while another process does
 */
function sayLeftOpen({ options, service, bot, access, log }: Omit<Run, 'config' | 'signal'>): void {
  const file = journalFile(options.dataDir, bot.name)
  if (!existsSync(file) || (isHeld(file) && options.play !== true)) return
  const journal = new SqliteJournal(file)
  try {
    const own = { config: bot, paths: service.paths, timeoutMs: access.timeoutMs, figuresHoldMs: FIGURES_HOLD_MS }
    const left = leftOpenBy(statusOf(journal.load(), { ...own, book: new PriceBook(), seal, isolation: inPlace }, systemClock.now()))
    const next = options.play === true ? 'it is taken up before anything is entered' : 'the next start takes it up'
    if (left !== undefined) log.warn({ bot: bot.name }, `the run before has left open: ${leftOpenText([left])}; ${next}`)
  } finally {
    journal.close()
  }
}

interface Planning extends Pick<Run, 'options' | 'bot' | 'access' | 'log'> {
  readonly recorder: ProbeRecorder
  readonly shapes: Shapes
}

/** What is to be entered, without what cannot work. */
async function planned({ options, bot, access, recorder, log, shapes }: Planning): Promise<readonly PlannedEntry[]> {
  const { entries, withoutStake } = planOf({
    ...{
      exchanges: recorder.exchanges,
      shapes,
      modes: modesAsked(options.modes),
      allowed: bot.guard.modes,
      stake: options.stake,
      swap: options.swap ?? SWAP,
    },
    durationSec: options.duration === undefined ? undefined : Math.ceil(options.duration / 1000),
  })
  if (withoutStake.length > 0 && entries.length === 0)
    throw new CornermanError(
      'USAGE',
      `no open contest of ${withoutStake.join(', ')} was seen, so that nobody knows what may be staked there: name a stake, as in --stake 0.10`,
    )
  if (withoutStake.length > 0) log.warn(`left out, since no open contest was seen and no --stake is named: ${withoutStake.join(', ')}`)
  if (entries.every(({ swaps }) => swaps === 0n)) return entries
  const [swaps] = await swapsOf([{ ...bot, strategies: [TRADES] }], access, ({ name }) => serviceOf(access, name))
  if (swaps?.verdict !== 'fail') return entries
  log.warn(`modes of swaps are left out: ${swaps.message}`)
  return entries.filter((entry) => entry.swaps === 0n)
}

/** As much of a strategy as says that swaps are wanted. */
const TRADES = { kind: 'custom', name: 'probe' } as BotConfig['strategies'][number]

/** The bound is printed before anything is sent, and a terminal is asked once more. */
async function consent(entries: readonly PlannedEntry[], { options, bot }: Pick<Run, 'options' | 'bot'>): Promise<void> {
  const most = options.most ?? 0n
  const bound = boundOf(entries)
  const swaps = entries.filter((entry) => entry.swaps > 0n).length
  const lamports = swaps * 2 * (FEES_A_SWAP + Number(bot.guard.maxPriorityFeeLamports))
  for (const line of ['to be played by this probe:', ...boundLines(entries, { solFees: (lamports / LAMPORTS).toFixed(4) })])
    process.stderr.write(`${line}\n`)
  const over = (what: string, cap: Usdc) => {
    throw new CornermanError(
      'PROBE_OVER_CAP',
      `the probe may cost ${formatUsdc(bound)} USDC, over ${what} of ${formatUsdc(cap)}: nothing was sent; name fewer --modes, or allow more`,
    )
  }
  if (bound > most) over('--most', most)
  if (bound > bot.guard.dailyLoss) over(`guard.dailyLoss of ${bot.name}`, bot.guard.dailyLoss)
  const largest = entries.reduce((max, { stake }) => (stake > max ? stake : max), 0n)
  if (largest > bot.guard.maxStake) over(`guard.maxStake of ${bot.name}`, bot.guard.maxStake)
  if (entries.length === 0 || options.yes === true || process.stdin.isTTY !== true) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('play it? [y/N] ').finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CornermanError('USAGE', 'nothing was sent')
}

function findingsOf(folder: string): Findings {
  try {
    return find(readExchanges(folder), readFacts(folder))
  } catch (cause) {
    const message = `${folder}: is no folder of a probe (answers.jsonl and facts.json): ${(cause as Error).message.split('\n')[0]}`
    throw new CornermanError('PROBE_UNREADABLE', message, { cause })
  }
}

interface Conclusion extends Pick<Run, 'options' | 'config' | 'service'> {
  readonly folder: string
  readonly played: readonly PlayedEntry[]
}

/** Prints what was found, and what of the mapping's file changes by it; with `--write` writes that. */
function conclude(findings: Findings, { options, config, service, folder, played }: Conclusion): number {
  const file = shapesFileOf(service, options.config)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const shapes = overGiven({ ...findings.shapes, service: service.url }, service, options.config)
  const after = shapesText(shapes)
  // What stands in the config itself is laid over it, and belongs in no file.
  const lacking = lackingIn(overlaid(shapes, ofConfig(service)))
  const modes = modesAsked(options.modes) ?? MODES.filter((mode) => config.bots.some(({ guard }) => guard.modes.includes(mode)))
  const isWhole = modes.every((mode) => !lacking.has(mode))
  if (options.share !== undefined) writeShared(folder, options.share, randomBytes(32).toString('hex'))
  if (options.write === true && before !== after) writeShapes(file, shapes)
  if (options.json === true) {
    const document = {
      ok: isWhole,
      folder,
      file,
      written: options.write === true,
      played,
      pieces: findings.pieces,
      conflicts: findings.conflicts,
      modes: Object.fromEntries(modes.map((mode) => [mode, { playable: !lacking.has(mode), lacks: lacking.get(mode) ?? [] }])),
      shapes: { hash: hashOf(shapes), ...shapes },
    }
    process.stdout.write(`${JSON.stringify(document)}\n`)
    return isWhole ? EXIT.done : EXIT.failed
  }
  const lines = [
    ...played.map(({ mode, result, detail }) => `played    ${mode.padEnd(18)} ${result}${detail === undefined ? '' : ` (${detail})`}`),
    ...findingsLines({ ...findings, shapes }),
    '',
    ...(before === after
      ? [`${file} says so already`]
      : createTwoFilesPatch(file, file, before, after, before === '' ? 'not there' : 'as it is', 'by this probe')
          .trimEnd()
          .split('\n')),
    options.write === true ? `${file} is written` : `not written: --write does that, or cornerman probe --from ${folder} --write`,
  ]
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  return isWhole ? EXIT.done : EXIT.failed
}

const ofConfig = ({ shapes }: ContestServiceConfig): Shapes | undefined => (typeof shapes === 'object' ? shapes : undefined)

/** The group in which a meaning has one word. */
const ONE_WORD_EACH: keyof NonNullable<Shapes['words']> = 'side'

/** Words that were known before stay: those that are found now are laid beside them. */
function wordsOver(found: Shapes['words'] = {}, kept: Shapes['words'] = {}): Shapes['words'] {
  const groups = Object.entries({ ...found, ...kept }).map(([group, said]) => {
    const now = found[group as 'ticket']
    if (Array.isArray(said) || group === ONE_WORD_EACH || now === undefined) return [group, said]
    const meanings = new Set([...Object.keys(said ?? {}), ...Object.keys(now)])
    const wordsOf = (of: unknown, meaning: string) => ((of ?? {}) as Record<string, readonly string[]>)[meaning] ?? []
    return [
      group,
      Object.fromEntries([...meanings].map((meaning) => [meaning, [...new Set([...wordsOf(said, meaning), ...wordsOf(now, meaning)])]])),
    ]
  })
  return Object.fromEntries(groups)
}

/** What is found, under what a person has written: a piece by hand is not overwritten. */
function overGiven(found: Shapes, service: ContestServiceConfig, configFile: string): Shapes {
  const file = shapesFileOf(service, configFile)
  if (!existsSync(file)) return found
  const kept = readShapes(file)
  const byHand = Object.entries(kept.pieces ?? {}).filter(
    ([, said]) => typeof said !== 'object' || said.by === undefined || said.by === 'hand',
  )
  return shapesSchema.parse({
    ...overlaid(overlaid(kept, found), { version: SHAPES_VERSION, pieces: Object.fromEntries(byHand) }),
    ...(kept.own === undefined ? {} : { own: kept.own }),
    words: wordsOver(found.words, kept.words),
  })
}
