import type { Usdc } from '../core/usdc.ts'
import { enqueue, joinContest } from '../strategy/action.ts'
import { check } from './guard.ts'
import { Reservations } from './reservations.ts'
import { guardView, limits, NOW_MS } from './testView.ts'
import type { Verdict } from './verdict.ts'
import type { Dated, GuardView } from './view.ts'

// A world for the property test of the ledger: what truly happens to each stake at the service, and
// apart from it what the bot has heard. The bot's half is put before the guard; the other half judges it.

export type Result = 'WIN' | 'LOSS' | 'REFUND'
export type ReadName = 'limits' | 'bankroll'

export interface Stake {
  readonly key: string
  readonly identity: string
  readonly stake: Usdc
  /** What is true at the service: on its way there, taken, or refused for good. */
  placement: 'underWay' | 'taken' | 'refused'
  /** What the bot was answered. A lost answer leaves it pending. */
  known: 'pending' | 'placed' | 'released'
  result: Result | undefined
  /** The day it was lost or won on. */
  settledOn: number | undefined
  /** Whether the event of its result was read. */
  heard: boolean
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
  figures: Figures | undefined
}

export interface Setup {
  readonly ownMaxStake: Usdc
  readonly ownDailyLoss: Usdc
  readonly serviceMaxStake: Usdc
  readonly serviceDailyLossCap: Usdc
  readonly bankroll: Usdc
  readonly maxOpenContests: number
  /** Lost before the bot's own books began, by another program say. */
  readonly lostBefore: Usdc
}

const sumOf = (stakes: Iterable<Stake>): Usdc => {
  let sum = 0n
  for (const { stake } of stakes) sum += stake
  return sum
}

export class LedgerWorld {
  readonly stakes: Stake[] = []
  reservations = new Reservations()
  now = NOW_MS
  readonly setup: Setup
  #day = 0
  #lostBefore: Usdc
  #cap: Usdc
  #paid: Usdc
  #limits: Dated<Figures> | undefined
  #bankroll: Dated<Figures> | undefined
  readonly #reads = new Map<ReadName, Read>()

  constructor(setup: Setup) {
    this.setup = setup
    this.#lostBefore = setup.lostBefore
    this.#cap = setup.serviceDailyLossCap
    this.#paid = setup.bankroll
  }

  // What is true.

  get underWay(): Stake[] {
    return this.stakes.filter(({ placement }) => placement === 'underWay')
  }

  get running(): Stake[] {
    return this.stakes.filter(({ placement, result }) => placement === 'taken' && result === undefined)
  }

  /** What the day can still cost: what was lost of it, what is played for, and what is on its way. */
  get exposure(): Usdc {
    return this.#lost((stake) => stake.result === 'LOSS') + sumOf(this.running) + sumOf(this.underWay)
  }

  get serviceExposure(): Usdc {
    return this.#lostBefore + this.exposure
  }

  /** What the wallet has left if everything on its way arrives. */
  get left(): Usdc {
    return this.#figures().available - sumOf(this.underWay)
  }

