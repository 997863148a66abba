import { isDeepStrictEqual } from 'node:util'
import type { ExtraPaths } from '../../contract/paths.ts'
import type { Clock } from '../../core/clock.ts'
import { plainJson } from '../../core/plainJson.ts'
import type { Mint } from '../../core/tokens.ts'
import {
  decisionsOf,
  FIGURES_HOLD_MS,
  type Input,
  type InputOf,
  inputOf,
  PriceBook,
  type Seal,
  type Stepwise,
  type StrategyResult,
  stepwise,
  strategyTimeoutMs,
} from '../../pipeline/index.ts'
import type { Decision, HeaderLine, InputLine, MintsLine, OutputLine, PricesLine } from '../../recording/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { Strategy } from '../../strategy/define.ts'
import { isIsolated } from '../../strategy/isIsolated.ts'
import { HeldQuestions } from './heldQuestions.ts'
import { LateAnswers, type Said, type Silence } from './lateAnswers.ts'
import { playedBack } from './playedBack.ts'

export interface ReplayedBot {
  readonly config: BotConfig
  readonly paths: ExtraPaths
  /** Of the service the bot played at: an answer later than this was lost. */
  readonly timeoutMs: number
  /** Real time, for strategies that answer late. */
  readonly clock: Clock
  /** Strategies that were waited for in vain, in this run or one before: they are not waited for any more. */
  readonly silent: Set<string>
}

/** One input, and what became of it then and now. */
export interface ReplayedStep {
  readonly seq: number
  readonly at: number
  readonly input: unknown
  readonly recorded: readonly Decision[]
  readonly replayed: readonly Decision[]
  /** Of the recorded answer of a strategy that does not give it any more: it was played back, and what it led to says nothing. */
  readonly unanswered?: Unanswered
}

export interface Unanswered {
  readonly strategy: string
  readonly recorded: StrategyResult
  readonly why: Silence
}

/** What is known of a run only once its recording has ended. */
export interface ReplayedEnd {
  /** The last input, where an answer is missing: a crash can have cut off what it led to, so that nothing else can be said of it. */
  readonly last: ReplayedStep | undefined
  /** What strategies have said, and the recording has not. */
  readonly unrecorded: readonly (Said & { readonly strategy: string })[]
}

/** Turns for promises after every input: whoever awaits what is there already is done by the next one, as live. */
const TURNS = 20
/** Inputs between turns for everything else that a strategy may wait for. */
const TURN_EVERY = 256

/**
 * One start of a bot, run again: the same flow and the same strategies on the recorded inputs, in their order and at their
 * times. Prices come from the recording; salts are not in it, so commitments are played back.
 */
export class ReplayedRun {
  readonly #bot: ReplayedBot
  readonly #play: Stepwise
  readonly #book = new PriceBook()
  readonly #late: LateAnswers
  readonly #held = new HeldQuestions()
  #mints: readonly Mint[]
  /** Commitments recorded for the input that is being processed. */
  #commitments: string[] = []
  #waiting: PricesLine | InputLine | undefined
  /** By contest: the trader in it. */
  readonly #traderOf = new Map<string, string>()
  #inputs = 0

