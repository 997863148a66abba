import { z } from 'zod'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'

const viewSchema = z.object({ positions: z.array(z.object({ token: z.string(), amount: z.string() })).default([]) })

/** The tokens a seat holds for a contest, as its `agent.modes.state` says: base units by mint, USDC left out. */
export function positionsOf(view: Readonly<Record<string, unknown>>): ReadonlyMap<Mint, bigint> {
  const held = new Map<Mint, bigint>()
  for (const { token, amount } of viewSchema.parse(view).positions) {
    if (token !== USDC_MINT) held.set(token, (held.get(token) ?? 0n) + BigInt(amount))
  }
  return held
}
