import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { effectsAtService, journalOf } from '../support/crashMatrix/afterwards.ts'
import { CELLS, type Cell, VARIABLES } from '../support/crashMatrix/cells.ts'
import { WireCrash } from '../support/crashMatrix/wireCrash.ts'
import { type CornermanRun, runCornerman } from '../support/runCornerman.ts'
import { type SandboxAgentKey, type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'

// A bot is killed at every step of its journal and of its wire, in every kind of action: each cell is a bot of its own, killed
// once, started again, and held against what the sandbox says it did.

const CONFIG = fileURLToPath(new URL('../support/crashMatrix/bots.config.ts', import.meta.url))
const CRASHING = fileURLToPath(new URL('../support/crashMatrix/crashing.ts', import.meta.url))
/** A bot that is to die while it takes things back has nothing else to do. */
const TAKES_BACK: ReadonlySet<string> = new Set(['cancelTicket', 'leaveContest'])
/** Kinds of which a contest is settled. */
const SETTLES: ReadonlySet<string> = new Set([
  'enqueue',
  'joinContest',
  'draftPick',
  'commitPrediction',
  'revealPrediction',
  'swap',
  'sweep',
])

const folder = mkdtempSync(join(tmpdir(), 'crash-matrix-'))
const runs: CornermanRun[] = []
const worlds = new Map<string, { readonly sandbox: SandboxProcess; readonly wire: WireCrash; readonly file: string }>()
afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  for (const { wire } of worlds.values()) await wire[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Tickets that are to be taken back must not find an opponent first. */
const worldOf = ({ type }: Cell) => (type === 'cancelTicket' ? 'lonely' : 'busy')

beforeAll(async () => {
  for (const [name, matchDelay] of [
    ['busy', '1s'],
    ['lonely', '60s'],
  ] as const) {
    const file = join(folder, `${name}.db`)
    const agents = CELLS.filter((cell) => worldOf(cell) === name).map((cell) => cell.name)
    const sandbox = await startSandboxProcess(['--agents', agents.join(), '--db', file, '--match-delay', matchDelay])
    runs.push(sandbox.run)
    worlds.set(name, { sandbox, wire: await WireCrash.before(sandbox.url), file })
  }
})

interface CellWorld {
  readonly agent: SandboxAgentKey
  readonly url: string
  readonly direct: string
  readonly dataDir: string
  readonly file: string
  readonly wire: WireCrash
}

function worldFor(cell: Cell): CellWorld {
  const world = worlds.get(worldOf(cell))
  const agent = world?.sandbox.agents.find(({ name }) => name === cell.name)
  if (world === undefined || agent === undefined) throw new Error(`there is no agent for ${cell.name}`)
  const { sandbox, wire, file } = world
  return { agent, url: wire.url, direct: sandbox.url, dataDir: join(folder, cell.name), file, wire }
}

function run(cell: Cell, world: CellWorld, args: readonly string[], more: Record<string, string>): CornermanRun {
  const { agent, url, direct, dataDir } = world
  const env = {
    [VARIABLES.type]: cell.type,
    [VARIABLES.url]: url,
    [VARIABLES.direct]: direct,
    [VARIABLES.bot]: cell.name,
    [VARIABLES.key]: agent.key,
    ...more,
  }
  const started = runCornerman(['start', '--config', CONFIG, '--data-dir', dataDir, '--json', ...args], { env, main: CRASHING })
  runs.push(started)
  return started
}

test.concurrent.each(CELLS)('$type killed at $point: one effect of each kind, nothing held, nothing owed', { timeout: 12 * 60_000 }, play)

async function play(cell: Cell): Promise<void> {
  const world = worldFor(cell)
  const takesBack = TAKES_BACK.has(cell.type)
  const killed = run(cell, world, ['--for', takesBack ? '4s' : '70s'], { [VARIABLES.point]: cell.point })
  world.wire.arm(world.agent.key, { cell, kill: () => killed.child.kill('SIGKILL') })
  expect(await killed.exited, `it was to be killed, and ended:\n${killed.stderr()}`).toBeNull()

  const status = join(folder, `${cell.name}.status.json`)
  const ending = SETTLES.has(cell.type) ? ['--contests', '1', '--for', '60s'] : ['--for', takesBack ? '2s' : '20s']
  const again = run(cell, world, ending, { [VARIABLES.status]: status, ...(takesBack ? { [VARIABLES.enters]: 'no' } : {}) })
  expect(await again.exited, again.stderr()).toBe(0)

  const { effects, open, custody } = journalOf(world.dataDir, cell.name)
  const atService = effectsAtService(world.file, world.agent.agentId)
  expect(effects, 'what the bot says it did is what the service did').toEqual(atService)
  expect(effects[cell.type === 'swap' || cell.type === 'sweep' ? 'fill' : cell.type] ?? 0, again.stderr()).toBeGreaterThanOrEqual(1)
  for (const [type, count] of Object.entries(atService)) {
    // A draft has a pick a round; a position is bought and sold.
    const most = type === 'draftPick' ? 3 : type === 'fill' ? 2 : 1
    expect(count, `${type} in ${JSON.stringify(atService)}`).toBeLessThanOrEqual(most)
  }
  expect(open, 'every action has an outcome').toEqual([])
  expect(JSON.parse(readFileSync(status, 'utf8')), 'nothing is held any more').toEqual([{ phase: 'drained', unknown: 0, reserved: 0 }])
  // One that was made and whose commitment never got through owes nothing.
  expect(custody.missed ?? 0, again.stderr()).toBe(0)
  if (cell.type === 'revealPrediction') expect(custody).toEqual({ revealed: 1 })
}
