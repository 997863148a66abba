import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { type ContestsState, contestsOf, modeStateView } from '../index.ts'
import type { Act, HouseContext } from './act.ts'
import { makeSwap } from './makeSwap.ts'
import { positionsOf } from './positions.ts'

/**
 * Sells what the agent's contests left it with, at once, so that its bankroll stays in USDC: every token
 * it holds beyond its positions in contests that are live.
 */
export function planPurse(context: HouseContext, state: ContestsState, { agentId, now }: { agentId: string; now: number }): Act | null {
  const { tokens } = state.agents.get(agentId) ?? {}
  if (tokens === undefined || tokens.size === 0) return null
  const bound = boundTokens(state, agentId)
  for (const [mint, held] of tokens) {
    const amount = held - (bound.get(mint) ?? 0n)
    if (amount <= 0n) continue
    const sale = makeSwap(context, state, {
      agentId,
      contestId: null,
      swap: { type: 'swap', from: mint, to: USDC_MINT, amount },
      atMs: now,
    })
    if (sale !== null) return { atMs: now, decide: () => sale }
  }
  return null
}

/** What the agent holds for live contests. */
function boundTokens(state: ContestsState, agentId: string): ReadonlyMap<Mint, bigint> {
  const bound = new Map<Mint, bigint>()
  for (const { contestId } of contestsOf(state, agentId)) {
    const view = modeStateView(state, contestId, agentId)
    if (!view.ok) continue
    for (const [mint, amount] of positionsOf(view.value)) bound.set(mint, (bound.get(mint) ?? 0n) + amount)
  }
  return bound
}
