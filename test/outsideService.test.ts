import { createHash, createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { timeOfUuidv7 } from '../src/core/ids.ts'
import { USDC_MINT } from '../src/core/tokens.ts'
import { Ledger } from './support/outsideService/ledger.ts'
import { type OutsideAgent, type OutsideOptions, OutsideService } from './support/outsideService/outsideService.ts'
import { paperMarket, paperTransaction } from './support/outsideService/paperMarket.ts'
import { TRUE_PLACES } from './support/outsideService/shapes.ts'
import { startRawServer } from './support/rawServer.ts'

// The service that stands in for one of unknown shape: what it says of itself is so, and its money is all there.

const START_MS = 1_750_000_000_000
const STAKE = '2000000'
const READ =
  /^agent\.(?:me|profile|bankroll|limits|rank|stats|history|leaderboard|events|queue\.(?:get|list)|contests\.(?:list|counts|get|mine)|modes\.state|tx\.status)$/

type Json = Record<string, unknown>
type Deep = { readonly [key: string]: Deep } & readonly Deep[] & string

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

/** A service on a clock of its own, with two agents and, unless asked for, nobody of the house. */
async function open(options: Partial<OutsideOptions> = {}) {
  const clock = new VirtualClock(START_MS)
  const market = paperMarket()
  const trouble = { failEvery: 0, neglectEvery: 0 }
  const service = await OutsideService.open({
    clock,
    market,
    agents: [{ name: 'ann' }, { name: 'ben' }],
    house: false,
    trouble,
    ...options,
  })
  opened.push(() => service.close())
  const [ann, ben] = service.agents as [OutsideAgent, OutsideAgent]
  const raw = async (key: string, procedure: string, input: unknown = null, encoding = 'identity') => {
    const body = JSON.stringify({ json: input })
    const headers = { 'x-agent-key': key, 'accept-encoding': encoding }
    return READ.test(procedure)
      ? request(`${service.url}/${procedure}?input=${encodeURIComponent(body)}`, { headers })
      : request(`${service.url}/${procedure}`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  }
  const call = async ({ key }: OutsideAgent, procedure: string, input: unknown = null): Promise<Deep> => {
    const answer = (await (await raw(key, procedure, input)).body.json()) as Deep
    return answer.result === undefined ? (answer.error?.json as Deep) : (answer.result.data?.json as Deep)
  }
  /** The code of the refusal; undefined where it was done. */
  const refused = async (agent: OutsideAgent, procedure: string, input: unknown): Promise<unknown> =>
    (await call(agent, procedure, input)).data?.appCode
  const events = async (agent: OutsideAgent, type?: string): Promise<{ type: string; data: Json }[]> => {
    const { events: all } = (await call(agent, 'agent.events', { after: null, limit: 100 })) as unknown as {
      events: { type: string; data: Json }[]
    }
    return type === undefined ? all : all.filter((event) => event.type === type)
  }
  /** A contest of both, made by ann, that waits for nothing but both to be ready. */
  const both = async (mode: string, more: Json = {}, side?: string): Promise<string> => {
    const terms = { mode, chain: 'solana', format: 'duel', stake: STAKE, durationSec: 20, ...more }
    const contestId = String((await call(ann, 'agent.contests.create', terms)).contest?.uid)
    await call(ben, 'agent.contests.join', { contestId, ...(side === undefined ? {} : { side }) })
    return contestId
  }
  const ready = async (contestId: string) => {
    await call(ann, 'agent.contests.ready', { contestId })
    await call(ben, 'agent.contests.ready', { contestId, ready: true })
  }
  return { service, clock, market, ann, ben, raw, call, refused, events, both, ready }
}

/** Ann's bankroll, and what of it is in play. */
const purse = async (world: Awaited<ReturnType<typeof open>>, agent = world.ann) => {
  const { available, inPlay } = await world.call(agent, 'agent.bankroll')
  return { available: String(available), inPlay: String(inPlay) }
}

const SALT = '0123456789abcdef'
const sealed = (price: string, slip: unknown) =>
  createHash('sha256')
    .update(`${price}:${SALT}:${String(slip)}`)
    .digest('hex')

describe('the wire', () => {
  test('answers success, refusals of rules under 200, and a wrong key under 401', async () => {
    const { ann, raw } = await open()
    const good = await raw(ann.key, 'agent.limits')
    expect(await good.body.json()).toEqual({
      result: {
        data: {
          json: {
            ...{ maxStake: '25000000', dailyLossCap: '100000000', lostToday: '0', inPlay: '0', remaining: '100000000' },
            resetsAt: '2025-06-16T00:00:00.000Z',
          },
        },
      },
    })
    expect(good.headers.date).toBe(new Date(START_MS).toUTCString())
    const bad = await raw(ann.key, 'agent.queue.enqueue', { mode: 'up_down', stake: '26000000', durationSec: 20 })
    expect(bad.statusCode).toBe(200)
    expect(await bad.body.json()).toMatchObject({
      error: { json: { message: expect.any(String), data: { appCode: 'STAKE_TOO_BIG', details: {} } } },
    })
    const wrong = await raw('nobody', 'agent.me')
    expect(wrong.statusCode).toBe(401)
    expect(await wrong.body.json()).toMatchObject({ error: { json: { data: { appCode: 'KEY_UNKNOWN' } } } })
  })

  test('packs answers by gzip and by brotli in turns, and one in five not at all', async () => {
    const { ann, raw } = await open()
    const encodings: unknown[] = []
    for (let count = 0; count < 5; count++) {
      const { headers, body } = await raw(ann.key, 'agent.rank', null, 'gzip, br;q=0.9')
      const bytes = Buffer.from(await body.arrayBuffer())
      const encoding = headers['content-encoding']
      encodings.push(encoding)
      const text = encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes
      expect(JSON.parse(text.toString())).toMatchObject({ result: { data: { json: { ladder: { points: 1000 } } } } })
    }
    expect(encodings).toEqual(['gzip', 'br', 'gzip', 'br', undefined])
    expect((await raw(ann.key, 'agent.rank', null, 'identity')).headers['content-encoding']).toBeUndefined()
  })

  test('reads over the limit are refused until a minute has gone by', async () => {
    const { ann, raw, clock } = await open({ readLimit: 2 })
    const statuses = async () => [(await raw(ann.key, 'agent.me')).statusCode, (await raw(ann.key, 'agent.me')).statusCode]
    expect([...(await statuses()), (await raw(ann.key, 'agent.me')).statusCode]).toEqual([200, 200, 429])
    clock.advanceTo(START_MS + 60_001)
    expect(await statuses()).toEqual([200, 200])
  })

  test('every procedure of the specification is there, by its own method', async () => {
    const { ann, raw, service } = await open()
    const statusOf = async (procedure: string) => (await raw(ann.key, procedure)).statusCode
    const reads = ['me', 'profile', 'bankroll', 'limits', 'rank', 'stats', 'history', 'leaderboard', 'events', 'queue.get', 'queue.list']
    const more = [
      'contests.list',
      'contests.counts',
      'contests.get',
      'contests.mine',
      'modes.state',
      'tx.status',
      'queue.enqueue',
      'queue.cancel',
    ]
    const moves = ['create', 'join', 'leave', 'ready'].map((name) => `contests.${name}`)
    const plays = ['modes.draftPick', 'modes.commitPrediction', 'modes.revealPrediction', 'trade.signAndSend']
    const all = [...reads, ...more, ...moves, ...plays].map((name) => `agent.${name}`)
    expect(all).toHaveLength(27)
    expect(await Promise.all(all.map(statusOf))).toEqual(all.map(() => 200))
    expect(await statusOf('agent.nothing')).toBe(404)
    const headers = { 'x-agent-key': ann.key }
    expect((await request(`${service.url}/agent.contests.join`, { headers })).statusCode).toBe(405)
  })
})

test('it is made from the specification: nothing of the service or the bots that are here', () => {
  const folder = new URL('support/outsideService/', import.meta.url)
  const imported = readdirSync(folder).flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '(\.\.\/[^']+)'/g)])
  const paths = new Set(imported.map(([, path]) => path))
  expect([...paths].filter((path) => !path?.startsWith('../../../src/core/'))).toEqual([])
  expect(paths.size).toBeGreaterThan(2)
})

