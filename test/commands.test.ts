import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { priceLog } from './support/priceLog.ts'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

// One or two cases of what the files *.system.test.ts look at in whole processes: enough to see that a command starts, says what
// is wrong, and ends with the right code.

const folder = mkdtempSync(join(tmpdir(), 'cornerman-commands-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ agents: ['alice'] })
})
afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await sandbox.close()
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

function cornerman(args: readonly string[], env: Record<string, string> = {}): CornermanRun {
  const run = runCornerman(args, { env })
  runs.push(run)
  return run
}

const config = (strategies: string, service = 'service: sandbox()') =>
  configs.write(`import { contestService, defineConfig, defineQueuePolicy, sandbox, secret, usdc } from 'cornerman'
import { z } from 'zod'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
export default defineConfig({
  ${service},
  bots: [{ name: 'alice', agentKey: secret('TEST_AGENT_KEY'), strategies: ${strategies}, guard: { maxStake: usdc('5'), dailyLoss: usdc('20') } }],
})`)
const plays = "[ladder({ modes: ['draft_basket'] }), momentum()]"
const elsewhere = () => `service: contestService({ url: '${sandbox.url}', sandbox: true }), market: { url: '${sandbox.url}/jup/price/v3' }`

describe('a mistake ends with 2 and one message', () => {
  test.each<[args: readonly string[], says: RegExp]>([
    [['dance'], /unknown command 'dance'/],
    [['new-strategy', 'x'], /'--kind <queue\|draft\|predict\|trade\|custom>' not specified/],
    [['logs', 'export', folder], /'--format <csv\|parquet>' not specified/],
    [['start', '--port', '99999'], /'--port <n>' argument '99999' is invalid. a port is from 0 to 65535/],
  ])('of usage: %j', async (args, says) => {
    const run = cornerman(args)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(says)
    expect(run.stdout()).toBe('')
  })

  test('of a config: a parameter out of range', async () => {
    const run = cornerman(['start', '--config', config('[momentum({ lookbackSec: 5000 })]'), '--data-dir', join(folder, 'wrong')])
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(/strategy momentum: lookbackSec = 5000: .*3600/)
    expect(run.stdout()).toBe('')
  })
})

test('doctor finds a service that is as it should be, and start plays on it until it is told to stop', async () => {
  const env = { TEST_AGENT_KEY: sandbox.agents[0]?.key ?? '' }
  const args = ['--config', config(plays, elsewhere()), '--data-dir', join(folder, 'bots'), '--json']
  const doctor = cornerman(['doctor', ...args], env)
  expect(await doctor.exited, doctor.stdout()).toBe(0)
  expect(jsonOf<{ ok: boolean }>(doctor).ok).toBe(true)
  const run = cornerman(['start', ...args, '--no-dashboard'], env)
  await run.logged(({ msg }) => msg.startsWith('enqueue'))
  run.child.kill('SIGTERM')
  expect(await run.exited, run.stderr()).toBe(0)
  expect(jsonOf<{ bots: unknown[] }>(run).bots).toMatchObject([{ name: 'alice', actions: { unknown: 0 } }])
})

test('a bot that can never enter anything is told of by doctor and by start', async () => {
  const env = { TEST_AGENT_KEY: sandbox.agents[0]?.key ?? '' }
  const args = ['--config', config('[momentum()]', elsewhere()), '--data-dir', join(folder, 'idle'), '--json']
  const doctor = cornerman(['doctor', ...args], env)
  await doctor.exited
  const message = 'alice enters nothing: none of its strategies is a queue policy. Add one, such as ladder'
  expect(jsonOf<{ checks: unknown[] }>(doctor).checks).toContainEqual({ name: 'alice: entries', verdict: 'warn', message })
  const run = cornerman(['start', ...args, '--no-dashboard', '--for', '1s'], env)
  await run.logged(({ msg }) => msg === message)
  await run.exited
})

test('a backtest of a strategy that throws in a callback fails, and says so', async () => {
  const throwing = `[defineQueuePolicy({ name: 'policy', params: z.object({}), decide() { setImmediate(() => { throw new Error('lost') }); return [] } })()]`
  const run = cornerman(['backtest', '--log', priceLog(folder), '--json', '--config', config(throwing)])
  expect(await run.exited).toBe(1)
  expect(run.stderr()).toMatch(/^cornerman: an error that nobody caught: lost: .*\[ERROR_UNCAUGHT\]\nError: lost\n/)
})
