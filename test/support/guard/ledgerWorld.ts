import { type Mint, SOL_MINT, USDC_MINT } from '../../../src/core/tokens.ts'
import type { Usdc } from '../../../src/core/usdc.ts'
import { check } from '../../../src/guard/guard.ts'
import { identityOf } from '../../../src/guard/identity.ts'
import { type Hold, Reservations } from '../../../src/guard/reservations.ts'
import type { Verdict } from '../../../src/guard/verdict.ts'
import type { Dated, GuardView } from '../../../src/guard/view.ts'
import { type Action, enqueue, joinContest, type SwapAction } from '../../../src/strategy/action.ts'
import { BONK_MINT, guardView, limits, NOW_MS } from './guardView.ts'

// A world for the property test of the ledger: what truly happens to each stake and each swap, and apart
// from it what the bot has heard. The bot's half is put before the guard; the other half judges it.

export type Result = 'WIN' | 'LOSS' | 'REFUND'
export type ReadName = 'limits' | 'bankroll'

/** Something that was let out. */
interface LetOut {
  readonly key: string
  readonly identity: string
  readonly hold: Hold
  /** What is true: on its way, taken by the service or the chain, or refused for good. */
  placement: 'underWay' | 'taken' | 'refused'
  /** What the bot was answered. A lost answer leaves it pending. */
  known: 'pending' | 'placed' | 'released'
}

export interface Stake extends LetOut {
  readonly stake: Usdc
  readonly mode: string
  readonly by: string
  result: Result | undefined
  /** The day it was lost or won on. */
  settledOn: number | undefined
  /** Whether the event of its result was read. */
  heard: boolean
}

export interface Swap extends LetOut {
  readonly from: Mint
  readonly to: Mint
  readonly amount: bigint
  /** What it lost to the feed, once it has landed. A base unit of every token here is worth a micro-USDC. */
  cost: Usdc
  /** The day the bot heard of it, which counts it. */
  heardOn: number | undefined
}

interface Figures {
  readonly lostToday: Usdc
  readonly inPlay: Usdc
  readonly available: Usdc
  readonly maxStake: Usdc
  readonly dailyLossCap: Usdc
}

/** A read on its way: when it was asked, and what the service looked up for it, once it has. */
interface Read {
  readonly begunAt: number
  /** The number of the input before it. */
  readonly askedIn: number
  figures: Figures | undefined
}

/** The figures of an answer. */
interface Known extends Dated<Figures> {
  readonly askedIn: number
}

/** What the bot's config says. A restart may read another one. */
export interface OwnCaps {
  readonly maxStake: Usdc
  readonly dailyLoss: Usdc
  readonly maxOpenContests: number
  readonly maxDrawdown: Usdc
  /** Of one mode of two, and of one strategy of two. */
  readonly modeBudget: Usdc
  readonly strategyBudget: Usdc
  readonly maxFeedGapBps: number
}

export interface Setup {
  readonly own: OwnCaps
  readonly serviceMaxStake: Usdc
  readonly serviceDailyLossCap: Usdc
  readonly bankroll: Usdc
  /** Lost before the bot's own books began, by another program say. */
  readonly lostBefore: Usdc
}

export const BUDGETED = { mode: 'up_down', by: 'ladder' } as const
const PRICES = { [SOL_MINT]: '1000', [BONK_MINT]: '0.1' }

export function sumOf<T>(items: Iterable<T>, amountOf: (item: T) => Usdc): Usdc {
  let sum = 0n
  for (const item of items) sum += amountOf(item)
  return sum
}
const stakesOf = (stakes: Iterable<Stake>): Usdc => sumOf(stakes, ({ stake }) => stake)
const least0 = (amount: Usdc): Usdc => (amount > 0n ? amount : 0n)

export class LedgerWorld {
  readonly stakes: Stake[] = []
  readonly swaps: Swap[] = []
  reservations: Reservations
  now = NOW_MS
  own: OwnCaps
  /** What the tokens held have lost in price, known as soon as it is true; less than 0 is a gain. */
  mark: Usdc = 0n
  isFeedFresh = true
  isContestLive = true
  readonly #newLedger: () => Reservations
  readonly #setup: Setup
  #day = 0
  #lostBefore: Usdc
  #cap: Usdc
  /** Profit of the results heard, and the most it was. */
  #profit: Usdc = 0n
  #peak: Usdc = 0n
  #limits: Known | undefined
  #bankroll: Known | undefined
  readonly #reads = new Map<ReadName, Read>()
  /** The number of the newest input that told the bot of something. */
  #n = 0

