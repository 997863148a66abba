import type { Random } from '../../../src/core/random.ts'
import { type AgentFile, type MoveType, nextDayAt, type Player, type Versus } from './agentFile.ts'
import { BETS, type Bet, type Contest, drafterOf, freeBets, isOver, LAPS, laneOf, type Mode, type Seat, seatOf } from './contest.ts'
import type { EventStream } from './eventStream.ts'
import { type Ledger, potOf, RAKE, walletOf } from './ledger.ts'
import type { Market } from './market.ts'
import { msOf, type Pace } from './pace.ts'
import { Refusal } from './refusal.ts'
import { HAS_COIN, NEEDS, scoresOf } from './scores.ts'
import type { Timetable } from './timetable.ts'

/** What a contest is made of, before anybody has a seat. */
export interface Terms {
  readonly mode: Mode
  readonly chain: 'solana' | 'robinhood'
  readonly format: 'duel' | 'lobby'
  readonly opponents: 'HUMAN' | 'AGENT' | 'ANY'
  readonly stake: bigint
  readonly durationSec: number
  readonly capacity?: number | undefined
  readonly joinWindowSec?: number | undefined
  readonly isHidden?: boolean | undefined
  readonly isPrivate?: boolean | undefined
  readonly coin?: string | undefined
}

interface Parts {
  readonly timetable: Timetable
  readonly pace: Pace
  readonly ledger: Ledger
  readonly events: EventStream
  readonly market: Market
  readonly random: Random
  readonly newId: () => string
  readonly fileOf: (player: Player) => AgentFile
}

/** Hundredths of a percent of a pot that somebody wins. */
const RAKE_BPS = 400n
const LEAST_STAKE = 250_000n
const LARGEST_LOBBY = 8
const POOL_SIZE = 12
const POINTS = 12

/** The life of every contest, from its first seat to its last payment. Everything here is done at once: nothing waits, and no call sees half of it. */
export class Contests {
  readonly all = new Map<string, Contest>()
  readonly #parts: Parts
  readonly #listeners: ((contest: Contest) => void)[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Told after every change. */
  onChange(listener: (contest: Contest) => void): void {
    this.#listeners.push(listener)
  }

  byUid(uid: string): Contest {
    const contest = this.all.get(uid)
    if (contest === undefined) throw new Refusal('NO_SUCH_CONTEST', 'there is no contest of that id', { contestId: uid })
    return contest
  }

  of(player: Player): Contest[] {
    return [...this.all.values()].filter((contest) => seatOf(contest, player.userId) !== undefined)
  }

  /** Tokens that contests are about, and that drafts have. */
  get pool(): readonly string[] {
    return this.#parts.market.mints.slice(0, POOL_SIZE)
  }

  /** May this player put so much in? */
  checkStake(player: Player, stake: bigint): void {
    const { ledger, timetable } = this.#parts
    const file = this.#parts.fileOf(player)
    if (stake < LEAST_STAKE)
      throw new Refusal('STAKE_TOO_SMALL', 'a stake is at least a quarter of a dollar', { least: LEAST_STAKE.toString() })
    if (player.isHouse) return
    if (stake > file.maxStake) throw new Refusal('STAKE_TOO_BIG', 'that is over the stake cap', { maxStake: file.maxStake.toString() })
    const remaining = file.remaining(timetable.now())
    if (stake > remaining) {
      const opensAt = new Date(nextDayAt(timetable.now())).toISOString()
      throw new Refusal('DAY_SPENT', 'it could lose more than may be lost in a day', { remaining: remaining.toString(), opensAt })
    }
    const purse = ledger.of(walletOf(player.agentId))
    if (stake > purse) throw new Refusal('PURSE_EMPTY', 'the bankroll has less than the stake', { available: purse.toString() })
  }

