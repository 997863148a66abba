import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seenBot as bot, seenHost as host, seenDurability } from '../../../../test/support/fleet/sights.ts'
import type { FleetSight } from '../../../live/fleet/index.ts'
import type { Occurrence } from '../../../pipeline/index.ts'
import { HostAlerts } from './hostAlerts.ts'

// What the owner is told of the fleet itself: once, by whichever host is the first to know.

const sightOf = (hosts: FleetSight['hosts'], bots: FleetSight['bots'] = []): FleetSight => ({
  ...{ beganMs: 0, hosts, bots, entries: [], orders: [], wakes: new Map(), control: undefined, wanted: 'v1', durability: seenDurability },
})

/** The hosts of one fleet: a chore is the first one's that asks for it. */
function openFleet(...names: readonly string[]) {
  const world = { hasStandby: true }
  const done = new Set<string>()
  const told: Occurrence[] = []
  const hosts = names.map((name, index) => {
    const once = (chore: string, after = chore) =>
      Promise.resolve(!done.has(chore) && (chore === after || done.has(after)) && done.add(chore).size > 0)
    const waitsForStandby = () => Promise.resolve(!world.hasStandby)
    const alerts = new HostAlerts({ run: `run-${index + 1}`, host: name, now: () => 1000, once, waitsForStandby })
    alerts.occurrence$.subscribe((occurrence) => told.push(occurrence))
    return alerts
  })
  return { world, hosts, told, kinds: () => told.map(({ bot: of, kind, about, severity }) => [of, kind, about, severity]) }
}

test('a host that is lost is told of once, however many bots it had and hosts take them; so is that it is back', async () => {
  const { hosts, told, kinds } = openFleet('h1', 'h2')
  const lost = sightOf([host('h1'), host('h2'), host('h3', { isAlive: false })])
  for (const alerts of hosts) alerts.see(lost)
  hosts[0]?.take({ type: 'takenOver', bot: 'alice', from: 'run-3' })
  hosts[1]?.take({ type: 'takenOver', bot: 'bob', from: 'run-3' })
  hosts[0]?.take({ type: 'takenOver', bot: 'carol', from: 'run-3' })
  await setImmediate()
  for (const alerts of hosts) alerts.see(lost)
  expect(kinds()).toEqual([['fleet', 'hostLost', 'h3', 'alarm']])
  expect(told[0]?.message).toMatch(/^host h3 has fallen silent: h1 plays alice/)
  // It was begun anew, as another run of the same name; whoever told of the loss is gone.
  const again = (beat: number) => sightOf([host('h2'), host('h3', { isAlive: false }), host('h3', { run: 'run-9', beat })])
  for (const beat of [1, 1, 2, 3]) hosts[1]?.see(again(beat))
  await setImmediate()
  expect(kinds().slice(1)).toEqual([['fleet', 'hostBack', 'h3', 'info']])
})

test('a host that stood still is back with its next beat, which is told once, and so is the next loss of it', async () => {
  const { hosts, kinds } = openFleet('h1', 'h2')
  const seen = async (beat: number, isAlive: boolean) => {
    for (const alerts of hosts) alerts.see(sightOf([host('h1'), host('h2'), host('h3', { beat, isAlive })]))
    await setImmediate()
  }
  const lost = async () => {
    for (const alerts of hosts) alerts.take({ type: 'takenOver', bot: 'alice', from: 'run-3' })
    await setImmediate()
  }
  await seen(4, true)
  await seen(4, false)
  await lost()
  // Whoever has stood still itself takes nobody for silent at first.
  await seen(4, true)
  expect(kinds()).toEqual([['fleet', 'hostLost', 'h3', 'alarm']])
  await seen(5, true)
  await seen(6, true)
  await seen(6, false)
  await lost()
  await seen(7, true)
  expect(kinds().map(([, kind]) => kind)).toEqual(['hostLost', 'hostBack', 'hostLost', 'hostBack'])
})

test('a host that was ended in peace and begun anew is not told of', async () => {
  const { hosts, told } = openFleet('h1')
  for (const beat of [1, 2, 3]) hosts[0]?.see(sightOf([host('h1'), host('h3', { isAlive: false }), host('h3', { run: 'run-9', beat })]))
  await setImmediate()
  expect(told).toEqual([])
})

