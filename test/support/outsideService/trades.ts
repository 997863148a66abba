import type { Player } from './agentFile.ts'
import type { Contest, Seat } from './contest.ts'
import type { Contests } from './contests.ts'
import type { Market } from './market.ts'
import { Refusal } from './refusal.ts'
import { isTrading } from './scores.ts'
import type { Timetable } from './timetable.ts'

/** How often the market is asked what became of a swap, and how many times. */
const ASK_EVERY_MS = 300
const ASK_TIMES = 40

/** Swaps of agents: the market signs and sends them, and what they did counts for the contest they were sent for. */
export class Trades {
  readonly #timetable: Timetable
  readonly #market: Market
  readonly #contests: Contests

  constructor(timetable: Timetable, market: Market, contests: Contests) {
    this.#timetable = timetable
    this.#market = market
    this.#contests = contests
  }

  async send(player: Player, transaction: string, contestId: string | null): Promise<unknown> {
    const contest = contestId === null ? undefined : this.#contests.byUid(contestId)
    const seat = contest === undefined ? undefined : this.#contests.seatIn(contest, player)
    if (contest !== undefined) {
      if (!isTrading(contest.mode)) throw new Refusal('OTHER_GAME', 'nothing is traded there')
      if (contest.chain !== 'solana')
        throw new Refusal('CHAIN_FOREIGN', 'that contest is not traded on this chain', { chain: contest.chain })
      if (contest.stage !== 'live') throw new Refusal('LATE', 'nothing is traded there now', { stage: contest.stage })
    }
    const { signature, status, programs } = await this.#market.signAndSend(player.agentId, transaction)
    if (contest !== undefined && seat !== undefined) void this.#count(contest, seat, signature, ASK_TIMES)
    return { signature, status, contestId, programs }
  }

  /** A swap is a move once it has landed, while the contest is not weighed out. One that failed is none. */
  async #count(contest: Contest, seat: Seat, signature: string, times: number): Promise<void> {
    const fill = await this.#market.fill(seat.player.agentId, signature).catch(() => undefined)
    if (fill === null || (contest.stage !== 'live' && contest.stage !== 'weighing')) return
    if (fill === undefined) {
      if (times > 0) this.#timetable.after(ASK_EVERY_MS, () => void this.#count(contest, seat, signature, times - 1))
      return
    }
    seat.fills.push(fill)
    this.#contests.note(contest, seat, 'swap')
    this.#contests.changed(contest)
  }
}
