import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { recordedDuel } from './support/recordedDuel.ts'
import { type CornermanRun, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

const configs = new TestConfigs()
const runs: CornermanRun[] = []
const log = recordedDuel({ mode: 'pnl_usd' })

afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
})
afterAll(() => configs.remove())

async function outcomeOf(config: string, ...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const run = runCornerman([...args, '--config', configs.write(config)])
  runs.push(run)
  return { exitCode: await run.exited, stdout: run.stdout(), stderr: run.stderr() }
}

/** A bot whose policy does this when it is asked. */
const deciding = (does: string): string => `import { defineConfig, defineQueuePolicy, sandbox, usdc } from 'cornerman'
import { z } from 'zod'
const policy = defineQueuePolicy({ name: 'policy', params: z.object({}), everySec: 5, decide() { ${does}; return [] } })
export default defineConfig({
  service: sandbox({ seed: 7 }),
  bots: [{ name: 'alice', strategies: [policy()], guard: { maxStake: usdc('5'), dailyLoss: usdc('20') } }],
})`

const backtest = ['backtest', '--log', log, '--json']

describe('a strategy', () => {
  test.each([
    ['throws in a callback', `setImmediate(() => { throw new Error('lost') })`],
    ['leaves a promise that fails', `void Promise.reject(new Error('lost'))`],
  ])('that %s makes a backtest fail, which says so', async (_name, does) => {
    const { exitCode, stderr } = await outcomeOf(deciding(does), ...backtest)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^cornerman: an error that nobody caught: lost: .*\[ERROR_UNCAUGHT\]\nError: lost\n/)
    expect(stderr).toContain('.config.ts:')
  })

  test.each([0, 3, 130])('that ends the program with %d does not make it a success, nor a failure without a word', async (code) => {
    const { exitCode, stdout, stderr } = await outcomeOf(deciding(`process.exit(${code})`), ...backtest)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^cornerman: it was ended before it was done: .*\[ENDED_EARLY\]\n$/)
  })
})

test('a strategy that leaves a timer running does not keep the program alive', async () => {
  const { exitCode, stdout, stderr } = await outcomeOf(deciding('setInterval(() => {}, 1000)'), ...backtest)
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ bots: [{ name: 'alice' }] })
  expect(stderr).toBe('cornerman: what a strategy or a config has left running is ended\n')
})

describe('a config', () => {
  test.each([
    ['awaits what never comes', 'await new Promise(() => {})'],
    ['ends the program', 'process.exit(0)'],
  ])('that %s is one that cannot be loaded', async (_name, statement) => {
    const { exitCode, stdout, stderr } = await outcomeOf(`${statement}\n${deciding('')}`, ...backtest)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/cornerman: test-.*\.config\.ts: .*awaits what never comes \[CONFIG_NOT_LOADED\]\n$/)
  })

  test.each([
    [
      'of a package that is not installed',
      "import 'technicalindicators'",
      /technicalindicators, which test-[^ ]+\.config\.ts imports, is not installed: npm install technicalindicators/,
    ],
    [
      'of what a newer version has',
      "import { telegraph } from 'cornerman'",
      /config\.ts:1: .* export named 'telegraph': check its spelling; what a newer cornerman has, \d+\.\d+\.\d+, which this is, has not/,
    ],
  ])('with an import %s says what to do', async (_name, statement, says) => {
    const { exitCode, stderr } = await outcomeOf(`${statement}\n${deciding('')}`, ...backtest)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(says)
    expect(stderr).toMatch(/\[CONFIG_NOT_LOADED\]\n$/)
  })
})