test('every place of TRUE_PLACES is there in an answer', async () => {
  const { ann, ben, call, both, ready, clock } = await open()
  const guess = await both('price_prediction')
  const draft = await both('draft_basket')
  await ready(draft)
  const bets = await both('up_down')
  const { ticket } = await call(ann, 'agent.queue.enqueue', { mode: 'up_down', stake: STAKE, durationSec: 20 })
  const ticketId = ticket?.ref
  const answers: Record<string, Deep[]> = {
    'agent.queue.enqueue': [{ ticket } as unknown as Deep],
    'agent.queue.get': [await call(ann, 'agent.queue.get', { ticketId })],
    'agent.contests.get': [await call(ann, 'agent.contests.get', { contestId: bets })],
    'agent.modes.state': [await call(ann, 'agent.modes.state', { contestId: guess })],
    'agent.modes.state (draft)': [await call(ann, 'agent.modes.state', { contestId: draft })],
  }
  for (const read of ['me', 'queue.list', 'contests.list', 'contests.mine', 'contests.counts'])
    answers[`agent.${read}`] = [await call(ann, `agent.${read}`)]
  const missing = Object.entries(TRUE_PLACES).filter(([, { of, at }]) => !(answers[of] ?? []).some((answer) => isAt(answer, at)))
  expect(missing).toEqual([])
  // Numbers are in the units that are told.
  clock.advanceTo(START_MS + 1000)
  await ready(guess)
  const { board } = await call(ben, 'agent.modes.state', { contestId: guess })
  expect(board).toMatchObject({
    act: 'SEALING',
    sealing: { msLeft: 7000 },
    opening: { fromUnix: START_MS / 1000 + 18, untilUnix: START_MS / 1000 + 26 },
  })
  expect(await call(ben, 'agent.modes.state', { contestId: draft })).toMatchObject({ board: { hourglassMs: 7000, lap: 1 } })
})

