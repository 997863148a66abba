import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { auditContests } from '../../src/contests/index.ts'
import { keyedRandom, type Random } from '../../src/core/random.ts'
import { createPriceReplay } from '../../src/sandbox/prices/priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from '../../src/sandbox/prices/readPriceFile.ts'
import { foldStore, verifyStore } from '../../src/sandbox/store/fold.ts'
import { SandboxStore } from '../../src/sandbox/store/sandboxStore.ts'
import { isGenuine, openReceiver } from '../../src/sandbox/testReceiver.ts'
import { type SandboxAgentKey, type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'

// The sandbox is killed at moments it knows nothing of, while many agents act, and must know afterwards
// all that it said it had done. (That a commit is on the disk at all no kill can show: the pragmas are
// asserted beside `openDatabase`.)

const KILLS = 50
const AGENTS = 20
const SEED = 7
/** Seeds the moments and what the agents do; when they do it is the machine's. */
const LOAD_SEED = 1041
/** It takes about three minutes on two cores that have nothing else to do. */
const LIMIT_MS = 10 * 60_000

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

/** Something the sandbox said it had done. */
type Acknowledged =
  | { readonly name: string; readonly ticketId: string; readonly cancelled: boolean }
  | { readonly name: string; readonly contestId: string; readonly ready: boolean }

const replay = createPriceReplay(readPriceFile(DEFAULT_PRICE_FILE), SEED)

/** Looks at the file while no sandbox has it: the log gives the stored events to the byte, and its books balance. */
function inspect(): { commands: number; events: number } {
  const database = new DatabaseSync(file)
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
  const store = new SandboxStore(file, { seed: SEED, rakeBps: 500, prices: replay.fingerprint }, 0)
  try {
    const { commands, events, mismatch } = verifyStore(store, replay.mints)
    expect(mismatch).toBeNull()
    expect(commands).toBe(store.lastSeq)
    expect(auditContests(foldStore(store, replay.mints))).toEqual([])
    return { commands, events }
  } finally {
    store.close()
  }
}

/** One agent acts until the sandbox is gone, and notes what was acknowledged. */
async function act(sandbox: SandboxProcess, agent: SandboxAgentKey, random: Random, acknowledged: Acknowledged[]): Promise<void> {
  const { name } = agent
  const call = async (procedure: string, input: unknown) => {
    const answer = await sandbox.call(agent, procedure, input)
    return 'output' in answer ? (answer.output as Record<string, string>) : undefined
  }
  const terms = { mode: 'up_down', stake: '1000000', durationSec: 15 }
  try {
    for (;;) {
      const mode = random.pick(['up_down', 'draft_basket', 'price_prediction'])
      const ticket = await call('agent.queue.enqueue', { ...terms, mode, stake: String(random.integer(1, 5_000_000)) })
      if (ticket?.ticketId !== undefined) {
        acknowledged.push({ name, ticketId: ticket.ticketId, cancelled: false })
        const isCancelled = random.next() < 0.5 && (await call('agent.queue.cancel', { ticketId: ticket.ticketId })) !== undefined
        if (isCancelled) acknowledged.push({ name, ticketId: ticket.ticketId, cancelled: true })
      }
      const contest = await call('agent.contests.create', { ...terms, chain: 'solana', format: 'duel', joinWindowSec: 3600 })
      if (contest?.contestId === undefined) continue
      const { contestId } = contest
      acknowledged.push({ name, contestId, ready: false })
      if ((await call('agent.contests.ready', { contestId })) !== undefined) acknowledged.push({ name, contestId, ready: true })
    }
  } catch (gone) {
    // The process was killed in the middle of a call: what it did of it nobody was told.
    if (sandbox.run.child.signalCode === null && !sandbox.run.child.killed) throw gone
  }
}

/** All that was acknowledged is there, as each agent sees it. */
async function check(sandbox: SandboxProcess, acknowledged: readonly Acknowledged[]): Promise<void> {
  const ofAgent = (name: string) => acknowledged.filter((done) => done.name === name)
  await Promise.all(sandbox.agents.map((agent) => checkAgent(sandbox, agent, ofAgent(agent.name))))
}

async function checkAgent(sandbox: SandboxProcess, agent: SandboxAgentKey, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const done of acknowledged) {
    if ('ticketId' in done) {
      const { ticketId } = done
      const status = done.cancelled ? 'cancelled' : expect.stringMatching(/^(queued|matched|expired|failed|cancelled)$/)
      expect(await sandbox.call(agent, 'agent.queue.get', { ticketId })).toMatchObject({ output: { ticketId, status } })
    } else {
      const { contestId } = done
      const you = done.ready ? { ready: true } : {}
      expect(await sandbox.call(agent, 'agent.contests.get', { contestId })).toMatchObject({ output: { contestId, you } })
    }
  }
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
  `after each of ${KILLS} kills under load every acknowledged command is there, and events are in order without a gap`,
  async () => {
    const moments = keyedRandom(LOAD_SEED, 'kill')
    const receiver = await openReceiver()
    const followed = new Map<string, string[]>(names.map((name) => [name, []]))
    const everything: Acknowledged[] = []
    let acknowledged: Acknowledged[] = []
    let secret = ''
    for (let life = 0; life <= KILLS; life++) {
      const sandbox = life === 0 ? await start('--webhook', `agent0=${receiver.url}`) : await start()
      secret = sandbox.agents[0]?.webhookSecret ?? secret
      await check(sandbox, acknowledged)
      const follow = async (agent: SandboxAgentKey) => {
        const seen = followed.get(agent.name) ?? []
        seen.push(...(await newEvents(sandbox, agent, seen.at(-1) ?? null)))
      }
      await Promise.all(sandbox.agents.map(follow))
      everything.push(...acknowledged)
      acknowledged = []
      if (life === KILLS) break
      const acting = sandbox.agents.map((agent) => act(sandbox, agent, keyedRandom(LOAD_SEED, agent.name, life), acknowledged))
      // Real time: the process is to be killed at a moment nothing in it knows of.
      await new Promise((resolve) => setTimeout(resolve, moments.integer(20, 900)))
      await sandbox.kill()
      await Promise.all(acting)
      inspect()
    }

    const last = processes.at(-1)
    if (last === undefined) throw new Error('no sandbox runs')
    await check(last, everything)
    for (const agent of last.agents) {
      const whole = await newEvents(last, agent, null)
      // As it was followed over all the kills: nothing lost, nothing twice, nothing put in between.
      expect(followed.get(agent.name)).toEqual(whole.slice(0, followed.get(agent.name)?.length))
      expect(whole).toEqual([...new Set(whole)].toSorted())
    }
    while (pendingOf(await last.owner('webhook?agent=agent0')) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
    await last.kill()
    const { commands, events } = inspect()
    const delivered = new Set(receiver.received.map(({ body }) => body.id))
    expect(followed.get('agent0')?.filter((id) => !delivered.has(id))).toEqual([])
    expect(receiver.received.every((one) => isGenuine(one, secret, Number(one.headers['x-svc-timestamp']) * 1000))).toBe(true)
    await receiver.close()
    // The test is worth what was going on: with less it would show nothing.
    console.info(
      `${KILLS} kills, ${everything.length} acknowledged commands, ${commands} in the log, ${events} events, ${delivered.size} webhooks`,
    )
    expect(everything.length).toBeGreaterThan(10 * KILLS)
    expect(delivered.size).toBeGreaterThan(KILLS)
  },
  LIMIT_MS,
)

const pendingOf = (view: unknown): number => (view as { pending: number }).pending