  open(terms: Terms, isOfHouse: boolean): Contest {
    const { timetable, pace, newId, random } = this.#parts
    const capacity = terms.format === 'duel' ? 2 : (terms.capacity ?? 3)
    if (terms.format === 'lobby' && (capacity < 3 || capacity > LARGEST_LOBBY)) {
      throw new Refusal('ASK_ODD', `a lobby has 3 to ${LARGEST_LOBBY} places`, { field: 'capacity' })
    }
    if (terms.coin !== undefined && !this.pool.includes(terms.coin))
      throw new Refusal('COIN_FOREIGN', 'no contest is about that token', { coin: terms.coin })
    const contest: Contest = {
      ...{ uid: newId(), mode: terms.mode, chain: terms.chain, format: terms.format, opponents: terms.opponents },
      ...{ stake: terms.stake, durationSec: terms.durationSec, capacity, isOfHouse },
      ...{ isHidden: terms.isHidden ?? false, isPrivate: terms.isPrivate ?? false },
      coin: HAS_COIN.has(terms.mode) ? (terms.coin ?? random.pick(this.pool) ?? null) : null,
      joinUntilMs: timetable.now() + msOf(pace, terms.joinWindowSec ?? pace.joinWindowSec),
      ...{ seats: [], stage: 'open', startsAtMs: null, endsAtMs: null, draft: null },
      ...{ startPrices: new Map(), endPrices: new Map() },
    }
    this.all.set(contest.uid, contest)
    timetable.at(contest.joinUntilMs, () => this.#windowOver(contest))
    return contest
  }

  /**
   * Takes a place; the stake goes from `purse` to the pot.
   *
   * @param options.isReady seated by the queue: whoever waited there has said so already
   */
  sit(contest: Contest, player: Player, options: { bet?: Bet | undefined; purse?: string; isReady?: boolean } = {}): Seat {
    const { ledger, newId, fileOf } = this.#parts
    if (contest.stage !== 'open') throw new Refusal('LATE', 'nobody may sit down there any more', { stage: contest.stage })
    if (seatOf(contest, player.userId) !== undefined) throw new Refusal('SEATED_ALREADY', 'you have a place there')
    if (contest.seats.length >= contest.capacity) throw new Refusal('NO_PLACE', 'all places are taken')
    const free = freeBets(contest)
    if (options.bet !== undefined && !free.includes(options.bet)) throw new Refusal('BET_GONE', 'that side is not free', { openBets: free })
    if (options.purse === undefined) {
      this.checkStake(player, contest.stake)
      fileOf(player).inPlay += contest.stake
    }
    ledger.move(options.purse ?? walletOf(player.agentId), potOf(contest.uid), contest.stake)
    const seat: Seat = {
      ...{ player, slip: newId(), bet: options.bet ?? free[0] ?? null, isReady: options.isReady ?? false },
      ...{ commitment: null, guess: null, basket: [], fills: [], paid: null },
    }
    contest.seats.push(seat)
    if (options.bet !== undefined) this.note(contest, seat, 'side')
    this.#tellJoined(contest, seat)
    this.#startIfReady(contest)
    this.#changed(contest)
    return seat
  }

  /** With the stake back, until all are ready. */
  leave(contest: Contest, player: Player): void {
    const seat = this.seatIn(contest, player)
    if (contest.stage !== 'open') throw new Refusal('LATE', 'it has begun', { stage: contest.stage })
    contest.seats.splice(contest.seats.indexOf(seat), 1)
    this.#giveBack(contest, seat)
    if (contest.seats.length === 0) contest.stage = 'cancelled'
    this.#changed(contest)
  }

  setReady(contest: Contest, player: Player, isReady: boolean): void {
    const seat = this.seatIn(contest, player)
    if (contest.stage !== 'open') throw new Refusal('LATE', 'that was asked before it began', { stage: contest.stage })
    seat.isReady = isReady
    this.#startIfReady(contest)
    this.#changed(contest)
  }

  seatIn(contest: Contest, player: Player): Seat {
    const seat = seatOf(contest, player.userId)
    if (seat === undefined) throw new Refusal('SEAT_LOST', 'you have no place there')
    return seat
  }

  pick(contest: Contest, player: Player, mint: string): void {
    const seat = this.seatIn(contest, player)
    if (contest.mode !== 'draft_basket') throw new Refusal('OTHER_GAME', 'nothing is picked there')
    if (contest.stage !== 'drafting') throw new Refusal('LATE', 'nothing is picked now', { stage: contest.stage })
    if (drafterOf(contest) !== seat)
      throw new Refusal('NOT_THE_DRAFTER', 'it is the turn of another', { drafter: drafterOf(contest)?.player.userId })
    if (!this.pool.includes(mint)) throw new Refusal('COIN_FOREIGN', 'that token is not there to be picked', { coin: mint })
    if (isTaken(contest, mint)) throw new Refusal('COIN_GONE', 'somebody has that token', { coin: mint })
    this.note(contest, seat, 'pick')
    this.#take(contest, seat, mint)
  }

  note(contest: Contest, seat: Seat, type: MoveType): void {
    const { timetable, fileOf } = this.#parts
    fileOf(seat.player).note({ at: timetable.now(), contestId: contest.uid, mode: contest.mode, type })
  }

  /** For rules that stand elsewhere, after they changed a seat. */
  changed(contest: Contest): void {
    this.#changed(contest)
  }

  /** Voids it: every stake goes back. */
  cancel(contest: Contest, reason: string): void {
    if (isOver(contest)) return
    contest.stage = 'cancelled'
    const seats = [...contest.seats]
    for (const seat of seats) {
      this.#giveBack(contest, seat)
      const data = { contestId: contest.uid, status: 'cancelled', reason, refunded: contest.stake.toString() }
      this.#parts.events.append(seat.player.agentId, 'contest.cancelled', data)
    }
    this.#changed(contest)
  }

  #giveBack(contest: Contest, seat: Seat): void {
    const { ledger, fileOf } = this.#parts
    ledger.move(potOf(contest.uid), walletOf(seat.player.agentId), contest.stake)
    seat.paid = contest.stake
    fileOf(seat.player).inPlay -= contest.stake
  }

