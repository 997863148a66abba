import type { SwapAction } from '../../strategy/action.ts'
import type { Fill } from '../../strategy/view.ts'
import type { SwapRecord } from '../protocol/input.ts'
import type { Landing } from '../protocol/swapper.ts'

interface Executed {
  readonly key: string
  readonly action: SwapAction
  readonly at: number
}

/** A fill as the chain has it: what truly left the wallet, and what truly came. */
export function fillOnChain({ key, action, at }: Executed, landed: Extract<Landing, { status: 'landed' }>): Fill {
  const { contestId, from, to } = action
  const delta = (mint: string) => landed.changes.find((change) => change.mint === mint)?.delta ?? 0n
  const { signature, feeLamports } = landed
  return { key, contestId, signature, at, from, to, given: -delta(from), received: delta(to), feeLamports, source: 'chain' }
}

/** A fill as it was quoted, where nobody can say more. The least that can have come back is what is counted. */
export function fillByQuote({ key, action, at }: Executed, { given, minOut, signature }: SwapRecord): Fill {
  const { contestId, from, to } = action
  return { key, contestId, signature, at, from, to, given, received: minOut, feeLamports: 0n, source: 'quote' }
}
