import { makeSwap, type PriceSource } from '../../contests/house/index.ts'
import { type Applied, type CommandBody, type Contest, type ContestsState, modeStateView, type Venue } from '../../contests/index.ts'
import { isPlayedBy, MODE_TRAITS } from '../../contract/modes.ts'
import type { VirtualClock } from '../../core/clock.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { Opportunity, RecordedSeat } from '../log/opportunity.ts'

/** A ghost takes as long over a turn to pick as the log shows, else this share of the time it has. */
const PICK_SHARE = 0.4
/** After the opening of a window that wants a bag. */
const BAG_AFTER_MS = 500
const BAG = usdc('100')

/**
 * Whether recorded scores are final whoever plays against them. Of bags that stood it must be known how long. In a race to a target they are only where it is known when
 * one of them ended it, or that nobody did: one that the recorded bot ended would have gone on without it.
 */
export function isFinal({ mode, params, durationSec, ranMs, others }: Opportunity): boolean {
  const { endsEarly } = MODE_TRAITS[mode]
  if (endsEarly === false) return true
  if (ranMs === null) return false
  return endsEarly === 'lastStanding' || ranMs >= durationSec * 1000 || others.some(({ score }) => hasReached(score, params))
}

function hasReached(score: RecordedSeat['score'], params: object): boolean {
  const targetPct = 'targetPct' in params && typeof params.targetPct === 'number' ? params.targetPct : 1
  return typeof score === 'string' && Number(score) >= Math.round(targetPct * 100) / 10_000
}

export interface GhostWorld {
  readonly clock: VirtualClock
  readonly seed: number
  readonly prices: PriceSource
  /** Where bags are bought. */
  readonly venue: Venue
  state(): ContestsState
  run(body: CommandBody): Applied
}

/**
 * The seats of a contest whose final scores are recorded. Their scores are given; what they do is only what others can
 * notice: tokens they draft are gone, and a bag they hold keeps a contest going.
 */
export class Ghosts {
  readonly #world: GhostWorld
  readonly #contestId: string
  readonly #ranMs: number | null
  /** By agent. */
  readonly #seats: ReadonlyMap<string, RecordedSeat>
  #isBegun = false
  #turnsPlanned = 0

  constructor(world: GhostWorld, { contestId, ranMs }: Opportunity, seats: ReadonlyMap<string, RecordedSeat>) {
    this.#world = world
    this.#contestId = contestId
    this.#ranMs = ranMs
    this.#seats = seats
  }

  /** Something happened in the contest. */
  look(): void {
    const contest = this.#world.state().contests.get(this.#contestId)
    if (contest?.status !== 'live') return
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#giveScores(contest)
      if (MODE_TRAITS[contest.mode].endsEarly === 'lastStanding') this.#holdBags(contest)
    }
    if (isPlayedBy(contest.mode, 'picks')) this.#draft()
  }

  /** Where sides are taken, who is right is decided by the prices: the recorded score is of the side that was taken then. */
  #giveScores({ mode, params, startsAt, durationSec, entries }: Contest): void {
    const { endsEarly } = MODE_TRAITS[mode]
    for (const { agentId, side } of entries) {
      const score = this.#seats.get(agentId)?.score
      if (side !== null || typeof score !== 'string') continue
      // Who reached the target has it from when the race ended then, and ends it: what comes sooner wins.
      const isThere = endsEarly === 'target' && startsAt !== null && hasReached(score, params)
      if (isThere) this.#world.clock.at(startsAt + (this.#ranMs ?? 0) - 1, () => this.#giveScore(agentId, score))
      else this.#giveScore(agentId, endsEarly === 'lastStanding' ? this.#bagScore(score, durationSec) : score)
    }
  }

  #giveScore(agentId: string, score: string): void {
    if (this.#world.state().contests.get(this.#contestId)?.status !== 'live') return
    this.#world.run({ type: 'giveScore', agentId, contestId: this.#contestId, score })
  }

  #draft(): void {
    const { clock, state } = this.#world
    for (const [agentId, { picks, pickMs }] of this.#seats) {
      const view = modeStateView(state(), this.#contestId, agentId)
      if (!view.ok || view.value.yourTurn !== true) continue
      const { pickBy, available, mine, picks: all } = view.value as unknown as DraftView
      const turn = all.reduce((sum, { tokens }) => sum + tokens.length, 0) + 1
      if (turn <= this.#turnsPlanned || pickBy === null) return
      this.#turnsPlanned = turn
      const token = picks.slice(mine.length).find((mint) => available.includes(mint)) ?? available[0]
      const leftMs = Date.parse(pickBy) - clock.now()
      // One that let its time run out picks as late as it can: what it got was the first token left, and so is what it takes.
      const dueAt = clock.now() + Math.min(pickMs[mine.length] ?? Math.floor(leftMs * PICK_SHARE), leftMs - 1)
      if (token !== undefined) clock.at(dueAt, () => this.#move(agentId, token))
      return
    }
  }

  #move(agentId: string, token: Mint): void {
    this.#world.run({ type: 'move', agentId, contestId: this.#contestId, move: { type: 'draftPick', token } })
  }

  /** A score is the seconds a bag stood, and what it is worth where it still does: more than the contest ran. */
  #stood(score: string): boolean {
    return Number(score) * 1000 > (this.#ranMs ?? 0)
  }

  /** A bag that stood to the recorded end stands to this one: all of its seconds, and the same worth. */
  #bagScore(score: string, durationSec: number): string {
    const moreSec = durationSec - (this.#ranMs ?? 0) / 1000
    return this.#stood(score) && moreSec > 0 ? (Number(score) + moreSec).toFixed(6) : score
  }

  #holdBags({ startsAt, durationSec, params }: Contest): void {
    const { clock } = this.#world
    const token = 'token' in params && typeof params.token === 'string' ? params.token : undefined
    if (startsAt === null || token === undefined) return
    for (const [agentId, { score }] of this.#seats) {
      if (typeof score !== 'string') continue
      const isStanding = this.#stood(score)
      const stoodSec = Number(score)
      // Who was out with the first quarter had no bag by then.
      if (!isStanding && stoodSec <= durationSec / 4) continue
      clock.at(startsAt + BAG_AFTER_MS, () => this.#swap(agentId, USDC_MINT, token, BAG))
      if (isStanding) continue
      clock.at(startsAt + Math.floor(stoodSec * 1000), () => {
        this.#swap(agentId, token, USDC_MINT, this.#world.state().agents.get(agentId)?.tokens.get(token) ?? 0n)
      })
    }
  }

  #swap(agentId: string, from: Mint, to: Mint, amount: bigint): void {
    const { clock, seed, prices, venue, state, run } = this.#world
    if (amount === 0n) return
    const swap = { type: 'swap', from, to, amount } as const
    // The first command may be the deposit that the second one needs.
    for (let tries = 0; tries < 2; tries++) {
      const body = makeSwap({ seed, prices, venue }, state(), { agentId, contestId: this.#contestId, swap, atMs: clock.now() })
      if (body === null) return
      run(body)
      if (body.type === 'fill') return
    }
  }
}

interface DraftView {
  readonly pickBy: string | null
  readonly available: readonly Mint[]
  readonly mine: readonly Mint[]
  readonly picks: readonly { readonly tokens: readonly Mint[] }[]
}
