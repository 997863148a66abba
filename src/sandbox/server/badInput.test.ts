import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorOf, type HttpAnswer, openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { saveContests } from '../../contests/index.ts'
import { PROCEDURE_NAMES, type ProcedureName, procedures } from '../../contract/procedures.ts'
import { tokenOf } from '../../core/tokens.ts'

// Every procedure of the contract, each with inputs that are wrong in one way. A new procedure is
// covered once it is listed below, and does not compile until it is.

const UNKNOWN_ID = '01234567-89ab-7def-8123-456789abcdef'
const HUGE = 'x'.repeat(10_000)
const SOL = tokenOf('SOL')?.mint ?? ''

let sandbox: TestSandbox
let contestId = ''
let ticketId = ''

beforeAll(async () => {
  sandbox = await openTestSandbox({ house: false, readLimit: 100_000 })
  const bob = sandbox.agents[1]?.key ?? ''
  const contest = { mode: 'draft_basket', chain: 'solana', format: 'duel', stake: '1000000', durationSec: 15, joinWindowSec: 3600 }
  contestId = (outputOf(await sandbox.post('agent.contests.create', contest, bob)) as { contestId: string }).contestId
  const ticket = { mode: 'up_down', stake: '1000000', durationSec: 15, waitSec: 3600 }
  ticketId = (outputOf(await sandbox.post('agent.queue.enqueue', ticket, bob)) as { ticketId: string }).ticketId
})
afterAll(() => sandbox.close())

/** Inputs of the right form, every optional field in place; `{}` where there is none. */
const inputs = (): Readonly<Record<ProcedureName, Readonly<Record<string, unknown>>>> => ({
  'agent.me': {},
  'agent.profile': {},
  'agent.bankroll': {},
  'agent.limits': {},
  'agent.rank': {},
  'agent.stats': {},
  'agent.history': { versus: 'HUMAN', cursor: null, limit: 20 },
  'agent.leaderboard': { metric: 'rank', period: '7d', cursor: 0, limit: 50 },
  'agent.events': { after: null, limit: 50 },
  'agent.queue.enqueue': { mode: 'up_down', stake: '2000000', durationSec: 15, opponents: 'ANY', chain: 'solana', waitSec: 60 },
  'agent.queue.get': { ticketId },
  'agent.queue.list': {},
  'agent.queue.cancel': { ticketId },
  'agent.contests.list': {
    lane: 'MIXED',
    modes: ['up_down'],
    chain: 'solana',
    format: 'duel',
    status: 'open',
    minStake: '1',
    maxStake: '9',
    sort: 'newest',
    cursor: null,
    limit: 5,
  },
  'agent.contests.counts': { lane: 'MIXED', modes: ['up_down'], chain: 'solana', format: 'duel', minStake: '1', maxStake: '9' },
  'agent.contests.get': { contestId },
  'agent.contests.mine': {},
  'agent.contests.create': {
    mode: 'draft_basket',
    chain: 'solana',
    format: 'lobby',
    stake: '1000000',
    durationSec: 15,
    opponents: 'ANY',
    visibility: 'public',
    capacity: 4,
    teamSize: 2,
    joinWindowSec: 60,
    params: { picks: 1 },
  },
  'agent.contests.join': { contestId, side: 'UP' },
  'agent.contests.leave': { contestId },
  'agent.contests.ready': { contestId, ready: true },
  'agent.modes.state': { contestId },
  'agent.modes.draftPick': { contestId, token: SOL },
  'agent.modes.commitPrediction': { contestId, commitment: 'a'.repeat(64) },
  'agent.modes.revealPrediction': { contestId, value: '1.5', salt: 'abcdefghijklmnop' },
  'agent.trade.signAndSend': { transaction: 'AAAA', contestId },
  'agent.tx.status': { signature: 'x'.repeat(88) },
})

