import { expect } from 'vitest'
import type { Random } from '../../src/core/random.ts'
import { type Mint, SOL_MINT, tokenOf, USDC_MINT } from '../../src/core/tokens.ts'
import type { SandboxAgentKey, SandboxProcess } from './sandboxProcess.ts'

// Swaps as a client makes them (quote, swap, sign and send), and what is known of them afterwards.

type Status = 'submitted' | 'confirmed' | 'failed'

/** A transaction that was sent. */
export interface Trade {
  /** As it was sent, base64: the agent's signature is not in it. */
  readonly transaction: string
  readonly contestId: string | undefined
  /** What the sandbox said of it last; null while it has said nothing. */
  said: { readonly signature: string; readonly status: Status } | null
}

/** Among them SOL, whose accounts come and go as it is wrapped and unwrapped, and a token of Token-2022. */
const TOKENS = ['SOL', 'WIF', 'PUMP', 'BONK', 'JUP'].map((symbol): Mint => tokenOf(symbol)?.mint ?? '')

/** Modes played by swaps of any token. */
export const SWAP_MODES = ['pnl_usd', 'pnl_race_pct', 'best_trade'] as const

/** An agent that buys tokens and sells of what it bought. */
export class Trader {
  readonly #sandbox: SandboxProcess
  readonly #agent: SandboxAgentKey
  readonly #random: Random
  #bought: { readonly mint: Mint; readonly amount: bigint } | undefined

  constructor(sandbox: SandboxProcess, agent: SandboxAgentKey, random: Random) {
    this.#sandbox = sandbox
    this.#agent = agent
    this.#random = random
  }

  /** A live contest of the agent that swaps count for, if it has one. */
  async liveContest(): Promise<string | undefined> {
    const answer = await this.#sandbox.call(this.#agent, 'agent.contests.mine')
    const contests = 'output' in answer ? (answer.output as { contestId: string; mode: string; status: string }[]) : []
    return contests.find(({ mode, status }) => status === 'live' && SWAP_MODES.some((swapMode) => swapMode === mode))?.contestId
  }

