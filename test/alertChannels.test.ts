import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../src/core/systemClock.ts'
import { usdc } from '../src/core/usdc.ts'
import { openChannels } from '../src/live/index.ts'
import type { Occurrence } from '../src/pipeline/index.ts'
import { type AlertConfig, alertSchema, discord, telegram, webhook } from '../src/strategy/alertConfig.ts'
import { secret } from '../src/strategy/secret.ts'

const TOKEN = '123456:AAHsecret-token-of-the-test'

interface Asked {
  readonly path: string
  readonly body: Record<string, unknown>
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A receiver on loopback. */
async function receiver(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      asked.push({ path: request.url ?? '', body: JSON.parse(body || '{}') as Record<string, unknown> })
      answer(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

function channelOf(input: Parameters<typeof alertSchema.parse>[0], value: string) {
  const [opened] = openChannels([alertSchema.parse(input) as AlertConfig], { clock: systemClock, reveal: () => value })
  if (opened === undefined) throw new Error('no channel')
  closers.push(() => opened.channel.close())
  return opened.channel
}

const alarm: Occurrence = { at: 1, bot: 'alice', kind: 'missedReveal', severity: 'alarm', message: 'a @everyone reveal <b>was</b> missed' }
const news: Occurrence = { at: 2, bot: 'bob', kind: 'settled', severity: 'info', message: 'up_down: WIN' }

describe('telegram', () => {
  const at = (apiRoot: string) => channelOf(telegram({ token: secret('TELEGRAM_TOKEN'), chat: '42', apiRoot }), TOKEN)

  test('sends one plain message to the chat', async () => {
    const { url, asked } = await receiver(json(200, { ok: true, result: { message_id: 1 } }))
    expect(await at(url).send([alarm, news])).toEqual({ ok: true, taken: 2 })
    expect(asked[0]?.path).toBe(`/bot${TOKEN}/sendMessage`)
    expect(asked[0]?.body).toEqual({ chat_id: '42', text: '🚨 alice: a @everyone reveal <b>was</b> missed\nℹ️ bob: up_down: WIN' })
  })

  test('a wrong token, a wrong chat and a time to wait: said, without the token', async () => {
    const wrong = await receiver(json(401, { ok: false, error_code: 401, description: 'Unauthorized' }))
    expect(await at(wrong.url).send([news])).toEqual({
      ok: false,
      reason: '401 Unauthorized: check the token',
      retryAfterMs: undefined,
      isFinal: false,
    })
    const chat = await receiver(json(400, { ok: false, error_code: 400, description: 'Bad Request: chat not found' }))
    expect(await at(chat.url).send([news])).toMatchObject({ reason: '400 Bad Request: chat not found: check the chat', isFinal: false })
    const long = await receiver(json(400, { ok: false, error_code: 400, description: 'Bad Request: message is too long' }))
    expect(await at(long.url).send([news])).toMatchObject({ ok: false, reason: '400 Bad Request: message is too long', isFinal: true })
    const slow = await receiver(json(429, { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 7 } }))
    expect(await at(slow.url).send([news])).toMatchObject({ ok: false, retryAfterMs: 7000 })
  })

  test('down, and no JSON: an answer, not an error, and never the token', async () => {
    const answers = [await at('http://127.0.0.1:1').send([news])]
    const { url } = await receiver((response) => response.writeHead(502).end('<html>bad gateway</html>'))
    answers.push(await at(url).send([news]))
    for (const answer of answers) {
      expect(answer.ok).toBe(false)
      expect(JSON.stringify(answer)).not.toContain('AAHsecret')
    }
  })

  test('of a flood it tells what a message holds, in whole lines, and says how many', async () => {
    const { url, asked } = await receiver(json(200, { ok: true, result: {} }))
    const flood = Array.from({ length: 15 }, (_, index) => ({ ...news, bot: `bot-${index}`, message: 'x'.repeat(5000) }))
    const delivery = await at(url).send(flood)
    const lines = String(asked[0]?.body.text).split('\n')
    expect(lines.join('\n').length).toBeLessThanOrEqual(4096)
    expect(lines.map((line) => [line.split(':')[0], line.length])).toEqual(lines.map((_, index) => [`ℹ️ bot-${index}`, 510]))
    expect(delivery).toEqual({ ok: true, taken: lines.length })
    expect(lines.length).toBe(8)
  })
})

describe('discord and webhooks', () => {
  const path = '/api/webhooks/1234567890/secret-part-of-the-address'

  test('discord: a message that rings for nobody', async () => {
    const { url, asked } = await receiver((response) => response.writeHead(204).end())
    expect(await channelOf(discord({ url: secret('DISCORD_URL') }), `${url}${path}`).send([alarm])).toEqual({ ok: true, taken: 1 })
    expect(asked).toEqual([{ path, body: { content: '🚨 alice: a @everyone reveal <b>was</b> missed', allowed_mentions: { parse: [] } } }])
  })

  test('discord: fifteen bots that stop in long words are more than it takes', async () => {
    const { url, asked } = await receiver((response) => response.writeHead(204).end())
    const stops = Array.from({ length: 15 }, (_, index) => ({ ...alarm, bot: `bot-${index}`, message: 'x'.repeat(200) }))
    const delivery = await channelOf(discord({ url: secret('DISCORD_URL') }), `${url}${path}`).send(stops)
    const content = String(asked[0]?.body.content)
    expect(content.length).toBeLessThanOrEqual(2000)
    expect(delivery).toEqual({ ok: true, taken: content.split('\n').length })
    expect(content).toMatch(/bot-8: x{200}$/)
  })

  test.each([
    ['a face of one code point', '😀', 2],
    ['a family of seven', '👨‍👩‍👧‍👦', 11],
    ['a flag', '🇨🇭', 4],
    ['a letter with its accents', 'e\u0301\u0323', 3],
    ['a line end of two', '\r\n', 2],
  ])('a long text is cut between graphemes, never within one: %s', async (_what, grapheme, length) => {
    expect(grapheme).toHaveLength(length)
    const { url, asked } = await receiver((response) => response.writeHead(204).end())
    const channel = channelOf(discord({ url: secret('DISCORD_URL') }), `${url}${path}`)
    for (let shift = 0; shift < length; shift++)
      await channel.send([{ ...alarm, message: 'x'.repeat(shift) + grapheme.repeat(Math.ceil(600 / length)) }])
    const said = asked.map(({ body }) => String(body.content).replace('🚨 alice: ', ''))
    expect(said.map((text, shift) => text.slice(shift, -1).replaceAll(grapheme, '') + text.at(-1))).toEqual(said.map(() => '…'))
    for (const text of said) {
      expect(text.length).toBeLessThanOrEqual(500)
      expect(text.length).toBeGreaterThan(500 - length - 1)
    }
  })

  test('half a character, which no receiver takes, is replaced by the mark for it', async () => {
    const half = { ...alarm, message: 'a \ud83d b' }
    const { url, asked } = await receiver((response) => response.writeHead(204).end())
    await channelOf(discord({ url: secret('DISCORD_URL') }), `${url}${path}`).send([half])
    await channelOf(webhook({ url: secret('ALERT_URL') }), url).send([half])
    expect(asked.map(({ body }) => body)).toMatchObject([{ content: '🚨 alice: a \ufffd b' }, { alerts: [{ message: 'a \ufffd b' }] }])
  })

  test.each([
    [400, true],
    [405, true],
    [413, true],
    [415, true],
    [422, true],
    [401, false],
    [403, false],
    [404, false],
    [408, false],
    [410, false],
    [425, false],
    [429, false],
    [302, false],
    [500, false],
    [503, false],
  ])('HTTP %i is the last word on a message: %s', async (status, isFinal) => {
    const { url } = await receiver((response) => response.writeHead(status).end())
    expect(await channelOf(webhook({ url: secret('ALERT_URL') }), url).send([news])).toMatchObject({ ok: false, isFinal })
  })

  test('a webhook of one’s own: what happened, as JSON', async () => {
    const { url, asked } = await receiver((response) => response.writeHead(200).end())
    expect(await channelOf(webhook({ url: secret('ALERT_URL') }), `${url}/alerts?key=secret-key`).send([alarm, news])).toEqual({
      ok: true,
      taken: 2,
    })
    expect(asked).toEqual([{ path: '/alerts?key=secret-key', body: { alerts: [alarm, news] } }])
  })

  test('a webhook of one’s own: contest, mode and stake as fields', async () => {
    const { url, asked } = await receiver((response) => response.writeHead(200).end())
    const contest = { contestId: 'c-1', mode: 'same_token' }
    await channelOf(webhook({ url: secret('ALERT_URL') }), url).send([{ ...alarm, ...contest, stake: usdc('2.5') }])
    expect(asked).toMatchObject([{ body: { alerts: [{ ...alarm, ...contest, stake: '2500000' }] } }])
  })

  test('asked to wait, turned away, sent elsewhere, down: each is an answer without the address', async () => {
    const busy = await receiver(json(429, {}, { 'retry-after': '3' }))
    const waits = await channelOf(discord({ url: secret('DISCORD_URL') }), `${busy.url}${path}`).send([news])
    expect(waits).toMatchObject({ ok: false, reason: 'HTTP 429' })
    expect(!waits.ok && waits.retryAfterMs).toBeGreaterThan(2000)
    const gone = await receiver(json(404, {}))
    const elsewhere = await receiver(json(200, {}))
    const moved = await receiver((response) => response.writeHead(302, { location: elsewhere.url }).end())
    const answers = await Promise.all(
      [gone.url, moved.url, 'http://127.0.0.1:1'].map((url) =>
        channelOf(discord({ url: secret('DISCORD_URL') }), `${url}${path}`).send([news]),
      ),
    )
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false])
    expect(answers[0]).toMatchObject({ reason: 'HTTP 404: check the address' })
    expect(elsewhere.asked).toEqual([])
    expect(JSON.stringify(answers)).not.toContain('secret-part')
  })

  test('an address that is none is not repeated in the message', () => {
    for (const address of ['hush-hush', 'https://hush.example/\n', 'https://hu\tsh.example/', 'https://hush.example/\u0000'])
      expect(() => channelOf(webhook({ url: secret('ALERT_URL') }), address)).toThrow(
        /^the address of alerts by webhook is no http or https URL: ((?!hush).)*$/s,
      )
  })
})
