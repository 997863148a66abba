import { BehaviorSubject, Subject } from 'rxjs'
import { CornermanError, invariant } from '../core/error.ts'
import { type Price, priceFromNumber } from '../core/price.ts'
import { keyedRandom } from '../core/random.ts'
import { type Token, tokenOf, USDC_MINT } from '../core/tokens.ts'
import { tokenValue } from '../core/tokenValue.ts'
import type { SwapIntent } from '../strategy/action.ts'
import type { Trader } from '../strategy/define.ts'
import type { ContestView, Positions, StandingView, SwapOutcome } from '../strategy/view.ts'
import { NOW_MS, PriceWorld, silentLog } from './priceWorld.ts'
import { contestView } from './views.ts'

/** The world that a trader starts in. */
export interface TraderWorld {
  /** Prices of `token` before the contest starts, a second apart; the last is of its start. */
  readonly history?: readonly number[]
  /** The token whose prices are told. */
  readonly token?: Token | undefined
  /** Fields of its contest that are not those of `contestView()`. */
  readonly contest?: Partial<ContestView>
  /** Micro-USDC that it can spend, 1,000 USDC by default; undefined: not known. */
  readonly available?: bigint | undefined
}

/**
 * A trader in a contest of 20 seconds that has just started, over a real price book and a virtual clock. What it asks
 * for is collected; the test says what comes of it.
 *
 * @example
 * const trader = new TraderUnderTest(breakout({ amount: usdc('10') }), { history: [100, 101, 100] })
 * expect(trader.tick(105)).toEqual([{ type: 'swap', from: USDC_MINT, to: SOL_MINT, amount: usdc('10') }])
 * trader.fill()
 */
export class TraderUnderTest {
  /** All that it has asked for, in order. */
  readonly swaps: SwapIntent[] = []
  /** What it has written to its log by `log.warn`. */
  readonly warnings: string[] = []
  /** Micro-USDC that the bot can spend; fills change it too. */
  available: bigint | undefined
  /** The seats of its contest, as the service shows them: those of `contest` at first. */
  standings: readonly StandingView[] | undefined
  /** True once its stream has completed. */
  ended = false
  readonly #world = new PriceWorld()
  readonly #token: Token
  readonly #position$ = new BehaviorSubject<Positions>({ holdings: [], cash: 0n, pnl: 0n, fills: 0 })
  readonly #outcome$ = new Subject<SwapOutcome>()
  #price: Price = '0'

  constructor(trader: Trader, world: TraderWorld = {}) {
    const { history = [], contest, available } = { available: 1_000_000_000n, ...world }
    this.#token = known(world.token ?? tokenOf('SOL'))
    this.available = available
    this.standings = contest?.standings
    history.forEach((price, index) => {
      this.#world.know(this.#pricesOf(price), NOW_MS - (history.length - 1 - index) * 1000)
    })
    trader
      .trade({
        params: undefined,
        contest: contestView({ mode: trader.modes[0] ?? '', ...contest }),
        prices: this.#world.latest(),
        clock: this.#world.clock,
        random: keyedRandom(7, 'test'),
        log: { ...silentLog, warn: (message) => this.warnings.push(message) },
        positions$: this.#position$.asObservable(),
        outcomes$: this.#outcome$.asObservable(),
        available: () => this.available,
        standings: () => this.standings,
        every: (seconds) => this.#world.every(seconds),
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
    return prices.flatMap((price) => [...this.wait(1), ...this.price(price)])
  }

  /** A price of this moment. @returns the swaps asked for */
  price(price: number): readonly SwapIntent[] {
    return this.#during(() => this.#world.tell(this.#pricesOf(price)))
  }

  /** Seconds go by without a price. @returns the swaps asked for meanwhile */
  wait(seconds: number): readonly SwapIntent[] {
    const { clock } = this.#world
    return this.#during(() => clock.advanceTo(clock.now() + seconds * 1000))
  }

  /** There are no more prices: streams made of them end too. @returns the swaps asked for */
  end(): readonly SwapIntent[] {
    return this.#during(() => this.#world.close())
  }

  /** Executes the newest swap at the price of now, without a fee. */
  fill(): void {
    const { from, to, amount } = this.#newest()
    const isSale = to === USDC_MINT
    if (!isSale && from !== USDC_MINT)
      throw new CornermanError('SWAP_UNPRICED', `there are prices of one token here: a swap of ${from} for ${to} cannot be filled`)
    const received = isSale ? this.#worth(amount) : this.#units(amount)
    const cashChange = isSale ? received : -amount
    const held = this.held() + (isSale ? -amount : received)
    if (held < 0n) throw new CornermanError('SOLD_TOO_MUCH', `the trader sold ${-held} base units more than it held`)
    if (this.available !== undefined) this.available += cashChange
    const { cash, fills } = this.#position$.value
    this.#position$.next({
      holdings: held === 0n ? [] : [{ mint: this.#token.mint, amount: held }],
      cash: cash + cashChange,
      pnl: cash + cashChange + this.#worth(held),
      fills: fills + 1,
    })
    const swapped = { from, to, given: amount, received, feeLamports: 5000n }
    const fill = {
      key: `swap ${fills}`,
      contestId: 'c',
      signature: undefined,
      at: this.#world.clock.now(),
      source: 'chain',
      ...swapped,
    } as const
    this.#outcome$.next({ status: 'filled', fill })
  }

  /** The guard keeps the newest swap back. */
  refuse(code = 'QUOTE_IMPACT'): void {
    this.#newest()
    this.#outcome$.next({ status: 'refused', code, message: code, numbers: {} })
  }

  /** The newest swap comes to nothing. */
  fail(): void {
    this.#newest()
    this.#outcome$.next({ status: 'failed', reason: 'reverted: slippage' })
  }

  /** Base units of the token that the contest's swaps hold. */
  held(): bigint {
    return this.#position$.value.holdings[0]?.amount ?? 0n
  }

  #pricesOf(price: number): ReadonlyMap<string, Price> {
    this.#price = priceFromNumber(price)
    return new Map([[this.#token.mint, this.#price]])
  }

  #during(happens: () => void): readonly SwapIntent[] {
    const before = this.swaps.length
    happens()
    return this.swaps.slice(before)
  }

  #newest(): SwapIntent {
    const swap = this.swaps.at(-1)
    if (swap === undefined) throw new CornermanError('NOTHING_ASKED', 'the trader has asked for no swap yet: tell it prices first')
    return swap
  }

  #units(micro: bigint): bigint {
    return (micro * 10n ** BigInt(this.#token.decimals)) / tokenValue(this.#token, 10n ** BigInt(this.#token.decimals), this.#price)
  }

  #worth(units: bigint): bigint {
    return units === 0n ? 0n : tokenValue(this.#token, units, this.#price)
  }
}

function known(token: Token | undefined): Token {
  invariant(token !== undefined, 'the token is not in the table')
  return token
}