  /** Makes one swap. It is in `trades` before it is sent, and out again where it was refused. */
  async swap(contestId: string | undefined, trades: Trade[]): Promise<void> {
    const sold = this.#random.next() < 0.4 ? this.#bought : undefined
    const asked =
      sold === undefined
        ? {
            inputMint: USDC_MINT,
            outputMint: this.#random.pick(TOKENS) ?? SOL_MINT,
            amount: BigInt(this.#random.integer(1_000_000, 9_000_000)),
          }
        : { inputMint: sold.mint, outputMint: USDC_MINT, amount: sold.amount / 2n }
    const { inputMint, outputMint, amount } = asked
    const query = new URLSearchParams({ inputMint, outputMint, amount: amount.toString(), slippageBps: '100' })
    const quoteResponse = (await this.#sandbox.json(`jup/swap/v1/quote?${query}`)) as { outAmount: string }
    const built = await this.#sandbox.json('jup/swap/v1/swap', {
      userPublicKey: this.#agent.wallet,
      quoteResponse,
      wrapAndUnwrapSol: this.#random.next() < 0.8,
    })
    const { swapTransaction: transaction } = built as { swapTransaction: string }
    const trade: Trade = { transaction, contestId, said: null }
    trades.push(trade)
    await sendTrade(this.#sandbox, this.#agent, trade)
    if (trade.said === null) trades.splice(trades.indexOf(trade), 1)
    this.#bought = sold === undefined ? { mint: outputMint, amount: BigInt(quoteResponse.outAmount) } : undefined
  }
}

/** Sends a transaction, for the first time or again; `said` stays null where it was refused. Returns the code of the refusal. */
async function sendTrade(sandbox: SandboxProcess, agent: SandboxAgentKey, trade: Trade): Promise<string | null> {
  const { transaction, contestId } = trade
  const input = { transaction, ...(contestId === undefined ? {} : { contestId }) }
  const answer = await sandbox.call(agent, 'agent.trade.signAndSend', input)
  if ('appCode' in answer) return answer.appCode
  const { signature, status } = answer.output as { signature: string; status: Status }
  expect(signature).toMatch(/^\w{64,88}$/)
  trade.said = { signature, status }
  return null
}

/** What was said of an agent's transactions still holds, by the service and by the chain's RPC. */
export async function checkTrades(sandbox: SandboxProcess, agent: SandboxAgentKey, trades: readonly Trade[]): Promise<void> {
  const known = trades.flatMap(({ said }) => (said === null ? [] : [said.signature]))
  const earlier = trades.map(({ said }) => said?.status)
  await readStatuses(sandbox, agent, trades)
  const onChain = await chainStatuses(sandbox, known)
  const before = trades.flatMap(({ said }) => (said === null ? [] : [said.status]))
  // One that was on its way may have landed just now.
  await readStatuses(
    sandbox,
    agent,
    trades.filter((trade) => trade.said?.status === 'submitted'),
  )
  const after = trades.flatMap(({ said }) => (said === null ? [] : [said.status]))
  for (const [index, status] of onChain.entries()) expect([before[index], after[index]]).toContain(status)
  for (const [index, { said }] of trades.entries()) {
    if (earlier[index] !== 'submitted') expect(said?.status).toBe(earlier[index])
  }
}

async function readStatuses(sandbox: SandboxProcess, agent: SandboxAgentKey, trades: readonly Trade[]): Promise<void> {
  for (const trade of trades) {
    if (trade.said === null) continue
    const { signature } = trade.said
    const answer = await sandbox.call(agent, 'agent.tx.status', { signature })
    const status = expect.stringMatching(/^(submitted|confirmed|failed)$/)
    expect(answer).toMatchObject({ output: { signature, status, contestId: trade.contestId ?? null } })
    trade.said = { signature, status: (answer as { output: { status: Status } }).output.status }
  }
}

const MOST_SIGNATURES = 256

async function chainStatuses(sandbox: SandboxProcess, signatures: readonly string[]): Promise<Status[]> {
  const statuses: Status[] = []
  for (let first = 0; first < signatures.length; first += MOST_SIGNATURES) {
    const params = [signatures.slice(first, first + MOST_SIGNATURES)]
    const answer = await sandbox.json('rpc', { jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params })
    const { value } = (answer as { result: { value: ({ err: unknown } | null)[] } }).result
    statuses.push(...value.map((landed) => (landed === null ? 'submitted' : landed.err === null ? 'confirmed' : 'failed')))
  }
  expect(statuses).toHaveLength(signatures.length)
  return statuses
}

/**
 * Sends an agent's transactions again: one that was acknowledged is refused. One whose answer was lost is
 * either known already or executed now; which of them it was, and that it was no more than once, the log tells.
 *
 * @returns those that were executed now
 */
export async function resendTrades(sandbox: SandboxProcess, agent: SandboxAgentKey, trades: readonly Trade[]): Promise<Trade[]> {
  const executed: Trade[] = []
  for (const trade of trades) {
    const { said } = trade
    const again: Trade = { ...trade, said: null }
    const refused = await sendTrade(sandbox, agent, again)
    if (said !== null) expect(refused).toBe('TX_DUPLICATE')
    if (refused === null) executed.push(again)
  }
  return executed
}

/** What became of trades: how many were acknowledged, landed and were for a contest, and how many answers were lost. */
export function countTrades(trades: readonly Trade[]) {
  const known = trades.flatMap(({ said, contestId }) => (said === null ? [] : [{ ...said, contestId }]))
  return {
    known: known.length,
    landed: known.filter(({ status }) => status !== 'submitted').length,
    counted: known.filter(({ contestId }) => contestId !== undefined).length,
    lost: trades.length - known.length,
  }
}
