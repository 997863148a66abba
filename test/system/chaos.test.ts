import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { afterAll, expect, test } from 'vitest'
import shipped from '../../bots.config.ts'
import { accountsAgree, effectsAtService } from '../../src/cli/runs/fleet/demo/effects.ts'
import { refold, unrevealedOf } from '../../src/cli/runs/fleet/demo/refold.ts'
import type { StartReport } from '../../src/cli/runs/start/report.ts'
import { MODES } from '../../src/contract/enums.ts'
import { createPriceReplay } from '../../src/sandbox/prices/priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from '../../src/sandbox/prices/readPriceFile.ts'
import { SandboxStore } from '../../src/sandbox/store/sandboxStore.ts'
import { eventsAtService, eventsInJournal, mostReadsAMinute } from '../support/chaos/audit.ts'
import { journalOf } from '../support/crashMatrix/afterwards.ts'
import { lastingPort } from '../support/lastingPort.ts'
import { type CornermanRun, jsonOf, runCornerman } from '../support/runCornerman.ts'
import { type SandboxAgentKey, type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { inLong } from '../support/suite/long.ts'

// Ten bots on a service that loses, fails, refuses and repeats, while bots and service are killed again and again. A minute, two
// with `LONG_TESTS=yes`, or as many as CHAOS_MINUTES says. CHAOS_KEEP names a folder that the files of the run are left in, for a look.

const MINUTES = Number(process.env.CHAOS_MINUTES ?? inLong(2, 1))
const SEED = 11
const BOT_KILL_MS = 5000
/** A mode that is not played by then is not played at all. */
const MOST_MORE_MS = 15 * 60_000
const SANDBOX_KILL_MS = 20_000
const FAULTS = JSON.stringify({
  dropBefore: 0.05,
  dropAfter: 0.1,
  error500: 0.05,
  rateLimited: 0.05,
  webhookDuplicate: 0.3,
  webhookShuffle: 0.3,
  pollDuplicate: 0.1,
})
const BOTS = Array.from({ length: 10 }, (_, index) => `bot-${index}`)
/** Two bots in a process. */
const PAIRS = BOTS.flatMap((bot, index) => (index % 2 === 0 ? [[bot, BOTS[index + 1] ?? bot] as const] : []))
const CONFIG = fileURLToPath(new URL('../support/chaos/bots.config.ts', import.meta.url))

const kept = process.env.CHAOS_KEEP
const folder = kept ?? mkdtempSync(join(tmpdir(), 'chaos-'))
if (kept !== undefined) mkdirSync(kept, { recursive: true })
const [db, calls, dataDir] = [join(folder, 'sandbox.db'), join(folder, 'calls.ndjson'), join(folder, 'data')]
const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
})