test('a bot that a person is at work with is not told of', async () => {
  const { hosts, told } = openFleet('h1')
  for (const held of ['rekeying', 'adopting', null]) hosts[0]?.see(sightOf([host('h1')], [bot('alice', { held })]))
  await setImmediate()
  expect(told).toEqual([])
})

test('a bot that stands still is told of once in the fleet, and so is that it may play again', async () => {
  const { hosts, told, kinds } = openFleet('h1', 'h2')
  const held = sightOf([host('h1'), host('h2')], [bot('alice', { held: 'rolledBack' }), bot('bob')])
  for (let beats = 0; beats < 3; beats++) {
    for (const alerts of hosts) alerts.see(held)
    await setImmediate()
  }
  expect(kinds()).toEqual([['alice', 'rolledBack', undefined, 'alarm']])
  expect(told[0]?.message).toContain('cornerman fleet mend alice')
  // Whoever told of it is gone.
  hosts[1]?.see(sightOf([host('h1'), host('h2')], [bot('alice', { epoch: 2 }), bot('bob')]))
  await setImmediate()
  expect(kinds().slice(1)).toEqual([['alice', 'over', undefined, 'info']])
})

test('commits that are late are told of once for all bots of a host, and their end once the last of them is in time', async () => {
  const { hosts, kinds } = openFleet('h1')
  const waits = (name: string, isLate: boolean) => hosts[0]?.take({ type: 'waits', bot: name, waits: isLate })
  waits('alice', true)
  waits('bob', true)
  waits('alice', false)
  await setImmediate()
  expect(kinds()).toEqual([['fleet', 'fleetLate', 'h1', 'alarm']])
  waits('bob', false)
  waits('bob', false)
  expect(kinds().slice(1)).toEqual([['fleet', 'over', 'h1', 'info']])
})

test('that no standby has what is committed is another thing to tell; what is in time again by then is not told', async () => {
  const { world, hosts, told, kinds } = openFleet('h1')
  const waits = (isLate: boolean) => hosts[0]?.take({ type: 'waits', bot: 'alice', waits: isLate })
  world.hasStandby = false
  waits(true)
  waits(false)
  await setImmediate()
  expect(kinds()).toEqual([])
  waits(true)
  waits(false)
  waits(true)
  await setImmediate()
  expect(kinds()).toEqual([['fleet', 'fleetNoStandby', 'h1', 'alarm']])
  expect(told[0]?.message).toMatch(/^commits of h1 are late: no standby/)
  waits(false)
  expect(kinds().slice(1)).toEqual([['fleet', 'over', 'h1', 'info']])
})

test('a transaction of somebody else that is open for long is told of once in the fleet, and so is its end', async () => {
  const { hosts, told, kinds } = openFleet('h1', 'h2')
  const long = { pid: 71, role: 'report', application: 'psql', id: '900', openMs: 301_000 }
  for (const alerts of [...hosts, ...hosts]) alerts.seeTransactions([long])
  await setImmediate()
  expect(kinds()).toEqual([['fleet', 'fleetLongTransaction', undefined, 'warn']])
  expect(told[0]?.message).toMatch(/^process 71 .* of report \(psql\), has had a transaction open for 5 minutes/)
  for (const alerts of hosts) alerts.seeTransactions([])
  for (const alerts of hosts) alerts.seeTransactions([])
  expect(kinds().slice(1)).toEqual([['fleet', 'over', undefined, 'info']])
})

test('where the database cannot say who is to tell it, it is rather told twice', async () => {
  const told: Occurrence[] = []
  const once = () => Promise.reject(new Error('no database'))
  const waitsForStandby = () => Promise.resolve(false)
  const alerts = new HostAlerts({ run: 'run-1', host: 'h1', now: () => 1, once, waitsForStandby })
  alerts.occurrence$.subscribe((occurrence) => told.push(occurrence))
  alerts.see(sightOf([host('h1'), host('h3', { isAlive: false })]))
  alerts.take({ type: 'takenOver', bot: 'alice', from: 'run-3' })
  await setImmediate()
  expect(told).toMatchObject([{ kind: 'hostLost' }])
})
