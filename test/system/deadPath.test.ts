import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTradingMode } from '../../src/contract/modes.ts'
import { type RawCall, type RawServer, startRawServer } from '../support/rawServer.ts'
import { type CornermanRun, runCornerman } from '../support/runCornerman.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { inLong } from '../support/suite/long.ts'

// A bot whose swaps cannot come through, from the start and in the middle: what it stakes then is lost.

const CONFIG = fileURLToPath(new URL('../support/playable/bots.config.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'dead-path-'))
let sandbox: SandboxProcess
const runs: CornermanRun[] = []
beforeAll(async () => {
  sandbox = await startSandboxProcess(['--agents', 'a,b,c,d,e', '--seed', '3'])
  runs.push(sandbox.run)
})
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Part {
  readonly dex?: string
  readonly rpc?: string
  readonly prices?: string
}

/** Plays with one agent of the sandbox, some of whose addresses are others. */
function play(
  name: string,
  { dex = `${sandbox.url}/jup/swap/v1`, rpc = `${sandbox.url}/rpc`, prices = `${sandbox.url}/jup/price/v3` }: Part,
) {
  const dataDir = join(folder, name)
  const key = sandbox.agents.find((agent) => agent.name === name)?.key ?? ''
  const env = { PLAY_URL: sandbox.url, PLAY_KEY: key, PLAY_DEX: dex, PLAY_RPC: rpc, PLAY_PRICES: prices }
  const run = runCornerman(['start', '--config', CONFIG, '--data-dir', dataDir, '--port', '0', '--json'], { env })
  runs.push(run)
  const begunAt = Date.now()
  const logged = (pattern: RegExp) => run.logs().filter(({ msg }) => pattern.test(msg))
  return {
    run,
    begunAt,
    logged,
    /** What it entered, and when. */
    entries: () =>
      run.logs().flatMap(({ msg, time }) => {
        const [, mode] = /^enqueue (\w+) for /.exec(msg) ?? []
        return mode === undefined ? [] : [{ mode, at: Date.parse(time) }]
      }),
    async end() {
      run.child.kill('SIGKILL')
      await run.exited
    },
  }
}

/** Passes everything on to the sandbox, until it is said otherwise. */
async function startSwitch(): Promise<RawServer & { isDead: boolean }> {
  const server = await startRawServer()
  const state = Object.assign(server, { isDead: false })
  async function pass(call: RawCall): Promise<void> {
    const answer = await request(sandbox.url + call.path, {
      method: call.method as 'GET' | 'POST',
      headers: { 'content-type': 'application/json' },
      ...(call.method === 'POST' ? { body: call.body } : {}),
    })
    call.response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(await answer.body.text())
  }
  server.answer = (call) => {
    if (state.isDead) call.reset()
    else void pass(call).catch(() => call.reset())
  }
  return state
}

const NOBODY = 'http://127.0.0.1:9'
const refusing = () => startRawServer((call) => call.json(401, { error: 'Unauthorized' }))

describe('from the start', () => {
  test.each([
    ['a DEX that nobody answers at', 'a', async () => ({ part: { dex: `${NOBODY}/swap/v1` }, server: undefined })],
    ['an RPC that nobody answers at', 'b', async () => ({ part: { rpc: `${NOBODY}/rpc` }, server: undefined })],
    [
      'a DEX that refuses the key',
      'c',
      async () => {
        const server = await refusing()
        return { part: { dex: `${server.url}/swap/v1` }, server }
      },
    ],
  ] as const)(
    '%s keeps every stake out of modes of swaps within five seconds, and the others go on',
    { timeout: 60_000 },
    async (_what, name, open) => {
      const { part, server } = await open()
      const bot = play(name, part)
      const down = await bot.run.logged(({ msg }) => msg.startsWith('swaps do not come through'))
      const started = bot.run.logs().find(({ msg }) => msg.startsWith('dashboard'))
      expect(Date.parse(down.time) - Date.parse(started?.time ?? '')).toBeLessThan(5000)
      await delay(inLong(15_000, 8000))
      const modes = new Set(bot.entries().map(({ mode }) => mode))
      expect([...modes].filter(isTradingMode)).toEqual([])
      expect(modes).toContain('draft_basket')
      expect(bot.logged(/no valid move/)).toEqual([])
      await bot.end()
      await server?.[Symbol.asyncDispose]()
    },
  )

  test('prices that nobody gives do so too', { timeout: 60_000 }, async () => {
    const bot = play('d', { prices: `${NOBODY}/price/v3` })
    await bot.run.logged(({ msg }) => msg.includes('no prices'))
    await delay(inLong(12_000, 7000))
    expect(bot.entries().filter(({ mode }) => isTradingMode(mode))).toEqual([])
    await bot.end()
  })
})

test('a DEX that dies in the middle costs no more than what was in play, and is played on again within a minute', {
  timeout: 180_000,
}, async () => {
  const dex = await startSwitch()
  const bot = play('e', { dex: `${dex.url}/jup/swap/v1` })
  await bot.run.logged(({ msg }) => msg.startsWith('swapped'))
  const isSwapping = ({ mode }: { mode: string }) => isTradingMode(mode)
  dex.isDead = true
  await bot.run.logged(({ msg }) => msg.startsWith('swaps do not come through'))
  const downAt = Date.now()
  const before = bot.entries().filter(isSwapping).length
  await delay(inLong(30_000, 15_000))
  expect(bot.entries().filter(isSwapping).length, 'entries while it is down').toBe(before)
  dex.isDead = false
  const backAt = Date.now()
  await bot.run.logged(({ msg }) => msg.startsWith('swaps come through again'))
  while (bot.entries().filter(isSwapping).length === before && Date.now() < backAt + 60_000) await delay(250)
  expect(Date.now() - backAt, 'until the next entry').toBeLessThan(60_000)
  expect(bot.entries().filter(isSwapping).length).toBeGreaterThan(before)
  const inPlay = bot.entries().filter(({ mode, at }) => isTradingMode(mode) && at > downAt - 40_000 && at <= downAt).length
  expect(bot.logged(/no valid move/).length, 'stakes lost').toBeLessThanOrEqual(inPlay)
  await bot.end()
  await dex[Symbol.asyncDispose]()
})
