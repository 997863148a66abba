import { MAINNET_GENESIS } from '../../../src/core/clusters.ts'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../../src/core/tokenProgram.ts'
import { type RawCall, type RawServer, startRawServer } from '../rawServer.ts'

/** A fee as the RPC shows it. */
export const shownFee = (epoch: number, transferFeeBasisPoints: number, maximumFee = 1_000_000_000) => ({
  ...{ epoch, transferFeeBasisPoints, maximumFee },
})

/** A mint account as the RPC shows it with `jsonParsed`. */
export const shownMint = (decimals: number, extensions?: readonly unknown[]) => ({
  owner: (extensions === undefined ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID).toBase58(),
  data: { program: 'spl-token', parsed: { type: 'mint', info: { decimals, isInitialized: true, supply: '1', extensions } } },
})

/** What an RPC, a Tokens API and a price feed at one address say; null: they do not answer. */
export interface MarketSays {
  genesis: string | null
  slot: number
  /** Unix seconds of the newest block. */
  blockTime: number | null
  health: { readonly result: 'ok' } | { readonly error: { readonly code: number; readonly message: string } }
  epoch: number
  accounts: Readonly<Record<string, unknown>>
  listed: readonly unknown[] | null
  /** By mint; null: the feed does not answer. */
  prices: Readonly<Record<string, number>> | null
}

export interface MarketServer extends AsyncDisposable {
  readonly says: MarketSays
  readonly rpcUrl: string
  readonly priceUrl: string
  /** Paths of the Tokens API that were asked for. */
  readonly searches: readonly string[]
}

/** An RPC of the mainnet, a Tokens API and a price feed over loopback, that are well and know nothing. */
export async function startMarketServer(changes: Partial<MarketSays> = {}): Promise<MarketServer> {
  const says: MarketSays = {
    ...{ genesis: MAINNET_GENESIS, slot: 1000, blockTime: 1, health: { result: 'ok' }, epoch: 900, accounts: {}, listed: [] },
    prices: {},
    ...changes,
  }
  const searches: string[] = []
  const server: RawServer = await startRawServer((call) => {
    if (call.path.startsWith('/rpc')) answerRpc(call, says)
    else if (call.path.startsWith('/price')) answerPrices(call, says)
    else {
      searches.push(call.path)
      if (says.listed === null) call.json(500, { error: 'Internal server error' })
      else call.json(200, says.listed)
    }
  })
  return {
    ...{ says, searches, rpcUrl: `${server.url}/rpc`, priceUrl: `${server.url}/price/v3` },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function answerPrices(call: RawCall, { prices }: MarketSays): void {
  if (prices === null) call.json(500, { error: 'Internal server error' })
  else call.json(200, Object.fromEntries(Object.entries(prices).map(([mint, usdPrice]) => [mint, { usdPrice }])))
}

function answerRpc(call: RawCall, says: MarketSays): void {
  const { id, method, params } = JSON.parse(call.body) as { id: number; method: string; params: [string[]] }
  const unknown = { error: { code: -32601, message: 'Method not found' } }
  const known = (result: unknown) => (result === null ? unknown : { result })
  const answers: Readonly<Record<string, () => object>> = {
    getGenesisHash: () => known(says.genesis),
    getSlot: () => known(says.slot),
    getHealth: () => says.health,
    getBlockTime: () => known(says.blockTime),
    getEpochInfo: () => known({ epoch: says.epoch }),
    getMultipleAccounts: () => known({ value: params[0].map((mint) => says.accounts[mint] ?? null) }),
  }
  call.json(200, { jsonrpc: '2.0', id, ...(answers[method]?.() ?? unknown) })
}
