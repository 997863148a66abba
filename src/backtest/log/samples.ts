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
  readonly limits = new Map<string, { readonly maxStake: bigint; readonly dailyLossCap: bigint }>()
  readonly bankroll = new Map<string, { readonly total: bigint; readonly gasLamports: bigint | undefined }>()
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
      if (decision.type === 'outcome') this.#onDecided(decision)
    }
  }

  onInput(input: Input): void {
    if (input.type === 'event') this.#onEvent(input)
    if (input.type === 'outcome') this.#onOutcome(input)
    if (input.type === 'quoted') this.#onQuoted(input)
    if (input.type === 'landing' && input.result.status === 'landed') this.fees.push(input.result.feeLamports)
    if (input.type === 'answer') this.#onAnswer(input)
  }

  #onDecided({ key, status, detail = '' }: Extract<OutputLine['decisions'][number], { type: 'outcome' }>): void {
    if (!this.#swaps.has(key) || status === 'unknown') return
    this.#swaps.delete(key)
    const quote = this.#quotes.get(key)
    this.#quotes.delete(key)
    if (status === 'filled' && quote !== undefined) this.filled.push(quote)
    if (status === 'filled') this.swapsFilled += 1
    // A price that has moved on shows in the simulation, or on the chain: which of the two is a matter of milliseconds.
    else if (status === 'reverted' || status === 'expired' || (status === 'refused' && detail.startsWith('SIMULATION_FAILED'))) {
      this.swapsFailed += 1
    }
  }

  #onEvent({ read, recorded, at }: InputOf<'event'>): void {
    if (!read.ok || recorded) return
    const { type, data, createdAt } = read.event
    this.eventMs.push(Math.max(0, at - createdAt))
    if (this.heardAt.at(-1) !== at) this.heardAt.push(at)
    if (type === 'match.found') {
      this.#duels.add(data.contestId)
      const madeAt = this.#ticketAt.get(data.ticketId)
      if (madeAt !== undefined) this.waitMs.push(Math.max(0, createdAt - madeAt))
    }
    if (type !== 'contest.settled' || !this.#duels.delete(data.contestId)) return
    if (data.result === 'WIN' && data.profit > 0n && data.profit <= data.stake) {
      this.paidShares.push(Number(data.stake + data.profit) / Number(2n * data.stake))
    }
  }

  #onOutcome({ key, outcome, at }: InputOf<'outcome'>): void {
    if (outcome.status !== 'accepted') return
    const sentAt = this.#sentAt.get(key)
    if (sentAt !== undefined) this.actionMs.push(at - sentAt)
    const { ticketId } = (outcome.output ?? {}) as { ticketId?: unknown }
    if (typeof ticketId === 'string') this.#ticketAt.set(ticketId, at)
  }

  #onQuoted({ key, at, result }: InputOf<'quoted'>): void {
    if (result.ok) this.#quotes.set(key, { ...result.quote, at })
    const askedAt = this.#approvedAt.get(key)
    if (askedAt !== undefined) this.quoteMs.push(at - askedAt)
  }

  #onAnswer({ request: { procedure }, result }: InputOf<'answer'>): void {
    if (!result.ok) return
    if (procedure === 'agent.limits') {
      const { maxStake, dailyLossCap } = result.output as ProcedureOutput<'agent.limits'>
      if (!this.limits.has(this.#bot)) this.limits.set(this.#bot, { maxStake, dailyLossCap })
    }
    if (procedure === 'agent.bankroll') {
      const { available, inPlay = 0n, gasLamports } = result.output as ProcedureOutput<'agent.bankroll'>
      if (!this.bankroll.has(this.#bot)) this.bankroll.set(this.#bot, { total: available + inPlay, gasLamports })
    }
  }
}
