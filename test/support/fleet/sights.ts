import type { FleetSight } from '../../../src/live/fleet/index.ts'

// What a beat shows, for tests of whoever looks at it.

export const seenBot = (name: string, fields: Partial<FleetSight['bots'][number]> = {}): FleetSight['bots'][number] => ({
  ...{ bot: name, epoch: 1, run: 'run-1', seq: 0, chain: Buffer.alloc(0), movedTo: null, wish: null, held: null },
  ...fields,
})

/** Its run is named after it: that of h2 is run-2. */
export const seenHost = (name: string, fields: Partial<FleetSight['hosts'][number]> = {}): FleetSight['hosts'][number] => ({
  ...{
    run: `run-${name.slice(1)}`,
    host: name,
    beat: 1,
    version: 'v1',
    agents: [],
    obeys: 0,
    draining: false,
    unheard: null,
    page: null,
    isAlive: true,
  },
  ...fields,
})

export const seenDurability: FleetSight['durability'] = { fsync: 'on', pages: 'on', sync: 'on', names: '*' }
