import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { eachHostOf, FleetConnection, InDoubt } from './fleetConnection.ts'

describe('FleetConnection', () => {
  test.each([
    [
      'postgres://u:p,w@h1,h2:5433/fleet?sslmode=require',
      ['postgres://u:p,w@h1/fleet?sslmode=require', 'postgres://u:p,w@h2:5433/fleet?sslmode=require'],
    ],
    ['postgresql://h1/fleet', ['postgresql://h1/fleet']],
    ['postgres://h1,h2', ['postgres://h1', 'postgres://h2']],
  ])('tries each host of %s', (url, hosts) => {
    expect(eachHostOf(url)).toEqual(hosts)
  })

  test('nobody there, somebody who says nothing, and one that was closed: all of it is in doubt', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    const connection = new FleetConnection({ url: `postgres://fleet@127.0.0.1:1,127.0.0.1:${port}/fleet`, answerMs: 50 })
    await expect(connection.ask('SELECT 1')).rejects.toBeInstanceOf(InDoubt)
    connection.close()
    await expect(connection.ask('SELECT 1')).rejects.toBeInstanceOf(InDoubt)
    await new Promise((resolve) => silent.close(resolve))
  })
})