/** Is something there, be it null? */
function isAt(value: unknown, path: string): boolean {
  const [step = '', ...rest] = path.split('.')
  const name = step.replace(/\[\]|\{\}/, '')
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
  const found = (value as Json)[name]
  if (rest.length === 0) return true
  if (step === name) return isAt(found, rest.join('.'))
  return Object.values(found as object).some((row) => isAt(row, rest.join('.')))
}

describe('a prediction', () => {
  test('is sealed before the contest is live, opened before its end, and won by the nearest', async () => {
    const world = await open()
    const { ann, ben, call, refused, both, ready, clock, market, service } = world
    const contestId = await both('price_prediction')
    const slips = [await call(ann, 'agent.contests.get', { contestId }), await call(ben, 'agent.contests.get', { contestId })].map(
      ({ seat }) => seat?.slip,
    )
    const coin = String((await call(ann, 'agent.contests.get', { contestId })).contest?.about?.coin)
    const annSeal = { contestId, commitment: sealed('105.5', slips[0]) }
    expect((await call(ann, 'agent.modes.commitPrediction', annSeal)).sealed).toBe(true)
    expect(await refused(ann, 'agent.modes.commitPrediction', annSeal)).toBe('SEALED_ALREADY')
    await ready(contestId)
    expect((await call(ann, 'agent.contests.get', { contestId })).contest?.stage).toBe('arming')
    clock.advanceTo(START_MS + 2000)
    const live = (await world.events(ann, 'contest.live'))[0]?.data
    expect(live).toMatchObject({
      contestId,
      status: 'live',
      startsAt: new Date(START_MS + 2000).toISOString(),
      endsAt: new Date(START_MS + 22_000).toISOString(),
    })
    clock.advanceTo(START_MS + 7000)
    await call(ben, 'agent.modes.commitPrediction', { contestId, commitment: sealed('90', slips[1]) })
    clock.advanceTo(START_MS + 7001)
    expect(await refused(ben, 'agent.modes.commitPrediction', { contestId, commitment: sealed('91', slips[1]) })).toBe('LATE')
    expect(await refused(ann, 'agent.modes.revealPrediction', { contestId, value: '105.50', salt: SALT })).toBe('EARLY')
    clock.advanceTo(START_MS + 17_000)
    expect(await refused(ann, 'agent.modes.revealPrediction', { contestId, value: '105.6', salt: SALT })).toBe('SEAL_BROKEN')
    expect((await call(ann, 'agent.modes.revealPrediction', { contestId, value: '105.50', salt: SALT })).opened).toBe(true)
    market.set(coin, 100)
    clock.advanceTo(START_MS + 22_000)
    market.set(coin, 1)
    await call(ben, 'agent.modes.revealPrediction', { contestId, value: '90', salt: SALT })
    clock.advanceTo(START_MS + 25_000)
    expect((await world.events(ann, 'contest.settled'))[0]?.data).toEqual({
      ...{ contestId, mode: 'price_prediction', result: 'WIN', stake: STAKE, payout: '3840000', profit: '1840000' },
      ...{ versus: 'AGENT', rpDelta: 12, rpAfter: 1012 },
    })
    expect(await purse(world)).toEqual({ available: '501840000', inPlay: '0' })
    expect((await call(ben, 'agent.limits')).lostToday).toBe(STAKE)
    expect(service.fileOf(ann.agentId).moves.map(({ type }) => type)).toEqual(['commit', 'reveal'])
    expect([service.withoutMove(ann.agentId), service.audit()]).toMatchObject([[], { agrees: true, byKind: { rake: '160000' } }])
  })

  test('that is not opened loses, and is known to be without a move', async () => {
    const { ann, ben, call, both, ready, clock, service, events } = await open()
    const contestId = await both('price_prediction')
    const slip = (await call(ben, 'agent.contests.get', { contestId })).seat?.slip
    await call(ben, 'agent.modes.commitPrediction', { contestId, commitment: sealed('7', slip) })
    await ready(contestId)
    clock.advanceTo(START_MS + 20_000)
    await call(ben, 'agent.modes.revealPrediction', { contestId, value: '7', salt: SALT })
    clock.advanceTo(START_MS + 30_000)
    expect((await events(ann, 'contest.settled'))[0]?.data).toMatchObject({ result: 'LOSS', payout: '0', profit: '-2000000' })
    expect(service.withoutMove(ann.agentId)).toMatchObject([{ contestId, needs: 'reveal', moves: [] }])
    expect(service.withoutMove(ben.agentId)).toEqual([])
  })

  test('that nobody opened is void, with the stakes back', async () => {
    const world = await open()
    const contestId = await world.both('price_prediction')
    await world.ready(contestId)
    world.clock.advanceTo(START_MS + 30_000)
    const data = { contestId, status: 'cancelled', reason: 'NOBODY_PLAYED', refunded: STAKE }
    expect((await world.events(world.ann, 'contest.cancelled')).map((event) => event.data)).toEqual([data])
    expect(await purse(world)).toEqual({ available: '500000000', inPlay: '0' })
    expect(world.service.audit().agrees).toBe(true)
  })
})

