import { firstValueFrom, type Observable, of } from 'rxjs'
import { expect, test } from 'vitest'
import { type MarketSays, startMarketServer } from '../../../test/support/tokens/marketServer.ts'
import { VirtualClock } from '../../core/clock.ts'
import { MAINNET_GENESIS, SANDBOX_GENESIS } from '../../core/clusters.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { pathFailureOf } from '../../pipeline/index.ts'
import { guardConfig } from '../../strategy/guardConfig.ts'
import { ChainRpc } from './chainRpc.ts'
import type { Dex } from './dex.ts'
import { onCluster } from './onCluster.ts'
import { rpcHealth } from './rpcHealth.ts'

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const request = { from: USDC_MINT, to: SOL_MINT, amount: usdc('1'), slippageBps: 50 }
const good = { ok: false, reason: 'the DEX was asked', retryable: true } as const

/** A DEX that only says that it was asked, on an RPC that says what the test wants. */
async function open(changes: Partial<MarketSays>, genesis: readonly string[] | undefined = [MAINNET_GENESIS]) {
  const market = await startMarketServer(changes)
  const clock = new VirtualClock(5000)
  const path = { wallet: 'w', request, at: 0, quoted: good, built: undefined }
  const dex: Dex = {
    requestsPerSwap: 2,
    swapperFor: () => ({
      hasChain: true,
      quote: () => of(good),
      check: () => of(path),
      build: (): Observable<never> => {
        throw new Error('nothing is built here')
      },
      landing: () => of({ status: 'pending' }),
    }),
    walletUsdc: async () => 7n,
    close: async () => {},
  }
  const watched = onCluster(dex, { swapUrl: '', apiKey: undefined, rpcUrl: market.rpcUrl, genesis, timeoutMs: 60_000, clock })
  const swapper = watched.swapperFor({ priorityLevel: 'medium', maxPriorityFeeLamports: 0n })
  return {
    ...{ market, swapper, clock },
    walletUsdc: () => watched.walletUsdc('w'),
    quote: async () => {
      const quoted = await firstValueFrom(swapper.quote(request))
      return quoted.ok ? 'quoted' : quoted.reason
    },
    async [Symbol.asyncDispose]() {
      await watched.close()
      await market[Symbol.asyncDispose]()
    },
  }
}

test('an RPC of another chain is the failure of every swap, and of the way of a swap, by its name and what to write', async () => {
  await using world = await open({ genesis: DEVNET })
  const words = `market.rpcUrl is of another chain: Solana's devnet (genesis ${DEVNET}), where Solana's mainnet (genesis ${MAINNET_GENESIS}) is needed`
  expect(await world.quote()).toBe(words)
  expect(await world.walletUsdc()).toBeUndefined()
  const check = await firstValueFrom(world.swapper.check({ wallet: 'w', request, maxAgeMs: 0 }))
  expect(pathFailureOf(check, guardConfig({ maxStake: usdc('1'), dailyLoss: usdc('1') }))).toEqual({
    part: 'rpc',
    reason: words,
    hadNoTurn: false,
  })
})

test('a chain that is right, or is not said, is in nobody’s way', async () => {
  for (const [genesis, expected] of [
    [MAINNET_GENESIS, undefined],
    [SANDBOX_GENESIS, [MAINNET_GENESIS, SANDBOX_GENESIS]],
    [null, undefined],
  ] as const) {
    await using world = await open({ genesis }, expected)
    expect(await world.quote()).toBe(good.reason)
    const check = await firstValueFrom(world.swapper.check({ wallet: 'w', request, maxAgeMs: 0 }))
    expect(check.quoted).toEqual(good)
  }
})

test('the wallet is read where the RPC is known to be of the right chain', async () => {
  await using right = await open({ genesis: MAINNET_GENESIS })
  expect(await right.walletUsdc()).toBe(7n)
  await using silent = await open({ genesis: null })
  expect(await silent.walletUsdc()).toBeUndefined()
})

test('an RPC that is put right is found to be: a wrong answer is no verdict for ever', async () => {
  await using world = await open({ genesis: DEVNET })
  expect(await world.quote()).toMatch(/another chain/)
  world.market.says.genesis = MAINNET_GENESIS
  expect(await world.quote()).toBe(good.reason)
  // Once it was right it is not asked again.
  world.market.says.genesis = DEVNET
  expect(await world.quote()).toBe(good.reason)
})

test('a node that does not say which chain it is of is asked again after a minute', async () => {
  await using world = await open({ genesis: null })
  expect(await world.quote()).toBe(good.reason)
  world.market.says.genesis = DEVNET
  expect(await world.quote()).toBe(good.reason)
  world.clock.advanceTo(world.clock.now() + 60_000)
  expect(await world.quote()).toMatch(/another chain/)
})

test.each<[string, Partial<MarketSays>, unknown]>([
  ['is well', { blockTime: 995 }, { ok: true, slot: 1000, blockAgeMs: 5000 }],
  ['does not say when its block was', { blockTime: null }, { ok: true, slot: 1000, blockAgeMs: undefined }],
  [
    'has a newest block of long ago',
    { blockTime: 969 },
    { ok: false, isReached: true, reason: expect.stringMatching(/1000, is 31 s old/) },
  ],
  ['has one that is just young enough', { blockTime: 970 }, { ok: true, slot: 1000, blockAgeMs: 30_000 }],
  [
    'says that it is behind',
    { health: { error: { code: -32005, message: 'Node is behind by 42 slots' } } },
    { ok: false, isReached: true, reason: 'the RPC refused getHealth: Node is behind by 42 slots (-32005)' },
  ],
  [
    'does not know the question',
    { health: { error: { code: -32601, message: 'Method not found' } }, blockTime: 1000 },
    { ok: true, slot: 1000, blockAgeMs: 0 },
  ],
])('a node that %s', async (_what, says, health) => {
  await using market = await startMarketServer(says)
  const clock = new VirtualClock(1_000_000)
  const rpc = new ChainRpc({ url: market.rpcUrl, timeoutMs: 60_000, clock })
  expect(await rpcHealth(rpc, clock)).toEqual(health)
  await rpc.close()
})
