import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type RawCall, type RawServer, startRawServer } from '../../test/support/rawServer.ts'
import { type Shapes, shapesSchema } from '../contract/shapes/shapes.ts'
import { Translator } from '../contract/shapes/translator.ts'
import { SANDBOX_HEADER } from '../contract/wire.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { HttpService, type WireExchange } from './httpService.ts'

const KEY = 'agent-key-of-the-test-7f3a'
const NOW = Date.parse('2026-11-26T10:00:00Z')
const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')

const good = (json: unknown) => ({ result: { data: { json } } })
const refusal = (code: string) => ({ error: { json: { message: 'no', data: { code } } } })

async function open(
  answer: (call: RawCall) => void,
  { shapes, path = '' }: { shapes?: Omit<Shapes, 'version'>; path?: string } = {},
): Promise<{ server: RawServer; service: HttpService }> {
  const server = await startRawServer(answer)
  const service = new HttpService({ url: server.url + path, agentKey: KEY, timeoutMs: 20_000, clock: new VirtualClock(NOW) })
  service.translator = shapes === undefined ? undefined : new Translator(shapesSchema.parse({ version: 1, ...shapes }))
  onTestFinished(async () => {
    await service.close()
    await server[Symbol.asyncDispose]()
  })
  return { server, service }
}

const state = { procedure: 'agent.modes.state', input: { contestId } } as const
const tickets = { procedure: 'agent.queue.list', input: null } as const
const enqueue = { procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake: usdc('1'), durationSec: 15 } } as const

describe('with a mapping', () => {
  test('a read is given in the form that the pipeline reads', async () => {
    const { service } = await open(({ json }) => json(200, good({ game: { left: 12_000, stage: 'SEALED' } })), {
      shapes: {
        records: { state: 'game' },
        pieces: { commitBy: { at: 'state:left', as: 'leftMs' }, phase: 'state:stage' },
        words: { phase: { commit: ['SEALED'] } },
      },
    })
    expect(await service.read(state)).toMatchObject({
      ok: true,
      output: { phase: 'commit', commitBy: NOW + 12_000 },
    })
  })

  test('a pinned piece that is not there is told beside what was read', async () => {
    const { service } = await open(({ json }) => json(200, good({ round: 2 })), {
      shapes: { pieces: { pool: 'state:left', round: 'state:round' } },
    })
    expect(await service.read(state)).toEqual({
      ok: true,
      output: { round: 2 },
      departures: [{ piece: 'pool', place: 'state:left', expected: expect.any(String), got: undefined }],
    })
  })

  test('a list that is not where it is pinned is no empty list', async () => {
    const { service } = await open(({ json }) => json(200, good({ items: [] })), { shapes: { lists: { tickets: 'rows' } } })
    expect(await service.read(tickets)).toEqual({
      ok: false,
      refusal: undefined,
      reason: 'agent.queue.list: the answer has no list where service.shapes.lists.tickets has it',
      departures: [{ piece: 'lists.tickets', place: 'tickets', expected: 'a list', got: undefined }],
    })
  })

  test('a state that stands in its contest is read with it', async () => {
    const answers: Record<string, unknown> = { 'agent.modes.state': {}, 'agent.contests.get': { play: { n: 3 } } }
    const { server, service } = await open(({ json, path }) => json(200, good(answers[path.slice(1).split('?')[0] ?? ''])), {
      shapes: { pieces: { round: 'contest:play.n' } },
    })
    expect(await service.read(state)).toMatchObject({ ok: true, output: { round: 3 } })
    expect(server.calls.map(({ path }) => path.split('?')[0])).toEqual(['/agent.modes.state', '/agent.contests.get'])
  })

  test('a token that stands in the state is read once, of a contest that needs it', async () => {
    const mint = 'So11111111111111111111111111111111111111112'
    const answers: Record<string, unknown> = { 'agent.modes.state': { coin: mint }, 'agent.contests.get': { mode: 'same_token' } }
    const { server, service } = await open(({ json, path }) => json(200, good(answers[path.slice(1).split('?')[0] ?? ''])), {
      shapes: { pieces: { token: 'state:coin', mode: 'contest:mode' } },
    })
    const contest = { procedure: 'agent.contests.get', input: { contestId } } as const
    for (let time = 0; time < 2; time++) expect(await service.read(contest)).toMatchObject({ ok: true, output: { token: mint } })
    const asked = () => server.calls.map(({ path }) => path.split('?')[0])
    expect(asked()).toEqual(['/agent.contests.get', '/agent.modes.state', '/agent.contests.get'])
    answers['agent.contests.get'] = { mode: 'pnl_usd' }
    const other = { procedure: 'agent.contests.get', input: { contestId: ticketId } } as const
    expect(await service.read(other)).toMatchObject({ ok: true, output: { mode: 'pnl_usd' } })
    expect(asked()).toHaveLength(4)
  })

  test('a turn by an entry that only the contest says is read with that, until it is known', async () => {
    const answers: Record<string, unknown> = { 'agent.modes.state': { on: 'e1' }, 'agent.contests.get': { you: { id: 'e1' } } }
    const { server, service } = await open(({ json, path }) => json(200, good(answers[path.slice(1).split('?')[0] ?? ''])), {
      shapes: { pieces: { turn: { at: 'state:on', is: 'entryId' }, entryId: 'contest:you.id' } },
    })
    for (let time = 0; time < 2; time++)
      expect(await service.read(state)).toEqual({ ok: true, output: { turnEntryId: 'e1', yourTurn: true } })
    expect(server.calls.map(({ path }) => path.split('?')[0])).toEqual(['/agent.modes.state', '/agent.contests.get', '/agent.modes.state'])
  })

  test('a side leaves in the word of the service, and nothing else is changed', async () => {
    const { server, service } = await open(({ json }) => json(200, good({})), {
      shapes: { words: { side: { UP: 'long', DOWN: 'short' } } },
    })
    await service.act({ procedure: 'agent.contests.join', input: { contestId, side: 'DOWN' } })
    await service.act({ procedure: 'agent.contests.join', input: { contestId } })
    await service.act(enqueue)
    expect(server.calls.map(({ body }) => (JSON.parse(body) as { json: unknown }).json)).toEqual([
      { contestId, side: 'short' },
      { contestId },
      { mode: 'up_down', stake: '1000000', durationSec: 15 },
    ])
  })

  test('what an action made is read like any other, and taken as it is where it has no id', async () => {
    const answers: unknown[] = [{ made: { ref: ticketId } }, { done: true }]
    const { service } = await open(({ json }) => json(200, good(answers.shift())), {
      shapes: { records: { ticket: 'made' }, pieces: { ticketId: 'ticket:ref' } },
    })
    expect(await service.act(enqueue)).toMatchObject({ status: 'accepted', output: { ticketId } })
    expect(await service.act(enqueue)).toEqual({ status: 'accepted', output: { done: true } })
  })

  test('a refusal says what its code means there, to reads and to actions', async () => {
    const { service } = await open(({ json }) => json(409, refusal('SEATS_ARE_GONE')), {
      shapes: { words: { refusal: { raceLost: ['SEATS_ARE_GONE'] } } },
    })
    const meant = { refusal: { code: 'SEATS_ARE_GONE', meaning: 'raceLost' } }
    expect(await service.act({ procedure: 'agent.contests.join', input: { contestId } })).toMatchObject({ status: 'rejected', ...meant })
    expect(await service.read(state)).toMatchObject({ ok: false, ...meant })
  })

  test('that comes after it was asked who the bot is, it knows that', async () => {
    const answers: Record<string, unknown> = { 'agent.me': { agent: { ref: 'u-1' } }, 'agent.modes.state': { turnOf: 'u-1' } }
    const { service } = await open(({ json, path }) => json(200, good(answers[path.slice(1).split('?')[0] ?? ''])))
    await service.read({ procedure: 'agent.me', input: null })
    service.translator = new Translator({ version: 1, pieces: { userId: 'me:agent.ref', turn: { at: 'state:turnOf', is: 'userId' } } })
    expect(await service.read(state)).toMatchObject({ ok: true, output: { yourTurn: true } })
  })

  test('nothing is changed any more once it is taken away', async () => {
    const { service } = await open(({ json }) => json(200, good({ n: 1 })), { shapes: { pieces: { round: 'state:n' } } })
    service.translator = undefined
    expect(await service.read(state)).toEqual({ ok: true, output: { n: 1 } })
  })
})

