import { fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { openTestSandbox, outputOf } from '../support/sandbox/openTestSandbox.ts'
import { startShapeProxy } from './proxy.ts'
import { listIn, readPiece } from './referenceReader.ts'
import { type ServiceShape, shapeOf } from './shape.ts'

/** Shapes that tell no time of their own: what is told can be compared. */
const [shape, other] = Array.from({ length: 60 }, (_, seed) => shapeOf(seed + 1, { departure: 0.6 })).filter(
  ({ departures }) =>
    !departures.includes('decoy: server time') && departures.includes('words of sides') && departures.includes('codes of refusals'),
) as [ServiceShape, ServiceShape]

async function standing() {
  const sandbox = await openTestSandbox({ agents: ['alice'] })
  const proxy = await startShapeProxy({ target: sandbox.url, shape })
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]()
    await sandbox.close()
  })
  const key = sandbox.agents[0]?.key ?? ''
  const call = async (procedure: string, json: unknown, method = 'GET') => {
    const body = JSON.stringify({ json })
    const response = await fetch(`${proxy.url}/${procedure}${method === 'GET' ? `?input=${encodeURIComponent(body)}` : ''}`, {
      method,
      headers: { 'x-agent-key': key, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
      ...(method === 'GET' ? {} : { body }),
    })
    return { status: response.status, headers: new Headers([...response.headers]), body: await response.json() }
  }
  return { sandbox, proxy, call }
}

test('answers in its shape, and takes what is asked in its words', async () => {
  const { sandbox, proxy, call } = await standing()
  const context = { now: Date.now(), agentId: sandbox.agents[0]?.agentId ?? '', handle: 'alice' }
  const said = outputOf(await sandbox.get('agent.contests.list', { status: 'open', modes: ['up_down'] }))
  const told = outputOf(await call('agent.contests.list', { status: 'open', modes: ['up_down'] }))
  expect(told).toEqual(shape.answer('agent.contests.list', null, said, context))
  expect(told).not.toEqual(said)

  const listed = listIn(told, shape.truth, 'open')?.find(
    (item) => String(readPiece(shape.truth, 'listedSides', { now: 0, ids: {}, listed: item })) === 'DOWN',
  )
  const contestId = readPiece(shape.truth, 'listedContestId', { now: 0, ids: {}, listed })
  const refused = await call('agent.contests.join', { contestId, side: 'UP' }, 'POST')
  expect(refused.status).toBe(400)
  const { appCode } = (refused.body as { error: { json: { data: { appCode: string } } } }).error.json.data
  expect(shape.truth.words?.refusal?.sideWord).toContain(appCode)
  const joined = await call('agent.contests.join', { contestId, side: shape.truth.words?.side?.UP }, 'POST')
  expect(joined.status).toBe(200)
  const mine = outputOf(await sandbox.get('agent.contests.get', { contestId })) as { you: { side: string } }
  expect(mine.you.side).toBe('UP')

  expect(proxy.calls.map(({ procedure, status }) => [procedure, status])).toEqual([
    ['agent.contests.list', 200],
    ['agent.contests.join', 400],
    ['agent.contests.join', 200],
  ])
  expect(proxy.calls[0]).toMatchObject({ agentId: context.agentId, said, told })
})

test('lets everything else through, and of headers no more than bots need', async () => {
  const { sandbox, proxy, call } = await standing()
  const path = '/jup/price/v3?ids=So11111111111111111111111111111111111111112'
  const [direct, passed] = await Promise.all([fetch(sandbox.url + path), fetch(proxy.url + path)])
  expect(await passed.json()).toEqual(await direct.json())
  const { headers } = await call('agent.bankroll', null)
  const own = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']
  expect([...headers.keys()].filter((name) => !own.includes(name))).toEqual(['content-type', 'date'])
  expect((await fetch(`${proxy.url}/agent.me`)).status).toBe(401)
})

test('has another shape from the moment on that it was told', async () => {
  const { proxy, call } = await standing()
  const ask = async () => JSON.stringify((await call('agent.contests.list', { status: 'open', limit: 1 })).body)
  const before = await ask()
  proxy.switchAt(Date.now() + 3_600_000, other)
  expect(await ask()).toBe(before)
  proxy.switchAt(Date.now() - 1, other)
  expect(await ask()).not.toBe(before)
})
