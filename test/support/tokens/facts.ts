import type { TokenFacts } from '../../../src/core/tokenFacts.ts'
import type { Mint } from '../../../src/core/tokens.ts'

/** A token of the config: in no table. */
export const MOON_MINT: Mint = 'MoonToken1111111111111111111111111111111111'

/** What a bot was told of it: six decimals, plain SPL, unless the test says otherwise. */
export const moon = (changes: Partial<TokenFacts> = {}): TokenFacts => ({
  ...{ mint: MOON_MINT, symbol: 'MOON', decimals: 6, tokenProgram: 'spl-token', maxTransferFeeBps: 0, allowTransferHook: false },
  ...changes,
})

/** The same of Token-2022, with a fee of one per cent. */
export const feeMoon = (changes: Partial<TokenFacts> = {}): TokenFacts =>
  moon({ tokenProgram: 'token-2022', transferFee: { feeBps: 100, maximum: 10n ** 18n }, ...changes })

export const HOOK = 'HookProgram11111111111111111111111111111111'

/** Its issuer has a power that the config does not allow. */
export const barred: TokenFacts = moon({
  tokenProgram: 'token-2022',
  trouble: { kind: 'barred', message: 'its issuer can freeze it', said: { freeze: HOOK } },
})

/** The mint account says another number of decimals than the config. */
export const contradicted: TokenFacts = moon({
  trouble: {
    kind: 'contradicted',
    message: 'market.tokens says 6 for its decimals, its mint account says 9: put its decimals right, or leave it out',
    said: { field: 'decimals', config: 6, chain: 9 },
  },
})