test('a draft has turns of eight seconds, and picks for who is late', async () => {
  const world = await open()
  const { ann, ben, call, refused, both, ready, clock, market, service } = world
  const contestId = await both('draft_basket')
  await ready(contestId)
  const board = async () => (await call(ann, 'agent.modes.state', { contestId })).board as Deep
  const first = (await board()).drafter === ann.userId ? ann : ben
  const second = first === ann ? ben : ann
  const [mint0 = '', mint1 = ''] = market.mints
  expect(await refused(second, 'agent.modes.draftPick', { contestId, token: mint1 })).toBe('NOT_THE_DRAFTER')
  await call(first, 'agent.modes.draftPick', { contestId, token: mint1 })
  expect(await board()).toMatchObject({
    act: 'PICKING',
    drafter: second.userId,
    lap: 1,
    coins: { [mint1]: { free: false }, [mint0]: { free: true } },
  })
  expect(await refused(second, 'agent.modes.draftPick', { contestId, token: mint1 })).toBe('COIN_GONE')
  clock.advanceTo(START_MS + 7999)
  expect(await board()).toMatchObject({ drafter: second.userId, hourglassMs: 1 })
  clock.advanceTo(START_MS + 8000)
  expect(await board()).toMatchObject({ drafter: first.userId, lap: 2, coins: { [mint0]: { free: false } } })
  clock.advanceTo(START_MS + 8000 * 5 + 2000)
  const { act, seats } = await board()
  expect({ act, baskets: seats?.map(({ basket }) => basket?.length) }).toEqual({ act: 'RACING', baskets: [3, 3] })
  market.set(mint1, 40)
  clock.advanceTo(START_MS + 100_000)
  const results = [first, second].map(async (agent) => (await world.events(agent, 'contest.settled'))[0]?.data.result)
  expect(await Promise.all(results)).toEqual(['WIN', 'LOSS'])
  expect(service.withoutMove(second.agentId)).toMatchObject([{ needs: 'pick' }])
  expect(service.audit().agrees).toBe(true)
})

describe('up_down', () => {
  test('has a side for each, and pays who was right', async () => {
    const world = await open()
    const { ann, ben, call, refused, ready, clock, market } = world
    const terms = { mode: 'up_down', chain: 'solana', format: 'duel', stake: STAKE, durationSec: 20, params: { bet: 'short' } }
    const { contest } = await call(ann, 'agent.contests.create', terms)
    const contestId = String(contest?.uid)
    expect(contest?.openBets).toEqual(['long'])
    expect(await call(ben, 'agent.contests.join', { contestId, side: 'UP' })).toMatchObject({
      data: { appCode: 'BET_WORD', details: { words: ['long', 'short'] } },
    })
    expect(await refused(ben, 'agent.contests.join', { contestId, side: 'short' })).toBe('BET_GONE')
    expect((await call(ben, 'agent.contests.join', { contestId, side: 'long' })).seat?.bet).toBe('long')
    await ready(contestId)
    clock.advanceTo(START_MS + 10_000)
    market.set(String(contest?.about?.coin), 1)
    clock.advanceTo(START_MS + 30_000)
    expect((await world.events(ann, 'contest.settled'))[0]?.data).toMatchObject({ result: 'WIN', payout: '3840000' })
    expect((await world.events(ben, 'contest.joined')).map(({ data }) => data.side)).toEqual(['long'])
  })

  test('is a draw where the price has not moved: no rake', async () => {
    const world = await open()
    await world.ready(await world.both('up_down'))
    world.clock.advanceTo(START_MS + 30_000)
    expect((await world.events(world.ann, 'contest.settled'))[0]?.data).toMatchObject({
      result: 'DRAW',
      payout: STAKE,
      profit: '0',
      rpDelta: 0,
    })
  })
})

