import { keyedUuid } from '../../core/ids.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import { type CommandBody, type ContestsState, swapAmounts } from '../index.ts'
import type { HouseContext } from './act.ts'
import { fundedFirst } from './funding.ts'
import type { Swap } from './houseMode.ts'

/** What the network takes for a swap: 5,000 lamports for the agent's signature and as much for the DEX's. */
const FEE_LAMPORTS = 10_000n

interface SwapMade {
  readonly agentId: string
  /** The contest it is to count for; `null`: none. */
  readonly contestId: string | null
  readonly swap: Swap
  /** When it is made: the DEX quotes at the prices of this instant. */
  readonly atMs: number
}

/**
 * A swap of a house agent as the command that books it, at what every agent would be quoted; `null` where the DEX quotes nothing.
 *
 * It goes to the ledger and not through the chain's desk, which takes a whole VM, cannot act in the past that a
 * sandbox catches up with after a pause, and signs with keys that differ from one sandbox to the next. The chain shows it
 * all the same: it brings its accounts to the ledger's balances whenever it is looked at.
 */
export function makeSwap(
  { seed, prices, venue }: Pick<HouseContext, 'seed' | 'prices' | 'venue'>,
  state: ContestsState,
  made: SwapMade,
): CommandBody | null {
  const { agentId, contestId, atMs } = made
  const { from, to, amount } = made.swap
  const request = { inputMint: from, outputMint: to, amount, swapMode: 'ExactIn' } as const
  const swapped = swapAmounts(request, (mint) => prices.at(mint, atMs), venue)
  if (!swapped.ok) return null
  const { inAmount, outAmount } = swapped
  const fill: CommandBody & { readonly agentId: string } = {
    type: 'fill',
    agentId,
    contestId,
    // Nothing was signed: the name is one no transaction can have.
    signature: `house:${keyedUuid(seed, 'house swap', agentId, contestId ?? '', from, atMs)}`,
    changes: [
      { mint: from, delta: -inAmount },
      { mint: to, delta: outAmount },
    ],
    feeLamports: FEE_LAMPORTS,
  }
  return fundedFirst(state, fill, from === USDC_MINT ? inAmount : 0n)
}
