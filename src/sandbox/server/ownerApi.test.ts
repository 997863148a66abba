import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver, type TestReceiver } from '../../../test/support/sandbox/openReceiver.ts'
import { errorOf, openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'

let sandbox: TestSandbox
let receiver: TestReceiver
beforeAll(async () => {
  receiver = await openReceiver()
  sandbox = await openTestSandbox({ house: false, loopbackWebhooks: true })
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})

const headers = (token = sandbox.ownerToken) => ({ 'x-owner-token': token, 'content-type': 'application/json' })
const post = (path: string, body: unknown, token?: string) =>
  sandbox.send(`owner/${path}`, { method: 'POST', headers: headers(token), body: typeof body === 'string' ? body : JSON.stringify(body) })
const get = (path: string, token?: string) => sandbox.send(`owner/${path}`, { headers: headers(token) })

describe('/owner/webhook', () => {
  test('sets an endpoint, shows its secret once, shows it, and clears it', async () => {
    expect((await get('webhook?agent=bob')).body).toEqual({ url: null })
    const set = await post('webhook', { agent: 'bob', url: receiver.url })
    expect([set.status, set.body]).toEqual([200, { url: receiver.url, webhookSecret: expect.stringMatching(/^whsec_/) }])
    expect((await get('webhook?agent=bob')).body).toEqual({ url: receiver.url, pending: 0, delivered: 0, dropped: 0, lastFailure: null })
    expect((await get('webhook?agent=alice')).body).toEqual({ url: null })
    const bob = sandbox.agents[1]?.key ?? ''
    expect(outputOf(await sandbox.get('agent.profile', null, bob))).toMatchObject({ webhookUrl: receiver.url })
    expect((await post('webhook', { agent: 'bob', url: null })).body).toEqual({ url: null })
    expect((await get('webhook?agent=bob')).body).toEqual({ url: null })
  })

  test.each([
    [{ agent: 'bob', url: 'http://10.0.0.1/' }, 400, 'WEBHOOK_URL'],
    [{ agent: 'carol', url: null }, 404, 'NOT_FOUND'],
    [{ agent: 'bob' }, 400, 'INVALID_INPUT'],
    [{ agent: 'bob', url: null, secret: 'mine' }, 400, 'INVALID_INPUT'],
    [[], 400, 'INVALID_INPUT'],
    ['{"agent":', 400, 'INVALID_INPUT'],
    [`"${'x'.repeat(64 * 1024)}"`, 413, 'INVALID_INPUT'],
  ])('refuses %j', async (body, status, appCode) => {
    const answer = await post('webhook', body)
    expect([answer.status, errorOf(answer).appCode]).toEqual([status, appCode])
  })

  test('asks for an agent that exists', async () => {
    for (const query of ['', '?agent=', '?agent=carol']) expect((await get(`webhook${query}`)).status).toBe(404)
  })
})

describe('/owner/faults', () => {
  test('shows and changes what goes wrong, from the next call on', async () => {
    const changed = await post('faults', { error500: 1 })
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ error500: 1, dropAfter: 0, latencyMs: [0, 0] })])
    expect((await sandbox.get('agent.rank')).status).toBe(500)
    const refused = await post('faults', { error500: 2 })
    expect([refused.status, errorOf(refused).message]).toEqual([400, expect.stringContaining('faults.error500')])
    expect((await get('faults')).body).toMatchObject({ error500: 1 })
    expect((await post('faults', {})).status).toBe(200)
    expect((await sandbox.get('agent.rank')).status).toBe(200)
  })
})

describe('what is not the owner’s', () => {
  test('a wrong token, none, and an agent’s key open nothing', async () => {
    for (const token of ['', 'co_wrong', sandbox.agents[0]?.key ?? '', `${sandbox.ownerToken}x`]) {
      for (const answer of [await get('faults', token), await post('faults', { error500: 1 }, token), await get('nothing', token)]) {
        expect([answer.status, errorOf(answer).appCode]).toEqual([401, 'OWNER_TOKEN_INVALID'])
      }
    }
    expect((await sandbox.send('owner/faults')).status).toBe(401)
    expect((await get('faults')).body).toMatchObject({ error500: 0 })
  })

  test('another path is not found, another method not answered', async () => {
    expect((await get('nothing')).status).toBe(404)
    const answer = await sandbox.send('owner/faults', { method: 'DELETE', headers: headers() })
    expect([answer.status, errorOf(answer).message]).toEqual([405, expect.stringContaining('GET /owner/faults and POST /owner/faults')])
  })
})