describe('swaps', () => {
  test.each([
    ['pnl_usd', 10, 20],
    ['pnl_race_pct', 10, 20],
    ['best_trade', 10, 20],
    ['target_race', 10, 10.05],
    ['same_token', 10, 20],
    ['last_bag_standing', 10, 20],
  ])('of %s count by what they did', async (mode, _before, after) => {
    const { ann, ben, call, both, ready, clock, market, service, events } = await open()
    const [coin = ''] = market.mints
    const contestId = await both(mode, { params: { coin } })
    await ready(contestId)
    const buy = (usd: number, bought: number) => ({ contestId, transaction: paperTransaction({ [USDC_MINT]: -usd, [coin]: bought }) })
    expect((await call(ann, 'agent.trade.signAndSend', buy(10, 1))).data?.appCode).toBe('LATE')
    await clock.advanceBy(2500)
    expect(await call(ann, 'agent.trade.signAndSend', buy(20, 2))).toMatchObject({ signature: 'paper1', status: 'submitted', contestId })
    await call(ben, 'agent.trade.signAndSend', buy(20, 1.9))
    market.set(coin, after)
    await clock.advanceBy(30_000, 500)
    expect((await events(ann, 'contest.settled'))[0]?.data).toMatchObject({ result: 'WIN' })
    expect([ann, ben].map(({ agentId }) => [service.withoutMove(agentId), service.fileOf(agentId).moves])).toMatchObject([
      [[], [{ type: 'swap', contestId, mode }]],
      [[], [{ type: 'swap' }]],
    ])
    expect(await call(ann, 'agent.tx.status', { signature: 'paper1' })).toMatchObject({ status: 'confirmed' })
  })
})

describe('seats', () => {
  test('one that is not ready has the contest cancelled when its window closes', async () => {
    const world = await open()
    const contestId = await world.both('up_down', { joinWindowSec: 10 })
    await world.call(world.ann, 'agent.contests.ready', { contestId })
    world.clock.advanceTo(START_MS + 9999)
    expect((await world.call(world.ann, 'agent.contests.get', { contestId })).contest).toMatchObject({ stage: 'open', joinableForMs: 1 })
    expect(await purse(world)).toEqual({ available: '498000000', inPlay: STAKE })
    world.clock.advanceTo(START_MS + 10_000)
    expect((await world.events(world.ben, 'contest.cancelled')).map(({ data }) => data.reason)).toEqual(['NOT_READY'])
    expect(await purse(world)).toEqual({ available: '500000000', inPlay: '0' })
  })

  test('leaving gives the stake back, until all are ready', async () => {
    const world = await open()
    const { ann, ben, call, refused } = world
    const contestId = await world.both('up_down')
    expect((await call(ben, 'agent.contests.leave', { contestId })).seat).toBeNull()
    expect(await purse(world, ben)).toEqual({ available: '500000000', inPlay: '0' })
    expect(await refused(ben, 'agent.contests.leave', { contestId })).toBe('SEAT_LOST')
    await call(ben, 'agent.contests.join', { contestId })
    await world.ready(contestId)
    expect(await refused(ann, 'agent.contests.leave', { contestId })).toBe('LATE')
    expect(world.service.audit().agrees).toBe(true)
  })

  test('a hidden contest tells nobody of the others', async () => {
    const { ann, ben, call, both, events } = await open()
    const contestId = await both('up_down', { visibility: 'hidden' })
    const joined = (await events(ann, 'contest.joined')).map(({ data }) => [data.userId, data.side, data.filled])
    expect(joined).toEqual([
      [ann.userId, 'long', 1],
      [null, null, 2],
    ])
    const { contest } = await call(ben, 'agent.contests.get', { contestId })
    expect(contest?.roster?.map(({ player, bet }) => [player, bet])).toEqual([
      [null, null],
      [ben.userId, 'short'],
    ])
    const { board } = await call(ben, 'agent.modes.state', { contestId })
    expect(board?.seats?.map(({ who }) => who)).toEqual([null, ben.userId])
    // Their slips are nobody else's business, hidden or not.
    expect(board?.seats?.map(({ slip }) => typeof slip)).toEqual(['undefined', 'string'])
  })

  test('a contest on robinhood takes seats, and no swaps', async () => {
    const { ann, refused, both, ready, clock } = await open()
    const contestId = await both('pnl_usd', { chain: 'robinhood' })
    await ready(contestId)
    clock.advanceTo(START_MS + 3000)
    expect(await refused(ann, 'agent.trade.signAndSend', { contestId, transaction: paperTransaction({}) })).toBe('CHAIN_FOREIGN')
  })
})

