import { backoffMs } from '../../core/backoff.ts'
import { type Mint, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { SwapOutcome } from '../../strategy/view.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { Present } from '../state/present.ts'
import type { EquitySources } from './equity.ts'
import { pnlOf } from './portfolio.ts'
import type { Portfolios } from './portfolios.ts'
import { NO_FIGURES } from './preparing.ts'
import type { Swaps } from './swaps.ts'

/** Tries at one holding that come quickly, and all there are while the bot drains. */
const QUICK_TRIES = 5
const FIRST_WAIT_MS = 1000
/** From then on it is tried while swaps come through, after a minute and then after twice as long each time, up to half an hour. */
const SLOW_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 30 * 60_000
/** After a refusal of the guard's, whose reason passes: a price that is stale, for one; and where the service does not show the swap before yet. */
const REFUSED_WAIT_MS = 5000

/** What a contest that is over still holds of one token. */
interface Leftover {
  readonly contestId: string
  readonly mint: Mint
  readonly amount: bigint
}

/** What a contest left, and the tries at it that came to nothing. */
export interface Unsold extends Leftover {
  readonly tries: number
  /** Unix milliseconds before which it is not tried again; undefined: as soon as the wallet is free. */
  readonly nextAt: number | undefined
}

interface SweepsOptions {
  readonly swaps: Swaps
  readonly path: Pick<PathWatch, 'path'>
  readonly portfolios: Portfolios
}

interface Tried {
  readonly count: number
  /** Unix milliseconds of the newest. */
  readonly at: number
  readonly nextAt: number
}

/**
 * Sells what contests that are over have left in the wallet. Without it each contest would turn a little more
 * of the bankroll into tokens that nobody watches.
 */
export class Sweeps {
  readonly #present: Present
  readonly #swaps: Swaps
  /** Tries that came to nothing, by leftover. */
  readonly #tries = new Map<string, Tried>()
  /** What is being sold. */
  #asked: Leftover | undefined

  readonly #path: Pick<PathWatch, 'path'>
  readonly #portfolios: Portfolios

  constructor(present: Present, { swaps, path, portfolios }: SweepsOptions) {
    this.#present = present
    this.#swaps = swaps
    this.#path = path
    this.#portfolios = portfolios
  }

  /** What the quick tries have not sold: nobody trades it any more. */
  get unsold(): readonly Unsold[] {
    return [...this.#leftovers()].flatMap((leftover) => {
      const tried = this.#tries.get(keyOf(leftover))
      return tried === undefined || tried.count < QUICK_TRIES ? [] : [{ ...leftover, tries: tried.count, nextAt: tried.nextAt }]
    })
  }

  /** Whether nothing is left to sell, or a bot that drains need not wait for it any longer. */
  get isDone(): boolean {
    if (!this.#isOn) return true
    for (const leftover of this.#leftovers()) if (!this.#isTriedEnough(leftover)) return false
    return true
  }

  /** Asks for the next sale that is due, once the wallet is free: while another swap is open, none can go out. */
  tend(): void {
    const { books } = this.#present
    if (!this.#isOn || !books.caughtUp || !this.#swaps.maySweep || !this.#isAnyOver()) return
    for (const leftover of this.#leftovers()) {
      if (this.#mustWait(leftover)) continue
      if (books.runMode === 'draining' && this.#isTriedEnough(leftover)) continue
      const { contestId, mint, amount } = leftover
      this.#asked = leftover
      this.#swaps.sweep({ type: 'sweep', contestId, from: mint, to: USDC_MINT, amount }, 'framework')
      if (!this.#swaps.maySweep) return
    }
  }

  /** What became of a sale: one that came to nothing is tried again, later each time. */
  onSwapOutcome(outcome: SwapOutcome): void {
    const { deadlines, books, now, step } = this.#present
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
      deadlines.set(`sweep:${key}`, now + REFUSED_WAIT_MS)
      return
    }
    const count = (this.#tries.get(key)?.count ?? 0) + 1
    const slowMs = backoffMs(count - QUICK_TRIES, SLOW_WAIT_MS, LONGEST_WAIT_MS)
    const nextAt = now + (count < QUICK_TRIES ? FIRST_WAIT_MS * 2 ** count : slowMs)
    this.#tries.set(key, { count, at: now, nextAt })
    deadlines.set(`sweep:${key}`, nextAt)
    if (count !== QUICK_TRIES) return
    const { contestId, mint, amount } = asked
    const rest = 'it is tried again while swaps come through, ever more seldom, and counts at the newest price'
    step.note('error', `${symbolOf(mint)} that a contest left could not be sold in ${count} tries: ${rest}`, {
      contestId,
      mint,
      amount: amount.toString(),
    })
  }

  get #isOn(): boolean {
    return this.#present.options.config.sweep && this.#present.books.stopped !== 'all'
  }

  #isTriedEnough(leftover: Leftover): boolean {
    return (this.#tries.get(keyOf(leftover))?.count ?? 0) >= QUICK_TRIES
  }

  /** Where quick tries came to nothing the path decides: while it is down another is in vain, and once it is back none has been made yet. */
  #mustWait(leftover: Leftover): boolean {
    const key = keyOf(leftover)
    const { path } = this.#path
    const tried = this.#tries.get(key)
    if (path === undefined || tried === undefined || tried.count < QUICK_TRIES) return this.#present.deadlines.has(`sweep:${key}`)
    if (path.isDown) return true
    return this.#present.deadlines.has(`sweep:${key}`) && !(path.downAt !== undefined && path.downAt > tried.at)
  }

  /** Whether anything can be left over: it is asked with every swap. */
  #isAnyOver(): boolean {
    const { ended } = this.#present
    const portfolios = this.#portfolios
    for (const contestId of portfolios.open.keys()) if (ended.has(contestId)) return true
    return false
  }

  *#leftovers(): Generator<Leftover> {
    const { ended } = this.#present
    const portfolios = this.#portfolios
    for (const { contestId, holdings } of portfolios.open.values()) {
      if (ended.has(contestId)) for (const [mint, amount] of holdings) yield { contestId, mint, amount }
    }
  }
}

const keyOf = ({ contestId, mint }: Leftover): string => `${contestId}:${mint}`

/** What the swaps of contests that are over came to so far: what is left of them counts at its newest price, however old, or as nothing. */
export function unsoldProfitOf({ present: { ended, options }, portfolios, prices: { tick } }: Omit<EquitySources, 'unseenCash'>): Usdc {
  let sum = 0n
  for (const portfolio of portfolios.open.values()) {
    if (!ended.has(portfolio.contestId)) continue
    const priced = [...portfolio.holdings].filter(([mint]) => options.book.latestText(mint, tick) !== undefined)
    const holdings = new Map(priced)
    sum += pnlOf({ ...portfolio, holdings }, (mint) => options.book.latestText(mint, tick)?.price) ?? portfolio.cash
  }
  return sum
}
