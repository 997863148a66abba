import type { ProcedureOutput } from '../../contract/procedures.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Input, InputOf } from '../../pipeline/index.ts'
import type { HeaderLine, OutputLine } from '../../recording/index.ts'

/** What a swap gave for what, in base units, as it was quoted. */
export interface QuotedSwap {
  /** Unix milliseconds of the quote. */
  readonly at: number
  readonly from: Mint
  readonly to: Mint
  readonly inAmount: bigint
  readonly outAmount: bigint
}

/** What has a time of its own for each that was heard. */
type Timed = 'actionMs' | 'quoteMs' | 'eventMs' | 'waitMs' | 'paidShares' | 'fees' | 'filled' | 'swapsFilled' | 'swapsFailed'

/** What a log shows of delays, fills and the service's terms, line by line: what assumptions are fitted to. */
export class Samples {
  /** From an action's being sent to its outcome, milliseconds. */
  readonly actionMs: number[] = []
  /** From a question to the DEX to its answer. */
  readonly quoteMs: number[] = []
  /** From an event's creation to the bot's hearing of it. */
  readonly eventMs: number[] = []
  /** When it heard of events, Unix milliseconds: each instant once. */
  readonly heardAt: number[] = []
  /** From a ticket's being taken to its match. */
  readonly waitMs: number[] = []
  /** What winners of duels got back, as a share of both stakes. */
  readonly paidShares: number[] = []
  readonly fees: bigint[] = []
  /** Swaps that were filled, by their last quotes. */
  readonly filled: QuotedSwap[] = []
  swapsFilled = 0
  swapsFailed = 0
  /** The first of each that was read, by the bot whose log it is. */
  readonly limits = new Map<string, { readonly at: number; readonly maxStake: bigint; readonly dailyLossCap: bigint }>()
  readonly bankroll = new Map<string, { readonly at: number; readonly total: bigint; readonly gasLamports: bigint | undefined }>()
  /** When each of a list was heard, Unix milliseconds, in its order. */
  readonly times: Readonly<Record<Timed, number[]>> = {
    ...{ actionMs: [], quoteMs: [], eventMs: [], waitMs: [], paidShares: [], fees: [], filled: [], swapsFilled: [], swapsFailed: [] },
  }
  #bot = ''
  readonly #sentAt = new Map<string, number>()
  readonly #approvedAt = new Map<string, number>()
  readonly #swaps = new Set<string>()
  readonly #quotes = new Map<string, QuotedSwap>()
  readonly #ticketAt = new Map<string, number>()
  /** Contests that a ticket met somebody in: duels. */
  readonly #duels = new Set<string>()

  onHeader({ bot }: HeaderLine): void {
    this.#bot = bot
  }

  onOutput({ at, decisions }: OutputLine): void {
    for (const decision of decisions) {
      if (decision.type === 'approved') {
        this.#approvedAt.set(decision.key, at)
        const { type } = decision.action as { type?: unknown }
        if (type === 'swap' || type === 'sweep') this.#swaps.add(decision.key)
      }
      if (decision.type === 'sent') this.#sentAt.set(decision.key, at)
      if (decision.type === 'outcome') this.#onDecided(decision, at)
    }
  }

  onInput(input: Input): void {
    if (input.type === 'event') this.#onEvent(input)
    if (input.type === 'outcome') this.#onOutcome(input)
    if (input.type === 'quoted') this.#onQuoted(input)
    if (input.type === 'landing' && input.result.status === 'landed') {
      this.fees.push(input.result.feeLamports)
      this.times.fees.push(input.at)
    }
    if (input.type === 'answer') this.#onAnswer(input)
  }

  #onDecided({ key, status, detail = '' }: Extract<OutputLine['decisions'][number], { type: 'outcome' }>, at: number): void {
    if (!this.#swaps.has(key) || status === 'unknown') return
    this.#swaps.delete(key)
    const quote = this.#quotes.get(key)
    this.#quotes.delete(key)
    if (status === 'filled' && quote !== undefined) {
      this.filled.push(quote)
      this.times.filled.push(at)
    }
    if (status === 'filled') {
      this.swapsFilled += 1
      this.times.swapsFilled.push(at)
    }
    // A price that has moved on shows in the simulation, or on the chain: which of the two is a matter of milliseconds.
    else if (status === 'reverted' || status === 'expired' || (status === 'refused' && detail.startsWith('SIMULATION_FAILED'))) {
      this.swapsFailed += 1
      this.times.swapsFailed.push(at)
    }
  }