describe('the queue', () => {
  const wants = { mode: 'up_down', stake: STAKE, durationSec: 20 }

  test('seats two that want the same, who need not be ready', async () => {
    const world = await open()
    const { ann, ben, call, clock } = world
    const { ticket } = await call(ann, 'agent.queue.enqueue', wants)
    await call(ben, 'agent.queue.enqueue', wants)
    expect(ticket).toMatchObject({ standing: 'WAITING', seatedIn: null, lapsesInMs: 30_000 })
    expect(await purse(world)).toEqual({ available: '498000000', inPlay: STAKE })
    clock.advanceTo(START_MS + 2400)
    const [found] = await world.events(ann, 'match.found')
    expect(found?.data).toMatchObject({ ticketId: ticket?.ref, opponents: 'ANY', mode: 'up_down', stake: STAKE, error: null })
    const { tickets } = await call(ann, 'agent.queue.list')
    expect(tickets?.rows).toMatchObject([{ standing: 'SEATED', seatedIn: found?.data.contestId }])
    clock.advanceTo(START_MS + 5000)
    expect((await call(ann, 'agent.contests.mine')).mine?.entries).toMatchObject([{ contest: { stage: 'live' } }])
    expect(await purse(world)).toEqual({ available: '498000000', inPlay: STAKE })
  })

  test('lets a ticket lapse, and be withdrawn', async () => {
    const world = await open()
    const { ann, call, refused, clock } = world
    const refs = [await call(ann, 'agent.queue.enqueue', { ...wants, waitSec: 5 }), await call(ann, 'agent.queue.enqueue', wants)].map(
      ({ ticket }) => ticket?.ref,
    )
    expect((await call(ann, 'agent.queue.cancel', { ticketId: refs[1] })).ticket?.standing).toBe('WITHDRAWN')
    clock.advanceTo(START_MS + 5000)
    expect((await world.events(ann, 'ticket.expired')).map(({ data }) => data)).toEqual([{ ticketId: refs[0] }])
    expect(await refused(ann, 'agent.queue.cancel', { ticketId: refs[0] })).toBe('LATE')
    expect(await purse(world)).toEqual({ available: '500000000', inPlay: '0' })
  })

  test('fails a ticket now and then', async () => {
    const world = await open({ trouble: { failEvery: 1, neglectEvery: 0 } })
    const { ticket } = await world.call(world.ann, 'agent.queue.enqueue', wants)
    world.clock.advanceTo(START_MS + 3000)
    const [failed] = await world.events(world.ann, 'ticket.failed')
    expect(failed?.data).toMatchObject({
      ticketId: ticket?.ref,
      contestId: null,
      mode: 'up_down',
      stake: STAKE,
      error: { word: 'SEAT_LOST' },
    })
    expect((await world.call(world.ann, 'agent.queue.get', { ticketId: ticket?.ref })).ticket?.standing).toBe('BROKEN')
    expect(await purse(world)).toEqual({ available: '500000000', inPlay: '0' })
  })
})

test('events are one ordered stream of UUIDv7s, read by pages', async () => {
  const { ann, ben, call, both, service } = await open()
  for (let count = 0; count < 3; count++) await both('up_down')
  const all = (await call(ann, 'agent.events', { after: null })) as unknown as { events: { id: string }[]; cursor: string }
  const ids = all.events.map(({ id }) => id)
  expect(ids).toHaveLength(6)
  expect(ids).toEqual(ids.toSorted())
  expect(ids.map(timeOfUuidv7)).toEqual(ids.map(() => START_MS))
  const page = (await call(ann, 'agent.events', { after: ids[1], limit: 2 })) as unknown as { events: { id: string }[]; cursor: string }
  expect([page.events.map(({ id }) => id), page.cursor]).toEqual([ids.slice(2, 4), ids[3]])
  expect(await call(ann, 'agent.events', { latest: true })).toEqual({ events: [], cursor: all.cursor })
  expect(await call(ann, 'agent.events', { after: all.cursor })).toEqual({ events: [], cursor: all.cursor })
  expect((await call(ben, 'agent.events', { after: ids[0] })).data?.appCode).toBe('CURSOR_FOREIGN')
  expect(service.audit().agrees).toBe(true)
})

