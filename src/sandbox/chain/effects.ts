import type { BalanceChange } from '../../contests/index.ts'
import { type Mint, SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { holdingOf } from './tokenAccounts.ts'
import type { ChainAccount } from './vm.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** An account before and after a transaction; undefined: it does not exist. */
export interface AccountChange {
  readonly address: string
  readonly before: ChainAccount | undefined
  readonly after: ChainAccount | undefined
}

export interface Parties {
  /** The agent's wallet. */
  readonly wallet: string
  /** The agent's own account of USDC, which must stay: stakes come back to it. */
  readonly usdcAccount: string
  /** The DEX's authority. */
  readonly dex: string
}

/** What a transaction did to the agent's balances. */
export interface Effects {
  readonly changes: readonly BalanceChange[]
  /** What the wallet paid to the network. */
  readonly feeLamports: bigint
}

export type ReadEffects = { readonly ok: true; readonly effects: Effects } | { readonly ok: false; readonly problem: string }

/**
 * Reads the executed balance changes out of the accounts. The ledger knows agents and the DEX alone: a
 * transaction that moves anything to or from somebody else, or lets somebody else at the agent's accounts,
 * is a problem.
 *
 * SOL is counted in lamports wherever the agent has them: in the wallet, wrapped, or as rent of its token accounts.
 */
export function readEffects(changes: readonly AccountChange[], parties: Parties): ReadEffects {
  const received = new Map<Mint, bigint>()
  let agentLamports = 0n
  let dexLamports = 0n
  for (const change of changes) {
    const problem = problemOf(change, parties)
    if (problem !== null) return { ok: false, problem: `it ${problem}` }
    const { before, after, address } = change
    const lamports = (after?.lamports ?? 0n) - (before?.lamports ?? 0n)
    const [held, holds] = [before && holdingOf(before), after && holdingOf(after)]
    const owner = address === parties.wallet ? parties.wallet : (holds ?? held)?.owner
    const mint = (holds ?? held)?.mint
    if (owner === parties.dex) {
      const sold = mint === SOL_MINT ? (holds?.amount ?? 0n) - (held?.amount ?? 0n) : 0n
      if (lamports !== sold) return { ok: false, problem: `it sends ${lamports - sold} lamports to ${address} of the DEX beside a swap` }
      dexLamports += sold
    } else agentLamports += lamports
    if (owner === parties.wallet && mint !== undefined && mint !== SOL_MINT) {
      received.set(mint, (received.get(mint) ?? 0n) + (holds?.amount ?? 0n) - (held?.amount ?? 0n))
    }
  }
  received.set(SOL_MINT, -dexLamports)
  return {
    ok: true,
    effects: {
      changes: [...received].filter(([, delta]) => delta !== 0n).map(([mint, delta]) => ({ mint, delta })),
      feeLamports: -(agentLamports + dexLamports),
    },
  }
}

function problemOf({ address, before, after }: AccountChange, { wallet, usdcAccount, dex }: Parties): string | null {
  if (isSame(before, after)) return null
  if (address === wallet) {
    const isPlain = after === undefined || (after.owner === SYSTEM_PROGRAM && after.data.length === 0)
    return isPlain ? null : 'gives the wallet itself away'
  }
  if (address === usdcAccount && after === undefined) return 'closes the account of USDC, which stakes come back to'
  const [held, holds] = [before && holdingOf(before), after && holdingOf(after)]
  const owners = new Set([held, holds].flatMap((holding) => (holding === undefined ? [] : [holding.owner])))
  const owner = (holds ?? held)?.owner
  const isReadable = (before === undefined || held !== undefined) && (after === undefined || holds !== undefined)
  if (!isReadable || owners.size !== 1 || (owner !== wallet && owner !== dex))
    return `changes ${address}, which is neither the agent's nor the DEX's`
  if (holds?.shared === true) return `lets somebody else take from ${address}`
  if (owner === wallet && holds?.mint === USDC_MINT && address !== usdcAccount && holds.amount > (held?.amount ?? 0n))
    return `moves USDC to ${address}, where stakes cannot be taken from`
  return null
}

function isSame(before: ChainAccount | undefined, after: ChainAccount | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return before.lamports === after.lamports && before.owner === after.owner && Buffer.compare(before.data, after.data) === 0
}
