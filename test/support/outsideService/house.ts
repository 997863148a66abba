import type { Random } from '../../../src/core/random.ts'
import { USDC_MINT } from '../../../src/core/tokens.ts'
import type { AgentFile, Player } from './agentFile.ts'
import { type Contest, drafterOf, freeBets, MODES, type Mode, type Seat, seatOf } from './contest.ts'
import { type Contests, isTaken, type Terms } from './contests.ts'
import { type Ledger, walletOf } from './ledger.ts'
import type { Market } from './market.ts'
import { msOf, type Pace } from './pace.ts'
import { openGuess, seal, sealOf, windowsOf } from './predictions.ts'
import { Refusal } from './refusal.ts'
import { isTrading } from './scores.ts'
import type { Timetable } from './timetable.ts'

interface Parts {
  readonly timetable: Timetable
  readonly pace: Pace
  readonly ledger: Ledger
  readonly market: Market
  readonly contests: Contests
  readonly random: Random
  readonly players: readonly Player[]
  readonly fileOf: (player: Player) => AgentFile
}

const STAKE = 1_000_000n
const DURATIONS_SEC = [15, 20, 30, 40]
const FLOAT = 1_000_000_000n
/** Lobbies of these modes, duels of all others. */
const LOBBIES: ReadonlySet<Mode> = new Set(['pnl_race_pct', 'last_bag_standing', 'best_trade'])
/** Of the contests that the house plays with itself. */
const LIVE_AT_LEAST = 3
const SALT = 'salt-of-the-house-0000'

type Offer = Pick<Terms, 'mode' | 'format' | 'chain'> & { readonly isHidden: boolean; readonly bet: 'long' | 'short' | undefined }

/** What is open at all times. The one on `robinhood` can be entered, and never traded in; one draft and one guess are hidden. */
const OFFERS: readonly Offer[] = [
  ...MODES.map((mode) => ({
    mode,
    format: LOBBIES.has(mode) ? ('lobby' as const) : ('duel' as const),
    chain: 'solana' as const,
    isHidden: false,
    bet: undefined,
  })),
  { mode: 'up_down', format: 'duel', chain: 'solana', isHidden: false, bet: 'short' },
  { mode: 'price_prediction', format: 'lobby', chain: 'solana', isHidden: true, bet: undefined },
  { mode: 'draft_basket', format: 'duel', chain: 'solana', isHidden: true, bet: undefined },
  { mode: 'pnl_usd', format: 'duel', chain: 'robinhood', isHidden: false, bet: undefined },
]

/** Opponents that play by the rules of everybody, through the same doors, without HTTP. */
export class House {
  readonly #parts: Parts
  /** What has been begun, so that a change of a contest begins nothing twice. */
  readonly #begun = new Set<string>()
  readonly #offers = new Map<Offer, Contest>()
  readonly #guesses = new WeakMap<Seat, string>()
  #rounds = 0

