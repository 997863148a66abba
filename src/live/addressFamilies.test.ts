import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'

import { afterEach, expect, test, vi } from 'vitest'
import { openSlowPort } from '../../test/support/slowPort.ts'
import { addressTimeoutMs } from '../core/addressTimeout.ts'
import { systemClock } from '../core/systemClock.ts'
import { Endpoint } from './endpoint.ts'

// A name with an address of each family, of which one is far away, or does not answer at all.

const FAR = '127.0.0.1'
/** Nobody listens there on the port of the other. */
const REFUSING = '127.0.0.2'

afterEach(() => void vi.restoreAllMocks())

function resolveTo(...addresses: readonly string[]): void {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const lookup: LookupFunction = (_, { all }, done) => {
    if (all === true) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup)
}

const endpointAt = (port: number, timeoutMs: number) =>
  new Endpoint({ name: 'the service', url: `http://far.example:${port}`, apiKey: undefined, timeoutMs, clock: systemClock })

test.each([
  ['before one that refuses', [FAR, REFUSING]],
  ['after one that refuses', [REFUSING, FAR]],
  ['before one of the other family that refuses', [FAR, '::1']],
  ['after one of the other family that refuses', ['::1', FAR]],
])('an address that takes over 250 ms to accept answers, %s', async (_, addresses) => {
  await using slow = await openSlowPort()
  resolveTo(...addresses)
  const endpoint = endpointAt(slow.port, 10_000)
  const answer = endpoint.send({ method: 'GET', path: '/' })
  setTimeout(slow.accept, 280)
  expect(await answer).toEqual({ ok: true, text: 'ok' })
  await endpoint.close()
})

test('an address that never accepts leaves time for the other', async () => {
  await using slow = await openSlowPort()
  await using server = createServer((_, response) => response.end('ok')).listen(slow.port, REFUSING)
  await vi.waitFor(() => expect((server.address() as AddressInfo).port).toBe(slow.port))
  resolveTo(FAR, REFUSING)
  const endpoint = endpointAt(slow.port, 1000)
  expect(await endpoint.send({ method: 'GET', path: '/' })).toEqual({ ok: true, text: 'ok' })
  await endpoint.close()
})

test('a reason names the limit that was hit', async () => {
  await using slow = await openSlowPort()
  resolveTo(FAR, REFUSING)
  const endpoint = endpointAt(slow.port, 1000)
  const reason = `the service cannot be reached: no address of far.example:${slow.port} accepted a connection within 500 ms (127.0.0.1: ETIMEDOUT, 127.0.0.2: ECONNREFUSED)`
  expect(await endpoint.send({ method: 'GET', path: '/' })).toEqual({ ok: false, reason, retryable: true })
  await endpoint.close()
})

test.each([
  [5000, 2500],
  [1001, 500],
  [12, 10],
])('of a timeout of %d ms an address has %d', (timeoutMs, expected) => {
  expect(addressTimeoutMs(timeoutMs)).toBe(expected)
})
