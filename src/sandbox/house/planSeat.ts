import { type CommandBody, type Contest, type ContestsState, type Entry, type Move, modeStateView } from '../../contests/index.ts'
import { keyedRandom } from '../../core/random.ts'
import type { Act, HouseContext } from './act.ts'
import { HOUSE_MODES } from './modes.ts'
import { knownAt, SKILLS } from './skills.ts'

/** The next thing to do for a seat of the house: ready it, or make the mode's next move. */
export function planSeat(
  context: HouseContext,
  state: ContestsState,
  { contest, entry }: { readonly contest: Contest; readonly entry: Entry },
): Act | null {
  const { agentId, entryId } = entry
  const { contestId } = contest
  if (contest.status === 'open') {
    return entry.ready ? null : { atMs: contest.createdAt, decide: () => ({ type: 'readyContest', agentId, contestId, ready: true }) }
  }
  if (contest.status !== 'live') return null
  const mode = HOUSE_MODES[contest.mode]
  const view = modeStateView(state, contestId, agentId)
  const member = context.members.get(agentId)
  if (mode === undefined || member === undefined || !view.ok) return null

  const { seed, prices } = context
  const random = (purpose: string) => keyedRandom(seed, agentId, contestId, purpose)
  const plan = mode.plan({
    seed,
    agentId,
    entryId,
    contest,
    view: view.value,
    random,
    expect: ({ mint, atMs, aheadSec, purpose }) =>
      SKILLS[member.skill]({ mint, aheadSec, prices: knownAt(prices, atMs), random: random(purpose) }),
    priceAt: (mint, atMs) => prices.at(mint, atMs),
  })
  if (plan === null) return null
  const { atMs, decide } = plan
  const command = (move: Move | null): CommandBody | null => (move === null ? null : { type: 'move', agentId, contestId, move })
  return { atMs, decide: () => command(decide()) }
}
