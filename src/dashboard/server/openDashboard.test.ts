import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, type Followed, follow, fromPage } from '../../../test/support/dashboardClient.ts'
import { ScriptedDesk } from '../../../test/support/scriptedDesk.ts'
import { VirtualClock } from '../../core/clock.ts'
import type { Desk } from '../watch/desk.ts'
import { type DashboardOptions, openDashboard } from './openDashboard.ts'
import { plainPage } from './page.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const TOKEN = 'a token of thirty-two characters'
const LEAVE = { bot: 'bob', order: { type: 'leaveContest', contestId: 'c1' } }
const OWN = { value: TOKEN, isFromUser: true }

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(options: Partial<DashboardOptions> = {}) {
  const clock = new VirtualClock(NOW)
  const desk = new ScriptedDesk({ now: () => clock.now() })
  const lines: string[] = []
  const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) }
  const page = () => plainPage('the page')
  const token = { value: TOKEN, isFromUser: false }
  const dashboard = await openDashboard({ desk, operator: desk, host: '127.0.0.1', port: 0, token, page, log, clock, ...options })
  closers.push(async () => {
    const closed = dashboard.close()
    await clock.advanceBy(1000)
    await closed
  })
  const { address } = dashboard
  const signIn = async (): Promise<string> => {
    const { headers } = await ask(address, '/session', fromPage(address, { token: TOKEN }))
    return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  }
  const read = async (query: string): Promise<Followed> => {
    const followed = await follow(address, `/stream?${query}`, { cookie: await signIn(), 'sec-fetch-site': 'same-origin' })
    closers.push(() => followed.close())
    await followed.until(() => followed.events.length > 0)
    return followed
  }
  return { dashboard, address, clock, desk, lines, signIn, read }
}

describe('the address', () => {
  test('has the token in its fragment, which no browser sends', async () => {
    const { dashboard } = await open()
    expect(dashboard.url).toBe(`${dashboard.address}#token=a%20token%20of%20thirty-two%20characters`)
    expect(dashboard.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  })

  test('is on the next free port where its own is taken, and that is said', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    closers.push(() => void holder.close())
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const { address, lines } = await open({ port })
    const got = Number(new URL(address).port)
    expect(got).toBeGreaterThan(port)
    expect(got).toBeLessThan(port + 20)
    expect(lines).toEqual([`dashboard: port ${port} is taken: it listens on ${got}`])
    expect((await ask(address, '/')).status).toBe(200)
  })

  test('that cannot be listened on is an error that says what to do', async () => {
    await expect(open({ host: '192.0.2.1', token: OWN })).rejects.toMatchObject({
      code: 'DASHBOARD_PORT',
      message: expect.stringMatching(/cannot listen on 192\.0\.2\.1:0 .*: the host must be an address of this machine/),
    })
  })

  test('and so is one where all ports that it tries are taken', async () => {
    const hold = async (port: number) => {
      const holder = createServer().listen(port, '127.0.0.1')
      closers.push(() => void holder.close())
      // One that somebody else has is taken, too.
      await Promise.race([once(holder, 'listening'), new Promise((resolve) => holder.once('error', resolve))])
      return holder
    }
    const { port } = (await hold(0)).address() as AddressInfo
    for (let next = port + 1; next < port + 20; next++) await hold(next)
    await expect(open({ port })).rejects.toMatchObject({
      code: 'DASHBOARD_PORT',
      message: expect.stringMatching(new RegExp(`cannot listen on .*: nor on the ports from ${port} on: choose another --port, or`)),
    })
  })

  test.each(['0.0.0.0', '192.0.2.1', 'desk.example', '::'])('%s needs a token of the user’s own', async (host) => {
    await expect(open({ host })).rejects.toMatchObject({
      code: 'DASHBOARD_TOKEN_MISSING',
      message: expect.stringContaining('CORNERMAN_DASHBOARD_TOKEN'),
    })
  })

  test('is not opened with a token that could be guessed', async () => {
    const problem = open({ token: { value: 'fifteen letters', isFromUser: true } })
    await expect(problem).rejects.toMatchObject({ code: 'DASHBOARD_TOKEN_SHORT', message: expect.not.stringContaining('fifteen letters') })
  })
})

