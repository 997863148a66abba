import type { ContestMode } from '../modes/contestMode.ts'
import { refuse } from '../refuse.ts'
import type { Contest, Refused } from '../types.ts'

type Seats = Pick<Contest, 'format' | 'capacity' | 'teamSize' | 'entries'>

export type SideChoice = { readonly ok: true; readonly side: string | null } | Refused

/** The sides of a contest: its mode's own, else its teams `T1`, `T2`, …; null when seats have none. */
function sidesOf({ sides }: Pick<ContestMode, 'sides'>, { teamSize, capacity }: Seats): readonly string[] | null {
  if (sides !== null) return sides
  return teamSize === null ? null : Array.from({ length: capacity / teamSize }, (_, team) => `T${team + 1}`)
}

/**
 * The side a new seat gets. Without a wish it is the one with most room, where room is limited: a
 * duel has one seat a side and a team its size. In a lobby whose sides are open it must be named.
 */
export function chooseSide(mode: Pick<ContestMode, 'sides'>, contest: Seats, wish: string | null): SideChoice {
  const sides = sidesOf(mode, contest)
  if (sides === null)
    return wish === null
      ? { ok: true, side: null }
      : refuse('INVALID_INPUT', `side ${wish}: this contest has no sides, leave it out`, { side: wish })
  const room = contest.format === 'duel' ? 1 : (contest.teamSize ?? contest.capacity)
  const taken = (side: string) => contest.entries.filter((entry) => entry.side === side).length
  if (wish !== null) {
    if (!sides.includes(wish)) return refuse('INVALID_INPUT', `side ${wish} must be one of ${sides.join(', ')}`, { side: wish })
    if (taken(wish) >= room) return refuse('SIDE_TAKEN', `side ${wish} is taken: join another side or another contest`, { side: wish })
    return { ok: true, side: wish }
  }
  if (room === contest.capacity) return refuse('INVALID_INPUT', `side is missing: name one of ${sides.join(', ')}`, { side: null })
  const side = sides.reduce((least, other) => (taken(other) < taken(least) ? other : least))
  return { ok: true, side }
}
