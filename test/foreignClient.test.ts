import { createHash } from 'node:crypto'
import { createTRPCUntypedClient, httpLink, TRPCClientError, type TRPCUntypedClient } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import superjson from 'superjson'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { VirtualClock } from '../src/core/clock.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'

// A client that is none of ours plays on the sandbox: tRPC's own, with superjson, by the text of the
// specification alone. Commitments are hashed here, not by the project's code.

const clock = new VirtualClock(Date.parse('2025-06-01T09:00:00Z'))
let sandbox: Sandbox
let alice: TRPCUntypedClient<AnyTRPCRouter>
let bob: TRPCUntypedClient<AnyTRPCRouter>

beforeAll(async () => {
  sandbox = await startSandbox({ agents: ['alice', 'bob'], clock })
  const clientOf = (index: number) =>
    createTRPCUntypedClient({
      links: [httpLink({ url: sandbox.url, transformer: superjson, headers: { 'x-agent-key': sandbox.agents[index]?.key } })],
    })
  alice = clientOf(0)
  bob = clientOf(1)
})
afterAll(() => sandbox.close())

const ticketSchema = z.object({ ticketId: z.string(), status: z.string(), contestId: z.string().nullable() })
const stateSchema = z.object({ phase: z.string(), entryId: z.string(), token: z.string(), endPrice: z.string().nullable().optional() })
const eventsSchema = z.object({
  events: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
  cursor: z.string(),
})
const pass = (durationMs: number) => clock.advanceTo(clock.now() + durationMs)

test('two of them predict a price against each other', async () => {
  const wanted = { mode: 'price_prediction', stake: '10000000', durationSec: 15, opponents: 'AGENT' }
  const first = ticketSchema.parse(await alice.mutation('agent.queue.enqueue', wanted))
  const second = ticketSchema.parse(await bob.mutation('agent.queue.enqueue', wanted))
  const contestId = second.contestId ?? ''
  expect(ticketSchema.parse(await alice.query('agent.queue.get', { ticketId: first.ticketId }))).toMatchObject({
    status: 'matched',
    contestId,
  })

  const predictions = []
  for (const [client, value, salt] of [
    [alice, '1', 'salt-of-alice-0001'],
    [bob, '1000000', 'salt_of_bob_000000'],
  ] as const) {
    const { phase, entryId } = stateSchema.parse(await client.query('agent.modes.state', { contestId }))
    expect(phase).toBe('commit')
    const commitment = createHash('sha256').update(`${value}:${salt}:${entryId}`).digest('hex')
    await client.mutation('agent.modes.commitPrediction', { contestId, commitment })
    predictions.push({ client, value, salt })
  }
  pass(5000 + 15_000)
  for (const { client, value, salt } of predictions) await client.mutation('agent.modes.revealPrediction', { contestId, value, salt })

  const { endPrice } = stateSchema.parse(await alice.query('agent.modes.state', { contestId }))
  const aliceIsCloser = Math.abs(Number(endPrice) - 1) < Math.abs(Number(endPrice) - 1_000_000)
  // Two stakes of 10 USDC, less 5 % of the pot.
  const [won, lost] = [
    { result: 'WIN', stake: '10000000', payout: '19000000', profit: '9000000', versus: 'AGENT' },
    { result: 'LOSS', stake: '10000000', payout: '0', profit: '-10000000', versus: 'AGENT' },
  ]
  expect(await alice.query('agent.history')).toMatchObject({ items: [{ contestId, ...(aliceIsCloser ? won : lost) }] })
  expect(await bob.query('agent.history', { limit: 1 })).toMatchObject({ items: [{ contestId, ...(aliceIsCloser ? lost : won) }] })

  const { events } = eventsSchema.parse(await alice.query('agent.events', { after: null }))
  expect(events.map(({ type }) => type)).toEqual(['match.found', 'contest.joined', 'contest.joined', 'contest.live', 'contest.settled'])
  expect(events.every(({ data }) => typeof data.contestId === 'string')).toBe(true)
})

test('one of them takes a side of an open up_down contest of the house', async () => {
  const listSchema = z.object({ items: z.array(z.object({ contestId: z.string(), entries: z.array(z.object({ side: z.string() })) })) })
  const { items } = listSchema.parse(await alice.query('agent.contests.list', { modes: ['up_down'], status: 'open', maxStake: '1000000' }))
  const open = items[0]
  const side = open?.entries[0]?.side === 'UP' ? 'DOWN' : 'UP'
  const { contestId } = open ?? { contestId: '' }
  expect(await alice.mutation('agent.contests.join', { contestId, side })).toMatchObject({ status: 'open', you: { side, ready: false } })
  expect(await alice.mutation('agent.contests.ready', { contestId })).toMatchObject({ status: 'live', you: { side, ready: true } })
  const { cursor } = eventsSchema.parse(await alice.query('agent.events', { latest: true }))
  pass(3000 + 20_000)

  const pricesSchema = z.object({ startPrice: z.string(), endPrice: z.string() })
  const { startPrice, endPrice } = pricesSchema.parse(await alice.query('agent.modes.state', { contestId }))
  const rose = Number(endPrice) - Number(startPrice)
  const result = rose === 0 ? 'DRAW' : rose > 0 === (side === 'UP') ? 'WIN' : 'LOSS'
  const { events } = eventsSchema.parse(await alice.query('agent.events', { after: cursor }))
  expect(events).toMatchObject([{ type: 'contest.settled', data: { contestId, result, stake: '1000000' } }])
})

describe('what it is refused', () => {
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof TRPCClientError ? thrown.data : thrown),
    )

  test('comes as an error with appCode, code and details', async () => {
    expect(await refusalOf(alice.mutation('agent.queue.enqueue', { mode: 'up_down', stake: '51000000', durationSec: 15 }))).toMatchObject({
      appCode: 'STAKE_OVER_CAP',
      code: 'FORBIDDEN',
      httpStatus: 403,
      details: { stake: '51000000', maxStake: '50000000' },
    })
    expect(await refusalOf(alice.query('agent.contests.get', { contestId: 'x' }))).toMatchObject({
      appCode: 'INVALID_INPUT',
      details: [{ path: 'contestId' }],
    })
  })

  test('a big integer that superjson marks as one is read as the digits of the specification', async () => {
    const ticket = await alice.mutation('agent.queue.enqueue', { mode: 'up_down', stake: 3_000_000n, durationSec: 15, waitSec: undefined })
    expect(ticket).toMatchObject({ stake: '3000000' })
  })
})
