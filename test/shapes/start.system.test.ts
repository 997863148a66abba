import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportOf } from '../../src/cli/runs/start/report.ts'
import { foundShapesFile } from '../../src/cli/runs/start/serviceMapping.ts'
import { hashOf } from '../../src/contract/shapes/reading.ts'
import { sandboxShapes } from '../../src/contract/shapes/sandboxShapes.ts'
import { lackingIn, type Shapes } from '../../src/contract/shapes/shapes.ts'
import { config } from '../support/fleetBooks.ts'
import { expectIdentical, textOf } from '../support/replaying.ts'
import type { ProxiedCall } from './proxy.ts'
import { shapeOf } from './shape.ts'
import { type ShapedFleet, startShapedFleet } from './shapedFleet.ts'

// A bot that is started at a service of which nothing was written down.

const [alice] = config.bots
if (alice === undefined) throw new Error('the config has no bot')
const ENTRIES = new Set(['agent.queue.enqueue', 'agent.contests.join', 'agent.contests.create'])
const entriesIn = (calls: readonly ProxiedCall[]) => calls.filter(({ procedure, status }) => ENTRIES.has(procedure) && status === 200)
const loud = (world: ShapedFleet) => world.lines().filter(({ level }) => level === 'warn' || level === 'error')
const settled = (world: ShapedFleet) => world.reports().every(({ contests }) => (contests.settled ?? 0) > 0)

test('the sandbox is known by its address, and played at once without a word of warning', async () => {
  await using world = await startShapedFleet({ bots: [alice] })
  await world.until(() => settled(world), 'a contest is settled', 90_000)
  expect(loud(world)).toEqual([])
  expect(world.lines().map(({ msg }) => msg)).toContain(`${world.sandbox.url} is this project's sandbox: its answers are known`)
  expect(existsSync(foundShapesFile(world.dataDir))).toBe(false)
  expect(world.fleet.bots[0]?.shapes).toBe(sandboxShapes)
})

test('what is free to read of a stranger is read once, said, kept, and taken by the next start; nothing unknown is entered', async () => {
  const shape = shapeOf(3, { departure: 0.6 })
  await using world = await startShapedFleet({ shape })
  const isSaid = () => world.lines().some(({ msg }) => msg.includes('free reads of'))
  await world.until(isSaid, 'the free reads are made', 120_000)
  const found = JSON.parse(readFileSync(foundShapesFile(world.dataDir), 'utf8')) as Shapes
  expect(found.service).toBe(world.proxy?.url)
  const exploring = world.lines().find(({ msg }) => msg.includes('free reads of'))?.msg ?? ''
  expect(Number(/^(\d+) free reads/.exec(exploring)?.[1])).toBeLessThanOrEqual(60)
  // Before them it is asked who the agent is, and whether this is the sandbox: of each bot.
  expect(world.calls.length).toBeLessThanOrEqual(60 + 2 * 5 + 20)
  expect(entriesIn(world.calls)).toEqual([])

  const readUntil = world.clock.now() + 60_000
  await world.until(() => world.clock.now() >= readUntil, 'a minute has passed')
  const lacking = lackingIn(found)
  expect(lacking.size).toBeGreaterThan(0)
  const entered = entriesIn(world.calls)
  const modeOf = ({ input }: ProxiedCall) => String((input as { mode?: unknown }).mode ?? 'up_down')
  expect(entered.map(modeOf).filter((mode) => lacking.has(mode as 'pnl_usd'))).toEqual([])
  // Each mode that is left out is named in one line, which says what to do.
  const said = loud(world).filter(({ msg }) => msg.startsWith('not entered, since'))
  expect(said).toHaveLength(1)
  for (const mode of lacking.keys()) expect(said[0]?.msg).toContain(mode)
  expect(said[0]?.msg).toContain("probe --play --most 2.00, or contestService({ url, probe: { most: usdc('2') } }) in the config")
  for (const mode of lacking.keys())
    for (const { name } of config.bots) {
      const ofMode = loud(world).filter((line) => line.bot === name && line.msg.includes(mode))
      expect([name, mode, ofMode.length]).toEqual([name, mode, 1])
    }

  const before = world.calls.length
  await world.restart()
  await world.until(() => world.fleet.bots.every(({ phase }) => phase === 'running'), 'they run again', 30_000)
  expect(world.lines().filter(({ msg }) => msg.includes('free reads of'))).toHaveLength(1)
  expect(world.lines().at(-1)?.msg).toBeDefined()
  expect(world.lines().some(({ msg }) => msg.includes('which an earlier start has found'))).toBe(true)
  expect(world.calls.length - before).toBeLessThan(60)
})

test('by the true mapping every bot plays and moves, and its recording is replayed by the same', async () => {
  const shape = shapeOf(3, { departure: 0.6 })
  await using world = await startShapedFleet({ shape, shapes: shape.truth })
  await world.until(() => world.reports().every(({ contests }) => (contests.settled ?? 0) > 8), 'nine contests each are settled')
  const { shapes } = reportOf(world.fleet, 0)
  expect(shapes).toEqual({ hash: hashOf(shape.truth), pieces: shape.truth.pieces })
  await world.drained()
  expect(world.reports().map(({ unplayed }) => unplayed.count)).toEqual([0, 0])
  for (const { recording = '' } of world.fleet.bots) {
    const [head = ''] = textOf(recording).split('\n')
    expect(head).toContain(hashOf(shape.truth))
    expect((await expectIdentical(recording, ...config.bots)).runs).toBe(1)
  }
  const audits = await world.audited()
  for (const { verdict, contests } of audits) expect([verdict, contests.filter(({ hasMoved }) => !hasMoved)]).toEqual(['fine', []])
})

test('one needed piece left out closes the modes that need it, by its name, and no other', async () => {
  const shape = shapeOf(3, { departure: 0.6 })
  const { turn: _, ...pieces } = shape.truth.pieces ?? {}
  await using world = await startShapedFleet({ bots: [alice], shape, shapes: { ...shape.truth, pieces } })
  await world.until(() => settled(world), 'a contest is settled', 120_000)
  const until = world.clock.now() + 60_000
  await world.until(() => world.clock.now() >= until, 'a minute has passed')
  const modes = entriesIn(world.calls).map(({ input }) => (input as { mode?: string }).mode)
  expect(modes).not.toContain('draft_basket')
  expect(new Set(modes).size).toBeGreaterThan(4)
  const said = loud(world).filter(({ msg }) => msg.includes('draft_basket'))
  expect(said).toHaveLength(1)
  expect(said[0]?.msg).toContain('service.shapes.pieces.turn')
  expect(join(world.dataDir, 'probes')).not.toSatisfy(existsSync)
})