test('webhooks are signed, and sent again where they were not taken', async () => {
  const { ann, call, clock, service } = await open({ pace: { speed: 10 } })
  // A redirect is not followed, and no yes.
  const hook = await startRawServer((delivery) =>
    hook.calls.length === 1 ? delivery.json(302, {}, { location: `${hook.url}/elsewhere` }) : delivery.json(200, {}),
  )
  opened.push(() => hook[Symbol.asyncDispose]())
  const secret = service.webhooks.set(ann.agentId, hook.url)
  await call(ann, 'agent.contests.create', { mode: 'up_down', chain: 'solana', format: 'duel', stake: STAKE, durationSec: 20 })
  await Promise.all(service.webhooks.underWay)
  expect(hook.calls).toHaveLength(1)
  clock.advanceTo(START_MS + 1000)
  await Promise.all(service.webhooks.underWay)
  clock.advanceTo(START_MS + 1100)
  const [event] = (await call(ann, 'agent.events', { after: null })).events ?? []
  expect(hook.calls).toHaveLength(2)
  expect(hook.calls.map(({ body }) => JSON.parse(body) as Json)).toEqual(
    [1, 2].map(() => ({ ...(event as unknown as Json), agentId: ann.agentId })),
  )
  const [, { headers, body } = { headers: {}, body: '' }] = hook.calls
  const timestamp = String(START_MS / 1000 + 1)
  const signature = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
  expect(headers).toMatchObject({ 'user-agent': 'svc-webhooks/1', 'x-svc-timestamp': timestamp, 'x-svc-signature': signature })
  expect(secret).toMatch(/^whsec_/)
  expect((await call(ann, 'agent.profile')).webhookUrl).toBe(hook.url)
})

describe('the house', () => {
  test('keeps contests open in every mode, and plays live ones for onlookers', async () => {
    const { ann, call, clock, service } = await open({ house: true })
    clock.advanceTo(START_MS + 30_000)
    const list = async (input: Json) => (await call(ann, 'agent.contests.list', { limit: 50, ...input })).data ?? []
    const waiting = await list({ status: 'open' })
    expect(new Set(waiting.map(({ contest }) => contest?.mode)).size).toBe(9)
    expect((await list({ status: 'open', chain: 'robinhood' })).map(({ contest }) => contest?.chain)).toEqual(['robinhood'])
    expect((await list({ status: 'open', format: 'lobby' })).every(({ contest }) => Number(contest?.places?.of) >= 3)).toBe(true)
    expect(waiting.some(({ contest }) => String(contest?.isHidden) === 'true')).toBe(true)
    const live = await list({ status: 'live' })
    expect(live.length).toBeGreaterThan(1)
    for (const { contest, seat } of live) {
      expect(seat).toBeNull()
      expect((await call(ann, 'agent.modes.state', { contestId: contest?.uid })).board?.seats?.length).toBe(2)
    }
    // At no moment is there none.
    const counts: number[] = []
    for (let second = 30; second < 330; second++) {
      clock.advanceTo(START_MS + second * 1000)
      const ofHouse = [...service.contests.all.values()].filter(({ stage }) => stage === 'live')
      counts.push(ofHouse.length)
    }
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(service.audit().agrees).toBe(true)
  })

  test('plays whatever an agent enters, alone or by ticket, and all the money is there', async () => {
    const { ann, call, clock, service, events } = await open({ house: true })
    const entered: unknown[] = []
    for (const { contest } of (await call(ann, 'agent.contests.list', { status: 'open', limit: 50 })).data ?? []) {
      const contestId = contest?.uid
      if ((await call(ann, 'agent.contests.join', { contestId })).seat) entered.push(contestId)
      await call(ann, 'agent.contests.ready', { contestId })
    }
    for (const mode of ['up_down', 'price_prediction', 'draft_basket'])
      await call(ann, 'agent.queue.enqueue', { mode, stake: STAKE, durationSec: 20 })
    expect(entered).toHaveLength(13)
    clock.advanceTo(START_MS + 120_000)
    const settled = await events(ann, 'contest.settled')
    const ofEntered = settled.filter(({ data }) => entered.includes(data.contestId))
    expect({ settled: ofEntered.length, cancelled: await events(ann, 'contest.cancelled') }).toEqual({ settled: 13, cancelled: [] })
    expect(await events(ann, 'match.found')).toHaveLength(3)
    expect(settled).toHaveLength(16)
    // Ann sat there and did nothing.
    expect(service.withoutMove(ann.agentId).map(({ needs }) => needs)).not.toContain(null)
    expect(service.withoutMove(ann.agentId)).toHaveLength(settled.filter(({ data }) => data.mode !== 'up_down').length)
    expect(service.audit()).toMatchObject({ agrees: true, stranded: [] })
  })
})