  #tellJoined(contest: Contest, seat: Seat): void {
    for (const { player } of contest.seats) {
      const isSecret = contest.isHidden && player !== seat.player
      this.#parts.events.append(player.agentId, 'contest.joined', {
        contestId: contest.uid,
        userId: isSecret ? null : seat.player.userId,
        side: isSecret ? null : seat.bet,
        filled: contest.seats.length,
        capacity: contest.capacity,
      })
    }
  }

  /** A lobby may start with a place free, once its window is over. */
  #windowOver(contest: Contest): void {
    if (contest.stage !== 'open') return
    const areReady = contest.seats.every(({ isReady }) => isReady)
    if (contest.format === 'lobby' && contest.seats.length >= 3 && areReady) this.#arm(contest)
    else this.cancel(contest, contest.seats.length < contest.capacity ? 'NOT_FILLED' : 'NOT_READY')
  }

  #startIfReady(contest: Contest): void {
    if (contest.seats.length === contest.capacity && contest.seats.every(({ isReady }) => isReady)) this.#arm(contest)
  }

  /** All are ready. A draft comes before the time of a contest, with a countdown after it. */
  #arm(contest: Contest): void {
    const { timetable, pace, random } = this.#parts
    if (contest.mode === 'draft_basket' && contest.draft === null) {
      contest.stage = 'drafting'
      const order = [...contest.seats].sort(() => random.next() - 0.5)
      contest.draft = { order, lap: 1, place: 0, untilMs: 0 }
      this.#startTurn(contest)
      return
    }
    contest.stage = 'arming'
    contest.startsAtMs = timetable.now() + msOf(pace, pace.countdownSec)
    timetable.at(contest.startsAtMs, () => this.#goLive(contest))
    this.#changed(contest)
  }

  #startTurn(contest: Contest): void {
    const { timetable, pace } = this.#parts
    const { draft } = contest
    if (draft === null) return
    const turn = { lap: draft.lap, place: draft.place }
    draft.untilMs = timetable.now() + msOf(pace, pace.turnSec)
    timetable.at(draft.untilMs, () => {
      const isSame = contest.stage === 'drafting' && draft.lap === turn.lap && draft.place === turn.place
      const seat = drafterOf(contest)
      const mint = this.pool.find((candidate) => !isTaken(contest, candidate))
      // Too late: the service picks, which is no move of the agent.
      if (isSame && seat !== undefined && mint !== undefined) this.#take(contest, seat, mint)
    })
    this.#changed(contest)
  }

  /** Everybody once in the order that was drawn, then all over again: no snake. */
  #take(contest: Contest, seat: Seat, mint: string): void {
    const { draft } = contest
    if (draft === null) return
    seat.basket.push(mint)
    draft.place = (draft.place + 1) % draft.order.length
    if (draft.place === 0) draft.lap += 1
    const isDone = draft.lap > LAPS || this.pool.every((candidate) => isTaken(contest, candidate))
    if (isDone) this.#arm(contest)
    else this.#startTurn(contest)
  }

  #goLive(contest: Contest): void {
    const { timetable, pace, events } = this.#parts
    const nowMs = timetable.now()
    contest.stage = 'live'
    contest.startsAtMs = nowMs
    contest.endsAtMs = nowMs + msOf(pace, contest.durationSec)
    this.#readPrices(contest.startPrices)
    timetable.at(contest.endsAtMs, () => this.#endTime(contest))
    const { uid: contestId, mode, chain, startsAtMs, endsAtMs } = contest
    const [startsAt, endsAt] = [startsAtMs, endsAtMs].map((atMs) => new Date(atMs).toISOString())
    for (const { player } of contest.seats) {
      events.append(player.agentId, 'contest.live', { contestId, mode, chain, status: 'live', startsAt, endsAt })
    }
    this.#changed(contest)
  }

  /** Guesses may be opened, and swaps land, for some time after. */
  #endTime(contest: Contest): void {
    const { timetable, pace } = this.#parts
    contest.stage = 'weighing'
    this.#readPrices(contest.endPrices)
    timetable.after(msOf(pace, pace.openLateSec), () => this.#settle(contest))
    this.#changed(contest)
  }

  #readPrices(into: Map<string, number>): void {
    for (const mint of this.#parts.market.mints) {
      const price = this.#parts.market.price(mint)
      if (price !== undefined) into.set(mint, price)
    }
  }

  #settle(contest: Contest): void {
    if (isOver(contest)) return
    const { ledger } = this.#parts
    const scores = scoresOf(contest)
    const able = [...(scores ?? [])].flatMap(([seat, score]) => (score === null ? [] : [{ seat, score }]))
    if (scores !== undefined && able.length === 0) {
      this.cancel(contest, 'NOBODY_PLAYED')
      return
    }
    const best = Math.max(...able.map(({ score }) => score))
    const winners = able.filter(({ score }) => score === best).map(({ seat }) => seat)
    contest.stage = 'settled'
    const isShared = scores === undefined || winners.length === contest.seats.length
    const pot = ledger.of(potOf(contest.uid))
    const prize = (pot - (pot * RAKE_BPS) / 10_000n) / BigInt(Math.max(1, winners.length))
    for (const seat of contest.seats) {
      const payout = isShared ? contest.stake : winners.includes(seat) ? prize : 0n
      ledger.move(potOf(contest.uid), walletOf(seat.player.agentId), payout)
      seat.paid = payout
    }
    // What the division left over is the service's, like the rest of the pot.
    ledger.empty(potOf(contest.uid), RAKE)
    for (const seat of contest.seats) {
      const result = scores === undefined ? 'REFUND' : isShared ? 'DRAW' : winners.includes(seat) ? 'WIN' : 'LOSS'
      this.#close(contest, seat, result)
    }
    this.#changed(contest)
  }

  #close(contest: Contest, seat: Seat, result: 'WIN' | 'LOSS' | 'DRAW' | 'REFUND'): void {
    const { timetable, events, fileOf } = this.#parts
    const file = fileOf(seat.player)
    const payout = seat.paid ?? 0n
    const versus = versusOf(contest, seat)
    const moves = file.moves.filter(({ contestId }) => contestId === contest.uid).map(({ type }) => type)
    const { uid: contestId, mode, stake } = contest
    file.inPlay -= stake
    file.close({ at: timetable.now(), contestId, mode, versus, result, stake, payout, needs: NEEDS[mode], moves })
    // Only contests among agents are rated.
    const rpDelta = versus !== 'AGENT' ? null : result === 'WIN' ? POINTS : result === 'LOSS' ? -POINTS : 0
    file.points += rpDelta ?? 0
    events.append(seat.player.agentId, 'contest.settled', {
      ...{ contestId, mode, result, stake: stake.toString(), payout: payout.toString(), profit: (payout - stake).toString() },
      ...{ versus, rpDelta, rpAfter: rpDelta === null ? null : file.points },
    })
  }

  #changed(contest: Contest): void {
    for (const listener of this.#listeners) listener(contest)
  }
}

export const isTaken = ({ seats }: Contest, mint: string): boolean => seats.some(({ basket }) => basket.includes(mint))

export const isBet = (word: string): word is Bet => BETS.some((bet) => bet === word)

function versusOf(contest: Contest, own: Seat): Versus {
  const others = contest.seats.filter((seat) => seat !== own)
  return laneOf({ ...contest, seats: others, opponents: 'ANY' })
}
