import { type Observable, Subject, type Subscription, startWith } from 'rxjs'
import { VirtualClock } from '../../src/core/clock.ts'
import type { TokenFacts } from '../../src/core/tokenFacts.ts'
import type { Mint } from '../../src/core/tokens.ts'
import { type Usdc, usdc } from '../../src/core/usdc.ts'
import { FileRecorder, SiblingBus } from '../../src/live/index.ts'
import {
  askedRemotely,
  type BotStatus,
  type Isolation,
  inPlace,
  type Journal,
  type Note,
  type OperatorCommand,
  type OperatorWord,
  type Pause,
  PriceBook,
  pipeline,
  type Step,
  type Swapper,
} from '../../src/pipeline/index.ts'
import type { BotConfig } from '../../src/strategy/config.ts'
import type { Strategy } from '../../src/strategy/define.ts'
import { fingerprintOf } from '../../src/strategy/fingerprint.ts'
import { type GuardConfig, guardConfig } from '../../src/strategy/guardConfig.ts'
import { MemoryJournal } from '../../src/testing/memoryJournal.ts'
import { ScriptedEvents, START_MS } from './rawEvents.ts'
import { ScriptedService } from './scriptedService.ts'
import { ScriptedSwapper } from './scriptedSwapper.ts'
import { sealWith } from './sealWith.ts'

export interface TestBotOptions {
  readonly strategies?: readonly Strategy[]
  readonly guard?: Partial<GuardConfig>
  readonly name?: string
  /** Instead of its name, strategies, guard and sweep. */
  readonly config?: BotConfig
  /** One for both lives of a bot that is started again. */
  readonly journal?: MemoryJournal
  /** Instead of one in memory. */
  readonly journalOnDisk?: Journal
  readonly clock?: VirtualClock
  readonly siblings?: SiblingBus
  /** Whether the stream is read to its end at once. Default true. */
  readonly caughtUp?: boolean
  /** Whether it sells what contests have left. Default true. */
  readonly sweep?: boolean
  /** Given before the bot starts. */
  readonly command?: OperatorCommand
  /** The DEX and the chain. Default: one that swaps at par. */
  readonly swapper?: Swapper
  /** How far the machine's clock is behind `clock`, in milliseconds. Default: never said. */
  readonly skewMs$?: Observable<number>
  /** What it is told of tokens. Default: nothing. */
  readonly tokens$?: Observable<readonly TokenFacts[]>
  /** The folder to record into. Default: nothing is recorded. */
  readonly recording?: string
  /** Which strategies are isolated, and where they run. Default: none. */
  readonly isolate?: BotConfig['isolate']
  readonly isolation?: (book: PriceBook) => Isolation
  /** Told of the bot before its first step, and of every step at once. */
  readonly observer?: { begins(status: () => BotStatus, book: PriceBook, config: BotConfig): void; step(step: Step): void }
  /** Puts things on the shelves before the bot looks. */
  readonly prepare?: (service: ScriptedService) => void
}

export interface TestBot {
  readonly config: BotConfig
  readonly clock: VirtualClock
  readonly service: ScriptedService
  readonly events: ScriptedEvents
  readonly journal: MemoryJournal
  readonly steps: readonly Step[]
  readonly operator$: Subject<OperatorWord>
  readonly chainUsdc$: Subject<Usdc>
  readonly gapMs$: Subject<number>
  readonly pause$: Subject<Pause>
  readonly feedTrouble$: Subject<string | undefined>
  /** The other bots of its config, as `bob` is one. */
  readonly siblings: ReturnType<SiblingBus['portOf']>
  /** Set once the pipeline has ended. */
  readonly end: { readonly how: 'completed' | 'failed'; readonly error?: unknown } | undefined
  status(): BotStatus
  notes(level: Note['level']): string[]
  /** Codes of the guard's refusals. */
  refusals(): string[]
  /** A tick of the price feed. */
  price(prices: Readonly<Record<Mint, string>>): void
  /** Delivers events, and lets everything they lead to without time passing happen. */
  tell(...raws: readonly unknown[]): Promise<void>
  run(durationMs: number): Promise<void>
  /** The process dies: nothing more is heard or written. */
  kill(): void
}

