import { type Mint, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { SwapOutcome } from '../../strategy/view.ts'
import type { Bot } from '../bot.ts'
import { NO_FIGURES, type Swaps } from './swaps.ts'

/** Tries at one holding that come quickly, and all there are while the bot drains; then one a minute. */
const QUICK_TRIES = 5
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** After a refusal of the guard's, whose reason passes: a price that is stale, for one; and where the service does not show the swap before yet. */
const REFUSED_WAIT_MS = 5000

/** What a contest that is over still holds of one token. */
interface Leftover {
  readonly contestId: string
  readonly mint: Mint
  readonly amount: bigint
}

/**
 * Sells what contests that are over have left in the wallet. Without it each contest would turn a little more
 * of the bankroll into tokens that nobody watches.
 */
export class Sweeps {
  readonly #bot: Bot
  readonly #swaps: Swaps
  /** Tries that came to nothing, by leftover. */
  readonly #tries = new Map<string, number>()
  /** What is being sold. */
  #asked: Leftover | undefined

  constructor(bot: Bot, swaps: Swaps) {
    this.#bot = bot
    this.#swaps = swaps
  }

  /** Whether nothing is left to sell, or a bot that drains need not wait for it any longer. */
  get isDone(): boolean {
    if (!this.#isOn) return true
    for (const leftover of this.#leftovers()) if (!this.#isTriedEnough(leftover)) return false
    return true
  }

  /** Asks for the next sale that is due, once the wallet is free: while another swap is open, none can go out. */
  tend(): void {
    const { agenda, books } = this.#bot
    if (!this.#isOn || !books.caughtUp || !this.#swaps.maySweep || !this.#isAnyOver()) return
    for (const leftover of this.#leftovers()) {
      if (agenda.has(`sweep:${keyOf(leftover)}`)) continue
      if (books.runMode === 'draining' && this.#isTriedEnough(leftover)) continue
      const { contestId, mint, amount } = leftover
      this.#asked = leftover
      this.#swaps.sweep({ type: 'sweep', contestId, from: mint, to: USDC_MINT, amount }, 'framework')
      if (!this.#swaps.maySweep) return
    }
  }

  /** What became of a sale: one that came to nothing is tried again, later each time. */
  onSwapOutcome(outcome: SwapOutcome): void {
    const { agenda, books, now, step } = this.#bot
    const asked = this.#asked
    this.#asked = undefined
    if (asked === undefined) return
    const key = keyOf(asked)
    if (outcome.status === 'filled') {
      this.#tries.delete(key)
      return
    }
    const isNoTry = outcome.status === 'failed' ? outcome.reason === NO_FIGURES : books.runMode !== 'draining'
    if (isNoTry) {
      agenda.set(`sweep:${key}`, now + REFUSED_WAIT_MS)
      return
    }
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    agenda.set(`sweep:${key}`, now + (tries < QUICK_TRIES ? FIRST_WAIT_MS * 2 ** tries : LONGEST_WAIT_MS))
    if (tries !== QUICK_TRIES) return
    const { contestId, mint, amount } = asked
    step.note('error', `${symbolOf(mint)} that a contest left could not be sold in ${tries} tries: it is tried once a minute`, {
      contestId,
      mint,
      amount: amount.toString(),
    })
  }

  get #isOn(): boolean {
    return this.#bot.options.config.sweep && this.#bot.books.stopped !== 'all'
  }

  #isTriedEnough(leftover: Leftover): boolean {
    return (this.#tries.get(keyOf(leftover)) ?? 0) >= QUICK_TRIES
  }

  /** Whether anything can be left over: it is asked with every swap. */
  #isAnyOver(): boolean {
    const { ended, portfolios } = this.#bot
    for (const contestId of portfolios.open.keys()) if (ended.has(contestId)) return true
    return false
  }

  *#leftovers(): Generator<Leftover> {
    const { ended, portfolios } = this.#bot
    for (const { contestId, holdings } of portfolios.open.values()) {
      if (ended.has(contestId)) for (const [mint, amount] of holdings) yield { contestId, mint, amount }
    }
  }
}

const keyOf = ({ contestId, mint }: Leftover): string => `${contestId}:${mint}`
