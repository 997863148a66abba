import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { steadyClock } from '../core/systemClock.ts'
import { closeServer, listen, serverOf, urlOf } from './server.ts'

const HOST = '127.0.0.1'
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) if (server.listening) await closeServer(server, steadyClock)
})

function newServer(answer: Parameters<typeof serverOf>[1] = (_, response) => void response.end('here')): Server {
  const server = serverOf({ requestTimeoutMs: 60_000, largestHeaderBytes: 4096 }, answer)
  servers.push(server)
  return server
}

test('listens on a free port, says where, and on a port that is taken not at all, but on another one then', async () => {
  const [first, second] = [newServer(), newServer()]
  await listen(first, { host: HOST, port: 0 })
  expect(urlOf(first)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const { port } = first.address() as AddressInfo
  await expect(listen(second, { host: HOST, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await listen(second, { host: HOST, port: 0 })
  expect(await (await fetch(urlOf(second))).text()).toBe('here')
})

test('outlives connections that cannot be taken', async () => {
  const server = newServer()
  await listen(server, { host: HOST, port: 0 })
  for (let failure = 0; failure < 3; failure++) server.emit('error', new Error('accept EMFILE'))
  expect(await (await fetch(urlOf(server))).text()).toBe('here')
})

test('closes within a second, whoever is connected', async () => {
  const server = newServer(() => {})
  await listen(server, { host: HOST, port: 0 })
  const hanging = connect((server.address() as AddressInfo).port, HOST)
  hanging.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(server, 'request')
  const ended = once(hanging, 'close')
  const clock = new VirtualClock(0)
  const closing = closeServer(server, clock)
  expect(clock.nextAt()).toBeLessThan(1000)
  clock.advanceTo(1000)
  await Promise.all([closing, ended])
})
