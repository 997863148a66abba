import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { HOOK, MOON_MINT } from '../../../test/support/tokens/facts.ts'
import { type MarketSays, shownFee, shownMint, startMarketServer } from '../../../test/support/tokens/marketServer.ts'
import { MAINNET_GENESIS } from '../../core/clusters.ts'
import { systemClock } from '../../core/systemClock.ts'
import { TOKENS, tokenOf } from '../../core/tokens.ts'
import { type RequestBudget, RequestBudgets } from '../../live/index.ts'
import { configSchema } from '../../strategy/config.ts'
import { marketChecks } from './doctorMarket.ts'

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const { market: marketSchema } = configSchema.shape
const LAUNCHCOIN = tokenOf('LAUNCHCOIN')?.mint ?? ''

const fees = (feeBps: number) => ({
  extension: 'transferFeeConfig',
  state: { olderTransferFee: shownFee(0, feeBps), newerTransferFee: shownFee(0, feeBps) },
})
/** A market that is well: MOON and every known token have a price, and a mint account. */
const well = (): Partial<MarketSays> => ({
  blockTime: Math.floor(Date.now() / 1000),
  accounts: {
    ...Object.fromEntries(
      TOKENS.map(({ mint, decimals, tokenProgram }) => [mint, shownMint(decimals, tokenProgram === 'spl-token' ? undefined : [])]),
    ),
    [MOON_MINT]: shownMint(6),
  },
  prices: { ...Object.fromEntries(TOKENS.map(({ mint }) => [mint, 2])), [MOON_MINT]: 0.5 },
})

interface Asked {
  readonly says?: Partial<MarketSays>
  readonly market?: Parameters<typeof marketSchema.parse>[0]
  readonly hasRpc?: boolean
  readonly budget?: RequestBudget
}

async function checksOf({
  says = {},
  market = { tokens: [{ mint: MOON_MINT, symbol: 'MOON' }] },
  hasRpc = true,
  budget,
}: Asked = {}): Promise<string[]> {
  await using server = await startMarketServer({ ...well(), ...says })
  const access = {
    prices: { url: server.priceUrl, apiKey: undefined },
    swaps: { swapUrl: server.priceUrl, apiKey: undefined, rpcUrl: hasRpc ? server.rpcUrl : undefined, genesis: [MAINNET_GENESIS] },
    timeoutMs: 5000,
  }
  const checks = await marketChecks({ market: marketSchema.parse(market) }, access, budget)
  return checks.map(({ name, verdict, message }) => `${verdict} ${name}: ${message.replaceAll(server.priceUrl, 'PRICES')}`)
}

test('a market that is well has nothing to be done about', async () => {
  expect(await checksOf()).toEqual([
    expect.stringMatching(/^ok rpc: answers and keeps up: slot 1000, \d s old$/),
    `ok rpc chain: Solana's mainnet (genesis ${MAINNET_GENESIS})`,
    'ok token MOON: 6 decimals, spl-token',
    `ok prices: the feed answers, and prices all ${TOKENS.length + 1} tokens`,
  ])
})

test('what it asks of prices and tokens takes its turn in the budget of a run', async () => {
  const budgets = new RequestBudgets(systemClock, 60)
  onTestFinished(() => budgets.close())
  const budget = budgets.of({ url: 'http://127.0.0.1', apiKey: undefined })
  const take = vi.spyOn(budget, 'take')
  await checksOf({ budget, hasRpc: false })
  expect(new Set(take.mock.calls.map(([{ use }]) => use))).toEqual(new Set(['lookup', 'price']))
})

