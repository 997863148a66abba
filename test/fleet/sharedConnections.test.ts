import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { InDoubt } from '../../src/live/fleet/database/fleetConnection.ts'
import { SharedConnections } from '../../src/live/fleet/database/sharedConnections.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// What the journals of many bots on one host ask of a database, over few connections.

describe.skipIf(postgresPrograms() === undefined)('SharedConnections', () => {
  let cluster: Cluster
  let shared: SharedConnections | undefined

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  afterEach(() => shared?.close())
  afterAll(() => cluster?.close())

  const open = (most: number) => {
    shared = new SharedConnections({ url: cluster.url('postgres') }, most)
    return shared
  }
  const clients = async () => (await cluster.query('postgres', "SELECT FROM pg_stat_activity WHERE application_name = 'cornerman'")).length

  test('a hundred bots that ask at once have as many as there are, and each its own answer', async () => {
    const connections = open(4)
    const lines = Array.from({ length: 100 }, () => connections.line())
    const asked = lines.map((line, n) => line.ask<{ n: number }>('SELECT $1::int AS n, pg_sleep(0.01)', [n]))
    expect(await Promise.all(asked)).toEqual(lines.map((_, n) => [{ n, pg_sleep: '' }]))
    expect(await clients()).toBe(4)
  })

  test('bots that ask one after another have one', async () => {
    const connections = open(4)
    const [one, other] = [connections.line(), connections.line()]
    for (const line of [one, other, one]) await line.ask('SELECT 1')
    expect(await clients()).toBe(1)
  })

  test('one that is closed is in doubt, waiting or asking, and the others have their connections still', async () => {
    const connections = open(1)
    const [first, second, third] = [connections.line(), connections.line(), connections.line()]
    const asking = first.ask('SELECT pg_sleep(1)').catch((thrown: unknown) => thrown)
    const waiting = second.ask('SELECT 1').catch((thrown: unknown) => thrown)
    const behind = third.ask('SELECT 3 AS n')
    await sleep(200)
    second.close()
    first.close()
    expect(await asking).toBeInstanceOf(InDoubt)
    expect(await waiting).toBeInstanceOf(InDoubt)
    expect(await behind).toEqual([{ n: 3 }])
    await expect(first.ask('SELECT 1')).rejects.toBeInstanceOf(InDoubt)
  })
})
