import { CornermanError } from '../../core/error.ts'
import { type Mint, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { BotConfig } from '../../strategy/config.ts'

/** A Solana address: 32 bytes in base58. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * Sees to it that a log has prices of every token that a strategy's parameters name: without them the strategy would
 * sit still, and the result say nothing.
 *
 * @throws CornermanError `LOG_LACKS_MINT`
 */
export function expectMints({ name, strategies }: BotConfig, mints: readonly Mint[], logs: readonly string[]): void {
  const priced = new Set([...mints, USDC_MINT])
  for (const strategy of strategies) {
    const missing = addressesIn(strategy.params).find((mint) => !priced.has(mint))
    if (missing === undefined) continue
    throw new CornermanError(
      'LOG_LACKS_MINT',
      `${name}: strategy ${strategy.name} names ${symbolOf(missing)} (${missing}), of which ${logs.join(', ')} has no price: change the parameter or take another log`,
      { details: { bot: name, strategy: strategy.name, mint: missing } },
    )
  }
}

function addressesIn(value: unknown): Mint[] {
  if (typeof value === 'string') return ADDRESS.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}
