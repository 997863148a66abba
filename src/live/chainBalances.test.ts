import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { usdc } from '../core/usdc.ts'
import type { RemoteService } from '../pipeline/index.ts'
import { withChainBalances } from './chainBalances.ts'
import { FencedService } from './fleet/journal/fencedService.ts'

/** Reads `times` bankrolls, one each `everyMs`, and gives what the chain said. */
async function heardOf(
  usdcOf: (wallet: string) => Promise<bigint | undefined>,
  { times = 1, everyMs = 10_000, output = {} as object } = {},
) {
  let now = 0
  const answer = { ok: true, output: { available: usdc('5'), walletAddress: 'Wallet', ...output } }
  const bare = { timeoutMs: 1, figuresHoldMs: 1, read: async () => answer, act: async () => ({}) } as unknown as RemoteService
  const { service, chainUsdc$ } = withChainBalances(bare, { usdcOf, clock: { now: () => now } })
  const heard: bigint[] = []
  chainUsdc$.subscribe((each) => heard.push(each))
  for (let count = 0; count < times; count++) {
    expect(await service.read({ procedure: 'agent.bankroll', input: null })).toBe(answer)
    await turn()
    await turn()
    now += everyMs
  }
  return heard
}

test('the wallet on the chain is read after each bankroll, and not more often than every ten seconds', async () => {
  const asked: string[] = []
  const usdcOf = async (wallet: string) => usdc(String(asked.push(wallet)))
  expect(await heardOf(usdcOf, { times: 3 })).toEqual([usdc('1'), usdc('2'), usdc('3')])
  expect(asked).toEqual(['Wallet', 'Wallet', 'Wallet'])
  expect(await heardOf(async () => 7n, { times: 3, everyMs: 4000 })).toEqual([7n])
})

test('a chain that cannot be read, and a service that names no wallet, say nothing', async () => {
  expect(await heardOf(async () => undefined)).toEqual([])
  expect(await heardOf(async () => 7n, { output: { walletAddress: undefined } })).toEqual([])
})

test('what the service says of itself is the same as before, where a class computes it', () => {
  const own = { timeoutMs: 5000, mayArriveForMs: 3_600_000, figuresHoldMs: 60_000, reading: { modes: [] } } as unknown as RemoteService
  const fenced = new FencedService(own, {} as ConstructorParameters<typeof FencedService>[1], async () => () => undefined)
  const { service } = withChainBalances(fenced, { usdcOf: async () => undefined, clock: { now: () => 0 } })
  const { timeoutMs, mayArriveForMs, figuresHoldMs, reading } = service
  expect({ timeoutMs, mayArriveForMs, figuresHoldMs, reading }).toEqual({
    timeoutMs: 5000,
    mayArriveForMs: 3_600_000,
    figuresHoldMs: 60_000,
    reading: own.reading,
  })
})
