import { isDeepStrictEqual } from 'node:util'
import type { ExtraPaths } from '../../contract/paths.ts'
import type { Clock } from '../../core/clock.ts'
import { plainJson } from '../../core/plainJson.ts'
import type { Mint } from '../../core/tokens.ts'
import { Core, decisionsOf, FIGURES_HOLD_MS, type Input, type InputOf, inputOf, PriceBook, type Seal } from '../../pipeline/index.ts'
import type { Decision, HeaderLine, InputLine, MintsLine, OutputLine, PricesLine } from '../../recording/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { isIsolated } from '../../strategy/isIsolated.ts'
import { HeldQuestions } from './heldQuestions.ts'
import { LateAnswers } from './lateAnswers.ts'
import { playedBack } from './playedBack.ts'

export interface ReplayedBot {
  readonly config: BotConfig
  readonly paths: ExtraPaths
  /** Of the service the bot played at: an answer later than this was lost. */
  readonly timeoutMs: number
  /** Real time, for strategies that answer late. */
  readonly clock: Clock
}

/** One input, and what became of it then and now. */
export interface ReplayedStep {
  readonly seq: number
  readonly at: number
  readonly input: unknown
  readonly recorded: readonly Decision[]
  readonly replayed: readonly Decision[]
}

/**
 * One start of a bot, run again: the same core and the same strategies on the recorded inputs, in their order and at their
 * times. Prices come from the recording; salts are not in it, so commitments are played back.
 */
export class ReplayedRun {
  readonly #bot: ReplayedBot
  readonly #core: Core
  readonly #book = new PriceBook()
  readonly #late: LateAnswers
  readonly #held = new HeldQuestions()
  #mints: readonly Mint[]
  /** Commitments recorded for the input that is being processed. */
  #commitments: string[] = []
  #waiting: PricesLine | InputLine | undefined

  constructor(bot: ReplayedBot, { mints }: HeaderLine) {
    this.#bot = bot
    this.#mints = mints
    const { paths, timeoutMs, clock } = bot
    const config = { ...bot.config, strategies: bot.config.strategies.map(playedBack) }
    this.#late = new LateAnswers(clock)
    const seal = (): Seal => ({ salt: '', commitment: this.#commitments.shift() ?? '' })
    this.#core = new Core(
      { config, paths, timeoutMs, figuresHoldMs: FIGURES_HOLD_MS, book: this.#book, seal, isolation: this.#held },
      (callId, result) => this.#late.emitted(callId, result),
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

  /** The last input of the run: a crash can have cut off what it led to, so that nothing can be said of it. */
  async end(): Promise<void> {
    await this.#process([])
    this.#core.stop()
  }

  async #process(recorded: readonly Decision[]): Promise<ReplayedStep | undefined> {
    const line = this.#waiting
    this.#waiting = undefined
    if (line?.n === undefined) return undefined
    const { n: seq, at } = line
    this.#commitments = recorded.flatMap((decision) => (decision.type === 'commitment' ? decision.commitment : []))
    const input = line.kind === 'prices' ? this.#priceInput(seq, at) : await this.#inputOf(line)
    const step = this.#core.step(input)
    this.#held.asked(step.calls)
    this.#late.promised(step.calls)
    return { seq, at, input: line.kind === 'prices' ? line : { type: line.type, body: line.body }, recorded, replayed: decisionsOf(step) }
  }

  #learn({ at, known = at, prices }: PricesLine): void {
    const found = prices.flatMap((price, column) => {
      const mint = this.#mints[column]
      return price === null || mint === undefined ? [] : [[mint, price] as const]
    })
    this.#book.append({ at: known, prices: new Map(found) })
  }

  #priceInput = (n: number, at: number): Input => ({ type: 'prices', tick: this.#book.tick, n, at })

  async #inputOf(line: InputLine): Promise<Input> {
    const input = inputOf(line, line)
    if (input.type !== 'late' || this.#isPlayedBack(input)) return input
    const result = await this.#late.next(input.callId)
    return result === undefined ? input : { ...input, result }
  }

  /** A call names its strategy, but for a trader's, which names the contest: where one trader's are played back, all are. */
  #isPlayedBack(late: InputOf<'late'>): boolean {
    const { config } = this.#bot
    const [kind = '', name = ''] = late.callId.split(':')
    const speakers = config.strategies.filter((strategy) => (kind === 'trader' ? strategy.kind === 'trade' : strategy.name === name))
    if (speakers.some(({ external }) => external)) return true
    return speakers.some((strategy) => isIsolated(config, strategy)) && !this.#held.put(name, late)
  }
}

/** Decisions in which both agree, place by place. */
export function matchesOf({ recorded, replayed }: ReplayedStep): number {
  return recorded.filter((decision, place) => isDeepStrictEqual(plainJson(decision), plainJson(replayed[place]))).length
}
