import type { Mint } from '../../core/tokens.ts'
import type { Looks, PlayedContest } from '../modes/contestMode.ts'
import { hasPlay, modeOf } from '../modes/index.ts'
import { scheduleContest } from '../state/schedule.ts'
import type { ContestsState } from '../state/state.ts'
import type { Contest, ModeParams } from '../types.ts'

/** A contest whose looks from one on are left out until another. */
interface Asleep {
  readonly contest: Contest
  readonly everyMs: number
  readonly firstAt: number
  readonly untilAt: number
}

/** Looks that are left out at a time: after every swap they are gone through anew, and a contest can last for months. */
const MOST_LOOKS = 3600

/**
 * Leaves out looks at contests that nothing can come of, for a world that knows the prices to come: a race to a target is
 * looked at every second, and nearly always goes on. Nobody can tell: before anything is done or read, `wake` makes the
 * last look that was left out.
 *
 * Between `sleep` and `wake` the state is not to be saved: it says of no contest that it sleeps.
 */
export class QuietLooks {
  readonly #state: ContestsState
  readonly #priceAt: (mint: Mint, atMs: number) => number | null
  /** By contest: when the first look is due that something can come of, as long as no swap counts for it. */
  readonly #tellingAt = new Map<string, number>()
  #asleep: Asleep[] = []

  /** @param priceAt a price to come, as near to the one the engine will be given as 1 in a million; null where there is none */
  constructor(state: ContestsState, priceAt: (mint: Mint, atMs: number) => number | null) {
    this.#state = state
    this.#priceAt = priceAt
  }

  /** Once everything due by now is done. */
  sleep(): void {
    for (const contest of this.#state.index.live) {
      const { dueAt, endsAt } = contest
      if (dueAt === null || endsAt === null || dueAt >= endsAt || !hasPlay(contest)) continue
      const { looks } = modeOf(contest)
      if (looks === undefined || dueAt <= contest.startsAt) continue
      const untilAt = this.#telling(contest, looks, dueAt)
      if (untilAt <= dueAt) continue
      this.#asleep.push({ contest, everyMs: looks.everyMs, firstAt: dueAt, untilAt })
      scheduleContest(this.#state, contest, untilAt)
    }
  }

  /** Before anything due by `now` is done, and before anything is read. */
  wake(now: number): void {
    if (this.#asleep.length === 0) return
    for (const { contest, everyMs, firstAt, untilAt } of this.#asleep.splice(0)) {
      if (contest.dueAt !== untilAt) continue
      const leftOut = Math.max(0, Math.floor((Math.min(now, untilAt - 1) - firstAt) / everyMs))
      scheduleContest(this.#state, contest, firstAt + leftOut * everyMs)
    }
  }

  /** A swap counts for a contest, or a score was given in it: what its looks can come to is another matter now. */
  onFill(contestId: string): void {
    this.#tellingAt.delete(contestId)
  }

  /** The first look from `dueAt` on that something can come of: at the latest the one at the end, or the last that is looked ahead to. */
  #telling(contest: PlayedContest<ModeParams, unknown>, looks: Looks<ModeParams, unknown>, dueAt: number): number {
    const { contestId, endsAt } = contest
    const known = this.#tellingAt.get(contestId)
    if (known !== undefined && known > dueAt) return known
    let at = dueAt
    const priceOf = (mint: Mint) => {
      const price = this.#priceAt(mint, at)
      // Where there is none, and a price of 0 is none, the engine is to find that.
      return price !== null && price > 0 ? price : Number.NaN
    }
    // With nothing to look at the next look is not in a step's time.
    const isWatched = modeOf(contest).mintsAt(contest, dueAt).length > 0
    const until = Math.min(endsAt, dueAt + MOST_LOOKS * looks.everyMs)
    while (isWatched && at < until && !looks.couldEnd(contest, priceOf)) at += looks.everyMs
    at = Math.min(at, endsAt)
    this.#tellingAt.set(contestId, at)
    return at
  }
}
