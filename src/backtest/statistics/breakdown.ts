import { laneSchema, MODES } from '../../contract/enums.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { PlayedContest } from '../result.ts'
import { type Edge, edgeOf } from './edge.ts'
import { moneyOf, type Tally, tallyOf } from './tally.ts'

interface Dimension {
  /** Names the group, for a person. */
  label(contest: PlayedContest): string
  /** Where the group stands among the others. */
  rank(contest: PlayedContest): number | bigint
}

const hourOf = ({ endedAt }: PlayedContest) => new Date(endedAt).getUTCHours()

/** What contests are grouped by. The hour is that of their end, in UTC. */
const DIMENSIONS = {
  mode: { label: ({ mode }) => mode, rank: ({ mode }) => MODES.indexOf(mode) },
  opponents: { label: ({ opponents }) => opponents, rank: ({ opponents }) => laneSchema.options.indexOf(opponents) },
  stake: { label: ({ stake }) => `${formatUsdc(stake)} USDC`, rank: ({ stake }) => stake },
  duration: { label: ({ durationSec }) => `${durationSec} s`, rank: ({ durationSec }) => durationSec },
  hour: { label: (contest) => `${String(hourOf(contest)).padStart(2, '0')}:00`, rank: hourOf },
} as const satisfies Record<string, Dimension>

export type BreakdownBy = keyof typeof DIMENSIONS

export interface Group extends Tally {
  readonly label: string
  /** Micro-USDC. */
  readonly staked: Usdc
  readonly profit: Usdc
  readonly edge: Edge
}

/** The contests by one of their properties: every contest is in exactly one group, so the groups add up to them all. */
export function breakdown(contests: readonly PlayedContest[], by: BreakdownBy, seed: number): Group[] {
  const { label, rank }: Dimension = DIMENSIONS[by]
  const groups = [...Map.groupBy(contests, label)].map(([name, members]) => ({ name, members, rank: rank(members[0] as PlayedContest) }))
  groups.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
  return groups.map(({ name, members }) => ({ label: name, ...tallyOf(members), ...moneyOf(members), edge: edgeOf(members, seed) }))
}
