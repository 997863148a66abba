import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { commitmentOf } from '../../contract/commitment.ts'
import { readEvent } from '../../contract/events.ts'
import { PROCEDURE_NAMES, type ProcedureName, procedures } from '../../contract/procedures.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox({ readLimit: 100_000 })
})
afterAll(() => sandbox.close())

const contestSchema = z.looseObject({
  contestId: z.string(),
  status: z.string(),
  entries: z.array(z.looseObject({ userId: z.string().nullable() })),
})
const listSchema = z.looseObject({ items: z.array(contestSchema) })

async function read(name: ProcedureName, input?: unknown, key?: string): Promise<unknown> {
  return outputOf(await sandbox.get(name, input, key))
}
async function act(name: ProcedureName, input?: unknown, key?: string): Promise<unknown> {
  return outputOf(await sandbox.post(name, input, key))
}
const openContest = async (mode: string) =>
  listSchema.parse(await read('agent.contests.list', { modes: [mode], status: 'open', sort: 'stake' })).items[0]

/** Fields that the schemas of the contract, being lenient, would not miss. */
const FIELDS: Partial<Record<ProcedureName, readonly string[]>> = {
  'agent.me': ['agent', 'bankroll', 'exposure', 'rank', 'stats', 'activeContests', 'openTickets'],
  'agent.profile': ['profile', 'wallet', 'caps', 'keyPrefix', 'webhookUrl'],
  'agent.bankroll': ['available', 'wallet', 'vault', 'inPlay', 'gasLamports', 'walletAddress'],
  'agent.limits': ['maxStake', 'dailyLossCap', 'lostToday', 'inPlay', 'remaining', 'resetsAt'],
  'agent.stats': ['overall', 'agents', 'humans', 'mixed'],
  'agent.history': ['items', 'nextCursor'],
  'agent.leaderboard': ['items', 'nextCursor', 'computedAt', 'me'],
  'agent.events': ['events', 'cursor'],
  'agent.queue.get': ['ticketId', 'status', 'mode', 'stake', 'durationSec', 'opponents', 'chain', 'createdAt', 'expiresAt', 'contestId'],
  'agent.contests.get': [
    'contestId',
    'mode',
    'chain',
    'format',
    'status',
    'stake',
    'durationSec',
    'capacity',
    'filled',
    'lane',
    'visibility',
    'params',
    'startsAt',
    'endsAt',
    'entries',
    'you',
  ],
  'agent.modes.state': ['contestId', 'mode', 'phase', 'entryId'],
}

const TRADING: readonly ProcedureName[] = ['agent.trade.signAndSend', 'agent.tx.status']

