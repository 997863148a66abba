import { apply, type ContestsState, createContests } from '../../../../contests/index.ts'
import { isPlayedBy } from '../../../../contract/modes.ts'
import { DAY_MS } from '../../../../core/day.ts'
import type { Mint } from '../../../../core/tokens.ts'
import type { Usdc } from '../../../../core/usdc.ts'
import type { SandboxStore } from '../../../../sandbox/store/sandboxStore.ts'

/** The most that one agent had staked and lost in a day, and what else its caps are about. */
export interface Exposure {
  readonly most: Usdc
  readonly largestStake: Usdc
  /** The most tickets and seats at once. */
  readonly mostOpen: number
}

export interface Refolded {
  readonly state: ContestsState
  readonly exposures: ReadonlyMap<string, Exposure>
}

/** Plays the sandbox's command log again and looks at what each agent has at stake after every command of its own. */
export function refold(store: SandboxStore, mints: readonly Mint[], agents: readonly string[]): Refolded {
  const state = createContests({ seed: store.identity.seed, rakeBps: store.identity.rakeBps, startMs: store.epochMs, mints })
  const ours = new Set(agents)
  const exposures = new Map<string, Exposure>()
  const profits = new Map<string, bigint>()
  for (const { command } of store.commands()) {
    const { events } = apply(state, command)
    for (const { agentId, type, data, createdAt } of events) {
      if (type !== 'contest.settled' || !ours.has(agentId)) continue
      const key = `${agentId} ${Math.floor(Date.parse(String(createdAt)) / DAY_MS)}`
      profits.set(key, (profits.get(key) ?? 0n) + BigInt(String(data.profit)))
    }
    const agentId = 'agentId' in command ? command.agentId : ''
    if (!ours.has(agentId)) continue
    const stakes = stakesOf(state, agentId)
    const profit = profits.get(`${agentId} ${Math.floor(command.now / DAY_MS)}`) ?? 0n
    const at = stakes.reduce((sum, stake) => sum + stake, profit < 0n ? -profit : 0n)
    const before = exposures.get(agentId) ?? { most: 0n, largestStake: 0n, mostOpen: 0 }
    exposures.set(agentId, {
      mostOpen: Math.max(before.mostOpen, stakes.length),
      most: at > before.most ? at : before.most,
      largestStake: [before.largestStake, ...stakes].reduce((a, b) => (a > b ? a : b)),
    })
  }
  return { state, exposures }
}

function stakesOf(state: ContestsState, agentId: string): Usdc[] {
  const queued = [...state.tickets.values()].filter((ticket) => ticket.agentId === agentId && ticket.status === 'queued')
  const seated = [...state.contests.values()].filter(
    ({ status, entries }) => (status === 'open' || status === 'live') && entries.some((entry) => entry.agentId === agentId),
  )
  return [...queued, ...seated].map(({ stake }) => stake)
}

/** A commitment that was never revealed. */
export interface Unrevealed {
  readonly contestId: string
  readonly revealBy: number
}

export function unrevealedOf(state: ContestsState, agentId: string): { committed: number; unrevealed: Unrevealed[] } {
  let committed = 0
  const unrevealed: Unrevealed[] = []
  for (const contest of state.contests.values()) {
    const seat = contest.entries.findIndex((entry) => entry.agentId === agentId)
    if (!isPlayedBy(contest.mode, 'sealedPrice') || contest.status !== 'settled' || seat < 0) continue
    // The play of this mode: commitments and revealed values by seat.
    const { commitments, values } = contest.play as { commitments: unknown[]; values: unknown[] }
    if (commitments[seat] === null) continue
    committed += 1
    const { revealSec } = contest.params as unknown as { revealSec: number }
    if (values[seat] === null) unrevealed.push({ contestId: contest.contestId, revealBy: (contest.endsAt ?? 0) + revealSec * 1000 })
  }
  return { committed, unrevealed }
}
