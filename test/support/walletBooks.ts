import { join } from 'node:path'
import { expect } from 'vitest'
import { SOL_MINT, TOKENS, USDC_MINT } from '../../src/core/tokens.ts'
import { SqliteJournal } from '../../src/live/index.ts'
import type { Fill } from '../../src/pipeline/index.ts'
import { type Reading, readChain } from './chainReading.ts'
import type { SandboxAgentKey, SandboxProcess } from './sandboxProcess.ts'

/** What a bot's journal says of its money. */
export interface JournalMoney {
  readonly fills: readonly Fill[]
  /** Of all settled contests together. */
  readonly profit: bigint
  /** The mode of every contest that was live. */
  readonly modes: ReadonlyMap<string, string>
  /** Intents without an outcome. */
  readonly open: number
}

export function moneyOf(dataDir: string, { name, agentId }: SandboxAgentKey): JournalMoney {
  const journal = new SqliteJournal(join(dataDir, 'bots', `${name}.db`)).belongTo(agentId)
  const { fills, events, pending } = journal.load()
  const modes = new Map<string, string>()
  let profit = 0n
  for (const event of events) {
    const { type, data } = event as { type: string; data: { contestId: string; mode: string; profit?: string } }
    if (type === 'contest.settled') profit += BigInt(data.profit ?? 0)
    if (type === 'contest.live') modes.set(data.contestId, data.mode)
  }
  journal.close()
  return { fills, profit, modes, open: pending.length }
}

/**
 * Holds a bot's fills against the chain, to the base unit: they are what landed, each once, and with the contests'
 * profits and the network's fees they are the whole way from the first balances to the last.
 *
 * @param before the wallet before the bot's first swap
 */
export async function expectBooksOnChain(
  sandbox: SandboxProcess,
  agent: SandboxAgentKey,
  { fills, profit, before }: Pick<JournalMoney, 'fills' | 'profit'> & { readonly before: Reading },
): Promise<void> {
  const { name, wallet } = agent
  const transactions = await transactionsOf(sandbox, wallet)
  const landed = transactions.flatMap(({ signature, failed }) => (failed ? [] : [signature]))
  expect(fills.map(({ signature }) => signature).toSorted(), `${name}: its fills are what landed, each once`).toEqual(landed.toSorted())
  const after = await readChain(sandbox, wallet)
  const moved = (mint: string) =>
    fills.reduce((sum, { from, to, given, received }) => sum + (to === mint ? received : 0n) - (from === mint ? given : 0n), 0n)
  const fees = transactions.reduce((sum, { feeLamports }) => sum + feeLamports, 0n)
  const expected = new Map(TOKENS.map(({ mint }) => [mint, (before.held.get(mint) ?? 0n) + moved(mint)]))
  expected.set(USDC_MINT, (expected.get(USDC_MINT) ?? 0n) + profit)
  // Bought SOL lies in the wallet itself, with what is there for fees.
  expected.delete(SOL_MINT)
  expected.set('lamports', (before.held.get('lamports') ?? 0n) + moved(SOL_MINT) - fees)
  const held = new Map([...expected.keys()].map((holding) => [holding, after.held.get(holding)]))
  expect(held, `${name}: balances on the chain`).toEqual(expected)
}

const PAGE = 1000

/** Everything a wallet has paid for on the chain. */
async function transactionsOf(
  sandbox: SandboxProcess,
  wallet: string,
): Promise<{ readonly signature: string; readonly failed: boolean; readonly feeLamports: bigint }[]> {
  const rpc = async (calls: readonly { method: string; params: unknown[] }[]) =>
    (await sandbox.json(
      'rpc',
      calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })),
    )) as { result: unknown }[]
  const found: { signature: string; failed: boolean; feeLamports: bigint }[] = []
  for (let before: string | undefined; ; ) {
    const options = { limit: PAGE, ...(before === undefined ? {} : { before }) }
    const [answer] = await rpc([{ method: 'getSignaturesForAddress', params: [wallet, options] }])
    const page = answer?.result as { signature: string; err: unknown }[]
    for (const { signature, err } of page) {
      const [shown] = await rpc([{ method: 'getTransaction', params: [signature, { maxSupportedTransactionVersion: 0 }] }])
      const { fee } = (shown as { result: { meta: { fee: number } } }).result.meta
      found.push({ signature, failed: err !== null, feeLamports: BigInt(fee) })
    }
    before = page.at(-1)?.signature
    if (page.length < PAGE) return found
  }
}