describe('a session', () => {
  test('comes for the token, and its cookie is neither the token nor for scripts or other sites', async () => {
    const { address } = await open()
    const { status, headers } = await ask(address, '/session', fromPage(address, { token: TOKEN }))
    const [cookie = ''] = headers['set-cookie'] ?? []
    expect(status).toBe(204)
    expect(cookie).toMatch(/^cornerman-[\da-f]{8}=\d+\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(TOKEN)
    expect((await ask(address, '/session', { headers: { cookie: `other=1; ${cookie.split(';')[0]}` } })).status).toBe(204)
  })

  test('does not come for another token; after ten of those who sends more waits longer and longer for its answer', async () => {
    const { address, clock, lines } = await open()
    const attempt = (token: string) => ask(address, '/session', fromPage(address, { token }))
    for (const token of ['', 'x', TOKEN.slice(1), `${TOKEN} `, TOKEN.toUpperCase(), '1', '2', '3', '4', '5']) {
      const { status, headers, body } = await attempt(token)
      expect([token, status, headers['set-cookie'], body.includes(TOKEN)]).toEqual([token, 401, undefined, false])
    }
    expect(lines).toEqual(['dashboard: many wrong tokens came from 127.0.0.1: whoever sends more waits longer and longer for the answer'])
    for (const waitMs of [500, 1000, 2000, 4000, 8000, 8000]) {
      let status = 0
      const answered = attempt('wrong').then((answer) => {
        status = answer.status
      })
      // The right one is let in meanwhile, from the same place, and at once; so is a program that shows it.
      expect((await attempt(TOKEN)).status).toBe(204)
      clock.advanceTo(clock.now() + waitMs - 1)
      expect((await ask(address, '/')).status).toBe(200)
      expect(status).toBe(0)
      clock.advanceTo(clock.now() + 1)
      await answered
      expect(status).toBe(429)
    }
    expect(lines).toHaveLength(1)
    clock.advanceTo(clock.now() + 60_000)
    expect((await attempt('wrong')).status).toBe(401)
  })

  test('is not needed by a program that shows the token, however many wrong ones come', async () => {
    const handle = () => Promise.resolve({ status: 200, type: 'text/plain', body: 'figures' })
    const { address, clock } = await open({ routes: [{ path: '/metrics', needsSession: true, handle }] })
    const asks = (token: string) => ask(address, '/metrics', { headers: { authorization: `Bearer ${token}` } })
    for (let times = 0; times < 10; times++) expect((await asks('wrong')).status).toBe(401)
    const waiting = asks('wrong')
    expect((await asks(TOKEN)).body).toBe('figures')
    await clock.advanceBy(500)
    expect((await waiting).status).toBe(429)
  })

  test('ends after 30 days, and cannot be made longer or made up', async () => {
    const { address, clock, signIn } = await open()
    const cookie = await signIn()
    const has = async (value: string) => (await ask(address, '/session', { headers: { cookie: value } })).status
    const [name = '', value = ''] = cookie.split('=')
    const [endsAt, signature] = value.split('.')
    expect(await has(cookie)).toBe(204)
    expect(await has(`${name}=${Number(endsAt) + 1}.${signature}`)).toBe(401)
    for (const bad of ['', 'x', endsAt, `${endsAt}.`, `${endsAt}.${signature?.slice(1)}`, `.${signature}`, `NaN.${signature}`])
      expect([bad, await has(`${name}=${bad}`)]).toEqual([bad, 401])
    clock.advanceTo(NOW + 30 * 86_400_000)
    expect(await has(cookie)).toBe(401)
  })

  test('holds over a restart with the same token, and not with another', async () => {
    const cookie = await (await open()).signIn()
    const same = await open()
    expect((await ask(same.address, '/session', { headers: { cookie } })).status).toBe(204)
    const other = await open({ token: { value: 'another token of many characters', isFromUser: false } })
    expect((await ask(other.address, '/session', { headers: { cookie } })).status).toBe(401)
  })
})

describe('without a session', () => {
  test('the page comes, which knows nothing, and nothing else does', async () => {
    const { address, desk } = await open()
    expect((await ask(address, '/')).status).toBe(200)
    for (const path of ['/session', '/stream?view=fleet', '/stream?view=bot&bot=alice'])
      expect([path, (await ask(address, path)).status]).toEqual([path, 401])
    expect((await ask(address, '/operator', fromPage(address, { command: 'stopAll' }))).status).toBe(401)
    expect((await ask(address, '/order', fromPage(address, LEAVE))).status).toBe(401)
    expect(desk.said).toEqual([])
  })

  test('routes answer that say they need none, and the others do not', async () => {
    const answer = (body: string) => () => Promise.resolve({ status: 200, type: 'text/plain', body })
    const routes = [
      { path: '/open', needsSession: false, handle: answer('for all') },
      { path: '/closed', needsSession: true, handle: answer('for the owner') },
    ] as const
    const { address, signIn } = await open({ routes })
    expect(await ask(address, '/open')).toMatchObject({ status: 200, body: 'for all' })
    expect((await ask(address, '/closed')).status).toBe(401)
    expect(await ask(address, '/closed', { headers: { cookie: await signIn() } })).toMatchObject({ status: 200, body: 'for the owner' })
  })
})

describe('the name it is asked by', () => {
  test.each(['localhost', '127.0.0.1:9', 'LOCALHOST:8788', '[::1]:8788', '127.8.9.1'])('%s is its own', async (host) => {
    const { address } = await open()
    expect((await ask(address, '/', { headers: { host } })).status).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5:8788',
    'localhost:x',
    'a b',
    '2130706433',
  ])('%j is not', async (host) => {
    const { address, desk, signIn } = await open()
    const cookie = await signIn()
    for (const path of ['/', '/session', '/stream?view=fleet'])
      expect((await ask(address, path, { headers: { host, cookie } })).status).toBe(421)
    const post = fromPage(address, { command: 'stopAll' }, { host, cookie, origin: `http://${host}` })
    expect((await ask(address, '/operator', post)).status).toBe(421)
    expect(desk.said).toEqual([])
  })

  test('is any address, and no foreign name, where it listens on all', async () => {
    const { address } = await open({ host: '0.0.0.0', token: OWN })
    const own = address.replace('0.0.0.0', '127.0.0.1')
    expect((await ask(own, '/', { headers: { host: '192.168.1.5:8788' } })).status).toBe(200)
    expect((await ask(own, '/', { headers: { host: 'evil.example' } })).status).toBe(421)
  })
})

describe('another site', () => {
  const others: [what: string, headers: Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['no page at all', { origin: 'null' }],
    ['what says it crosses sites', { 'sec-fetch-site': 'cross-site' }],
    ['what says it is of the same machine only', { 'sec-fetch-site': 'same-site' }],
  ]
  test.each(others)('%s: can neither post nor read', async (_what, headers) => {
    const { address, desk, signIn } = await open()
    const cookie = await signIn()
    expect((await ask(address, '/operator', fromPage(address, { command: 'stopAll' }, { cookie, ...headers }))).status).toBe(403)
    expect((await ask(address, '/order', fromPage(address, LEAVE, { cookie, ...headers }))).status).toBe(403)
    expect((await ask(address, '/session', fromPage(address, { token: TOKEN }, headers))).status).toBe(403)
    expect((await ask(address, '/stream?view=fleet', { headers: { cookie, ...headers } })).status).toBe(403)
    expect([desk.said, desk.ordered]).toEqual([[], []])
  })

  test('cannot post as a form does, nor without saying where it comes from', async () => {
    const { address, desk, signIn } = await open()
    const cookie = await signIn()
    const body = JSON.stringify({ command: 'stopAll' })
    const json = { cookie, 'content-type': 'application/json' }
    expect((await ask(address, '/operator', { method: 'POST', body, headers: json })).status).toBe(403)
    const asForm = fromPage(address, { command: 'stopAll' }, { cookie, 'content-type': 'text/plain' })
    expect((await ask(address, '/operator', asForm)).status).toBe(415)
    expect(desk.said).toEqual([])
  })
})

describe('every answer', () => {
  test('keeps foreign scripts, frames and readers out', async () => {
    const { address } = await open()
    for (const path of ['/', '/nothing', '/session']) {
      const { headers } = await ask(address, path)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['cache-control']).toMatch(/^no-(?:cache|store)$/)
    }
  })

  test.each([
    '/../package.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '//etc/passwd',
  ])('to %s has nothing of the disk', async (path) => {
    const { address } = await open()
    const { status, body } = await ask(address, path)
    expect([404, body.includes('dependencies')]).toEqual([status, false])
  })

  test('to what cannot be read is a refusal', async () => {
    const { address, signIn } = await open()
    const cookie = await signIn()
    expect((await ask(address, '/', { method: 'DELETE' })).status).toBe(405)
    expect((await ask(address, '/stream?view=all', { headers: { cookie } })).status).toBe(400)
    expect((await ask(address, '/stream?view=bot', { headers: { cookie } })).status).toBe(400)
    const post = (content: unknown) => ask(address, '/operator', fromPage(address, content, { cookie }))
    for (const bad of [null, {}, { command: 'drain' }, { command: 'stopAll', bot: 1 }, { command: 'stopAll', also: 1 }])
      expect((await post(bad)).status).toBe(400)
    expect((await post({ command: 'stopAll', bot: 'nobody' })).status).toBe(404)
    expect((await post({ command: 'stopAll', bot: 'x'.repeat(5000) })).status).toBe(413)
  })

  test('to a body without an end comes before the end', async () => {
    const { address } = await open()
    const { hostname, port, host } = new URL(address)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (part) => {
      answer += part.toString()
    })
    socket.on('error', () => {})
    const head = `POST /session HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(`${head}${`400\r\n${' '.repeat(0x400)}\r\n`.repeat(5)}`)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i)
  })
})

describe('what the owner orders', () => {
  async function openOrders() {
    const { address, desk, lines, signIn } = await open()
    const cookie = await signIn()
    return { desk, lines, post: (content: unknown) => ask(address, '/order', fromPage(address, content, { cookie })) }
  }

  test('reaches the bot it is of, whole amounts and all', async () => {
    const { desk, lines, post } = await openOrders()
    const sell = { type: 'sell', contestId: 'c1', mint: 'So1', amount: '18446744073709551615' }
    for (const order of [LEAVE.order, { type: 'cancelTicket', ticketId: 't1' }, sell])
      expect((await post({ bot: 'bob', order })).status).toBe(204)
    expect(desk.ordered).toEqual([
      { bot: 'bob', order: { type: 'leaveContest', contestId: 'c1' } },
      { bot: 'bob', order: { type: 'cancelTicket', ticketId: 't1' } },
      { bot: 'bob', order: { ...sell, amount: 18_446_744_073_709_551_615n } },
    ])
    expect(lines).toEqual(['leaveContest', 'cancelTicket', 'sell'].map((type) => `dashboard: the owner ordered ${type} of bob`))
  })

  test('is answered with what became of it', async () => {
    const { desk, post } = await openOrders()
    desk.answers.push({ isDone: false, message: 'this bot has no seat in contest c1' }, { isDone: true, message: 'later' })
    const [refused, late] = [await post(LEAVE), await post(LEAVE)]
    const undone = { reason: 'notDone', message: 'this bot has no seat in contest c1' }
    expect([refused.status, JSON.parse(refused.body)]).toEqual([409, undone])
    expect([late.status, JSON.parse(late.body)]).toEqual([200, { message: 'later' }])
  })

  test('and that cannot be read, or is of no bot, reaches nobody', async () => {
    const { desk, post } = await openOrders()
    const sell = { type: 'sell', contestId: 'c1', mint: 'So1' }
    for (const order of [
      null,
      {},
      { type: 'enqueue', mode: 'up_down', stake: '1' },
      { type: 'leaveContest' },
      { type: 'leaveContest', contestId: '' },
      { type: 'leaveContest', contestId: 'c1', also: 1 },
      ...['0', '-1', '1.5', '1e3', '', 1, `1${'0'.repeat(20)}`].map((amount) => ({ ...sell, amount })),
    ])
      expect((await post({ bot: 'bob', order })).status).toBe(400)
    expect((await post({ ...LEAVE, bot: undefined })).status).toBe(400)
    expect((await post({ ...LEAVE, bot: 'nobody' })).status).toBe(404)
    expect(desk.ordered).toEqual([])
  })
})

describe('what the owner says', () => {
  test('reaches the operator, of one bot and of all, and is seen at once', async () => {
    const { address, clock, desk, lines, signIn, read } = await open()
    const followed = await read('view=fleet')
    const cookie = await signIn()
    const say = async (content: unknown) => (await ask(address, '/operator', fromPage(address, content, { cookie }))).status
    expect(await say({ command: 'stopEntries', bot: 'bob' })).toBe(204)
    clock.advanceTo(NOW)
    await followed.until(() => followed.shown().frame.bots[1]?.stopped === 'entries')
    expect(await say({ command: 'stopAll' })).toBe(204)
    clock.advanceTo(NOW)
    await followed.until(() => followed.shown().frame.stopped === 'all')
    expect(desk.said).toEqual([
      { command: 'stopEntries', bot: 'bob' },
      { command: 'stopAll', bot: undefined },
    ])
    expect(lines).toEqual(['dashboard: the owner said stopEntries to bob', 'dashboard: the owner said stopAll to all bots'])
  })

  test('and that changes nothing yet is answered with what still stops more', async () => {
    const { address, signIn } = await open()
    const cookie = await signIn()
    const say = (content: unknown) => ask(address, '/operator', fromPage(address, content, { cookie }))
    expect((await say({ command: 'stopAll' })).status).toBe(204)
    const answer = await say({ command: 'resume', bot: 'bob' })
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { message: 'all bots are still stopped' }])
  })

  test('that the operator cannot pass on is an error, and the server goes on', async () => {
    const operator = {
      say: () => {
        throw new Error('the disk is full')
      },
      order: () => Promise.reject(new Error('not asked')),
    }
    const { address, lines, signIn } = await open({ operator })
    const post = fromPage(address, { command: 'stopAll' }, { cookie: await signIn() })
    expect((await ask(address, '/operator', post)).status).toBe(500)
    expect(lines).toEqual(['dashboard: a request was not answered: the disk is full'])
    expect((await ask(address, '/')).status).toBe(200)
  })
})

describe('a stream', () => {
  const expected = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

  test('begins whole, and then says what is new: of the fleet at most twice a second', async () => {
    const { clock, desk, read } = await open()
    const followed = await read('view=fleet')
    expect(followed.events.map(({ name }) => name)).toEqual(['whole'])
    expect(followed.shown().fleet?.bots).toEqual(expected(desk.fleet().bots))
    for (let step = 0; step < 100; step++) {
      desk.tick('alice')
      clock.advanceTo(NOW + step * 20)
    }
    clock.advanceTo(NOW + 2500)
    desk.tick('dave')
    clock.advanceTo(NOW + 3000)
    await followed.until(() => followed.shown().fleet?.bots[3]?.bankroll === desk.fleet().bots[3]?.bankroll)
    expect(followed.events.length).toBeLessThanOrEqual(7)
    expect(followed.shown().fleet?.bots[0]?.bankroll).toBe(desk.fleet().bots[0]?.bankroll)
    for (const { name, data } of followed.events.slice(1)) expect([name, JSON.stringify(data).length < 1500]).toEqual(['patch', true])
  })

  test('of a bot and of a contest follows them, once a second', async () => {
    const { clock, desk, read } = await open()
    const contestId = desk.bot('alice')?.contests[0]?.contestId ?? ''
    const bot = await read('view=bot&bot=alice')
    const contest = await read(`view=contest&bot=alice&id=${contestId}`)
    expect(bot.shown().bot).toEqual(expected(desk.bot('alice')))
    expect(contest.shown().contest?.row.phase).toBe('live')
    clock.advanceTo(NOW + 10_000)
    desk.settle('alice')
    clock.advanceTo(NOW + 10_000)
    await contest.until(() => contest.shown().contest?.row.phase === 'settled')
    await bot.until(() => bot.shown().bot?.contests[1]?.settledAt === NOW + 10_000)
    expect(bot.shown().bot).toEqual(expected(desk.bot('alice')))
    expect(contest.shown().contest).toEqual(expected(desk.contest('alice', contestId)))
  })

  test('of what is not there says so', async () => {
    const { read } = await open()
    expect((await read('view=bot&bot=nobody')).shown().bot).toBeNull()
    expect((await read('view=contest&bot=alice&id=x')).shown().contest).toBeNull()
  })

  test('gives a sign of life every ten seconds', async () => {
    const { clock, read } = await open()
    const followed = await read('view=fleet')
    clock.advanceTo(NOW + 30_000)
    await followed.until(() => followed.events.length >= 4)
    expect(followed.events.map(({ name }) => name)).toEqual(['whole', 'beat', 'beat', 'beat'])
  })

  test('of a slow reader holds no more than one view, and the reader gets the newest in the end', async () => {
    const { clock, desk } = { clock: new VirtualClock(NOW), desk: new ScriptedDesk({ now: () => NOW }) }
    let made = 0
    const counted: Desk = {
      changed$: desk.changed$,
      bot: (name) => desk.bot(name),
      contest: (bot, id) => desk.contest(bot, id),
      fleet: () => {
        made += 1
        // A megabyte, which is new every time.
        const message = String(made).repeat(1_000_000 / String(made).length)
        return { ...desk.fleet(), service: message, stopped: made % 2 === 0 ? 'all' : 'nothing' }
      },
    }
    const { read } = await open({ desk: counted, clock })
    const before = process.memoryUsage()
    const followed = await read('view=fleet')
    followed.pause()
    for (let step = 1; step <= 120; step++) {
      desk.tick('alice')
      clock.advanceTo(NOW + step * 500)
      if (step % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    const { external, arrayBuffers } = process.memoryUsage()
    expect(made).toBeGreaterThan(100)
    expect(external + arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(30_000_000)
    followed.resume()
    await followed.until(() => followed.shown().frame.service.startsWith(String(made).repeat(3)))
    expect(followed.events.length).toBeLessThan(20)
    expect(followed.events.at(-1)?.name).toBe('whole')
  })

  test('that takes nothing for a minute is ended', async () => {
    const { clock, desk } = { clock: new VirtualClock(NOW), desk: new ScriptedDesk({ now: () => NOW }) }
    const fleet = () => ({ ...desk.fleet(), service: 'x'.repeat(30_000_000) })
    const wide: Desk = { changed$: desk.changed$, bot: (name) => desk.bot(name), contest: (bot, id) => desk.contest(bot, id), fleet }
    const { address, signIn } = await open({ desk: wide, clock })
    const followed = await follow(address, '/stream?view=fleet', { cookie: await signIn() })
    followed.pause()
    let isEnded = false
    void followed.ended.then(() => {
      isEnded = true
    })
    clock.advanceTo(NOW + 60_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isEnded).toBe(false)
    clock.advanceTo(NOW + 80_000)
    followed.resume()
    await followed.ended
    expect(followed.events).toEqual([])
  })

  test('ends, and is no end of the bots, where the desk throws', async () => {
    let isBroken = false
    const whole = new ScriptedDesk({ now: () => NOW })
    const desk: Desk = {
      changed$: whole.changed$,
      bot: (name) => whole.bot(name),
      contest: (bot, id) => whole.contest(bot, id),
      fleet: () => {
        if (isBroken) throw new Error('a figure is missing')
        return whole.fleet()
      },
    }
    const { address, clock, lines, signIn, read } = await open({ desk })
    const followed = await read('view=fleet')
    isBroken = true
    whole.tick('alice')
    clock.advanceTo(NOW + 1000)
    await followed.ended
    expect(lines).toEqual(['dashboard: the view of fleet could not be made: a figure is missing'])
    expect((await ask(address, '/stream?view=fleet', { headers: { cookie: await signIn() } })).status).toBe(500)
    isBroken = false
    expect((await read('view=fleet')).shown().fleet?.bots).toHaveLength(6)
  })

  test('is one of at most fifty', async () => {
    const { address, read, signIn } = await open()
    for (let count = 0; count < 50; count++) await read('view=fleet')
    expect((await ask(address, '/stream?view=fleet', { headers: { cookie: await signIn() } })).status).toBe(503)
  })

  test('that is closed asks nothing of the desk any more', async () => {
    const whole = new ScriptedDesk({ now: () => NOW })
    let asked = 0
    const desk: Desk = {
      changed$: whole.changed$,
      bot: (name) => whole.bot(name),
      contest: (bot, id) => whole.contest(bot, id),
      fleet: () => {
        asked += 1
        return whole.fleet()
      },
    }
    const { clock, read } = await open({ desk })
    const [one, other] = [await read('view=fleet'), await read('view=bot&bot=alice')]
    one.close()
    other.close()
    await Promise.all([one.ended, other.ended])
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = asked
    whole.tick('alice')
    clock.advanceTo(NOW + 60_000)
    expect(asked).toBe(before)
  })
})

test('two hundred silent connections, and two hundred that wait for the answer to a wrong token, shut nobody out', async () => {
  const { address, read } = await open()
  const reader = await read('view=fleet')
  const { hostname, port } = new URL(address)
  const dial = async (bytes: string) => {
    const socket = connect(Number(port), hostname)
    closers.push(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
  }
  const origin = address.slice(0, -1)
  const head = `POST /session HTTP/1.1\r\nhost: ${hostname}:${port}\r\norigin: ${origin}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\n`
  const wrong = `${head}content-length: 11\r\n\r\n{"token":1}`.replace('11\r\n\r\n{"token":1}', '15\r\n\r\n{"token":"bad"}')
  for (const bytes of ['', wrong]) {
    for (let opened = 0; opened < 200; opened++) await dial(bytes)
    expect((await ask(address, '/')).status).toBe(200)
    expect((await ask(address, '/session', fromPage(address, { token: TOKEN }))).status).toBe(204)
  }
  let isEnded = false
  void reader.ended.then(() => {
    isEnded = true
  })
  expect((await ask(address, '/')).status).toBe(200)
  expect(isEnded).toBe(false)
})
