import { createHash } from 'node:crypto'
import { Configuration, SwapApi } from '@jup-ag/api'
import { createTRPCUntypedClient, httpLink } from '@trpc/client'
import superjson from 'superjson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { procedures } from '../src/contract/procedures.ts'
import { VirtualClock } from '../src/core/clock.ts'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { misshapen, SPECIFIED, type SpecifiedName, type SpecifiedOutput } from './support/specifiedAnswers.ts'

// A client that is none of ours, tRPC's own with superjson, makes a tour of the sandbox by the text of the
// specification alone: it calls all 27 procedures, each with every field of input that part 4 gives it.

const READS = ['me', 'profile', 'bankroll', 'limits', 'rank', 'stats', 'history', 'leaderboard', 'events']
const QUEUE = ['queue.enqueue', 'queue.get', 'queue.list', 'queue.cancel']
const FINDING = ['contests.list', 'contests.counts', 'contests.get', 'contests.mine']
const SEATING = ['contests.create', 'contests.join', 'contests.leave', 'contests.ready']
const MODES = ['modes.state', 'modes.draftPick', 'modes.commitPrediction', 'modes.revealPrediction']
const TRADING = ['trade.signAndSend', 'tx.status']
const PROCEDURES = [...READS, ...QUEUE, ...FINDING, ...SEATING, ...MODES, ...TRADING].map((name) => `agent.${name}`)

type Call = <N extends SpecifiedName>(name: N, input?: unknown) => Promise<SpecifiedOutput<N>>

const clock = new VirtualClock(Date.parse('2025-06-01T09:00:00Z'))
const pass = (seconds: number) => clock.advanceTo(clock.now() + seconds * 1000)
const called = new Set<string>()
let sandbox: Sandbox
let alice: Call
let bob: Call

beforeAll(async () => {
  sandbox = await startSandbox({ agents: ['alice', 'bob'], clock, house: false, landing: { submitted: 0, failed: 0 } })
  alice = callerOf(0)
  bob = callerOf(1)
})
afterAll(() => sandbox.close())

/** Calls as one of the agents, and reads every answer by the specification and by the contract. */
function callerOf(index: number): Call {
  const headers = { 'x-agent-key': sandbox.agents[index]?.key }
  const client = createTRPCUntypedClient({ links: [httpLink({ url: sandbox.url, transformer: superjson, headers })] })
  return async (name, input = null) => {
    const [kind, specified] = SPECIFIED[name]
    const answer = await (kind === 'G' ? client.query(name, input) : client.mutation(name, input))
    called.add(name)
    const problems = [specified, procedures[name].output].flatMap((schema) => schema.safeParse(answer).error?.issues ?? [])
    expect({ name, problems, misshapen: misshapen(answer) }).toEqual({ name, problems: [], misshapen: [] })
    // The schema was chosen by the name; the compiler cannot follow the pairing through the table.
    return answer as SpecifiedOutput<typeof name>
  }
}

/** Both take a ticket with every field of the input, and are seated against each other. */
async function meet(mode: string): Promise<{ readonly contestId: string }> {
  const wanted = { mode, stake: '2000000', durationSec: 15, opponents: 'AGENT', chain: 'solana', waitSec: 30 }
  const { ticketId } = await alice('agent.queue.enqueue', wanted)
  const { contestId } = await bob('agent.queue.enqueue', wanted)
  expect(await alice('agent.queue.get', { ticketId })).toMatchObject({ status: 'matched', contestId })
  return { contestId: contestId ?? '' }
}

test('tickets are matched, cancelled and left to expire', async () => {
  const lonely = { mode: 'pnl_usd', stake: '1000000', durationSec: 60, opponents: 'HUMAN', chain: 'solana', waitSec: 20 }
  const { ticketId } = await alice('agent.queue.enqueue', lonely)
  const expiring = await alice('agent.queue.enqueue', lonely)
  expect((await alice('agent.me')).openTickets).toHaveLength(2)
  expect(await alice('agent.queue.cancel', { ticketId })).toMatchObject({ ticketId, status: 'cancelled' })
  pass(20)
  expect(await alice('agent.queue.list')).toMatchObject([{ ticketId: expiring.ticketId, status: 'expired' }, { ticketId }])
})

test('a price is predicted', async () => {
  const contest = await meet('price_prediction')
  const made = []
  for (const [call, value, salt] of [
    [alice, '187.2', 'salt-of-alice-0001'],
    [bob, '0.5', 'salt_of_bob_000000'],
  ] as const) {
    const { entryId } = await call('agent.modes.state', contest)
    const commitment = createHash('sha256').update(`${value}:${salt}:${entryId}`).digest('hex')
    expect(await call('agent.modes.commitPrediction', { ...contest, commitment })).toMatchObject({ committed: true })
    made.push({ call, value, salt })
  }
  pass(5 + 15)
  for (const { call, value, salt } of made)
    expect(await call('agent.modes.revealPrediction', { ...contest, value, salt })).toMatchObject({ revealed: true })
  expect(await alice('agent.contests.get', contest)).toMatchObject({ status: 'settled' })
})

test('a token is drafted', async () => {
  const contest = await meet('draft_basket')
  const call = (await alice('agent.modes.state', contest)).yourTurn === true ? alice : bob
  const token = (await call('agent.modes.state', contest)).available?.[1]
  expect(await call('agent.modes.draftPick', { ...contest, token })).toMatchObject({ mine: [token] })
  pass(60)
  expect(await bob('agent.contests.get', contest)).toMatchObject({ status: 'settled' })
})