  #onEvent({ read, recorded, at }: InputOf<'event'>): void {
    if (!read.ok || recorded) return
    const { type, data, createdAt } = read.event
    this.eventMs.push(Math.max(0, at - createdAt))
    this.times.eventMs.push(at)
    if (this.heardAt.at(-1) !== at) this.heardAt.push(at)
    if (type === 'match.found') {
      this.#duels.add(data.contestId)
      const madeAt = this.#ticketAt.get(data.ticketId)
      if (madeAt !== undefined) {
        this.waitMs.push(Math.max(0, createdAt - madeAt))
        this.times.waitMs.push(at)
      }
    }
    if (type !== 'contest.settled' || !this.#duels.delete(data.contestId)) return
    if (data.result === 'WIN' && data.profit > 0n && data.profit <= data.stake) {
      this.paidShares.push(Number(data.stake + data.profit) / Number(2n * data.stake))
      this.times.paidShares.push(at)
    }
  }

  #onOutcome({ key, outcome, at }: InputOf<'outcome'>): void {
    if (outcome.status !== 'accepted') return
    const sentAt = this.#sentAt.get(key)
    if (sentAt !== undefined) {
      this.actionMs.push(at - sentAt)
      this.times.actionMs.push(at)
    }
    const { ticketId } = (outcome.output ?? {}) as { ticketId?: unknown }
    if (typeof ticketId === 'string') this.#ticketAt.set(ticketId, at)
  }

  #onQuoted({ key, at, result }: InputOf<'quoted'>): void {
    if (result.ok) this.#quotes.set(key, { ...result.quote, at })
    const askedAt = this.#approvedAt.get(key)
    if (askedAt !== undefined) {
      this.quoteMs.push(at - askedAt)
      this.times.quoteMs.push(at)
    }
  }

  #onAnswer({ request: { procedure }, result, at }: InputOf<'answer'>): void {
    if (!result.ok) return
    if (procedure === 'agent.limits') {
      const { maxStake, dailyLossCap } = result.output as ProcedureOutput<'agent.limits'>
      if (!this.limits.has(this.#bot)) this.limits.set(this.#bot, { at, maxStake, dailyLossCap })
    }
    if (procedure === 'agent.bankroll') {
      const { available, inPlay = 0n, gasLamports } = result.output as ProcedureOutput<'agent.bankroll'>
      if (!this.bankroll.has(this.#bot)) this.bankroll.set(this.#bot, { at, total: available + inPlay, gasLamports })
    }
  }
}

/** What of the samples was heard before a time, in Unix milliseconds. */
export function samplesBefore(samples: Samples, until: number): Samples {
  const before = new Samples()
  const keep = <T>(kind: Timed, values: readonly T[], kept: T[]) => {
    for (const [index, at] of samples.times[kind].entries()) {
      const value = values[index]
      if (at >= until || value === undefined) continue
      kept.push(value)
      before.times[kind].push(at)
    }
  }
  for (const kind of ['actionMs', 'quoteMs', 'eventMs', 'waitMs', 'paidShares'] as const) keep(kind, samples[kind], before[kind])
  keep('fees', samples.fees, before.fees)
  keep('filled', samples.filled, before.filled)
  for (const kind of ['swapsFilled', 'swapsFailed'] as const) {
    for (const at of samples.times[kind]) if (at < until) before.times[kind].push(at)
    before[kind] = before.times[kind].length
  }
  for (const at of samples.heardAt) if (at < until) before.heardAt.push(at)
  for (const [bot, limits] of samples.limits) if (limits.at < until) before.limits.set(bot, limits)
  for (const [bot, bankroll] of samples.bankroll) if (bankroll.at < until) before.bankroll.set(bot, bankroll)
  return before
}
