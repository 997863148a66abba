import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accountsAgree, effectsAtService } from '../../src/cli/runs/fleet/demo/effects.ts'
import { journalOf } from '../support/crashMatrix/afterwards.ts'
import { type Cell, CELLS as EVERY_CELL, VARIABLES } from '../support/crashMatrix/cells.ts'
import { WireCrash } from '../support/crashMatrix/wireCrash.ts'
import { type CornermanRun, runCornerman } from '../support/runCornerman.ts'
import { type SandboxAgentKey, type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { thirdOf } from '../support/suite/long.ts'

// A bot is killed at every step of its journal and of its wire, in every kind of action: each cell is a bot of its own, killed
// once, started again, and held against what the sandbox says it did.

// Ten processes at once would leave little to the bots of other files, which have deadlines; these have seldom one.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** A third of them in each run, and with `LONG_TESTS=yes` all. */
const CELLS = thirdOf(EVERY_CELL, inject('seed'))
/** Bots at once. */
const AT_ONCE = 10
const CONFIG = fileURLToPath(new URL('../support/crashMatrix/bots.config.ts', import.meta.url))
const CRASHING = fileURLToPath(new URL('../support/crashMatrix/crashing.ts', import.meta.url))
/** A bot that is to die while it takes things back has nothing else to do. */
const TAKES_BACK: ReadonlySet<string> = new Set(['cancelTicket', 'leaveContest'])
/** What has a time of its own, which can be over when the bot is back: commitments close, and a lost swap keeps the wallet for a minute. */
const HAS_ITS_TIME: ReadonlySet<string> = new Set(['draftPick', 'commitPrediction', 'swap'])
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
    ['lonely', '12h'],
  ] as const) {
    const file = join(folder, `${name}.db`)
    const agents = ['opponent', ...CELLS.filter((cell) => worldOf(cell) === name).map((cell) => cell.name)]
    const sandbox = await startSandboxProcess(['--agents', agents.join(), '--db', file, '--match-delay', matchDelay])
    runs.push(sandbox.run)
    const [opponent] = sandbox.agents
    if (opponent === undefined) throw new Error('the sandbox has no agents')
    worlds.set(name, { sandbox, wire: await WireCrash.before(sandbox.url, opponent.key), file })
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
    [VARIABLES.stake]: (1 + EVERY_CELL.indexOf(cell) / 100).toFixed(2),
    ...more,
  }
  const started = runCornerman(['start', '--config', CONFIG, '--data-dir', dataDir, '--port', '0', '--json', ...args], {
    env,
    main: CRASHING,
  })
  runs.push(started)
  return started
}

/** What the two lives of a cell's bot came to. */
interface Played {
  readonly killedWith: number | null
  readonly endedWith: number | null
  readonly log: string
  readonly held: unknown
}

const played = new Map<string, Played>()

async function play(cell: Cell): Promise<Played> {
  const world = worldFor(cell)
  const takesBack = TAKES_BACK.has(cell.type)
  const first = run(cell, world, ['--for', takesBack ? '10s' : '70s'], { [VARIABLES.point]: cell.point })
  world.wire.arm(world.agent.key, { cell, kill: () => first.child.kill('SIGKILL') })
  const killedWith = await first.exited
  if (killedWith !== null) return { killedWith, endedWith: null, log: first.stderr(), held: undefined }

  const status = join(folder, `${cell.name}.status.json`)
  const ending = SETTLES.has(cell.type) ? ['--contests', '1', '--for', '60s'] : ['--for', takesBack ? '6s' : '20s']
  const again = run(cell, world, ending, { [VARIABLES.status]: status, ...(takesBack ? { [VARIABLES.enters]: 'no' } : {}) })
  const endedWith = await again.exited
  return { killedWith, endedWith, log: again.stderr(), held: JSON.parse(readFileSync(status, 'utf8')) }
}

/** All of them, so many at once: their processes mostly wait. The sandboxes have to end before their files can be read. */
beforeAll(async () => {
  const left = [...CELLS]
  const work = async () => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) played.set(cell.name, await play(cell))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const { sandbox } of worlds.values()) await sandbox.kill()
}, 30 * 60_000)

test.each(CELLS)('$type killed at $point: one effect of each kind, nothing held, nothing owed', (cell) => {
  const { killedWith, endedWith, log, held } = played.get(cell.name) ?? { log: 'it was never played' }
  expect(killedWith, `it was to be killed, and ended:\n${log}`).toBeNull()
  expect(endedWith, log).toBe(0)
  const { agent, dataDir, file } = worldFor(cell)
  const { effects, open, custody } = journalOf(dataDir, cell.name)
  const atService = effectsAtService(file, agent.agentId)
  expect(
    accountsAgree(effects, atService),
    `the bot says ${JSON.stringify(effects)}, the service ${JSON.stringify(atService)}\n${log}`,
  ).toBe(true)
  const done = effects[cell.type === 'sweep' || cell.type === 'swap' ? 'fill' : cell.type] ?? 0
  expect(done, log).toBeGreaterThanOrEqual(HAS_ITS_TIME.has(cell.type) ? 0 : 1)
  for (const [type, count] of Object.entries(atService)) {
    // A draft has a pick a round; a position is bought and sold, and bought again where a contest is long enough.
    const most = type === 'draftPick' ? 3 : type === 'fill' ? 4 : 1
    expect(count, `${type} in ${JSON.stringify(atService)}\n${log}`).toBeLessThanOrEqual(most)
  }
  expect(open, 'every action has an outcome').toEqual([])
  expect(held, 'nothing is held any more').toEqual([{ phase: 'drained', unknown: 0, reserved: 0 }])
  // One that was made and whose commitment never got through owes nothing.
  expect(custody.missed ?? 0, log).toBe(0)
  if (cell.type === 'revealPrediction') expect(custody).toEqual({ revealed: 1 })
})