const TERMS = { mode: 'same_token', chain: 'solana', format: 'lobby', stake: '3000000', durationSec: 15 }
const SEATS = {
  opponents: 'AGENT',
  visibility: 'public',
  capacity: 2,
  teamSize: 1,
  joinWindowSec: 120,
  params: { token: SOL_MINT, side: 'T1' },
}

test('contests are made, listed, counted and left', async () => {
  const made = [await alice('agent.contests.create', { ...TERMS, ...SEATS }), await bob('agent.contests.create', { ...TERMS, ...SEATS })]
  const filters = { lane: 'AGENT', modes: ['same_token'], chain: 'solana', format: 'lobby', minStake: '3000000', maxStake: '3000000' }
  const listing = { ...filters, status: 'open', sort: 'newest', limit: 1 }
  const first = await alice('agent.contests.list', { ...listing, cursor: null })
  const second = await alice('agent.contests.list', { ...listing, cursor: first.nextCursor })
  expect([...second.items, ...first.items]).toMatchObject(made.map(({ contestId }) => ({ contestId, ...TERMS })))
  expect(second.nextCursor).toBeNull()
  expect(await alice('agent.contests.counts', filters)).toMatchObject({ open: 2, live: 0 })
  for (const { contestId } of await alice('agent.contests.mine')) {
    expect(await alice('agent.contests.leave', { contestId })).toMatchObject({ contestId, status: 'cancelled' })
  }
  for (const { contestId } of await bob('agent.contests.mine')) await bob('agent.contests.leave', { contestId })
})

test('a contest is joined and readied, and a swap of the DEX is signed and sent for it', async () => {
  const { contestId } = await alice('agent.contests.create', { ...TERMS, ...SEATS })
  expect(await bob('agent.contests.join', { contestId, side: 'T2' })).toMatchObject({ status: 'open', you: { side: 'T2' } })
  for (const ready of [true, false]) expect(await bob('agent.contests.ready', { contestId, ready })).toMatchObject({ you: { ready } })
  await alice('agent.contests.ready', { contestId })
  expect(await bob('agent.contests.ready', { contestId, ready: true })).toMatchObject({ status: 'live' })
  pass(3)

  const jupiter = new SwapApi(new Configuration({ basePath: `${sandbox.url}/jup/swap/v1` }))
  const quoteResponse = await jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: SOL_MINT, amount: 10_000_000 })
  const { walletAddress } = await alice('agent.bankroll')
  const { swapTransaction: transaction } = await jupiter.swapPost({ swapRequest: { userPublicKey: walletAddress, quoteResponse } })
  const { signature, ...sent } = await alice('agent.trade.signAndSend', { transaction, contestId })
  expect(sent).toMatchObject({ status: 'confirmed', contestId })
  expect(await alice('agent.tx.status', { signature })).toMatchObject({ signature, status: 'confirmed', contestId })
  expect(await alice('agent.me')).toMatchObject({ bankroll: { inPlay: '3000000' }, activeContests: [{ contestId }] })
  expect(await alice('agent.modes.state', { contestId })).toMatchObject({
    positions: [{ token: SOL_MINT, amount: quoteResponse.outAmount }],
  })
  pass(15)
  expect(await alice('agent.contests.get', { contestId })).toMatchObject({ status: 'settled' })
})

test('what has happened is read page by page', async () => {
  const past = { versus: 'AGENT', limit: 2 }
  const recent = await alice('agent.history', { ...past, cursor: null })
  const earlier = await alice('agent.history', { ...past, cursor: recent.nextCursor })
  expect([...recent.items, ...earlier.items]).toMatchObject(['same_token', 'draft_basket', 'price_prediction'].map((mode) => ({ mode })))

  for (const [metric, period] of [
    ['rank', 'all'],
    ['profit', '7d'],
  ]) {
    const top = await alice('agent.leaderboard', { metric, period, cursor: 0, limit: 1 })
    const next = await alice('agent.leaderboard', { metric, period, cursor: top.nextCursor, limit: 1 })
    expect([...top.items, ...next.items]).toContainEqual(top.me)
  }

  const first = await alice('agent.events', { after: null, limit: 5 })
  const rest = await alice('agent.events', { after: first.cursor, limit: 100 })
  const ids = [...first.events, ...rest.events].map((event) => event.id)
  expect(ids).toEqual(ids.toSorted())
  expect(await alice('agent.events', { latest: true })).toEqual({ events: [], cursor: ids.at(-1) })
  // All but `ticket.failed`, which no agent can bring about for itself.
  expect(new Set([...first.events, ...rest.events].map(({ type }) => type))).toEqual(
    new Set(['match.found', 'ticket.expired', 'contest.joined', 'contest.live', 'contest.settled', 'contest.cancelled']),
  )
})

test.each([
  'profile',
  'bankroll',
  'limits',
  'rank',
  'stats',
  'me',
  'queue.list',
  'contests.mine',
] as const)('agent.%s asks for no input: left out, it is the same as null', async (name) => {
  expect(await alice(`agent.${name}`, undefined)).toEqual(await alice(`agent.${name}`, null))
})

test('that was every procedure of the specification', () => {
  expect(PROCEDURES).toHaveLength(27)
  expect([...called].toSorted()).toEqual(PROCEDURES.toSorted())
})
