import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { backtest } from '../../src/backtest/index.ts'
import type { Opportunity } from '../../src/backtest/log/opportunity.ts'
import { readLogs } from '../../src/backtest/log/readLogs.ts'
import { isFinal } from '../../src/backtest/world/ghosts.ts'
import type { ScoutReport } from '../../src/cli/runs/scout/scoutReport.ts'
import { AGENT_KEY_HEADER } from '../../src/contract/wire.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import { checkLog } from '../../src/recording/index.ts'
import { enqueue } from '../../src/strategy/action.ts'
import { guardConfig } from '../../src/strategy/guardConfig.ts'
import { mostReadsAMinute } from '../support/chaos/audit.ts'
import { linesOf } from '../support/logFiles.ts'
import { type RawCall, startRawServer } from '../support/rawServer.ts'
import { type CornermanRun, jsonOf, runCornerman } from '../support/runCornerman.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { policy } from '../support/testStrategies.ts'

const CONFIG = fileURLToPath(new URL('../support/scout/bots.config.ts', import.meta.url))
const SHIPPED = fileURLToPath(new URL('../../bots.config.ts', import.meta.url))
const runs: CornermanRun[] = []
const sandboxes: SandboxProcess[] = []
const folders: string[] = []
afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  for (const sandbox of sandboxes) await sandbox.kill()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scout-'))
  folders.push(folder)
  return folder
}

function run(args: readonly string[], env: Record<string, string> = {}): CornermanRun {
  const started = runCornerman(args, { env })
  runs.push(started)
  return started
}

/** Hands reads on to a service as they are; whatever is no read is refused, and shows in `calls`. */
async function hand({ method, path, headers, response, json }: RawCall, service: string): Promise<void> {
  if (method !== 'GET') {
    json(500, {})
    return
  }
  const key = headers[AGENT_KEY_HEADER]
  const answer = await fetch(`${service}${path}`, { headers: typeof key === 'string' ? { [AGENT_KEY_HEADER]: key } : {} })
  const kept = [...answer.headers].filter(([name]) => name.startsWith('x-') || name === 'date' || name === 'content-type')
  response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text())
}