const AMOUNT_FIELDS = ['stake', 'minStake', 'maxStake']
const ID_FIELDS = ['contestId', 'ticketId']

const call = (name: ProcedureName, input: unknown, key?: string | null): Promise<HttpAnswer> =>
  procedures[name].kind === 'read' ? sandbox.get(name, input, key) : sandbox.post(name, input, key)

/** All that a refused call must leave as it was. */
const stateNow = () => [createHash('sha256').update(sandbox.service.read(saveContests)).digest('hex'), sandbox.service.store.lastSeq]

async function expectRefused(send: () => Promise<HttpAnswer>, status: number, appCode: string): Promise<void> {
  const before = stateNow()
  const answer = await send()
  const said = errorOf(answer)
  expect({ status: answer.status, appCode: said.appCode, message: said.message }).toEqual({
    status,
    appCode,
    message: expect.stringMatching(/\S/),
  })
  expect(said.message.length).toBeLessThan(400)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(JSON.stringify(answer.body)).not.toMatch(/\n\s+at |\.ts:\d|node_modules/)
  expect(stateNow()).toEqual(before)
}

/** Actions are counted by the minute, by a clock that stands still here; the command leaves nothing for a refused one to catch up on. */
function nextMinute(): void {
  sandbox.advance(60_000)
  sandbox.service.dispatch({ type: 'advance' })
}

const fieldsOf = (name: ProcedureName) => Object.keys(inputs()[name])
const withField = (name: ProcedureName, field: string, value: unknown) => ({ ...inputs()[name], [field]: value })
const withoutField = (name: ProcedureName, field: string) =>
  Object.fromEntries(Object.entries(inputs()[name]).filter(([key]) => key !== field))

const fieldsAmong = (among: readonly string[]) =>
  PROCEDURE_NAMES.flatMap((name) => fieldsOf(name).flatMap((field) => (among.includes(field) ? [{ name, field }] : [])))
const everyField = PROCEDURE_NAMES.flatMap((name) => fieldsOf(name).map((field) => ({ name, field })))

describe.each(PROCEDURE_NAMES)('%s', (name) => {
  beforeEach(nextMinute)

  test('without a key, or with a wrong one, is refused before its input is looked at', async () => {
    for (const input of [inputs()[name], 42]) {
      await expectRefused(() => call(name, input, null), 401, 'AGENT_KEY_MISSING')
      await expectRefused(() => call(name, input, ''), 401, 'AGENT_KEY_MISSING')
      await expectRefused(() => call(name, input, 'ck_wrong'), 401, 'AGENT_KEY_INVALID')
    }
  })

  test('refuses another type and an unknown field', async () => {
    for (const input of [42, 'text', true, [inputs()[name]]]) await expectRefused(() => call(name, input), 400, 'INVALID_INPUT')
    await expectRefused(() => call(name, withField(name, 'nonsense', 1)), 400, 'INVALID_INPUT')
  })

  test('asks for what it needs', async () => {
    const needed = fieldsOf(name).filter((field) => !procedures[name].input.safeParse(withoutField(name, field)).success)
    for (const field of needed) await expectRefused(() => call(name, withoutField(name, field)), 400, 'INVALID_INPUT')
    for (const field of needed) {
      const { message, details } = errorOf(await call(name, withoutField(name, field)))
      expect([field, message, details]).toEqual([
        field,
        expect.stringContaining(`${field}: `),
        expect.arrayContaining([expect.objectContaining({ path: field })]),
      ])
    }
    if (needed.length > 0) await expectRefused(() => call(name, null), 400, 'INVALID_INPUT')
    else expect((await call(name, null)).status).toBe(200)
  })
})

test('the tables below cover every field of a contract with 27 procedures', () => {
  expect(PROCEDURE_NAMES).toHaveLength(27)
  expect(everyField.length).toBeGreaterThan(50)
  expect(fieldsAmong(AMOUNT_FIELDS)).toHaveLength(6)
  expect(fieldsAmong(ID_FIELDS).map(({ name }) => name)).toHaveLength(11)
})

