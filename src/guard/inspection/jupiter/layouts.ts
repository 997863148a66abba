import { hash } from 'node:crypto'

/** Where a swap instruction has its accounts, by position. */
interface AccountPositions {
  readonly authority: number
  readonly source: number
  readonly destination: number
  /** Optional: Jupiter's program id stands for none. */
  readonly sentOnTo?: number
  readonly sourceMint?: number
  readonly destinationMint: number
}

export interface SwapLayout {
  readonly instruction: string
  /** Version 1 has its route plan before its amounts, version 2 behind them. */
  readonly version: 1 | 2
  readonly isExactOut: boolean
  /** Whether the data begins with the number of the program authority whose accounts are shared. */
  readonly isShared: boolean
  /** Whether what goes in is read from an account on the chain and not named in the data. */
  readonly hasLedger: boolean
  readonly accounts: AccountPositions
}

const ROUTE = { authority: 1, source: 2, destination: 3, sentOnTo: 4, destinationMint: 5 }
const EXACT_OUT_ROUTE = { authority: 1, source: 2, destination: 3, sentOnTo: 4, sourceMint: 5, destinationMint: 6 }
const SHARED = { authority: 2, source: 3, destination: 6, sourceMint: 7, destinationMint: 8 }
const ROUTE_V2 = { authority: 0, source: 1, destination: 2, sourceMint: 3, destinationMint: 4, sentOnTo: 7 }
const SHARED_V2 = { authority: 1, source: 2, destination: 5, sourceMint: 6, destinationMint: 7 }

/**
 * Every swap instruction of Jupiter v6, from the program's interface description on the chain (account
 * C88XWfp26heEmDkmfSzeXP7Fd7GQJ2j9dDTUsyiZbUTa), as stored in satohubai/sato-agent and, decoded by others, in sevenlabs-hq/carbon.
 */
const LAYOUTS: readonly SwapLayout[] = [
  layout('route', ROUTE),
  layout('route_with_token_ledger', ROUTE),
  layout('exact_out_route', EXACT_OUT_ROUTE),
  layout('shared_accounts_route', SHARED),
  layout('shared_accounts_route_with_token_ledger', SHARED),
  layout('shared_accounts_exact_out_route', SHARED),
  layout('route_v2', ROUTE_V2),
  layout('exact_out_route_v2', ROUTE_V2),
  layout('shared_accounts_route_v2', SHARED_V2),
  layout('shared_accounts_exact_out_route_v2', SHARED_V2),
]

function layout(instruction: string, accounts: AccountPositions): SwapLayout {
  return {
    instruction,
    version: instruction.endsWith('_v2') ? 2 : 1,
    isExactOut: instruction.includes('exact_out'),
    isShared: instruction.startsWith('shared_accounts'),
    hasLedger: instruction.endsWith('_token_ledger'),
    accounts,
  }
}

export const DISCRIMINATOR_BYTES = 8

/** What Anchor puts before an instruction's arguments. */
export function discriminatorOf(instruction: string): string {
  return hash('sha256', `global:${instruction}`, 'hex').slice(0, 2 * DISCRIMINATOR_BYTES)
}

const byDiscriminator = new Map(LAYOUTS.map((each) => [discriminatorOf(each.instruction), each]))

/** The layout of a swap instruction; undefined for any other of Jupiter's. */
export function layoutOf(data: Uint8Array): SwapLayout | undefined {
  return byDiscriminator.get(Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString('hex'))
}
