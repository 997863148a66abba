import type { TokenTrouble } from '../../core/tokenFacts.ts'
import { listedToken, type TokenPower } from '../../core/tokens.ts'
import type { TokenConfig } from '../../strategy/tokenConfig.ts'
import type { MintTrap } from './mintTraps.ts'
import type { ChainMint } from './readMints.ts'

const TRAPS: Readonly<Record<MintTrap, string>> = {
  frozenByDefault: 'each new account of it is frozen, so that what is bought cannot be sold',
  nonTransferable: 'it cannot be transferred, so that what is bought cannot be sold',
  paused: 'its issuer has paused all transfers, so that what is bought cannot be sold',
}

type Allowance = 'allowFreezeAuthority' | 'allowPermanentDelegate' | 'allowFeeChange' | 'allowTransferHook'

const POWERS: Readonly<Record<TokenPower, { readonly words: string; readonly field: Allowance }>> = {
  freeze: { words: "freeze it in the agent's wallet", field: 'allowFreezeAuthority' },
  pause: { words: 'pause all its transfers', field: 'allowFreezeAuthority' },
  seize: { words: "take it out of the agent's wallet", field: 'allowPermanentDelegate' },
  changeFee: { words: 'raise its transfer fee', field: 'allowFeeChange' },
  changeHook: { words: 'have transfers call a program', field: 'allowTransferHook' },
}

/** Reason not to buy a token of this mint: it cannot be sold again, or its issuer has a power that nobody has allowed. */
export function barred({ traps, powers, unlisted }: ChainMint, wanted: TokenConfig): TokenTrouble | undefined {
  const [trap] = traps
  if (trap !== undefined) return { kind: 'barred', message: `${TRAPS[trap]}: swap another token`, said: { trap } }
  if (unlisted.length > 0) {
    const message = `its mint has an extension that is not known to be harmless (${unlisted.join(', ')}): swap another token`
    return { kind: 'barred', message, said: { extensions: unlisted.join(', ') } }
  }
  const known = listedToken(wanted.mint)?.powers ?? []
  const beyond = Object.entries(powers)
    .map(([power, holder]) => ({ power: power as TokenPower, holder }))
    .filter(({ power }) => !known.includes(power) && wanted[POWERS[power].field] !== true)
  if (beyond.length === 0) return undefined
  const words = beyond.map(({ power, holder }) => `${POWERS[power].words} (by ${holder})`).join(', ')
  const fields = [...new Set(beyond.map(({ power }) => `${POWERS[power].field}: true`))].join(', ')
  return {
    kind: 'barred',
    message: `its issuer can ${words}: swap another token, or accept that with ${fields} in its row of market.tokens`,
    said: Object.fromEntries(beyond.map(({ power, holder }) => [power, holder])),
  }
}
