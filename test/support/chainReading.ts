import { TOKEN_PROGRAMS } from '../../src/core/tokenProgram.ts'
import { type Mint, TOKENS, USDC_MINT } from '../../src/core/tokens.ts'
import { base58Of } from '../../src/sandbox/chain/base58.ts'
import { keyedSigner } from '../../src/sandbox/chain/sign.ts'
import type { SandboxAgentKey, SandboxProcess } from './sandboxProcess.ts'

/** Lamports of a wallet with all its accounts; `gas`, those of them the service keeps for fees. */
export type Holding = Mint | 'lamports' | 'gas' | 'inPlay'

/** What an owner was said to have, by the chain or by the service, at some instant between two. */
export interface Reading {
  readonly by: string
  /** The address of a wallet or of an account of the sandbox's own. */
  readonly owner: string
  /** Unix milliseconds. */
  readonly fromMs: number
  readonly untilMs: number
  readonly held: ReadonlyMap<Holding, bigint>
}

/** The sandbox's own owners of token accounts. */
export function sandboxOwners(seed: number): { readonly dex: string; readonly vault: string; readonly rake: string } {
  const addressOf = (name: string) => base58Of(keyedSigner(seed, 'chain', name).publicKey)
  return { dex: addressOf('dex'), vault: addressOf('vault'), rake: addressOf('rake') }
}

interface TokenAccount {
  readonly lamports: number
  readonly data: { readonly parsed: { readonly info: { readonly mint: string; readonly tokenAmount: { readonly amount: string } } } }
}

/** Reads what an owner has on the chain over the RPC: every token, and all lamports but the rent of its account of USDC, a present. */
export async function readChain(sandbox: SandboxProcess, owner: string): Promise<Reading> {
  const fromMs = Date.now()
  const calls = [
    { method: 'getBalance', params: [owner] },
    ...TOKEN_PROGRAMS.map((programId) => ({
      method: 'getTokenAccountsByOwner',
      params: [owner, { programId }, { encoding: 'jsonParsed' }],
    })),
  ]
  const answers = (await sandbox.json(
    'rpc',
    calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })),
  )) as { result: { value: unknown } }[]
  const untilMs = Date.now()
  const [balance, ...programs] = answers.map(({ result }) => result.value)
  const accounts = programs.flatMap((value) => (value as { account: TokenAccount }[]).map(({ account }) => account))
  const held = new Map<Holding, bigint>(TOKENS.map(({ mint }) => [mint, 0n]))
  let lamports = BigInt(balance as number)
  for (const account of accounts) {
    const { mint, tokenAmount } = account.data.parsed.info
    held.set(mint, (held.get(mint) ?? 0n) + BigInt(tokenAmount.amount))
    if (mint !== USDC_MINT) lamports += BigInt(account.lamports)
  }
  return { by: 'the chain', owner, fromMs, untilMs, held: held.set('lamports', lamports) }
}

/** Reads what the service says an agent has. */
export async function readBankroll(sandbox: SandboxProcess, agent: SandboxAgentKey): Promise<Reading> {
  const fromMs = Date.now()
  const answer = await sandbox.call(agent, 'agent.bankroll')
  const { available, inPlay, gasLamports } = (answer as { output: Record<'available' | 'inPlay' | 'gasLamports', string> }).output
  const held = new Map<Holding, bigint>([
    [USDC_MINT, BigInt(available)],
    ['inPlay', BigInt(inPlay)],
    ['gas', BigInt(gasLamports)],
  ])
  return { by: 'agent.bankroll', owner: agent.wallet, fromMs, untilMs: Date.now(), held }
}