test('nothing is lost, nothing is done twice, and every recording replays', { timeout: (MINUTES + 30) * 60_000 }, async () => {
  const port = await lastingPort()
  const hookPorts = await Promise.all(PAIRS.map(lastingPort))
  const hooks = PAIRS.flatMap((pair, index) =>
    pair.flatMap((bot) => ['--webhook', `${bot}=http://127.0.0.1:${hookPorts[index]}/webhooks/${bot}`]),
  )
  const flags = ['--port', String(port), '--db', db, '--seed', String(SEED), '--calls', calls, '--loopback-webhooks', '--faults', FAULTS]
  const open = async (...more: string[]): Promise<SandboxProcess> => {
    const started = await startSandboxProcess([...flags, ...more])
    runs.push(started.run)
    return started
  }
  let sandbox = await open('--agents', BOTS.join(), ...hooks)
  const agents = new Map(sandbox.agents.map((agent) => [agent.name, agent]))
  const play = (index: number, ...args: string[]): CornermanRun => {
    const pair = PAIRS[index] ?? []
    const secrets = pair.flatMap((bot) => {
      const { key = '', webhookSecret = '' } = agents.get(bot) ?? ({} as Partial<SandboxAgentKey>)
      const variable = bot.toUpperCase().replace('-', '_')
      return [
        [`${variable}_KEY`, key],
        [`${variable}_HOOK`, webhookSecret],
      ]
    })
    const env = { ...Object.fromEntries(secrets), CHAOS_URL: sandbox.url, CHAOS_BOTS: pair.join(), CHAOS_PORT: String(hookPorts[index]) }
    const run = runCornerman(['start', '--config', CONFIG, '--data-dir', dataDir, '--port', '0', '--json', ...args], { env })
    runs.push(run)
    return run
  }

  const bots = PAIRS.map((_, index) => play(index))
  const down: { readonly from: number; readonly to: number }[] = []
  const endAt = Date.now() + MINUTES * 60_000
  const agentIds = [...agents.values()].map(({ agentId }) => agentId)
  // On a machine that is busy with other things the bots come to less in the same time: it goes on until every mode was played.
  const hasPlayed = (mode: string) => runs.some((run) => run.logs().some(({ msg }) => msg.startsWith(`${mode}: `)))
  const isOver = () => Date.now() >= endAt && (MODES.every(hasPlayed) || Date.now() >= endAt + MOST_MORE_MS)
  const killBots = async () => {
    for (let kills = 0; !isOver(); kills++) {
      await delay(BOT_KILL_MS)
      const index = kills % PAIRS.length
      bots[index]?.child.kill('SIGKILL')
      await bots[index]?.exited
      bots[index] = play(index)
    }
  }
  const killSandbox = async () => {
    while (!isOver()) {
      await delay(SANDBOX_KILL_MS)
      const from = Date.now()
      await sandbox.kill()
      // Named again, an agent would get another key.
      sandbox = await open('--agents', 'keeper')
      down.push({ from, to: Date.now() })
    }
  }
  await Promise.all([killBots(), killSandbox()])

  const quiet = await fetch(`${sandbox.url}/owner/faults`, {
    method: 'POST',
    headers: { 'x-owner-token': sandbox.ownerToken, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(quiet.status).toBe(200)
  for (const bot of bots) {
    bot.child.kill('SIGKILL')
    await bot.exited
  }
  const ends = await Promise.all(
    PAIRS.map(async (_, index) => {
      const run = play(index, '--for', '5s')
      expect(await run.exited, run.stderr()).toBe(0)
      return jsonOf<StartReport>(run).bots
    }),
  )
  const reports = new Map(ends.flat().map((report) => [report.name, report]))
  const profits = new Map<string, string>()
  for (const [bot, agent] of agents) profits.set(bot, await profitAtService(sandbox, agent))
  await sandbox.kill()

  const replay = createPriceReplay(readPriceFile(DEFAULT_PRICE_FILE), SEED)
  const store = new SandboxStore(db, { seed: SEED, rakeBps: 500, prices: replay.fingerprint }, 0)
  const { state, exposures } = refold(store, replay.mints, agentIds)
  store.close()
  const most = mostReadsAMinute(calls)
  const totals = { settled: 0, events: 0, actions: 0, swaps: 0, committed: 0, missed: 0, reads: Math.max(...most.values()) }
  const modes = new Set<string>()
  for (const [bot, { agentId }] of agents) {
    const report = reports.get(bot)
    const service = eventsAtService(db, agentId)
    expect(eventsInJournal(dataDir, bot), `${bot}: events`).toEqual(service)
    const { effects, open: left } = journalOf(dataDir, bot)
    const atService = effectsAtService(db, agentId)
    expect(accountsAgree(effects, atService), `${bot} says ${JSON.stringify(effects)}, the service ${JSON.stringify(atService)}`).toBe(true)
    expect(left, `${bot}: actions without an outcome`).toEqual([])
    expect(report?.actions.unknown, bot).toBe(0)
    expect(report?.profit, `${bot}: profit`).toBe(profits.get(bot))
    const temper = shipped.bots[Number(bot.slice(-1)) % shipped.bots.length]
    const exposure = exposures.get(agentId)
    expect(exposure?.largestStake, `${bot}: stake cap`).toBeLessThanOrEqual(temper?.guard.maxStake ?? 0n)
    expect(exposure?.most, `${bot}: daily loss`).toBeLessThanOrEqual(temper?.guard.dailyLoss ?? 0n)
    const { committed, unrevealed } = unrevealedOf(state, agentId)
    const unexcused = unrevealed.filter(({ revealBy }) => !down.some(({ from, to }) => revealBy >= from && revealBy <= to + 1000))
    expect(unexcused, `${bot}: commitments whose time ended while the service was there`).toEqual([])
    expect(most.get(agentId) ?? 0, `${bot}: reads a minute`).toBeLessThanOrEqual(300)
    for (const mode of MODES) if ((report?.byMode[mode]?.settled ?? 0) > 0) modes.add(mode)
    totals.settled += report?.contests.settled ?? 0
    totals.events += service.length
    totals.actions += Object.values(effects).reduce((sum, count) => sum + count, 0)
    totals.swaps += effects.fill ?? 0
    totals.committed += committed
    totals.missed += unrevealed.length
  }
  console.info(`chaos of ${MINUTES} min, ${down.length} kills of the service:`, totals)
  expect(modes).toEqual(new Set(MODES))
  expect(totals.committed).toBeGreaterThan(0)

  for (const bot of BOTS) {
    const run = runCornerman(['replay', join(dataDir, 'recordings', bot), '--verify', '--json', '--config', CONFIG], {
      env: { CHAOS_URL: 'http://127.0.0.1:9', CHAOS_BOTS: BOTS.join() },
    })
    runs.push(run)
    const code = await run.exited
    const { decisions, matched, diverged } = jsonOf<{ decisions: number; matched: number; diverged: unknown[] }>(run)
    expect({ code, matched, diverged }, `${bot}: ${run.stderr()}`).toEqual({ code: 0, matched: decisions, diverged: [] })
    expect(decisions).toBeGreaterThan(inLong(20, 5))
  }
})

/** The sum over all of `agent.history`. */
async function profitAtService(sandbox: SandboxProcess, agent: SandboxAgentKey): Promise<string> {
  let profit = 0n
  for (let cursor: string | null = null; ; ) {
    const answer = await sandbox.call(agent, 'agent.history', { limit: 100, cursor })
    if (!('output' in answer)) throw new Error(`agent.history of ${agent.name}: ${answer.appCode}`)
    const page = answer.output as { items: readonly { profit: string }[]; nextCursor: string | null }
    for (const item of page.items) profit += BigInt(item.profit)
    if (page.nextCursor === null) return profit.toString()
    cursor = page.nextCursor
  }
}
