import { type Mint, SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import type { Agent, ContestsState } from '../state/state.ts'

// What is held of which token. USDC is the wallet itself, so that nothing in play can be swapped.

/** Base units of a token in an agent's wallet. */
export function balanceOf(agent: Agent, mint: Mint): bigint {
  return mint === USDC_MINT ? agent.wallet : (agent.tokens.get(mint) ?? 0n)
}

/** Changes a balance by base units; the caller has seen to it that it stays 0 or more. */
export function changeBalance(agent: Agent, mint: Mint, delta: bigint): void {
  if (mint === USDC_MINT) agent.wallet += delta
  else addTo(agent.tokens, mint, delta)
}

/** Takes tokens in from outside. */
export function mintTokens(state: ContestsState, agent: Agent, mint: Mint, amount: bigint): void {
  addTo(state.minted, mint, amount)
  changeBalance(agent, mint, amount)
}

/** Takes lamports in from outside. */
export function mintLamports(state: ContestsState, agent: Agent, amount: bigint): void {
  state.mintedLamports += amount
  agent.gasLamports += amount
}

/** All SOL of an agent in lamports: on the chain, what is kept for fees and what was bought are the same. */
export function solOf(agent: Agent): bigint {
  return agent.gasLamports + balanceOf(agent, SOL_MINT)
}

/**
 * Makes up for what a sale or a fee took too much of one kind of SOL out of the other kind: minted there,
 * and taken back here. The caller has seen to it that `solOf` is 0 or more.
 */
export function levelSol(state: ContestsState, agent: Agent): void {
  const bought = balanceOf(agent, SOL_MINT)
  const short = bought < 0n ? -bought : agent.gasLamports < 0n ? agent.gasLamports : 0n
  if (short === 0n) return
  mintTokens(state, agent, SOL_MINT, short)
  mintLamports(state, agent, -short)
}

/** What is held, less the other side of the change. A mint of which nothing is left is left out. */
export function addTo(balances: Map<Mint, bigint>, mint: Mint, delta: bigint): void {
  const balance = (balances.get(mint) ?? 0n) + delta
  if (balance === 0n) balances.delete(mint)
  else balances.set(mint, balance)
}
