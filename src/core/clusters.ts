import type { TransferFee } from './tokenFacts.ts'

/** The genesis hash of Solana's mainnet: https://docs.anza.xyz/clusters/available */
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/** What the sandbox's own chain calls itself. */
export const SANDBOX_GENESIS = 'CornermanSandbox1111111111111111111111111111'

/** What the sandbox's chain keeps back of a token that has a fee. The real one changes as its issuer likes; so much a swap can bear. */
export const SANDBOX_TRANSFER_FEE: TransferFee = { feeBps: 50, maximum: 10n ** 15n }

const NAMES: Readonly<Record<string, string>> = {
  [MAINNET_GENESIS]: "Solana's mainnet",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "Solana's devnet",
  [SANDBOX_GENESIS]: "this project's sandbox",
}

/** A chain in words, by its genesis hash. */
export const clusterName = (genesis: string): string => {
  const name = NAMES[genesis]
  return name === undefined ? `a chain of genesis ${genesis}` : `${name} (genesis ${genesis})`
}

/** The chains that a DEX may be on: Jupiter's own is on the mainnet alone, one at another address may be a sandbox's. */
export function genesisFor(swapUrl: string): readonly string[] {
  const { hostname } = new URL(swapUrl)
  const isJupiter = hostname === 'jup.ag' || hostname.endsWith('.jup.ag')
  return isJupiter ? [MAINNET_GENESIS] : [MAINNET_GENESIS, SANDBOX_GENESIS]
}