test('every procedure answers, in the shape of the contract', async () => {
  const answers = new Map<ProcedureName, unknown>()
  const keep = async (name: ProcedureName, input?: unknown) => {
    const output = procedures[name].kind === 'read' ? await read(name, input) : await act(name, input)
    answers.set(name, output)
    return output
  }
  const idOf = async (mode: string) => ({ contestId: (await openContest(mode))?.contestId ?? '' })
  const ticket = { mode: 'up_down', stake: '2000000', durationSec: 15 }

  const cancelled = z.looseObject({ ticketId: z.string() }).parse(await act('agent.queue.enqueue', { ...ticket, waitSec: 60 }))
  expect(await keep('agent.queue.cancel', { ticketId: cancelled.ticketId })).toMatchObject({ status: 'cancelled' })
  const { ticketId } = z.looseObject({ ticketId: z.string() }).parse(await keep('agent.queue.enqueue', ticket))
  sandbox.advance(3000)
  expect(await keep('agent.queue.get', { ticketId })).toMatchObject({ status: 'matched' })

  const own = await keep('agent.contests.create', { mode: 'up_down', chain: 'solana', format: 'lobby', stake: '1000000', durationSec: 20 })
  expect(own).toMatchObject({ capacity: 10, filled: 1, visibility: 'public' })
  await keep('agent.contests.leave', { contestId: contestSchema.parse(own).contestId })

  const draft = await idOf('draft_basket')
  await keep('agent.contests.join', draft)
  expect(await keep('agent.contests.ready', draft)).toMatchObject({ status: 'live' })
  let picking = z.looseObject({ yourTurn: z.boolean(), available: z.array(z.string()) }).parse(await read('agent.modes.state', draft))
  while (!picking.yourTurn) {
    sandbox.advance(500)
    picking = z.looseObject({ yourTurn: z.boolean(), available: z.array(z.string()) }).parse(await read('agent.modes.state', draft))
  }
  expect(await keep('agent.modes.draftPick', { ...draft, token: picking.available[2] })).toMatchObject({ mine: [picking.available[2]] })

  const prediction = await idOf('price_prediction')
  await act('agent.contests.join', prediction)
  await act('agent.contests.ready', prediction)
  const { entryId } = z.looseObject({ entryId: z.string() }).parse(await keep('agent.modes.state', prediction))
  const salt = 'a-salt-of-our-own'
  const commitment = commitmentOf('1.5', salt, entryId)
  expect(await keep('agent.modes.commitPrediction', { ...prediction, commitment })).toMatchObject({ committed: true })
  sandbox.advance(26_000)
  expect(await keep('agent.modes.revealPrediction', { ...prediction, value: '1.50', salt })).toMatchObject({ revealed: true })
  sandbox.advance(30_000)
  expect(await keep('agent.contests.get', prediction)).toMatchObject({ status: 'settled' })

  for (const name of PROCEDURE_NAMES) {
    if (answers.has(name) || TRADING.includes(name)) continue
    await keep(name, name === 'agent.events' ? { after: null } : null)
  }
  expect([...answers.keys(), ...TRADING].toSorted()).toEqual([...PROCEDURE_NAMES].toSorted())
  for (const [name, output] of answers) {
    expect({ name, problem: procedures[name].output.safeParse(output).error }).toEqual({ name, problem: undefined })
    for (const field of FIELDS[name] ?? []) expect({ name, output }).toHaveProperty(['output', field])
  }
  expect(answers.get('agent.history')).toMatchObject({ items: [{}, {}, {}] })
  expect(answers.get('agent.profile')).toMatchObject({ keyPrefix: sandbox.agents[0]?.key.slice(0, 9), webhookUrl: null })
})

describe('agent.events', () => {
  const pageSchema = z.object({ events: z.array(z.looseObject({ id: z.string() })), cursor: z.string().nullable() })
  const page = async (input: unknown, key?: string) => pageSchema.parse(await read('agent.events', input, key))

  test('gives the whole stream, oldest first, in pages that join', async () => {
    const all = await page({ after: null, limit: 100 })
    expect(all.events.length).toBeGreaterThan(8)
    const joined: { id: string }[] = []
    let cursor: string | null = null
    for (;;) {
      const next: z.infer<typeof pageSchema> = await page({ after: cursor, limit: 3 })
      if (next.events.length === 0) {
        expect(next.cursor).toBe(cursor)
        break
      }
      expect(next.events.length).toBeLessThanOrEqual(3)
      expect(next.cursor).toBe(next.events.at(-1)?.id)
      joined.push(...next.events)
      cursor = next.cursor
    }
    expect(joined).toEqual(all.events)
    expect(joined.map(({ id }) => id)).toEqual(joined.map(({ id }) => id).toSorted())
    for (const event of joined) expect(readEvent(event)).toMatchObject({ ok: true })
  })

  test('latest gives the newest cursor alone', async () => {
    const { events } = await page({ after: null, limit: 100 })
    expect(await page({ latest: true })).toEqual({ events: [], cursor: events.at(-1)?.id })
  })

  test('an agent to whom nothing has happened has no cursor', async () => {
    const bob = sandbox.agents[1]?.key
    expect(await page({ latest: true }, bob)).toEqual({ events: [], cursor: null })
    expect(await page({ after: null }, bob)).toEqual({ events: [], cursor: null })
  })
})