/** One bot on a virtual clock, between a scripted service and a journal in memory. */
export async function openTestBot(options: TestBotOptions = {}): Promise<TestBot> {
  const { clock = new VirtualClock(START_MS), journal = new MemoryJournal(), siblings = new SiblingBus(), name = 'alice' } = options
  const service = new ScriptedService(clock)
  options.prepare?.(service)
  const swapper = options.swapper ?? new ScriptedSwapper()
  const events = new ScriptedEvents()
  const operator$ = new Subject<OperatorWord>()
  const chainUsdc$ = new Subject<Usdc>()
  const gapMs$ = new Subject<number>()
  const pause$ = new Subject<Pause>()
  const feedTrouble$ = new Subject<string | undefined>()
  const market = { book: new PriceBook(), tick$: new Subject<number>() }
  const config: BotConfig = options.config ?? {
    name,
    strategies: [...(options.strategies ?? [])],
    guard: { ...guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') }), ...options.guard },
    sweep: options.sweep ?? true,
    seed: 0,
    ...(options.isolate === undefined ? {} : { isolate: options.isolate }),
  }
  const { recording: folder } = options
  const recorder = folder === undefined ? undefined : recorderOf(folder, config, clock, market.book)
  let salts = 0
  const play = pipeline(
    {
      clock,
      service: askedRemotely(service),
      journal: options.journalOnDisk ?? journal,
      events,
      market,
      swapper,
      ...(options.tokens$ === undefined ? {} : { tokens$: options.tokens$ }),
      ...(options.skewMs$ === undefined ? {} : { skewMs$: options.skewMs$ }),
      ...{ chainUsdc$, gapMs$, pause$, feedTrouble$ },
      operator$: options.command === undefined ? operator$ : operator$.pipe(startWith(options.command)),
      siblings: siblings.portOf(name),
      recorder: recorder ?? { record: () => {}, price: () => {} },
      isolation: options.isolation?.(market.book) ?? inPlace,
      seal: sealWith(() => `salt-of-the-test-${name}-${clock.now()}-${salts++}`),
    },
    { config, paths: {} },
  )
  const steps: Step[] = []
  let end: TestBot['end']
  options.observer?.begins(play.status, market.book, config)
  const subscription: Subscription = play.step$.subscribe({
    next: (step) => {
      steps.push(step)
      options.observer?.step(step)
    },
    error: (error: unknown) => {
      end = { how: 'failed', error }
    },
    complete: () => {
      end = { how: 'completed' }
    },
  })
  if (options.caughtUp !== false) events.catchUp()
  await settle()
  return {
    siblings: siblings.portOf('bob'),
    clock,
    service,
    events,
    journal,
    steps,
    operator$,
    ...{ chainUsdc$, gapMs$, pause$, feedTrouble$ },
    get end() {
      return end
    },
    status: play.status,
    notes: (level) => steps.flatMap(({ notes }) => notes.filter((note) => note.level === level).map(({ message }) => message)),
    refusals: () => steps.flatMap(({ refused }) => refused.map(({ refusal }) => refusal.code)),
    price(prices) {
      market.tick$.next(market.book.append({ at: clock.now(), prices: new Map(Object.entries(prices)) }))
    },
    async tell(...raws) {
      events.tell(...raws)
      await settle()
    },
    async run(durationMs) {
      await clock.advanceBy(durationMs)
      await settle()
    },
    kill: () => subscription.unsubscribe(),
    config,
  }
}

function recorderOf(folder: string, config: BotConfig, clock: VirtualClock, book: PriceBook): FileRecorder {
  const run = new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, '')
  const software = { cornerman: '0.0.0', node: process.versions.node }
  const header = { source: 'live', bot: config.name, agentId: 'a-1', run, software, config: fingerprintOf(config), mints: [] } as const
  return new FileRecorder({ folder, book, header })
}

/** Lets promises that wait for no time settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}
