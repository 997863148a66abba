import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import { optionsParam, type Params } from './params.ts'
import { BLOCK_NOT_AVAILABLE, INVALID_PARAMS, invalidParam, RpcError } from './rpcError.ts'

const blockOptions = z.looseObject({ transactionDetails: z.string().default('full'), rewards: z.boolean().default(true) })

/** What came before the first block, as Solana's genesis has it. */
const NO_BLOCKHASH = '11111111111111111111111111111111'

/** A block without what is in it: its height and its time. */
export function getBlock(chain: Chain, params: Params): unknown {
  const [slot] = params
  const { transactionDetails, rewards } = optionsParam(blockOptions, params[1])
  if (typeof slot !== 'number' || !Number.isSafeInteger(slot) || slot < 0) throw invalidParam('expected a slot')
  if (transactionDetails !== 'none' || rewards)
    throw new RpcError(INVALID_PARAMS, 'Invalid params: this chain gives blocks with transactionDetails "none" and rewards false alone')
  if (slot > chain.slot()) throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`)
  return {
    blockHeight: slot,
    blockTime: Math.floor(chain.slotStartMs(slot) / 1000),
    blockhash: chain.blockhash(slot),
    parentSlot: Math.max(0, slot - 1),
    previousBlockhash: slot === 0 ? NO_BLOCKHASH : chain.blockhash(slot - 1),
  }
}