describe('the RPC', () => {
  const rpcLines = async (asked: Asked) => (await checksOf(asked)).filter((line) => line.includes(' rpc'))

  test('of another chain: no contest of swaps is entered', async () => {
    expect(await rpcLines({ says: { genesis: DEVNET } })).toContain(
      `fail rpc chain: market.rpcUrl is of another chain: Solana's devnet (genesis ${DEVNET}), where Solana's mainnet (genesis ${MAINNET_GENESIS}) is needed: no contest of swaps is entered; write an RPC of that chain in market.rpcUrl`,
    )
  })

  test('that is behind, that says nothing of its chain, and none at all', async () => {
    const behind = { health: { error: { code: -32005, message: 'Node is behind by 42 slots' } } }
    expect((await rpcLines({ says: behind }))[0]).toBe(
      'fail rpc: the RPC refused getHealth: Node is behind by 42 slots (-32005): swaps are simulated on what was, and miss their window: wait, or write another in market.rpcUrl',
    )
    expect((await rpcLines({ says: { blockTime: 1 } }))[0]).toMatch(/^fail rpc: the RPC is behind: its newest block, 1000, is \d+ s old: /)
    expect((await rpcLines({ says: { genesis: null } }))[1]).toMatch(/^warn rpc chain: the RPC does not say which chain it is of/)
    expect(await rpcLines({ hasRpc: false })).toEqual([
      'warn rpc: none is configured: swaps are neither simulated nor looked up, lookup tables and extensions of mints cannot be read: set market.rpcUrl',
    ])
  })
})

describe('a token', () => {
  const moonLine = async (account: unknown, fields = {}) => {
    const says = { accounts: { ...well().accounts, [MOON_MINT]: account } }
    const lines = await checksOf({ says, market: { tokens: [{ mint: MOON_MINT, symbol: 'MOON', ...fields }] } })
    return lines.find((line) => line.includes('token MOON'))
  }

  test('whose decimals differ, that nobody knows, that keeps a fee, that calls a hook', async () => {
    expect(await moonLine(shownMint(9), { decimals: 6 })).toMatch(
      /^fail token MOON: market\.tokens says 6 for its decimals, its mint account says 9/,
    )
    expect(await moonLine(null)).toMatch(/^fail token MOON: there is no such account on the chain .*; until then it is not swapped$/)
    expect(await moonLine(shownMint(6, [fees(120)]))).toBe(
      `fail token MOON: keeps back 120 bps of each transfer, and is not swapped: to let that in, market.tokens: [{ mint: '${MOON_MINT}', symbol: 'MOON', maxTransferFeeBps: 120 }]`,
    )
    expect(await moonLine(shownMint(6, [fees(120)]), { maxTransferFeeBps: 120 })).toBe(
      'ok token MOON: 6 decimals, token-2022, a transfer fee of 120 bps',
    )
    const hook = { extension: 'transferHook', state: { programId: HOOK } }
    expect(await moonLine(shownMint(6, [hook]))).toMatch(/allowTransferHook: true/)
    expect(await moonLine(shownMint(6, [hook]), { allowTransferHook: true })).toMatch(/^ok token MOON: .* a transfer hook, Hook/)
  })

  test('of the known ones that is not swapped is only told of', async () => {
    const says = { accounts: { ...well().accounts, [LAUNCHCOIN]: shownMint(9, [fees(300)]) } }
    expect(await checksOf({ says, market: {} })).toContain(
      `warn token LAUNCHCOIN: keeps back 300 bps of each transfer, and is not swapped: to let that in, market.tokens: [{ mint: '${LAUNCHCOIN}', symbol: 'LAUNCHCOIN', maxTransferFeeBps: 300 }]`,
    )
  })
})

test('a mint of the config without a price is a failure, a known token without one a warning, and a feed that is silent names itself', async () => {
  const priced = (without: string) => ({
    prices: Object.fromEntries(Object.entries(well().prices ?? {}).filter(([mint]) => mint !== without)),
  })
  const last = async (asked: Asked) => (await checksOf(asked)).at(-1)
  expect(await last({ says: priced(MOON_MINT) })).toMatch(
    /^fail prices: the feed answers, and has no price of MOON: .* check its mint in market\.tokens/,
  )
  expect(await last({ says: priced(LAUNCHCOIN) })).toMatch(/^warn prices: the feed answers, and has no price of LAUNCHCOIN/)
  expect(await last({ says: { prices: null } })).toMatch(/^fail prices: PRICES: the price feed answered HTTP 500: .*: check market\.url/)
})
