import type { Mode } from '../../contract/enums.ts'
import { keyedUuid } from '../../core/ids.ts'
import { keyedRandom } from '../../core/random.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { type CommandBody, type Contest, type ContestsState, contestModes } from '../index.ts'
import type { Act, HouseContext } from './act.ts'
import { fundedFirst } from './funding.ts'
import { HOUSE_MODES } from './modes.ts'

/** A contest the house keeps joinable at all times. */
export interface Opening {
  readonly key: string
  readonly mode: Mode
  readonly stake: Usdc
  /** The house's own side: the other one is free. */
  readonly side: string | null
}

const STAKES: readonly Usdc[] = [usdc('1'), usdc('5')]
const SHORTEST_SEC = 15
const LONGEST_SEC = 20
/** The next contest is opened this long before the one that stands closes. */
const OVERLAP_MS = 30_000

const TERMS = {
  type: 'createContest',
  chain: 'solana',
  format: 'duel',
  capacity: 2,
  teamSize: null,
  opponents: 'ANY',
  visibility: 'public',
  joinWindowSec: 300,
  params: {},
} as const

const keyOf = (mode: Mode, stake: Usdc, side: string | null) => `${mode}:${stake}:${side ?? '-'}`

export const OPENINGS: readonly Opening[] = contestModes.flatMap((mode) =>
  STAKES.flatMap((stake) => HOUSE_MODES[mode].openings.map((side): Opening => ({ key: keyOf(mode, stake, side), mode, stake, side }))),
)

/** The key of the opening that a contest keeps joinable; `null` when it keeps none. */
export function openingKeyOf(state: ContestsState, contest: Contest): string | null {
  const [seat, ...others] = contest.entries
  const waits = contest.status === 'open' && contest.format === 'duel' && contest.visibility === 'public' && others.length === 0
  if (!waits || seat === undefined || state.agents.get(seat.agentId)?.house !== true) return null
  return keyOf(contest.mode, contest.stake, seat.side)
}

/** Opens the next contest: at once where none is joinable, else shortly before the last one closes. */
export function planOpening(
  context: HouseContext,
  state: ContestsState,
  { opening, joinable }: { readonly opening: Opening; readonly joinable: readonly Contest[] },
): Act {
  const closesAt = joinable.reduce((latest, { joinBy }) => Math.max(latest, joinBy), Number.NEGATIVE_INFINITY)
  const atMs = Math.max(state.now, closesAt - OVERLAP_MS)
  return { atMs, decide: () => openContest(context, state, { opening, atMs }) }
}

function openContest(
  { seed, members }: HouseContext,
  state: ContestsState,
  { opening, atMs }: { readonly opening: Opening; readonly atMs: number },
): CommandBody | null {
  const { key, mode, stake, side } = opening
  const random = keyedRandom(seed, 'opening', key, atMs)
  const agentId = random.pick([...members.keys()])
  if (agentId === undefined) return null
  const durationSec = random.integer(SHORTEST_SEC, LONGEST_SEC)
  // Named after its opening, so that what is drawn for it is no matter of the contests opened before. One that is joined
  // the moment it opens has that name already.
  const contestId = keyedUuid(seed, 'opening', key, atMs)
  const named = state.contests.has(contestId) ? {} : { contestId }
  return fundedFirst(state, { ...TERMS, ...named, agentId, mode, stake, side, durationSec }, stake)
}
