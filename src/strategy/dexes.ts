/**
 * The DEXes that `market.dex` may name: the address that is asked where `market.swapUrl` is left out, and how many requests one swap costs,
 * from the quote to what is signed.
 */
export const DEXES = {
  jupiterV1: { swapUrl: 'https://api.jup.ag/swap/v1', requestsPerSwap: 2 },
  jupiterV2: { swapUrl: 'https://api.jup.ag/swap/v2', requestsPerSwap: 1 },
} as const satisfies Readonly<Record<string, { readonly swapUrl: string; readonly requestsPerSwap: number }>>

export type DexName = keyof typeof DEXES
export const dexNames = Object.keys(DEXES) as [DexName, ...DexName[]]