/** Plays a bot that enters again and again on the terms of a recorded contest. */
async function playOn(log: string, { mode, stake, durationSec }: Opportunity) {
  const enters = policy(
    ({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [enqueue({ mode, stake, durationSec, waitSec: 120 })]),
    { everySec: 1 },
  )
  const guard = guardConfig({ maxStake: stake, dailyLoss: 500n * stake })
  const bots = [{ name: 'tried', strategies: [enters], guard, sweep: false as const, seed: 1 }]
  return await backtest({ logs: [log], bots, seed: 1, withPrices: false, clock: systemClock })
}

describe('a scout', () => {
  test('beside bots sends nothing but reads, keeps with them to the limit, and makes a log of their contests', async () => {
    const [dataDir, calls] = [newFolder(), join(newFolder(), 'calls.ndjson')]
    const sandbox = await startSandboxProcess(['--port', '0', '--agents', 'alice,bob', '--calls', calls])
    sandboxes.push(sandbox)
    const env = Object.fromEntries(sandbox.agents.map(({ name, key }) => [`${name.toUpperCase()}_KEY`, key]))
    const bots = run(['start', '--config', CONFIG, '--data-dir', dataDir, '--no-dashboard', '--json'], { ...env, SCOUT_URL: sandbox.url })
    await using service = await startRawServer((call) => void hand(call, sandbox.url))
    const scout = run(['scout', '--config', CONFIG, '--data-dir', dataDir, '--for', '60s', '--json'], { ...env, SCOUT_URL: service.url })
    expect(await scout.exited, scout.stderr()).toBe(0)
    bots.child.kill('SIGTERM')

    const report = jsonOf<ScoutReport>(scout)
    expect(new Set(service.calls.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(report.ticks).toBeGreaterThan(20)
    expect(report.contests?.found.scores.told).toBeGreaterThan(0)
    const alice = sandbox.agents.find(({ name }) => name === 'alice')?.agentId ?? ''
    expect(mostReadsAMinute(calls).get(alice)).toBeLessThanOrEqual(290)
    expect(report.agentId).toBe(alice)

    expect(checkLog(report.recording)).toEqual([])
    const known = readLogs([report.recording]).opportunities.filter(
      (each) => each.via === 'queue' && isFinal(each) && each.others.length > 0 && each.others.every(({ score }) => score !== undefined),
    )
    const [one] = known
    if (one === undefined) throw new Error('no contest of the queue was recorded with its scores')
    const played = await playOn(report.recording, one)
    const others = played.bots.flatMap(({ contests }) => contests.flatMap((contest) => contest.others))
    expect(others.filter(({ source }) => source === 'recorded').length).toBeGreaterThan(0)
  })

  test('that is killed loses nothing that was written, and the next one goes on', async () => {
    const dataDir = newFolder()
    const args = ['scout', '--config', SHIPPED, '--data-dir', dataDir]
    const killed = run(args)
    const recording = join(dataDir, 'recordings', 'scout')
    const pricesIn = () => linesOf(recording).filter(({ kind }) => kind === 'prices').length
    await killed.logged(({ msg }) => msg.startsWith('records into'))
    await expect.poll(() => (readdirSync(recording).some((name) => name.endsWith('.ndjson')) ? pricesIn() : 0)).toBeGreaterThan(3)
    const second = run(args)
    expect(await second.exited).toBe(2)
    expect(second.stderr()).toMatch(/is being recorded by process \d+ .* \[SCOUT_BUSY\]|runs on .* already.*\[SANDBOX_DB_IN_USE\]/)
    const before = pricesIn()
    killed.child.kill('SIGKILL')
    await killed.exited
    const next = run([...args, '--for', '5s', '--json'])
    expect(await next.exited, next.stderr()).toBe(0)
    expect(checkLog(recording)).toEqual([])
    expect(pricesIn()).toBeGreaterThanOrEqual(before + jsonOf<ScoutReport>(next).ticks)

    const replay = run(['replay', recording, '--config', SHIPPED])
    expect(await replay.exited).toBe(2)
    expect(replay.stderr()).toContain('[LOG_NOT_RECORDED]')
    const elsewhere = run(['scout', '--config', CONFIG, '--data-dir', dataDir], { ALICE_KEY: 'key-of-alice', BOB_KEY: 'key-of-bob' })
    expect(await elsewhere.exited).toBe(2)
    expect(elsewhere.stderr()).toContain('was recorded of sandbox, and the config plays on http://127.0.0.1:9')
  })

  test.skipIf(process.platform === 'win32')('ends and says so where the disk takes no more, and the next one goes on', async () => {
    const [dataDir, main] = [newFolder(), fileURLToPath(new URL('../../src/cli/cornerman.js', import.meta.url))]
    const sandbox = await startSandboxProcess(['--port', '0', '--agents', 'alice,bob'])
    sandboxes.push(sandbox)
    const keys = Object.fromEntries(sandbox.agents.map(({ name, key }) => [`${name.toUpperCase()}_KEY`, key]))
    const env = { ...keys, SCOUT_URL: sandbox.url }
    const args = ['scout', '--config', CONFIG, '--data-dir', dataDir]
    // No file may be longer than 8 KiB.
    const limited = spawn('sh', ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [said, [code]] = await Promise.all([text(limited.stderr), once(limited, 'close')])
    expect(code, said).toBe(1)
    expect(said).toMatch(/the recording in .*scout cannot be written: EFBIG.*\[RECORDING_WRITE_FAILED\]/)
    const next = run([...args, '--for', '4s', '--json'], env)
    expect(await next.exited, next.stderr()).toBe(0)
    expect(checkLog(jsonOf<ScoutReport>(next).recording)).toEqual([])
  })

  test.each([
    [['--for', 'long'], 'a duration is a number above 0 and its unit'],
    [['--modes', 'up_down,chess'], '--modes: chess is no mode; there is pnl_race_pct'],
    [['--config', 'nowhere.config.ts'], 'nowhere.config.ts'],
  ])('is refused with %j', async (args, message) => {
    const refused = run(['scout', '--data-dir', newFolder(), ...args])
    expect(await refused.exited).toBe(2)
    expect(refused.stderr()).toContain(message)
  })

  test('records prices and says so while the service is away', async () => {
    const sandbox = await startSandboxProcess(['--port', '0', '--agents', 'alice,bob'])
    sandboxes.push(sandbox)
    await using service = await startRawServer((call) => (call.path.startsWith('/jup/') ? void hand(call, sandbox.url) : call.reset()))
    const env = { ...Object.fromEntries(sandbox.agents.map(({ name, key }) => [`${name.toUpperCase()}_KEY`, key])), SCOUT_URL: service.url }
    const scout = run(['scout', '--config', CONFIG, '--data-dir', newFolder(), '--json'], env)
    await scout.logged(({ msg }) => msg.includes('does not answer'))
    await scout.logged(({ msg }) => msg.includes('prices are recorded meanwhile'))
    await delay(2000)
    service.answer = (call) => void hand(call, sandbox.url)
    await expect.poll(() => service.calls.some(({ path }) => path.includes('contests.list')), { timeout: 60_000 }).toBe(true)
    await delay(1000)
    scout.child.kill('SIGINT')
    expect(await scout.exited, scout.stderr()).toBe(0)
    const report = jsonOf<ScoutReport>(scout)
    expect(report.contests?.seen).toBeGreaterThan(0)
    expect(checkLog(report.recording)).toEqual([])
    const headers = linesOf(report.recording).flatMap((line) => (line.kind === 'header' ? [line] : []))
    expect(headers.map(({ agentId }) => agentId === null)).toEqual([true, false])
    expect(linesOf(report.recording).filter(({ kind }) => kind === 'prices').length).toBe(report.ticks)
  })
})