  constructor(bot: ReplayedBot, { mints, config: recorded }: HeaderLine) {
    this.#bot = bot
    this.#mints = mints
    const { paths, timeoutMs, clock, silent } = bot
    // The time there was is the recording's, whatever the config says by now.
    const { strategyTimeoutMs: _now, ...rest } = bot.config
    const patience = recorded?.strategyTimeoutMs === undefined ? {} : { strategyTimeoutMs: recorded.strategyTimeoutMs }
    const config = { ...rest, ...patience, strategies: bot.config.strategies.map(playedBack).map(this.#watched) }
    this.#late = new LateAnswers(clock, strategyTimeoutMs(config), silent)
    const seal = (): Seal => ({ salt: '', commitment: this.#commitments.shift() ?? '' })
    this.#play = stepwise(
      { config, paths, timeoutMs, figuresHoldMs: FIGURES_HOLD_MS, book: this.#book, seal, isolation: this.#held },
      ({ callId, result }) => this.#late.emitted(callId, result),
    )
  }

  /** A new segment names its columns anew. */
  onHeader({ mints }: HeaderLine): void {
    this.#mints = mints
  }

  /** @returns the step of an input read before, now that it is known what it led to */
  async onLine(line: MintsLine | PricesLine | InputLine | OutputLine): Promise<ReplayedStep | undefined> {
    switch (line.kind) {
      case 'mints':
        this.#mints = [...this.#mints, ...line.mints]
        return undefined
      case 'output':
        return this.#process(line.decisions)
      case 'prices':
      case 'input': {
        const step = await this.#process([])
        if (line.kind === 'prices') this.#learn(line)
        if (line.n !== undefined) this.#waiting = line
        return step
      }
    }
  }

  /** No more of the run is recorded. */
  async end(): Promise<ReplayedEnd> {
    const step = await this.#process([])
    const unrecorded = this.#late.unrecorded().map((said) => ({ ...said, strategy: this.#speakerOf(said.callId) }))
    this.#play.stop()
    return { last: step?.unanswered === undefined ? undefined : step, unrecorded }
  }

  async #process(recorded: readonly Decision[]): Promise<ReplayedStep | undefined> {
    const line = this.#waiting
    this.#waiting = undefined
    if (line?.n === undefined) return undefined
    const { n: seq, at } = line
    this.#commitments = recorded.flatMap((decision) => (decision.type === 'commitment' ? decision.commitment : []))
    const { input, unanswered } = line.kind === 'prices' ? { input: this.#priceInput(seq, at) } : await this.#inputOf(line)
    const place = { seq, at, input: line.kind === 'prices' ? line : { type: line.type, body: line.body } }
    this.#late.begins(place)
    const step = this.#play.step(input)
    const calls = step?.calls ?? []
    this.#held.asked(calls)
    this.#late.promised(calls)
    await this.#turn()
    return {
      ...place,
      recorded,
      replayed: step === undefined ? [] : decisionsOf(step),
      ...(unanswered === undefined ? {} : { unanswered }),
    }
  }

  /** Time for what strategies await. */
  async #turn(): Promise<void> {
    const { clock } = this.#bot
    for (let turn = 0; turn < TURNS; turn++) await Promise.resolve()
    if (++this.#inputs % TURN_EVERY === 0) await new Promise<void>((resolve) => clock.at(clock.now(), resolve))
  }

  #learn({ at, known = at, prices }: PricesLine): void {
    const found = prices.flatMap((price, column) => {
      const mint = this.#mints[column]
      return price === null || mint === undefined ? [] : [[mint, price] as const]
    })
    this.#book.append({ at: known, prices: new Map(found) })
  }

  #priceInput = (n: number, at: number): Input => ({ type: 'prices', tick: this.#book.tick, n, at })

  async #inputOf(line: InputLine): Promise<{ readonly input: Input; readonly unanswered?: Unanswered }> {
    const input = inputOf(line, line)
    if (input.type !== 'late') return { input }
    const { callId } = input
    if (this.#isPlayedBack(input) || this.#late.isOverdue(callId)) {
      this.#late.forget(callId)
      return { input }
    }
    const strategy = this.#speakerOf(callId)
    const said = await this.#late.next(callId, strategy)
    // What follows is compared as if the answer had come: most of it does not hang on it.
    if (typeof said === 'string') return { input, unanswered: { strategy, recorded: input.result, why: said } }
    return { input: { ...input, result: said } }
  }

  #isPlayedBack(late: InputOf<'late'>): boolean {
    const { config } = this.#bot
    const speakers = this.#speakersOf(late.callId)
    if (speakers.some(({ external }) => external)) return true
    return speakers.some((strategy) => isIsolated(config, strategy) && !this.#held.put(strategy.name, late))
  }

  #speakerOf(callId: string): string {
    return this.#speakersOf(callId)[0]?.name ?? callId
  }

  /** A call names its strategy, but for a trader's, which names the contest: where none is known to trade there, it may be any. */
  #speakersOf(callId: string): readonly Strategy[] {
    const [kind = '', name = ''] = callId.split(':')
    const { strategies } = this.#bot.config
    if (kind !== 'trader') return strategies.filter((strategy) => strategy.name === name)
    const trader = this.#traderOf.get(name)
    return strategies.filter((strategy) => strategy.kind === 'trade' && (trader === undefined || strategy.name === trader))
  }

  /** Notes where a trader trades, and when it is stopped there. */
  #watched = (strategy: Strategy): Strategy => {
    if (strategy.kind !== 'trade') return strategy
    return {
      ...strategy,
      trade: (context) => {
        const { contestId } = context.contest
        this.#traderOf.set(contestId, strategy.name)
        context.positions$.subscribe({ complete: () => this.#late.stopped(`trader:${contestId}`) })
        return strategy.trade(context)
      },
    }
  }
}

/** Decisions in which both agree, place by place. */
export function matchesOf({ recorded, replayed, unanswered }: ReplayedStep): number {
  if (unanswered !== undefined) return 0
  return recorded.filter((decision, place) => isDeepStrictEqual(plainJson(decision), plainJson(replayed[place]))).length
}