describe('the audit', () => {
  test('finds money that is left in a pot', async () => {
    const { both, service, ann, ben } = await open()
    const contestId = await both('up_down')
    expect(service.audit()).toMatchObject({ agrees: true, issued: '1000000000', byKind: { wallet: '996000000', pot: '4000000' } })
    service.contests.byUid(contestId).stage = 'settled'
    for (const { agentId } of [ann, ben]) service.fileOf(agentId).inPlay = 0n
    expect(service.audit()).toMatchObject({ agrees: false, stranded: [contestId] })
  })

  test('finds a stake that is not counted as in play', async () => {
    const { both, service, ben } = await open()
    await both('up_down')
    service.fileOf(ben.agentId).inPlay = 0n
    expect(service.audit()).toMatchObject({ agrees: false, stranded: [] })
  })

  test('finds money that came from nowhere', async () => {
    const ledger = new Ledger()
    ledger.issue('wallet:ann', 5n)
    ledger.move('wallet:ann', 'wallet:ann', 2n)
    ledger.move('wallet:ann', 'pot:one', 2n)
    expect(ledger.sums()).toEqual({ issued: 5n, byKind: { wallet: 3n, pot: 2n } })
    expect(() => ledger.move('pot:one', 'wallet:ann', 3n)).toThrow(RangeError)
    expect(() => ledger.move('pot:one', 'wallet:ann', -1n)).toThrow(RangeError)
  })
})

test('its owner is told of moves and money over HTTP, and may break it', async () => {
  const { ann, both, ready, clock, service, raw } = await open()
  const owner = async (path: string, body?: unknown, token = service.ownerToken) => {
    const post = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) }
    const answer = await request(`${service.url}/owner/${path}`, { headers: { 'x-owner-token': token }, ...post })
    return { status: answer.statusCode, body: await answer.body.json() }
  }
  const contestId = await both('up_down', {}, 'short')
  await ready(contestId)
  clock.advanceTo(START_MS + 30_000)
  expect(await owner('log?agent=ben')).toMatchObject({
    body: {
      moves: [{ contestId, mode: 'up_down', type: 'side' }],
      outcomes: [{ contestId, result: 'DRAW', stake: STAKE }],
      withoutMove: [],
    },
  })
  expect(await owner('audit')).toMatchObject({ status: 200, body: { agrees: true } })
  expect((await owner('audit', undefined, 'somebody')).status).toBe(401)
  expect((await owner('log?agent=nobody')).status).toBe(404)
  expect(await owner('webhook?agent=ann', { url: 'http://127.0.0.1:9/' })).toMatchObject({
    body: { secret: expect.stringMatching(/^whsec_/) },
  })
  expect(service.webhooks.urlOf(ann.agentId)).toBe('http://127.0.0.1:9/')
  await owner('webhook?agent=ann', { url: null })
  expect(service.webhooks.urlOf(ann.agentId)).toBeNull()
  await owner('script', { does: 'crash', times: 2 })
  expect([(await raw(ann.key, 'agent.me')).statusCode, (await raw(ann.key, 'agent.me')).statusCode]).toEqual([500, 500])
  expect((await raw(ann.key, 'agent.me')).statusCode).toBe(200)
})

test('a script closes the port, opens it again, and breaks answers', async () => {
  const script = [
    { afterMs: 1000, does: 'closePort' },
    { afterMs: 2000, does: 'openPort' },
  ] as const
  const { ann, raw, clock, service, call } = await open({ script })
  const isThere = () =>
    raw(ann.key, 'agent.me').then(
      ({ statusCode }) => statusCode,
      () => 'refused',
    )
  const { url } = service
  expect(await isThere()).toBe(200)
  clock.advanceTo(START_MS + 1000)
  await expect.poll(isThere).toBe('refused')
  clock.advanceTo(START_MS + 2000)
  await expect.poll(isThere).toBe(200)
  expect(service.url).toBe(url)
  await service.perform({ does: 'crash' })
  expect(await isThere()).toBe(500)
  await service.perform({ does: 'cut' })
  await expect(call(ann, 'agent.queue.enqueue', { mode: 'up_down', stake: STAKE, durationSec: 20 })).rejects.toThrow()
  // It was done all the same.
  expect((await call(ann, 'agent.queue.list')).tickets?.rows).toHaveLength(1)
})