  constructor(parts: Parts) {
    this.#parts = parts
    parts.contests.onChange((contest) => this.#look(contest))
  }

  open(): void {
    this.#tend()
    this.#parts.timetable.every(msOf(this.#parts.pace, 1), () => this.#tend())
  }

  opponentFor(kind: 'HUMAN' | 'AGENT' | 'ANY'): Player | undefined {
    const player = this.#parts.random.pick(this.#parts.players.filter((candidate) => kind === 'ANY' || candidate.kind === kind))
    if (player !== undefined) this.#fund(player)
    return player
  }

  #fund(player: Player): void {
    const wallet = walletOf(player.agentId)
    if (this.#parts.ledger.of(wallet) < FLOAT / 2n) this.#parts.ledger.issue(wallet, FLOAT)
  }

  /** Opens what is missing of the offers, and of the contests among the house itself. */
  #tend(): void {
    const { contests, random } = this.#parts
    for (const offer of OFFERS) {
      if (this.#offers.get(offer)?.stage === 'open') continue
      const { bet, ...terms } = offer
      const contest = contests.open({ ...terms, ...this.#terms(), capacity: random.integer(3, 4) }, true)
      this.#offers.set(offer, contest)
      this.#join(contest, bet)
    }
    const ownLive = [...contests.all.values()].filter((contest) => contest.isOfHouse && this.#isLiveForAWhile(contest))
    for (let count = ownLive.length; count < LIVE_AT_LEAST; count++) {
      const mode = (['price_prediction', 'draft_basket', 'pnl_usd', 'up_down'] as const)[this.#rounds++ % 4] ?? 'up_down'
      const contest = contests.open({ ...this.#terms(), mode, format: 'duel', chain: 'solana' }, true)
      for (let place = 0; place < contest.capacity; place++) this.#join(contest)
      for (const { player } of [...contest.seats]) contests.setReady(contest, player, true)
    }
  }

  /** Live, or about to be, and not over before the house looks again. */
  #isLiveForAWhile({ stage, endsAtMs, seats }: Contest): boolean {
    const { timetable, pace } = this.#parts
    const isOn = stage === 'arming' || stage === 'drafting' || (stage === 'live' && (endsAtMs ?? 0) - timetable.now() > msOf(pace, 2))
    return isOn && seats.every(({ player }) => player.isHouse)
  }

  #terms(): Pick<Terms, 'stake' | 'durationSec' | 'opponents'> {
    return { stake: STAKE, durationSec: this.#parts.random.pick(DURATIONS_SEC) ?? 20, opponents: 'ANY' }
  }

  #join(contest: Contest, bet?: 'long' | 'short'): void {
    const { contests, players, random } = this.#parts
    const free = players.filter(
      ({ userId, kind }) => seatOf(contest, userId) === undefined && (contest.opponents === 'ANY' || contest.opponents === kind),
    )
    const player = random.pick(free)
    if (player === undefined) return
    this.#fund(player)
    const side = bet ?? random.pick(freeBets(contest))
    if (contest.stage === 'open' && contest.seats.length < contest.capacity) contests.sit(contest, player, { bet: side })
  }

  /** Does something once, after so long; what is refused by then is left. */
  #once(key: string, delaySec: number, act: () => void): void {
    if (this.#begun.has(key)) return
    this.#begun.add(key)
    this.#parts.timetable.after(msOf(this.#parts.pace, delaySec), () => {
      try {
        act()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    })
  }

  #look(contest: Contest): void {
    const { contests, random } = this.#parts
    const { uid, seats, stage } = contest
    const hasGuest = seats.some(({ player }) => !player.isHouse)
    if (stage === 'open') {
      if (hasGuest && !contest.isPrivate && seats.length < contest.capacity) {
        this.#once(`${uid} join ${seats.length}`, 0.5 + random.next(), () => this.#join(contest))
      }
      // Whoever comes first waits to see whether anybody comes.
      if (seats.length === contest.capacity) {
        for (const { player } of seats.filter((seat) => seat.player.isHouse && !seat.isReady)) {
          this.#once(`${uid} ready ${player.userId}`, 0.3 + random.next(), () => contests.setReady(contest, player, true))
        }
      }
    }
    for (const seat of seats.filter(({ player }) => player.isHouse)) this.#play(contest, seat)
  }

  #play(contest: Contest, seat: Seat): void {
    const { pace, timetable, random } = this.#parts
    const { uid, mode, stage, draft } = contest
    const key = `${uid} ${seat.player.userId}`
    if (mode === 'price_prediction') {
      if (stage === 'arming' || stage === 'live') this.#once(`${key} seal`, random.next(), () => this.#seal(contest, seat))
      const { openFromMs } = windowsOf(contest, pace)
      if (stage === 'live' && openFromMs !== null) {
        const waitSec = ((openFromMs - timetable.now()) * pace.speed) / 1000
        this.#once(`${key} open`, waitSec + random.next(), () => this.#open(contest, seat))
      }
    }
    if (draft !== null && drafterOf(contest) === seat) {
      // One turn in eight is slept through.
      const isAsleep = random.next() < 1 / 8
      if (!isAsleep) this.#once(`${key} pick ${draft.lap}`, 0.5 + 1.5 * random.next(), () => this.#pick(contest, seat))
    }
    if (isTrading(mode) && stage === 'live') {
      this.#once(`${key} buy`, contest.durationSec * 0.2 * random.next(), () => this.#swap(contest, seat))
    }
  }

  #seal(contest: Contest, seat: Seat): void {
    const { contests, pace, timetable } = this.#parts
    seal(contests, contest, seat.player, sealOf(this.#guessOf(contest, seat), SALT, seat.slip), { ms: timetable.now(), pace })
  }

  /** The price of now, a little up or down; the same whenever it is asked again. */
  #guessOf(contest: Contest, seat: Seat): string {
    const kept = this.#guesses.get(seat)
    if (kept !== undefined) return kept
    const price = this.#parts.market.price(contest.coin ?? '') ?? 1
    const guess = (price * (1 + (this.#parts.random.next() - 0.5) * 0.01)).toFixed(12).replace(/\.?0+$/, '')
    this.#guesses.set(seat, guess)
    return guess
  }

  #open(contest: Contest, seat: Seat): void {
    const { contests, pace, timetable } = this.#parts
    openGuess(contests, contest, seat.player, { value: this.#guessOf(contest, seat), salt: SALT }, { ms: timetable.now(), pace })
  }

  #pick(contest: Contest, seat: Seat): void {
    const { contests, random } = this.#parts
    const mint = random.pick(contests.pool.filter((candidate) => !isTaken(contest, candidate)))
    if (mint !== undefined) contests.pick(contest, seat.player, mint)
  }

  /** On paper, at the price of now: the house has no wallet on the chain. */
  #swap(contest: Contest, seat: Seat): void {
    const { contests, market, random } = this.#parts
    const mint = contest.coin ?? random.pick(contests.pool.filter((candidate) => candidate !== USDC_MINT))
    const price = mint === undefined ? undefined : market.price(mint)
    if (mint === undefined || price === undefined || contest.stage !== 'live') return
    const spent = random.integer(5, 50)
    seat.fills.push({ [USDC_MINT]: -spent, [mint]: (spent / price) * 0.999 })
    contests.note(contest, seat, 'swap')
    contests.changed(contest)
  }
}
