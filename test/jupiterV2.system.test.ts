import { channel } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { config, expectBooksToAgree, expectRecordingsToReplay, hasPlayedAll, watched } from './support/fleetBooks.ts'
import { startVirtualFleet } from './support/virtualFleet.ts'

// The bots that come with the project on `market.dex: 'jupiterV2'`, in every mode, against a sandbox over HTTP on one virtual clock.

const asked: string[] = []
const onRequest = (message: unknown) => void asked.push((message as { request: { path: string } }).request.path)
beforeAll(() => channel('undici:request:create').subscribe(onRequest))
afterAll(() => channel('undici:request:create').unsubscribe(onRequest))

test.each([
  ['with an RPC', true],
  ['without one', false],
])('every mode is played to settlement %s, and the books are the service’s', async (_how, hasRpc) => {
  asked.length = 0
  await using world = await startVirtualFleet({
    config,
    swaps: (url) => ({ dex: 'jupiterV2', swapUrl: `${url}/jup/swap/v2`, apiKey: undefined, rpcUrl: hasRpc ? `${url}/rpc` : undefined }),
  })
  await world.until(watched(world, hasPlayedAll(world, 1)), 'every bot has settled every mode')
  await world.drained()
  for (const { actions, trades } of world.reports()) {
    expect(actions.failed).toBe(0)
    expect(trades.confirmed).toBeGreaterThan(5)
  }
  await expectBooksToAgree(world)
  await expectRecordingsToReplay(world, 1)
  const ofDex = asked.filter((path) => path.startsWith('/jup/swap/')).map((path) => path.split('?')[0])
  expect(new Set(ofDex)).toEqual(new Set(['/jup/swap/v2/build']))
  expect(asked.some((path) => path === '/rpc')).toBe(hasRpc)
})