test.each(everyField)('$name refuses a wrong type, a huge text and a deep value as $field', async ({ name, field }) => {
  nextMinute()
  for (const value of [{ not: 'this' }, HUGE, -1, 1.5, 1e300])
    await expectRefused(() => call(name, withField(name, field, value)), 400, 'INVALID_INPUT')
  const deep: unknown = JSON.parse('['.repeat(500) + ']'.repeat(500))
  await expectRefused(() => call(name, withField(name, field, deep)), 400, 'INVALID_INPUT')
})

test.each(fieldsAmong(AMOUNT_FIELDS))('$name refuses a $field that is no amount, and a stake nobody can pay', async ({ name, field }) => {
  nextMinute()
  for (const value of ['-1', '1.5', '1e6', '0x10', '', ' 1', '١', 1_000_000, '9'.repeat(25)]) {
    await expectRefused(() => call(name, withField(name, field, value)), 400, 'INVALID_INPUT')
  }
  const send = () => call(name, withField(name, field, (2n ** 70n).toString()))
  if (field === 'stake') await expectRefused(send, 403, 'STAKE_OVER_CAP')
  else expect((await send()).status).toBe(200)
})

test.each(fieldsAmong(ID_FIELDS).filter(({ name }) => name !== 'agent.trade.signAndSend'))('$name knows no such $field', async ({
  name,
  field,
}) => {
  nextMinute()
  await expectRefused(() => call(name, withField(name, field, UNKNOWN_ID)), 404, 'NOT_FOUND')
  for (const value of ['', 'x', UNKNOWN_ID.slice(1)])
    await expectRefused(() => call(name, withField(name, field, value)), 400, 'INVALID_INPUT')
})

describe("what is another agent's, or not yet time", () => {
  beforeEach(nextMinute)

  test.each<[ProcedureName, number, string]>([
    ['agent.queue.get', 404, 'NOT_FOUND'],
    ['agent.queue.cancel', 404, 'NOT_FOUND'],
    ['agent.contests.leave', 403, 'NOT_IN_CONTEST'],
    ['agent.contests.ready', 403, 'NOT_IN_CONTEST'],
    ['agent.modes.draftPick', 403, 'NOT_IN_CONTEST'],
    ['agent.modes.commitPrediction', 403, 'NOT_IN_CONTEST'],
    ['agent.modes.revealPrediction', 403, 'NOT_IN_CONTEST'],
    ['agent.trade.signAndSend', 400, 'TX_MALFORMED'],
    ['agent.tx.status', 404, 'NOT_FOUND'],
  ])('%s is refused with %i %s', async (name, status, appCode) => {
    await expectRefused(() => call(name, inputs()[name]), status, appCode)
  })

  test('an event of another agent is no cursor', async () => {
    const bob = sandbox.agents[1]?.key ?? ''
    const { cursor } = outputOf(await sandbox.get('agent.events', { latest: true }, bob)) as { cursor: string }
    await expectRefused(() => sandbox.get('agent.events', { after: cursor }), 400, 'INVALID_INPUT')
    await expectRefused(() => sandbox.get('agent.events', { after: UNKNOWN_ID }), 400, 'INVALID_INPUT')
    await expectRefused(() => sandbox.get('agent.events', { latest: false }), 400, 'INVALID_INPUT')
  })

  test.each([
    ['__proto__', '{"__proto__":{"x":1}}'],
    ['constructor', '{"constructor":{"prototype":{"x":1}}}'],
    ['an unknown one', '{"dogs":1}'],
  ])('params with %s are refused', async (_name, params) => {
    const input = { ...inputs()['agent.contests.create'], params: JSON.parse(params) as unknown }
    await expectRefused(() => sandbox.post('agent.contests.create', input), 400, 'INVALID_INPUT')
  })
})