  #lost(counts: (stake: Stake) => boolean): Usdc {
    return sumOf(this.stakes.filter((stake) => stake.settledOn === this.#day && counts(stake)))
  }

  #figures(): Figures {
    const taken = this.stakes.filter(({ placement }) => placement === 'taken')
    const back = taken.reduce((sum, { result, stake }) => sum + (result === 'WIN' ? 2n * stake : result === 'REFUND' ? stake : 0n), 0n)
    return {
      lostToday: this.#lostBefore + this.#lost((stake) => stake.result === 'LOSS'),
      inPlay: sumOf(this.running),
      available: this.#paid - sumOf(taken) + back,
      maxStake: this.setup.serviceMaxStake,
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

  get ownLost(): Usdc {
    return this.#lost((stake) => stake.result === 'LOSS' && stake.heard)
  }

  get ownSeats(): Stake[] {
    return this.stakes.filter(({ known, heard }) => known === 'placed' && !heard)
  }

  get ownInPlay(): Usdc {
    return sumOf(this.ownSeats)
  }

  #view(): GuardView {
    const { ownMaxStake: maxStake, ownDailyLoss: dailyLoss, maxOpenContests } = this.setup
    return guardView({
      now: this.now,
      config: { maxStake, dailyLoss, maxOpenContests, maxSlippageBps: 50 },
      limits: this.#limits === undefined ? undefined : limits(this.#limits.value, this.#limits.begunAt),
      available: this.#bankroll === undefined ? undefined : { value: this.#bankroll.value.available, begunAt: this.#bankroll.begunAt },
      lostToday: this.ownLost,
      inPlay: this.ownInPlay,
      openContests: this.ownSeats.length,
      reservations: this.reservations,
      joinable: Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`listed ${index}`, { stake: BigInt(index + 1) }])),
    })
  }

  // What happens.

  /** A strategy asks to enter: by ticket, or in one of three listed contests that stake 1 to 3. */
  ask(stake: Usdc, variant: number): Verdict {
    const key = `${this.stakes.length}`
    const joins = variant < 3
    const action = joins ? joinContest({ contestId: `listed ${variant}` }) : enqueue({ mode: 'up_down', stake, durationSec: 15 + variant })
    const verdict = check(key, action, this.#view())
    if (verdict.ok) {
      const fresh = { placement: 'underWay', known: 'pending', result: undefined, settledOn: undefined, heard: false } as const
      this.stakes.push({ key, identity: `${action.type} ${variant} ${stake}`, stake: joins ? BigInt(variant + 1) : stake, ...fresh })
    }
    return verdict
  }

  /** The request arrives and the service takes the stake. */
  take(stake: Stake): void {
    stake.placement = 'taken'
  }

  /** The bot hears that it was taken: by the answer, or after a lost one by a read. */
  place(stake: Stake): void {
    stake.known = 'placed'
    this.reservations.place(stake.key, this.now)
  }

  /** It was refused, or never arrived; the bot hears of it by the answer, or by two reads that do not show it. */
  release(stake: Stake): void {
    stake.placement = 'refused'
    stake.known = 'released'
    this.reservations.release(stake.key)
  }

  settle(stake: Stake, result: Result): void {
    stake.result = result
    stake.settledOn = this.#day
  }

  hear(stake: Stake): void {
    stake.heard = true
  }

  /** The bot sends a read; the service has not looked yet. */
  begin(name: ReadName): void {
    if (!this.#reads.has(name)) this.#reads.set(name, { begunAt: this.now, figures: undefined })
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
    const dated = { value: read.figures, begunAt: read.begunAt }
    if (name === 'limits') this.#limits = dated
    else this.#bankroll = dated
    if (this.#limits !== undefined && this.#bankroll !== undefined) {
      this.reservations.seen(Math.min(this.#limits.begunAt, this.#bankroll.begunAt))
    }
  }

  /** The service changes the cap; the bot knows when it reads. */
  changeCap(dailyLossCap: Usdc): void {
    this.#cap = dailyLossCap
  }

  turnDay(): void {
    this.#day += 1
    this.#lostBefore = 0n
  }

  /** The bot starts anew: what is pending comes back from the journal, figures have to be read again. */
  restart(): void {
    this.reservations = new Reservations()
    for (const { known, key, identity, stake } of this.stakes) if (known === 'pending') this.reservations.reserve({ key, identity, stake })
    this.#limits = undefined
    this.#bankroll = undefined
    this.#reads.clear()
  }

  /** Everything under way ends, and both figures are read after it. */
  comeToRest(): void {
    for (const stake of this.stakes) {
      if (stake.placement === 'underWay') this.release(stake)
      else if (stake.known === 'pending') this.place(stake)
    }
    this.now += 1
    this.#reads.clear()
    for (const name of ['limits', 'bankroll'] as const) {
      this.begin(name)
      this.look(name)
      this.answer(name)
    }
  }
}
