/** The DEXes that `market.dex` may name, each with the address that is asked where `market.swapUrl` is left out. */
export const DEXES = {
  jupiterV1: { swapUrl: 'https://api.jup.ag/swap/v1' },
  jupiterV2: { swapUrl: 'https://api.jup.ag/swap/v2' },
} as const satisfies Readonly<Record<string, { readonly swapUrl: string }>>

export type DexName = keyof typeof DEXES
export const dexNames = Object.keys(DEXES) as [DexName, ...DexName[]]