  constructor(setup: Setup, newLedger: () => Reservations = () => new Reservations()) {
    this.#setup = setup
    this.own = setup.own
    this.#lostBefore = setup.lostBefore
    this.#cap = setup.serviceDailyLossCap
    this.#newLedger = newLedger
    this.reservations = newLedger()
  }

  // What is true.

  #stakes(fits: (stake: Stake) => boolean): Stake[] {
    return this.stakes.filter(fits)
  }

  /** What the day can still cost: what was lost of it, what is played for, and what is on its way, of the stakes that count. */
  exposureOf(counts: (stake: Stake) => boolean): Usdc {
    const isAtRisk = ({ placement, result }: Stake) => placement === 'underWay' || (placement === 'taken' && result === undefined)
    return stakesOf(this.#stakes((stake) => counts(stake) && (isAtRisk(stake) || this.#isLostToday(stake))))
  }

  /** What swaps have cost today, and what those on their way may cost. */
  get swapExposure(): Usdc {
    const landed = this.swaps.filter(({ placement, heardOn }) => placement === 'taken' && (heardOn ?? this.#day) === this.#day)
    const underWay = this.swaps.filter(({ placement }) => placement === 'underWay')
    return least0(sumOf(landed, ({ cost }) => cost) + this.mark) + sumOf(underWay, ({ hold }) => hold.risk)
  }

  get exposure(): Usdc {
    return this.exposureOf(() => true) + this.swapExposure
  }

  get serviceExposure(): Usdc {
    return this.#lostBefore + this.exposureOf(() => true)
  }

  /** How far below its known peak the profit can come to lie. */
  get fall(): Usdc {
    const isOut = ({ placement, result, heard }: Stake) =>
      placement === 'underWay' || (placement === 'taken' && !heard && (result === undefined || result === 'LOSS'))
    return this.#peak - this.#profit + stakesOf(this.#stakes(isOut)) + this.swapExposure
  }

  /** What the wallet has left if everything on its way arrives. */
  get left(): Usdc {
    const stakes = stakesOf(this.#stakes(({ placement }) => placement === 'underWay'))
    const swaps = this.swaps.filter(({ placement }) => placement === 'underWay')
    return this.#figures().available - stakes - sumOf(swaps, ({ hold }) => hold.stake)
  }

  /** Base units of a token the wallet has, with all that is on its way out gone. */
  unitsLeft(mint: Mint): bigint {
    return sumOf(this.swaps, (swap) => {
      if (swap.placement === 'refused') return 0n
      const isIn = swap.to === mint && swap.placement === 'taken'
      return (isIn ? swap.amount - swap.cost : 0n) - (swap.from === mint ? swap.amount : 0n)
    })
  }

  get swapsUnresolved(): number {
    return this.swaps.filter(({ known }) => known === 'pending').length
  }

  /** Contests and tickets the bot has, or may have. */
  get entriesOpen(): number {
    return this.#stakes(({ known, heard }) => known === 'pending' || (known === 'placed' && !heard)).length
  }

  #isLostToday({ result, settledOn }: Stake): boolean {
    return result === 'LOSS' && settledOn === this.#day
  }

  #figures(): Figures {
    const taken = this.#stakes(({ placement }) => placement === 'taken')
    const back = sumOf(taken, ({ result, stake }) => (result === 'WIN' ? 2n * stake : result === 'REFUND' ? stake : 0n))
    const landed = this.swaps.filter(({ placement }) => placement === 'taken')
    const swapped = sumOf(landed, ({ from, to, amount, cost }) => (from === USDC_MINT ? -amount : to === USDC_MINT ? amount - cost : 0n))
    return {
      lostToday: this.#lostBefore + stakesOf(taken.filter((stake) => this.#isLostToday(stake))),
      inPlay: stakesOf(taken.filter(({ result }) => result === undefined)),
      available: this.#setup.bankroll - stakesOf(taken) + back + swapped,
      maxStake: this.#setup.serviceMaxStake,
      dailyLossCap: this.#cap,
    }
  }

  // What the bot has heard.

  get knownLimits(): Figures | undefined {
    return this.#limits?.value
  }

  get knownAvailable(): Usdc | undefined {
    return this.#bankroll?.value.available
  }

  /** Lost today and in play, of the stakes that count. */
  spent(counts: (stake: Stake) => boolean): Usdc {
    return stakesOf(this.#ownLost.filter(counts)) + stakesOf(this.#ownSeats.filter(counts))
  }

  get swapLoss(): Usdc {
    const heard = this.swaps.filter(({ heardOn }) => heardOn === this.#day)
    return least0(sumOf(heard, ({ cost }) => cost) + this.mark)
  }

  get #ownLost(): Stake[] {
    return this.#stakes((stake) => stake.heard && this.#isLostToday(stake))
  }

  get #ownSeats(): Stake[] {
    return this.#stakes(({ known, heard }) => known === 'placed' && !heard)
  }

  #held(mint: Mint): bigint {
    const heard = this.swaps.filter(({ heardOn }) => heardOn !== undefined)
    return sumOf(heard, ({ from, to, amount, cost }) => (to === mint ? amount - cost : 0n) - (from === mint ? amount : 0n))
  }

  #view(by: string): GuardView {
    const { modeBudget, strategyBudget, ...own } = this.own
    const price = (mint: Mint) => ({ price: PRICES[mint] ?? '1', ageMs: this.isFeedFresh ? 0 : 60_000 })
    return guardView({
      ...{ now: this.now, by, reservations: this.reservations },
      config: {
        ...own,
        ...{ modeBudgets: { [BUDGETED.mode]: modeBudget }, strategyBudgets: { [BUDGETED.by]: strategyBudget } },
        ...{ maxSwapsPerContest: 10_000, maxSwapsPerMinute: 600 },
      },
      limits: this.#limits === undefined ? undefined : limits(this.#limits.value, this.#limits.begunAt),
      available: this.#bankroll === undefined ? undefined : { value: this.#bankroll.value.available, begunAt: this.#bankroll.begunAt },
      ...{ gasLamports: { value: 10n ** 9n, begunAt: this.now } },
      lostToday: stakesOf(this.#ownLost),
      inPlay: stakesOf(this.#ownSeats),
      swapLoss: this.isFeedFresh ? this.swapLoss : undefined,
      unpriced: undefined,
      spentByMode: { [BUDGETED.mode]: this.spent(({ mode }) => mode === BUDGETED.mode) },
      spentByStrategy: { [BUDGETED.by]: this.spent((stake) => stake.by === BUDGETED.by) },
      drawdown: this.#peak - this.#profit + this.swapLoss,
      openContests: this.#ownSeats.length,
      prices: { [SOL_MINT]: price(SOL_MINT), [BONK_MINT]: price(BONK_MINT) },
      joinable: Object.fromEntries(
        Array.from({ length: 3 }, (_, index) => [`listed ${index}`, { stake: BigInt(index + 1), mode: BUDGETED.mode }]),
      ),
      traded: {
        c: {
          phase: this.isContestLive ? 'live' : 'settled',
          held: { [SOL_MINT]: this.#held(SOL_MINT), [BONK_MINT]: this.#held(BONK_MINT) },
        },
      },
    })
  }

  // What happens.

  /** A strategy asks to enter: by ticket, in one mode or another, or in one of three listed contests that stake 1 to 3. */
  ask(asked: Usdc, variant: number): Verdict {
    const by = variant % 2 === 0 ? BUDGETED.by : 'other'
    const mode = variant % 3 === 0 ? BUDGETED.mode : 'draft_basket'
    const action =
      variant < 3 ? joinContest({ contestId: `listed ${variant}` }) : enqueue({ mode, stake: asked, durationSec: 15 + variant })
    const { verdict, letOut } = this.#check(action, by)
    if (letOut === undefined) return verdict
    const { stake } = letOut.hold
    const joined = variant < 3 ? BUDGETED.mode : mode
    this.stakes.push({ ...letOut, stake, mode: joined, by, result: undefined, settledOn: undefined, heard: false })
    return verdict
  }

  /** A trader asks for a swap while the contest runs; once it is over, what is left is swept. */
  askSwap({ from, to, amount }: Pick<SwapAction, 'from' | 'to' | 'amount'>): Verdict {
    const type = this.isContestLive ? 'swap' : 'sweep'
    const { verdict, letOut } = this.#check({ type, contestId: 'c', from, to, amount }, 'holder')
    if (letOut !== undefined) this.swaps.push({ ...letOut, from, to, amount, cost: 0n, heardOn: undefined })
    return verdict
  }

  #check(action: Action, by: string): { verdict: Verdict; letOut: LetOut | undefined } {
    const key = `${this.stakes.length + this.swaps.length}`
    const verdict = check(key, action, this.#view(by))
    if (!verdict.ok) return { verdict, letOut: undefined }
    return { verdict, letOut: { key, identity: identityOf(action), hold: verdict.hold, placement: 'underWay', known: 'pending' } }
  }

  /** The request arrives and the service takes the stake. */
  take(stake: Stake): void {
    stake.placement = 'taken'
  }

  /** The swap lands, and costs so much of what it may. */
  land(swap: Swap, cost: Usdc): void {
    swap.placement = 'taken'
    swap.cost = cost % (swap.hold.risk + 1n)
  }

  /** The bot hears that it took effect: by the answer, or after a lost one by a read or from the chain. */
  place(some: Stake | Swap): void {
    some.known = 'placed'
    if ('cost' in some) some.heardOn = this.#day
    this.#n += 1
    this.reservations.place(some.key, this.#n)
  }

  /** It was refused, or never arrived; the bot hears of it by the answer, by two reads that do not show it, or by an expired blockhash. */
  release(some: Stake | Swap): void {
    some.placement = 'refused'
    some.known = 'released'
    this.reservations.release(some.key)
  }

  settle(stake: Stake, result: Result): void {
    stake.result = result
    stake.settledOn = this.#day
  }

  hear(stake: Stake): void {
    stake.heard = true
    this.#profit += stake.result === 'WIN' ? stake.stake : stake.result === 'LOSS' ? -stake.stake : 0n
    if (this.#profit > this.#peak) this.#peak = this.#profit
  }

  /** The bot sends a read; the service has not looked yet. */
  begin(name: ReadName): void {
    if (!this.#reads.has(name)) this.#reads.set(name, { begunAt: this.now, askedIn: this.#n, figures: undefined })
  }

  /** The service looks: what happens from now on is not in the answer. */
  look(name: ReadName): void {
    const read = this.#reads.get(name)
    if (read !== undefined) read.figures ??= this.#figures()
  }

  /** The answer arrives. */
  answer(name: ReadName): void {
    const read = this.#reads.get(name)
    if (read?.figures === undefined) return
    this.#reads.delete(name)
    const dated = { value: read.figures, begunAt: read.begunAt, askedIn: read.askedIn }
    if (name === 'limits') this.#limits = dated
    else this.#bankroll = dated
    if (this.#limits !== undefined && this.#bankroll !== undefined) {
      this.reservations.seen(Math.min(this.#limits.askedIn, this.#bankroll.askedIn))
    }
  }

  /** Both figures, asked for and answered within the millisecond. */
  refresh(): void {
    for (const name of ['limits', 'bankroll'] as const) {
      this.begin(name)
      this.look(name)
      this.answer(name)
    }
  }

  /** The service changes the cap; the bot knows when it reads. */
  changeCap(dailyLossCap: Usdc): void {
    this.#cap = dailyLossCap
  }

  turnDay(): void {
    this.#day += 1
    this.#lostBefore = 0n
    this.mark = 0n
  }

  /** The bot starts anew, on another config: what is pending comes back from the journal, figures have to be read again. */
  restart(own: OwnCaps): void {
    this.own = own
    this.reservations = this.#newLedger()
    for (const { known, key, identity, hold } of [...this.stakes, ...this.swaps]) {
      if (known === 'pending') this.reservations.reserve({ key, identity, ...hold })
    }
    this.#limits = undefined
    this.#bankroll = undefined
    this.#reads.clear()
  }

  /** Everything under way ends, and both figures are read after it. */
  comeToRest(): void {
    for (const some of [...this.stakes, ...this.swaps]) {
      if (some.placement === 'underWay') this.release(some)
      else if (some.known === 'pending') this.place(some)
    }
    this.now += 1
    this.#reads.clear()
    this.refresh()
  }
}
