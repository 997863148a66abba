import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { runCornerman } from '../support/runCornerman.ts'
import { TestConfigs } from '../support/testConfigs.ts'

const folder = mkdtempSync(join(tmpdir(), 'cornerman-webhooks-'))
const configs = new TestConfigs()
afterAll(() => {
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

const configWith = (webhooks: string): string =>
  configs.write(`import { defineConfig, sandbox, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
import trend from './strategies/trend.ts'
const guard = { maxStake: usdc('5'), dailyLoss: usdc('20') }
const bots = ['alice', 'bob'].map((name) => ({ name, strategies: [ladder({ modes: ['up_down'], durationSec: 15 }), trend()], guard }))
export default defineConfig({ service: sandbox(), ${webhooks} bots })`)

async function play(webhooks: string, ...limit: string[]) {
  const run = runCornerman(['start', '--config', configWith(webhooks), '--data-dir', folder, ...limit, '--json'])
  expect(await run.exited, run.stderr()).toBe(0)
  const database = new DatabaseSync(join(folder, 'sandbox.db'))
  const rows = (sql: string) => database.prepare(sql).all() as Record<string, string | number>[]
  const [events, endpoints, deliveries] = ['events', 'endpoints', 'deliveries'].map((table) => rows(`SELECT * FROM ${table}`))
  database.close()
  return { run, events: events ?? [], endpoints: endpoints ?? [], deliveries: deliveries ?? [] }
}

test('start with the sandbox sets the endpoints itself: every event is delivered, taken and answered, and no secret is said', async () => {
  const { run, events, endpoints } = await play('webhooks: { port: 0 },', '--contests', '1')
  expect(run.logs().map(({ msg }) => msg)).toContainEqual(
    expect.stringMatching(/^webhooks: listening at http:\/\/127\.0\.0\.1:\d+\/webhooks\/<bot> for alice, bob$/),
  )
  expect(endpoints.map(({ url }) => new URL(String(url)).pathname)).toEqual(expect.arrayContaining(['/webhooks/alice', '/webhooks/bob']))
  for (const { agent_id, delivered, dropped, secret } of endpoints) {
    const own = events.filter((event) => event.agent_id === agent_id)
    expect(own.length).toBeGreaterThan(1)
    // The last of all, of a settlement, may have come when nobody waited for them any more.
    expect(Number(delivered)).toBeGreaterThanOrEqual(own.length - 2)
    expect(dropped).toBe(0)
    expect(run.stderr() + run.stdout()).not.toContain(String(secret))
  }
  expect(run.stderr()).not.toContain('a webhook was refused')

  // The next run has no receiver: nothing is kept for one.
  const { endpoints: left, deliveries, run: next } = await play('', '--for', '100ms')
  expect([left, deliveries]).toEqual([[], []])
  expect(next.stderr()).not.toContain('webhooks:')
})
