import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Mode, modesWhere } from '../../src/contract/modes.ts'
import { type CornermanRun, runCornerman } from '../support/runCornerman.ts'
import { type SandboxAgentKey, type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'

// The traders of the default config on a DEX that builds as the real one does: with lookup tables, by way of wrapped SOL.

const CONFIG = fileURLToPath(new URL('../support/everyTradingMode/bots.config.ts', import.meta.url))
const MODES = modesWhere({ playedBy: 'swaps' })
const LIMIT_MS = 180_000
const EVERY_MS = 500

const folder = mkdtempSync(join(tmpdir(), 'trading-modes-'))
const runs: CornermanRun[] = []
afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Contest {
  readonly contestId: string
  readonly mode: Mode
  readonly status: string
  readonly entries: readonly { readonly userId: string; readonly score: string | null }[]
}

async function read<T>(sandbox: SandboxProcess, agent: SandboxAgentKey, procedure: string, input?: unknown): Promise<T> {
  const answer = await sandbox.call(agent, procedure, input)
  if ('appCode' in answer) throw new Error(`${procedure}: ${answer.appCode}`)
  return answer.output as T
}

/** Modes that the agent has made a valid move in, by its settled contests: without one there is no score. */
async function playedModes(sandbox: SandboxProcess, agent: SandboxAgentKey): Promise<Set<Mode>> {
  const seen = new Set<string>()
  const played = new Set<Mode>()
  const until = Date.now() + LIMIT_MS
  while (played.size < MODES.length && Date.now() < until) {
    await delay(EVERY_MS)
    for (const { contestId } of await read<Contest[]>(sandbox, agent, 'agent.contests.mine')) seen.add(contestId)
    for (const contestId of seen) {
      const { mode, status, entries } = await read<Contest>(sandbox, agent, 'agent.contests.get', { contestId })
      if (status !== 'settled') continue
      seen.delete(contestId)
      if (entries.some(({ userId, score }) => userId === agent.agentId && score !== null)) played.add(mode)
    }
  }
  return played
}

test.each([
  ['without an RPC', {}, false],
  ['without an RPC, where the DEX has tables and hops', { tables: true, hops: true }, false],
  ['with an RPC, where the DEX has tables and hops', { tables: true, hops: true }, true],
])('a bot trades in all six modes of swaps %s', { timeout: LIMIT_MS + 60_000 }, async (what, faults, hasRpc) => {
  const sandbox = await startSandboxProcess([
    '--agents',
    'trader',
    '--seed',
    '5',
    '--read-limit',
    '100000',
    '--faults',
    JSON.stringify(faults),
  ])
  runs.push(sandbox.run)
  const [agent] = sandbox.agents
  if (agent === undefined) throw new Error('the sandbox has no agent')
  const env = { MODES_URL: sandbox.url, MODES_RPC: hasRpc ? `${sandbox.url}/rpc` : '', MODES_KEY: agent.key }
  const args = ['start', '--config', CONFIG, '--data-dir', join(folder, what.replaceAll(/\W/g, '-')), '--no-dashboard', '--json']
  const bot = runCornerman(args, { env })
  runs.push(bot)
  const played = await playedModes(sandbox, agent)
  bot.child.kill('SIGKILL')
  await bot.exited
  const said = bot.logs().map(({ msg }) => msg)
  expect(
    said.filter((msg) => /\bTX_[A-Z_]+|\bSIMULATION_/.test(msg)),
    'what the guard refused',
  ).toEqual([])
  expect(said.filter((msg) => msg.startsWith('swapped')).length).toBeGreaterThan(MODES.length)
  expect([...played].sort(), said.slice(-30).join('\n')).toEqual([...MODES].sort())
})
