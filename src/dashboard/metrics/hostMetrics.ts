import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Subscription } from 'rxjs'
import type { HostState, WatchedHost } from '../watch/index.ts'

/** From one database on the same machine to one that has just changed over. */
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 5, 15]

interface Counted {
  readonly name: string
  readonly help: string
  readonly of: 'takenOver' | 'fenced' | 'late'
}

const COUNTERS: readonly Counted[] = [
  {
    ...{ name: 'cornerman_fleet_takeovers_total', of: 'takenOver' },
    help: 'Bots that this host has claimed from one that had fallen silent.',
  },
  { name: 'cornerman_fleet_fenced_total', help: 'Commits that were not taken, since another host had the bot.', of: 'fenced' },
  { name: 'cornerman_fleet_late_total', help: 'What was to be sent and waited for its commit for 1.5 s, in vain.', of: 'late' },
]

interface Stands {
  readonly name: string
  readonly help: string
  /** Undefined: not known, and left out. */
  readonly value: (state: HostState) => number | undefined
}

const GAUGES: readonly Stands[] = [
  { name: 'cornerman_fleet_hosts', help: 'Hosts of the fleet that live, as this one sees it.', value: ({ seen }) => seen?.hosts },
  { name: 'cornerman_fleet_bots_unheld', help: 'Bots of the fleet that no host plays.', value: ({ seen }) => seen?.unheld },
  {
    name: 'cornerman_fleet_rolled_back',
    help: 'Bots that stand still until a person has mended their journals.',
    value: ({ seen }) => seen?.rolledBack,
  },
  { name: 'cornerman_fleet_queue_bytes', help: 'What waits to be committed.', value: ({ queueBytes }) => queueBytes },
]

/** Of a host of a fleet. Without an answer of the database nothing is known of the others, and no sample is of them. */
export function hostMetrics(registers: Registry[], host: WatchedHost): Subscription {
  for (const { name, help, value } of GAUGES) {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers },
      collect() {
        gauge.remove()
        const known = value(host.state())
        if (known !== undefined) gauge.set(known)
      },
    })
  }
  const counters = new Map(COUNTERS.map(({ name, help, of }) => [of, new Counter({ name, help, registers })]))
  const commits = new Histogram({
    ...{ name: 'cornerman_fleet_commit_seconds', help: 'From a batch of records to the word that it is durable.' },
    ...{ buckets: COMMIT_BUCKETS, registers },
  })
  return host.fact$.subscribe((fact) => {
    if (fact.type === 'kept') commits.observe(fact.ms / 1000)
    else if (fact.type !== 'waits') counters.get(fact.type)?.inc()
  })
}
