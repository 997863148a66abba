import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { map } from 'rxjs'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../src/cli/log.ts'
import { Fleet } from '../../src/cli/runs/start/fleet.ts'
import { serviceClock } from '../../src/cli/runs/start/serviceClock.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import { enqueue, swap } from '../../src/strategy/action.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { defineQueuePolicy, defineTrader } from '../../src/strategy/define.ts'
import { readChain } from '../support/chainReading.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { IS_LONG, inLong } from '../support/suite/long.ts'
import { expectBooksOnChain, moneyOf } from '../support/walletBooks.ts'

// Bots that swap without pause on a service that loses answers, fails and dawdles: their books are the chain's. There are
// many, since a wallet waits about a minute after a server error: until then the swap could still land.

const FAULTS = { dropAfter: 0.1, error500: 0.1, latencyMs: [0, 800] }
const BOTS = Array.from({ length: 24 }, (_, index) => `bot-${index}`)
const CONTEST_SEC = inLong(130, 60)
const LEAST_SWAPS = inLong(200)
const LIMIT_MS = 20 * 60_000

const folder = mkdtempSync(join(tmpdir(), 'swap-faults-'))
let sandbox: SandboxProcess | undefined
afterAll(async () => {
  await sandbox?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const enter = defineQueuePolicy({
  name: 'enter',
  params: z.object({}),
  everySec: 2,
  decide: ({ tickets, contests, stats }) =>
    tickets.length + contests.length + stats.settled > 0
      ? []
      : [enqueue({ mode: 'pnl_usd', stake: usdc('1'), durationSec: CONTEST_SEC, waitSec: 60 })],
})

/** Buys with one swap and sells all of it with the next. */
const pendulum = defineTrader({
  name: 'pendulum',
  modes: ['pnl_usd'],
  params: z.object({}),
  trade: ({ every, positions$ }) => {
    let held = 0n
    positions$.subscribe(({ holdings }) => {
      held = holdings[0]?.amount ?? 0n
    })
    return every(0.5).pipe(
      map(() =>
        held === 0n ? swap({ from: USDC_MINT, to: SOL_MINT, amount: usdc('2') }) : swap({ from: SOL_MINT, to: USDC_MINT, amount: held }),
      ),
    )
  },
})

const config = readConfig(
  {
    service: { kind: 'contestService', url: 'http://127.0.0.1:1', sandbox: true },
    bots: BOTS.map((name) => ({
      name,
      agentKey: { secret: `UNUSED_${name.toUpperCase().replace('-', '_')}` },
      strategies: [enter(), pendulum()],
      guard: { maxStake: usdc('5'), dailyLoss: usdc('100'), maxSwapsPerContest: 10_000, maxSwapsPerMinute: 600 },
    })),
  },
  'test',
)

test(`after ${LEAST_SWAPS} swaps none happened twice, none is forgotten, and the books are the chain's`, {
  timeout: LIMIT_MS + 60_000,
}, async () => {
  const service = await startSandboxProcess(['--agents', BOTS.join(), '--faults', JSON.stringify(FAULTS), '--read-limit', '100000'])
  sandbox = service
  const before = new Map(
    await Promise.all(service.agents.map(async (agent) => [agent.name, await readChain(service, agent.wallet)] as const)),
  )
  const { url } = service
  const access = {
    url,
    prices: { url: `${url}/jup/price/v3`, apiKey: undefined },
    swaps: { swapUrl: `${url}/jup/swap/v1`, apiKey: undefined, rpcUrl: `${url}/rpc` },
    keys: new Map(service.agents.map(({ name, key }) => [name, key])),
    timeoutMs: 2000,
    sandbox: undefined,
    close: () => Promise.resolve(),
  }
  const lines: string[] = []
  const log = createLog({ pretty: false, sink: { write: (line) => void lines.push(line) } })
  const fleet = new Fleet({ config, access, dataDir: folder, clock: serviceClock(systemClock, log), log })
  const until = performance.now() + LIMIT_MS
  const settled = () => fleet.bots.every((bot) => (bot.status()?.books.byMode.get('pnl_usd')?.results ?? undefined) !== undefined)
  while (!settled() && performance.now() < until) await delay(500)
  // What is left over is sold by then: on a service with faults the unluckiest of them would wait for minutes.
  if (!IS_LONG) await heal(service)
  fleet.drain()
  await Promise.race([fleet.ended(), delay(Math.max(0, until - performance.now()))])
  const actions = fleet.bots.map((bot) => ({ name: bot.name, phase: bot.phase, ...bot.status()?.actions }))
  await fleet.stop()
  expect(
    actions.map(({ phase, unknown }) => ({ phase, unknown })),
    lines.slice(-30).join(''),
  ).toEqual(BOTS.map(() => ({ phase: 'drained', unknown: 0 })))

  let filled = 0
  for (const agent of service.agents) {
    const { fills, profit, open } = moneyOf(folder, agent)
    const start = before.get(agent.name)
    if (start === undefined) throw new Error(`nothing was read of ${agent.name}`)
    expect(open, `${agent.name}: nothing is left open`).toBe(0)
    await expectBooksOnChain(service, agent, { fills, profit, before: start })
    filled += fills.length
  }
  const lost = lines.filter((line) => line.includes('it counts as sent until the chain shows otherwise')).length
  console.log(`${filled} swaps executed by ${BOTS.length} bots, ${lost} answers lost`)
  expect(filled).toBeGreaterThanOrEqual(LEAST_SWAPS)
  expect(lost, 'a run without a lost answer shows nothing').toBeGreaterThan(LEAST_SWAPS / 20)
})

async function heal({ url, ownerToken }: SandboxProcess): Promise<void> {
  const headers = { 'x-owner-token': ownerToken, 'content-type': 'application/json' }
  expect((await fetch(`${url}/owner/faults`, { method: 'POST', headers, body: '{}' })).status).toBe(200)
}
