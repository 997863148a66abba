import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type RawCall, startRawServer } from '../../../test/support/rawServer.ts'
import { VirtualClock } from '../../core/clock.ts'
import { ChainRpc } from './chainRpc.ts'

async function open(answer: (call: RawCall) => void) {
  const server = await startRawServer(answer)
  const clock = new VirtualClock(1000)
  const rpc = new ChainRpc({ url: `${server.url}/?api-key=rpc-secret`, timeoutMs: 60_000, clock })
  return {
    server,
    clock,
    height: () => rpc.call('getBlockHeight', [{ commitment: 'confirmed' }], z.number()),
    async [Symbol.asyncDispose]() {
      await rpc.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('a call', () => {
  test('is JSON-RPC 2.0, one a request, to the whole address', async () => {
    await using world = await open((call) => call.json(200, { jsonrpc: '2.0', id: 1, result: 7, error: null }))
    expect(await world.height()).toEqual({ ok: true, value: 7 })
    await world.height()
    const [first, second] = world.server.calls
    expect(first).toMatchObject({ method: 'POST', path: '/?api-key=rpc-secret' })
    expect(JSON.parse(first?.body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'getBlockHeight',
      params: [{ commitment: 'confirmed' }],
    })
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ id: 2 })
  })

  test.each<[string, (call: RawCall) => void, string]>([
    [
      'refused',
      (call) => call.json(200, { error: { code: -32005, message: 'Node is behind' } }),
      'refused getBlockHeight: Node is behind (-32005)',
    ],
    ['refused by HTTP too', (call) => call.json(500, { error: { code: -32603, message: 'Internal' } }), 'answered HTTP 500: Internal'],
    ['answered with nothing', (call) => call.json(200, { jsonrpc: '2.0' }), 'answered getBlockHeight with no JSON-RPC'],
    ['answered with no JSON', ({ response }) => response.end('{"result":'), 'answered getBlockHeight with no JSON-RPC'],
    ['answered with an odd error', (call) => call.json(200, { result: 7, error: 'no' }), 'answered getBlockHeight with no JSON-RPC'],
    [
      'answered in another form',
      (call) => call.json(200, { result: '7' }),
      'answered getBlockHeight in another form: : Invalid input: expected number, received string',
    ],
    ['cut off', (call) => call.reset(), 'cannot be reached (UND_ERR_SOCKET)'],
  ])('that is %s is a trouble that may pass', async (_what, answer, words) => {
    await using world = await open(answer)
    expect(await world.height()).toEqual({ ok: false, reason: `the RPC ${words}`, retryable: true, isRefused: false })
  })

  test('that the node takes for wrong is told from a node that is at fault', async () => {
    await using world = await open((call) => call.json(200, { error: { code: -32602, message: 'too large at rpc-secret' } }))
    expect(await world.height()).toEqual({
      ok: false,
      reason: 'the RPC refused getBlockHeight: too large at *** (-32602)',
      retryable: false,
      isRefused: true,
    })
  })

  test('waits when it is asked to', async () => {
    await using world = await open((call) => call.json(429, {}, { 'retry-after': '3' }))
    await world.height()
    expect(await world.height()).toMatchObject({ ok: false, reason: 'the RPC takes no more requests for 3 s' })
    expect(world.server.calls).toHaveLength(1)
  })
})