describe('who observes', () => {
  test('hears every exchange as it stood on the wire, without the key, until it ends', async () => {
    const { service } = await open(
      ({ json, method }) => json(method === 'GET' ? 200 : 409, method === 'GET' ? good({ of: KEY }) : refusal('FULL')),
      {
        path: '/api',
        shapes: { pieces: { round: 'state:n' } },
      },
    )
    const heard: WireExchange[] = []
    const end = service.observe((exchange) => heard.push(exchange))
    await service.read(state)
    await service.act(enqueue)
    await service.raw('read', 'agent.me', null)
    end()
    await service.read(state)
    expect(heard).toMatchObject([
      { at: NOW, procedure: 'agent.modes.state', input: { contestId }, status: 200, body: good({ of: '***' }) },
      {
        procedure: 'agent.queue.enqueue',
        input: { mode: 'up_down', stake: '1000000', durationSec: 15 },
        status: 409,
        body: refusal('FULL'),
      },
      { procedure: 'agent.me', input: null, status: 200 },
    ])
    expect(JSON.stringify(heard)).not.toContain(KEY)
  })

  test('hears what is no JSON as its text', async () => {
    const { service } = await open(({ response }) => response.writeHead(502).end('<html>bad gateway</html>'))
    const heard: WireExchange[] = []
    service.observe((exchange) => heard.push(exchange))
    await service.read(state)
    expect(heard).toMatchObject([{ status: 502, body: '<html>bad gateway</html>' }])
  })
})

describe('the sandbox is known by its digests', () => {
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
  const signed = ({ json }: RawCall, body: unknown, digest = digestOf(JSON.stringify(body))) =>
    json(200, body, { [SANDBOX_HEADER]: digest })

  test('once it has answered so', async () => {
    const { service } = await open((call) => signed(call, good({ of: KEY })))
    expect(service.isSandbox).toBe(false)
    await service.read(state)
    await service.act(enqueue)
    expect(service.isSandbox).toBe(true)
  })

  test('and by refusals neither way', async () => {
    const { server, service } = await open(({ json }) => json(409, refusal('FULL')))
    await service.read(state)
    expect(service.isSandbox).toBe(false)
    server.answer = (call) => signed(call, good({}))
    await service.read(state)
    server.answer = ({ json }) => json(409, refusal('FULL'))
    await service.act(enqueue)
    expect(service.isSandbox).toBe(true)
  })

  test.each([
    ['has none', ({ json }: RawCall) => json(200, good({}))],
    ['has that of another', (call: RawCall) => signed(call, good({ round: 1 }), digestOf(JSON.stringify(good({ round: 2 }))))],
  ])('and not any more after one success that %s', async (_what, answer) => {
    const { server, service } = await open((call) => signed(call, good({})))
    await service.read(state)
    server.answer = answer
    await service.read(state)
    expect(service.isSandbox).toBe(false)
    server.answer = (call) => signed(call, good({}))
    await service.read(state)
    expect(service.isSandbox).toBe(false)
  })
})
