import { BehaviorSubject, Subject } from 'rxjs'
import { VirtualClock } from '../../src/core/clock.ts'
import { invariant } from '../../src/core/error.ts'
import type { Price } from '../../src/core/price.ts'
import { keyedRandom } from '../../src/core/random.ts'
import { type Token, tokenOf, USDC_MINT } from '../../src/core/tokens.ts'
import { tokenValue } from '../../src/core/tokenValue.ts'
import { PriceBook } from '../../src/pipeline/priceBook.ts'
import { StrategyPrices } from '../../src/pipeline/strategyPrices.ts'
import type { SwapIntent } from '../../src/strategy/action.ts'
import type { Trader } from '../../src/strategy/define.ts'
import type { ContestView, Positions, Prices, SwapOutcome } from '../../src/strategy/view.ts'
import { NOW_MS } from './strategyContext.ts'

export interface TraderWorld {
  /** Prices of `token` before the contest starts, a second apart; the last is of its start. */
  readonly history?: readonly number[]
  /** The token whose prices are told. */
  readonly token?: Token | undefined
  readonly contest?: Partial<ContestView>
  /** Micro-USDC; undefined: not known. */
  readonly available?: bigint | undefined
}

const DURATION_MS = 20_000

/**
 * A trader in a contest of 20 seconds that has just started, over a real price book and a virtual clock. What it asks
 * for is collected; the test says what comes of it.
 */
export class TraderUnderTest {
  readonly swaps: SwapIntent[] = []
  readonly warnings: string[] = []
  /** What the bot can spend; fills change it too. */
  available: bigint | undefined
  ended = false
  readonly #clock = new VirtualClock(NOW_MS)
  readonly #book = new PriceBook()
  readonly #prices = new StrategyPrices(this.#book)
  readonly #token: Token
  readonly #position$ = new BehaviorSubject<Positions>({ holdings: [], cash: 0n, pnl: 0n, fills: 0 })
  readonly #outcome$ = new Subject<SwapOutcome>()
  #price: Price = '0'

  constructor(trader: Trader, world: TraderWorld = {}) {
    const { history = [], contest, available } = { available: 1_000_000_000n, ...world }
    this.#token = known(world.token ?? tokenOf('SOL'))
    this.available = available
    history.forEach((price, index) => {
      this.#know(price, NOW_MS - (history.length - 1 - index) * 1000)
    })
    const silent = () => {}
    trader
      .trade({
        params: undefined,
        contest: {
          contestId: 'c',
          mode: trader.modes[0] ?? '',
          phase: 'live',
          stake: 1n,
          side: undefined,
          token: undefined,
          startsAt: NOW_MS,
          endsAt: NOW_MS + DURATION_MS,
          ...contest,
        },
        prices: this.#latest(),
        clock: this.#clock,
        random: keyedRandom(7, 'test'),
        log: { debug: silent, info: silent, warn: (message) => this.warnings.push(message) },
        positions$: this.#position$.asObservable(),
        outcomes$: this.#outcome$.asObservable(),
        available: () => this.available,
        every: () => new Subject<number>().asObservable(),
      })
      .subscribe({
        next: (swap) => this.swaps.push(swap),
        complete: () => {
          this.ended = true
        },
      })
  }

  /** Prices a second apart, the first a second from now. @returns the swaps asked for meanwhile */
  tick(...prices: readonly number[]): readonly SwapIntent[] {
    const before = this.swaps.length
    for (const price of prices) {
      this.#clock.advanceTo(this.#clock.now() + 1000)
      this.#know(price, this.#clock.now())
      this.#prices.emit(this.#book.tick)
    }
    return this.swaps.slice(before)
  }

  /** Executes the newest swap at the price of now, without a fee. */
  fill(): void {
    const { from, to, amount } = this.#newest()
    const isSale = to === USDC_MINT
    const received = isSale ? this.#worth(amount) : this.#units(amount)
    const cashChange = isSale ? received : -amount
    const held = this.held() + (isSale ? -amount : received)
    if (held < 0n) throw new Error(`it sold ${-held} base units more than it held`)
    if (this.available !== undefined) this.available += cashChange
    const { cash, fills } = this.#position$.value
    this.#position$.next({
      holdings: held === 0n ? [] : [{ mint: this.#token.mint, amount: held }],
      cash: cash + cashChange,
      pnl: cash + cashChange + this.#worth(held),
      fills: fills + 1,
    })
    const swapped = { from, to, given: amount, received, feeLamports: 5000n }
    const fill = { key: `swap ${fills}`, contestId: 'c', signature: undefined, at: this.#clock.now(), source: 'chain', ...swapped } as const
    this.#outcome$.next({ status: 'filled', fill })
  }

  refuse(code = 'QUOTE_IMPACT'): void {
    this.#newest()
    this.#outcome$.next({ status: 'refused', code, message: code, numbers: {} })
  }

  fail(): void {
    this.#newest()
    this.#outcome$.next({ status: 'failed', reason: 'reverted: slippage' })
  }

  /** Base units of the token that the contest's swaps hold. */
  held(): bigint {
    return this.#position$.value.holdings[0]?.amount ?? 0n
  }

  #know(price: number, at: number): void {
    this.#price = price.toFixed(9)
    this.#book.append({ at, prices: new Map([[this.#token.mint, this.#price]]) })
  }

  #newest(): SwapIntent {
    const swap = this.swaps.at(-1)
    if (swap === undefined) throw new Error('it has asked for nothing')
    return swap
  }

  #units(micro: bigint): bigint {
    return (micro * 10n ** BigInt(this.#token.decimals)) / tokenValue(this.#token, 10n ** BigInt(this.#token.decimals), this.#price)
  }

  #worth(units: bigint): bigint {
    return units === 0n ? 0n : tokenValue(this.#token, units, this.#price)
  }

  /** Prices as of whichever input is being processed. */
  #latest(): Prices {
    const now = () => this.#prices.asOf(this.#book.tick, this.#clock.now())
    return {
      now: (mint) => now().now(mint),
      age: (mint) => now().age(mint),
      text: (mint) => now().text(mint),
      change: (mint, seconds) => now().change(mint, seconds),
      history: (mint, seconds) => now().history(mint, seconds),
      price$: (mint) => now().price$(mint),
      candles$: (mint, seconds) => now().candles$(mint, seconds),
    }
  }
}

function known(token: Token | undefined): Token {
  invariant(token !== undefined, 'the token is not in the table')
  return token
}
