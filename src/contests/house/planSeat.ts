import { keyedRandom } from '../../core/random.ts'
import { type CommandBody, type Contest, type ContestsState, type Entry, modeStateView } from '../index.ts'
import type { Act, HouseContext } from './act.ts'
import { makeSwap } from './makeSwap.ts'
import { HOUSE_MODES } from './modes.ts'
import { knownAt, SKILLS, shownAt } from './skills.ts'

interface Seated {
  readonly contest: Contest
  readonly entry: Entry
  readonly now: number
}

/** The next thing to do for a seat of the house: ready it, or make the mode's next move. */
export function planSeat(context: HouseContext, state: ContestsState, { contest, entry, now }: Seated): Act | null {
  const { agentId, entryId } = entry
  const { contestId } = contest
  if (contest.status === 'open') {
    return entry.ready ? null : { atMs: contest.createdAt, decide: () => ({ type: 'readyContest', agentId, contestId, ready: true }) }
  }
  if (contest.status !== 'live') return null
  const view = modeStateView(state, contestId, agentId)
  const member = context.members.get(agentId)
  if (member === undefined || !view.ok) return null

  const { seed, prices } = context
  const { skill } = member
  const random = (purpose: string) => keyedRandom(seed, agentId, contestId, purpose)
  const plan = HOUSE_MODES[contest.mode].plan({
    seed,
    agentId,
    entryId,
    skill,
    contest,
    now,
    view: view.value,
    mints: state.mints,
    random,
    expect: ({ atMs, ...look }) => SKILLS[skill]({ ...look, prices: knownAt(prices, atMs) }),
    priceAt: (mint, atMs) => shownAt(prices, mint, atMs),
    volatilityPerSecond: (mint) => prices.volatilityPerSecond(mint) ?? 0,
  })
  if (plan === null) return null
  const { atMs } = plan
  const decide = (): CommandBody | null => {
    const decided = plan.decide()
    if (decided?.type === 'swap') return makeSwap(context, state, { agentId, contestId, swap: decided, atMs })
    return decided === null ? null : { type: 'move', agentId, contestId, move: decided }
  }
  return { atMs, decide }
}
