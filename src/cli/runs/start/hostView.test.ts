import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { seenHost as host, seenBot, seenDurability } from '../../../../test/support/fleet/sights.ts'
import type { FleetSight } from '../../../live/fleet/index.ts'
import { HostView } from './hostView.ts'

// What a host makes of a beat; what hosts show one another is in test/fleet/page.test.ts.

const open: HostView[] = []
afterEach(() => {
  for (const view of open.splice(0)) view.close()
})

const bot = (name: string, fields: Parameters<typeof seenBot>[1] = {}) => seenBot(name, { run: 'run-2', ...fields })
const hosts = [host('h1'), host('h2', { agents: ['dora'] }), host('h3', { isAlive: false, agents: ['erik'] })]
const sightOf = (...bots: FleetSight['bots']): FleetSight => ({
  ...{ beganMs: 0, hosts, bots, entries: [], orders: [], wakes: new Map(), control: undefined, wanted: 'v1', durability: seenDurability },
})

function viewOf(sight: FleetSight, { run = 'run-1', isFresh = true } = {}): HostView {
  const settings = { url: 'postgres://127.0.0.1:1/none', fleet: 'f', keys: [new Uint8Array(32)], run, host: 'h1' }
  const log = { warn: () => {} } as unknown as ConstructorParameters<typeof HostView>[0]['log']
  const view = new HostView({ settings, bots: ['alice', 'bob'], isFresh: () => isFresh, log })
  open.push(view)
  view.see(sight)
  return view
}

test.each([
  ['its host lives', {}, 'h2', 'h2 has shown nothing of it so far'],
  ['this host has it', { run: 'run-1' }, 'h1', 'it begins here'],
  ['its host is silent', { run: 'run-3' }, undefined, 'nobody plays it: h3 has fallen silent, and another host is to take it over'],
  ['it was let go', { run: null, movedTo: 'h2' }, undefined, 'nobody plays it: h2 is to take it over'],
  ['nobody can', { run: null }, undefined, 'nobody plays it: of the hosts that live none has its key and the version that is to play'],
  ['its journal was set back', { held: 'rolledBack' }, undefined, expect.stringContaining('cornerman fleet mend alice')],
] as const)('of a bot it is said who plays it, or why nobody does: %s', (_what, fields, name, note) => {
  const seen = viewOf(sightOf(bot('alice', fields))).of('alice')
  expect(seen?.elsewhere).toMatchObject({ host: name, note, isSilent: true })
  expect(seen?.unheldSince === undefined).toBe(name !== undefined)
})

test('since when nobody plays it is kept until somebody does', async () => {
  const unheld = sightOf(bot('alice', { run: null }))
  const view = viewOf(unheld)
  const since = () => view.of('alice')?.unheldSince ?? Number.NaN
  const first = since()
  await sleep(30)
  view.see(unheld)
  expect(Math.abs(since() - first)).toBeLessThanOrEqual(1)
  view.see(sightOf(bot('alice')))
  expect(since()).toBeNaN()
  await sleep(30)
  view.see(unheld)
  expect(since() - first).toBeGreaterThanOrEqual(30)
})

test('bots are those of this config, and those that a host that lives has in its own; others were taken out', () => {
  const view = viewOf(sightOf(bot('dora', { run: null }), bot('erik', { run: null }), bot('bob'), bot('alice', { held: 'altered' })))
  expect(view.bots).toEqual(['alice', 'bob', 'dora'])
  expect(view.state()).toMatchObject({ isFresh: true, seen: { hosts: 2, unheld: 2, rolledBack: 1 } })
})

test('without an answer of the database nothing is known, and nothing is done for all', () => {
  const sight = sightOf(bot('alice'))
  expect(viewOf(sight).isFirst).toBe(true)
  expect(viewOf(sight, { run: 'run-2' }).isFirst).toBe(false)
  const cut = viewOf(sight, { isFresh: false })
  expect([cut.isFirst, cut.state()]).toEqual([false, { isFresh: false, queueBytes: 0, seen: undefined, problems: [] }])
})
