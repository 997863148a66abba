// `npm exec -- node bench/beat.ts [bots …] [--against CHECKOUT]`: what a beat of one host costs that sees many bots, by turns with the
// code of another checkout. Two other hosts make beats, and a hundred bots a second commit. Needs PostgreSQL's programs.

import { randomUUID } from 'node:crypto'
import { createConnection, createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type * as Fleet from '../src/live/fleet/index.ts'
import { Cluster } from '../test/support/fleet/cluster.ts'

const BAR_MS = 50
const BEATS = 20
const WARM_UP_BEATS = 6
const TURNS = 3
const CHANGED_PER_BEAT = 50
const HOSTS = ['h1', 'h2', 'h3']

const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } })
const sizes = positionals.length === 0 ? [1000, 3000, 10_000] : positionals.map(Number)
const checkouts = [
  ...(values.against === undefined ? [] : [['before', values.against] as const]),
  ['now', `${import.meta.dirname}/..`] as const,
]

/** Counts what a database sends. */
async function counted(port: number) {
  let bytes = 0
  const server = createServer((near) => {
    const far = createConnection(port, '127.0.0.1')
    far.on('data', (chunk) => {
      bytes += chunk.length
    })
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  return { port: (server.address() as { port: number }).port, bytes: () => bytes, close: () => server.close() }
}

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

/** Milliseconds of one beat of h1, until every reader of its answer is done, and the bytes that the database sent for it. */
async function measured(cluster: Cluster, database: string, checkout: string, bots: readonly string[]) {
  const live = (await import(pathToFileURL(resolve(checkout, 'src/live/fleet/index.ts')).href)) as typeof Fleet
  const { HostView } = (await import(
    pathToFileURL(resolve(checkout, 'src/cli/runs/start/hostView.ts')).href
  )) as typeof import('../src/cli/runs/start/hostView.ts')
  const way = await counted(cluster.port)
  const url = `postgres://fleet@127.0.0.1:${way.port}/${database}`
  const [run] = await runsOf(cluster, database)
  if (run === undefined) throw new Error('h1 has a row')
  const log = { warn: () => {}, error: () => {}, info: () => {} } as never
  const settings = { url: cluster.url(database), fleet: 'f', keys: [new Uint8Array(32)], run, host: 'h1' }
  const view = new HostView({ settings, bots, log, isFresh: () => true })
  const entries = new live.FleetEntries({ url: cluster.url(database), obeys: () => 0 })
  const siblings = new live.FleetSiblings(entries)
  const wakes = new live.FleetWakes(new live.FleetConnection({ url: cluster.url(database) }))
  const took: number[] = []
  const sent: number[] = []
  let before = 0
  const host = new live.FleetHost({
    ...{ url, run, host: 'h1', version: 'v', bots, silenceMs: 60_000, onClaimed: () => {}, onLost: () => {} },
    onSight: (sight) => {
      view.see(sight)
      siblings.see(sight.entries)
      wakes.see(sight.wakes)
      live.releasesOf(sight, { run, host: 'h1', version: 'v', heirsOf: (bot) => host.heirsOf(bot) })
      took.push(performance.now() - sight.beganMs)
      sent.push(way.bytes() - before)
      before = way.bytes()
    },
  })
  const beating = host.run()
  while (took.length < WARM_UP_BEATS + BEATS) await sleep(50)
  host.close()
  await beating
  view.close()
  await entries.close()
  way.close()
  return { first: took[0] ?? Number.NaN, ms: median(took.slice(WARM_UP_BEATS)), bytes: median(sent.slice(WARM_UP_BEATS)) }
}

const runsOf = async (cluster: Cluster, database: string) =>
  (await cluster.query<{ run: string }>(database, 'SELECT run FROM cornerman_fleet.hosts ORDER BY host')).map(({ run }) => run)

/** Hosts that beat, bots that are theirs by turns, with a place each, and commits of some of them. */
async function fleetOf(cluster: Cluster, database: string, bots: readonly string[]) {
  const { openBotTables, FleetConnection } = await import('../src/live/fleet/index.ts')
  const connection = new FleetConnection({ url: cluster.url(database), answerMs: 60_000 })
  await openBotTables(connection)
  await connection.ask("INSERT INTO cornerman_fleet.wanted VALUES (1, 1, 'v', 'h1')")
  for (const host of HOSTS)
    await connection.ask("INSERT INTO cornerman_fleet.hosts (run, host, version, agents, obeys) VALUES ($1, $2, 'v', $3, 0)", [
      ...[randomUUID(), host, bots],
    ])
  await connection.ask(
    `INSERT INTO cornerman_fleet.bots (bot, epoch, run, seq, chain)
       SELECT bot, 1, (SELECT array_agg(run ORDER BY host) FROM cornerman_fleet.hosts)[1 + o % 3], 1, sha256(bot::bytea)
       FROM unnest($1::text[]) WITH ORDINALITY AS u(bot, o)`,
    [bots],
  )
  await connection.ask(
    `INSERT INTO cornerman_fleet.entries SELECT bot, 'ticket:up_down:' || o || ':300', 1, 'terms:up_down:' || o || ':300', NULL,
       json_build_object('bot', bot, 'key', 'ticket:up_down:' || o || ':300', 'ticket', json_build_object('mode', 'up_down', 'stake', o::text, 'durationSec', 300))::text
       FROM unnest($1::text[]) WITH ORDINALITY AS u(bot, o)`,
    [bots],
  )
  await connection.ask('INSERT INTO cornerman_fleet.wakes SELECT unnest($1::text[]), 1', [bots])
  await connection.ask('VACUUM ANALYZE cornerman_fleet.bots')
  let isOver = false
  const living = (async () => {
    for (let round = 0; !isOver; round++) {
      await connection.ask("UPDATE cornerman_fleet.hosts SET beat = beat + 1, seen = clock_timestamp() WHERE host <> 'h1'")
      const some = Array.from({ length: CHANGED_PER_BEAT }, (_, n) => bots[(round * CHANGED_PER_BEAT + n) % bots.length])
      await connection.ask('UPDATE cornerman_fleet.bots SET seq = seq + 1, chain = sha256(chain) WHERE bot = ANY($1)', [some])
      await sleep(500)
    }
  })()
  return async () => {
    isOver = true
    await living
    connection.close()
  }
}

const cluster = await Cluster.open(['fsync=on', 'shared_buffers=128MB'])
try {
  for (const size of sizes) {
    const bots = Array.from({ length: size }, (_, n) => `bot-${n}`)
    const database = `beat_${size}`
    await cluster.database(database)
    const close = await fleetOf(cluster, database, bots)
    const figures = new Map<string, { first: number; ms: number; bytes: number }[]>()
    for (let turn = 0; turn < TURNS; turn++)
      for (const [name, checkout] of checkouts)
        figures.set(name, [...(figures.get(name) ?? []), await measured(cluster, database, checkout, bots)])
    for (const [name, turns] of figures) {
      const of = (figure: 'first' | 'ms' | 'bytes') => median(turns.map((turn) => turn[figure]))
      console.log(
        `${size} bots, ${name}: a beat ${of('ms').toFixed(1)} ms, ${(of('bytes') / 1024).toFixed(0)} KiB; the first ${of('first').toFixed(0)} ms`,
      )
      if (name === 'now' && of('ms') > BAR_MS) process.exitCode = 1
    }
    await close()
  }
} finally {
  await cluster.close()
}
