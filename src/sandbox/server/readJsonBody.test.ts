import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readJsonBody } from './readJsonBody.ts'

let server: Server
let socket: Socket
/** What comes of reading the next body. */
let reading: PromiseWithResolvers<unknown>

beforeEach(async () => {
  reading = Promise.withResolvers()
  server = createServer((request) => void readJsonBody(request).then(reading.resolve, reading.resolve))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
})
afterEach(async () => {
  socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const send = (body: string, length = Buffer.byteLength(body)) =>
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n${body}`)

describe('a body', () => {
  test('is read as JSON', async () => {
    send('{"agent":"älice"}')
    expect(await reading.promise).toEqual({ agent: 'älice' })
  })

  test.each(['', '{', 'agent=alice'])('of %j is no JSON', async (body) => {
    send(body)
    expect(await reading.promise).toMatchObject({ code: 'BODY_NOT_JSON' })
  })

  test('may have 64 KiB', async () => {
    const text = 'x'.repeat(64 * 1024 - 2)
    send(JSON.stringify(text))
    expect(await reading.promise).toBe(text)
  })

  test('of one byte more is refused before it has come whole', async () => {
    send(`"${'x'.repeat(64 * 1024)}`, 1_000_000)
    expect(await reading.promise).toMatchObject({ code: 'BODY_TOO_LARGE', message: 'a body may have up to 65536 bytes' })
  })

  test.each([
    ['hangs up', () => socket.destroy()],
    ['resets the connection', () => socket.resetAndDestroy()],
    ['is cut off', () => server.closeAllConnections()],
  ])('whose sender %s in the middle is one that is no JSON, and no fault', async (_, leave) => {
    send('{', 100)
    // The answer to the expectation: from here on the body is read.
    await once(socket, 'data')
    leave()
    expect(await reading.promise).toMatchObject({ code: 'BODY_NOT_JSON', message: 'the body ended in the middle' })
  })
})
