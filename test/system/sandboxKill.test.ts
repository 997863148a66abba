import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { auditContests } from '../../src/contests/index.ts'
import { keyedRandom } from '../../src/core/random.ts'
import { createPriceReplay } from '../../src/sandbox/prices/priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from '../../src/sandbox/prices/readPriceFile.ts'
import { foldStore, verifyStore } from '../../src/sandbox/store/fold.ts'
import { SandboxStore } from '../../src/sandbox/store/sandboxStore.ts'
import { type Reading, readBankroll, readChain } from '../support/chainReading.ts'
import { LedgerFollower } from '../support/ledgerFollower.ts'
import { isGenuine, openReceiver } from '../support/sandbox/openReceiver.ts'
import { act, check, type Deeds } from '../support/sandboxLoad.ts'
import { type SandboxAgentKey, type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { countTrades, resendTrades } from '../support/sandboxTrades.ts'
import { inLong } from '../support/suite/long.ts'

// The sandbox is killed at moments it knows nothing of, while many agents act and trade, and must know
// afterwards all that it said it had done, on the chain as in the ledger. (That a commit is on the disk at all no kill can show: the pragmas are
// asserted beside `openDatabase`.)

const KILLS = inLong(50)
const AGENTS = 20
const SEED = 7
/** Seeds the moments and what the agents do; when they do it is the machine's. */
const LOAD_SEED = 1041
/** Three to four minutes on two cores that have nothing else to do, and many times that beside other work: this ends what hangs. */
const LIMIT_MS = 30 * 60_000

const folder = mkdtempSync(join(tmpdir(), 'cornerman-'))
const file = join(folder, 'sandbox.db')
const processes: SandboxProcess[] = []
afterAll(async () => {
  for (const running of processes) running.run.child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const names = Array.from({ length: AGENTS }, (_, index) => `agent${index}`)
const flags = ['--db', file, '--seed', String(SEED), '--agents', names.join(), '--balance', '1000000', '--daily-loss-cap', '1000000']

async function start(...more: string[]): Promise<SandboxProcess> {
  const running = await startSandboxProcess([...flags, '--read-limit', '1000000', '--loopback-webhooks', ...more])
  processes.push(running)
  return running
}

const replay = createPriceReplay(readPriceFile(DEFAULT_PRICE_FILE), SEED)

let follower: LedgerFollower | undefined

/**
 * Looks at the file while no sandbox has it: the log gives the stored events to the byte, its books balance, and
 * what was read of the chain, and what is stored of it, is what the ledger says.
 */
function inspect(readings: readonly Reading[]): { commands: number; events: number; ledger: LedgerFollower } {
  const database = new DatabaseSync(file)
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const landed = database.prepare('SELECT count(*) AS count FROM transactions WHERE landing IS NOT NULL').get()?.count
  database.close()
  const store = new SandboxStore(file, { seed: SEED, rakeBps: 500, prices: replay.fingerprint }, 0)
  try {
    const { commands, events, mismatch } = verifyStore(store, replay.mints)
    expect(mismatch).toBeNull()
    expect(commands).toBe(store.lastSeq)
    expect(auditContests(foldStore(store, replay.mints))).toEqual([])
    follower ??= new LedgerFollower(store, replay.mints)
    expect(follower.follow(store, readings)).toEqual([])
    expect(landed).toBe(follower.booked.size)
    return { commands, events, ledger: follower }
  } finally {
    store.close()
  }
}

/** What everybody has, by the service and by the chain. */
async function readAll(sandbox: SandboxProcess): Promise<Reading[]> {
  const readings = await Promise.all(sandbox.agents.map((agent) => readBankroll(sandbox, agent)))
  // One after the other: the shorter a reading takes, the less may happen in it.
  for (const owner of follower?.owners() ?? []) readings.push(await readChain(sandbox, owner))
  return readings
}

/** What has come to an agent's stream after a cursor. */
async function newEvents(sandbox: SandboxProcess, agent: SandboxAgentKey, after: string | null): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = after; ; ) {
    const answer = await sandbox.call(agent, 'agent.events', { after: cursor, limit: 100 })
    const { events, cursor: next } = (answer as { output: { events: { id: string }[]; cursor: string | null } }).output
    if (events.length === 0) return ids
    ids.push(...events.map(({ id }) => id))
    cursor = next
  }
}

test(
  `after each of ${KILLS} kills under load every acknowledged command is there, events are in order without a gap, and the chain has what the ledger says`,
  async () => {
    const moments = keyedRandom(LOAD_SEED, 'kill')
    const receiver = await openReceiver()
    const followed = new Map<string, string[]>(names.map((name) => [name, []]))
    const everything: Deeds[] = []
    let done: readonly Deeds[] = []
    let readings: readonly Reading[] = []
    let secret = ''
    for (let life = 0; life <= KILLS; life++) {
      const sandbox = life === 0 ? await start('--webhook', `agent0=${receiver.url}`) : await start()
      secret = sandbox.agents[0]?.webhookSecret ?? secret
      const takeUp = async (agent: SandboxAgentKey): Promise<Deeds> => {
        const before = done.find((deeds) => deeds.agent.name === agent.name)
        const seen = followed.get(agent.name) ?? []
        seen.push(...(await newEvents(sandbox, agent, seen.at(-1) ?? null)))
        if (before === undefined) return { agent, acknowledged: [], trades: [] }
        await check(sandbox, agent, before)
        return { agent, acknowledged: [], trades: await resendTrades(sandbox, agent, before.trades) }
      }
      done = await Promise.all(sandbox.agents.map(takeUp))
      everything.push(...done)
      readings = await readAll(sandbox)
      if (life === KILLS) break
      const acting = done.map((deeds) => act(sandbox, deeds, [LOAD_SEED, life]))
      // Real time: the process is to be killed at a moment nothing in it knows of.
      await new Promise((resolve) => setTimeout(resolve, moments.integer(20, 900)))
      await sandbox.kill()
      await Promise.all(acting)
      expect(sandbox.run.logs()).toEqual([])
      inspect(readings)
    }

    const last = processes.at(-1)
    if (last === undefined) throw new Error('no sandbox runs')
    for (const agent of last.agents) {
      for (const deeds of everything.filter((one) => one.agent.name === agent.name)) await check(last, agent, deeds)
      const whole = await newEvents(last, agent, null)
      // As it was followed over all the kills: nothing lost, nothing twice, nothing put in between.
      expect(followed.get(agent.name)).toEqual(whole.slice(0, followed.get(agent.name)?.length))
      expect(whole).toEqual([...new Set(whole)].toSorted())
    }
    while (pendingOf(await last.owner('webhook?agent=agent0')) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
    await last.kill()
    const { commands, events, ledger } = inspect(readings)
    const delivered = new Set(receiver.received.map(({ body }) => body.id))
    expect(followed.get('agent0')?.filter((id) => !delivered.has(id))).toEqual([])
    expect(receiver.received.every((one) => isGenuine(one, secret, Number(one.headers['x-svc-timestamp']) * 1000))).toBe(true)
    await receiver.close()
    const acknowledged = everything.flatMap((deeds) => deeds.acknowledged)
    const { known, landed, counted, lost } = countTrades(everything.flatMap(({ trades }) => trades))
    // The test is worth what was going on: with less it would show nothing.
    console.info(
      `${KILLS} kills, ${acknowledged.length} acknowledged commands, ${commands} in the log, ${events} events, ${delivered.size} webhooks`,
      `\n${known} acknowledged swaps, ${landed} of them seen to land, ${counted} for a contest, ${lost} answers lost; balances compared:`,
      ledger.compared,
    )
    expect(acknowledged.length).toBeGreaterThan(10 * KILLS)
    expect(delivered.size).toBeGreaterThan(KILLS)
    expect(landed).toBeGreaterThan(3 * KILLS)
    expect(counted).toBeGreaterThan(KILLS / 2)
    expect(lost).toBeGreaterThan(0)
    expect(ledger.compared.held).toBeGreaterThan(2 * AGENTS * KILLS)
  },
  LIMIT_MS,
)

const pendingOf = (view: unknown): number => (view as { pending: number }).pending
