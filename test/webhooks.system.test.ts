import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type CornermanRun, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

// What start and doctor say of webhooks.

const folder = mkdtempSync(join(tmpdir(), 'cornerman-webhooks-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
  for (const close of opened.splice(0).reverse()) await close()
})
afterAll(() => {
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

const config = (webhooks: string, fields = 'service: sandbox()'): string =>
  configs.write(`import { contestService, defineConfig, sandbox, secret, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
export default defineConfig({
  ${fields},
  webhooks: ${webhooks},
  bots: [{
    name: 'alice',
    agentKey: secret('TEST_AGENT_KEY'),
    ${fields.includes('contestService') ? "webhookSecret: secret('TEST_WEBHOOK_SECRET')," : ''}
    strategies: [ladder({ modes: ['draft_basket'] }), momentum()],
    guard: { maxStake: usdc('5'), dailyLoss: usdc('20') },
  }],
})`)
const ELSEWHERE = "service: contestService({ url: 'http://127.0.0.1:9' })"

function cornerman(args: readonly string[], env: Record<string, string> = {}): CornermanRun {
  const run = runCornerman(args, { env: { TEST_AGENT_KEY: 'ck_test', ...env } })
  runs.push(run)
  return run
}

/** A port that somebody else holds. */
async function takenPort(): Promise<number> {
  const server = createServer()
  opened.push(() => new Promise((resolve) => server.close(resolve)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

describe('start', () => {
  test('on a port that is taken ends with 2, and says what to do', async () => {
    const port = await takenPort()
    for (const fields of [ELSEWHERE, undefined]) {
      const args = ['--config', config(`{ port: ${port} }`, fields), '--data-dir', join(folder, `taken-${configs.count}`)]
      const run = cornerman(['start', ...args], { TEST_WEBHOOK_SECRET: 'whsec_test' })
      expect(await run.exited).toBe(2)
      expect(run.stderr()).toContain(`webhooks: cannot listen on 127.0.0.1:${port}`)
      expect(run.stderr()).toContain('choose another webhooks.port')
    }
  })

  test('needs the secret that the config names, and one that is a webhook secret; what it is stays unsaid', async () => {
    const args = ['start', '--config', config('{ port: 0 }', ELSEWHERE), '--data-dir', join(folder, 'secrets')]
    const without = cornerman(args)
    expect(await without.exited).toBe(2)
    expect(without.stderr()).toMatch(/bots\[0\]\.webhookSecret: the environment variable TEST_WEBHOOK_SECRET is not set/)
    const wrong = cornerman(args, { TEST_WEBHOOK_SECRET: 'ck_a_key_of_something_else' })
    expect(await wrong.exited).toBe(2)
    expect(wrong.stderr()).toMatch(/bots\[0\]\.webhookSecret: .*TEST_WEBHOOK_SECRET holds no webhook secret.*whsec_/)
    expect(wrong.stderr()).not.toContain('ck_a_key_of_something_else')
  })
})

describe('doctor', () => {
  const checked = async (file: string, env: Record<string, string> = {}) => {
    const run = cornerman(['doctor', '--json', '--config', file, '--data-dir', join(folder, `doctor-${configs.count}`)], env)
    await run.exited
    const { checks } = JSON.parse(run.stdout()) as { checks: { name: string; verdict: string; message: string }[] }
    return checks.find(({ name }) => name === 'webhooks')
  }

  test('says whether there are webhooks, and whether the port is free', async () => {
    expect(await checked('bots.config.ts')).toMatchObject({ verdict: 'ok', message: 'none: the bots poll' })
    expect(await checked(config('{ port: 0 }'))).toMatchObject({
      verdict: 'ok',
      message: expect.stringMatching(/^for alice, at http:\/\/127\.0\.0\.1:\d+\/webhooks\/<bot>: the port is free$/) as unknown,
    })
    const taken = config(`{ port: ${await takenPort()} }`, ELSEWHERE)
    expect(await checked(taken, { TEST_WEBHOOK_SECRET: 'whsec_test' })).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/cannot listen/) as unknown,
    })
    expect(await checked(taken)).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/TEST_WEBHOOK_SECRET is not set/) as unknown,
    })
  })
})
