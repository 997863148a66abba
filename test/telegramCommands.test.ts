import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { TelegramChat } from '../src/live/alerts/telegramChat.ts'
import { type ChatCommand, TelegramCommands } from '../src/live/alerts/telegramCommands.ts'
import { openChannels } from '../src/live/index.ts'
import { alertSchema, telegram } from '../src/strategy/alertConfig.ts'
import { secret } from '../src/strategy/secret.ts'
import { answer, BotApi } from './support/botApi.ts'

const TOKEN = '123456:AAHsecret-token-of-the-test'
const START_MS = Date.UTC(2026, 0, 2)

let api: BotApi
let apiRoot: string
let clock: VirtualClock
let log: string[]
let said: (readonly [command: ChatCommand, bot: string | undefined])[]
const open: TelegramCommands[] = []

beforeEach(async () => {
  api = new BotApi()
  apiRoot = await api.open()
  clock = new VirtualClock(START_MS)
  log = []
  said = []
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((commands) => commands.close()))
  api.close()
})

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const desk = {
  bots: ['alice', 'bob'],
  status: () => 'alice: playing',
  profit: (period: string | undefined) => `profit ${period ?? 'of all'}`,
  summary: () => 'the summary',
  say(command: ChatCommand, bot: string | undefined) {
    if (bot === 'bob') throw new Error('the disk is full')
    said.push([command, bot])
    return command === 'resume' && bot !== undefined ? 'all bots are still stopped' : undefined
  },
}

/** One run of the bots. */
function run(name = '', isFirst?: () => boolean, chat = new TelegramChat('42')): TelegramCommands {
  const into = (message: string) => void log.push(`${name}${message}`)
  const commands = new TelegramCommands({ token: TOKEN, apiRoot, chat, clock, desk, isFirst, log: { info: into, warn: into } })
  open.push(commands)
  commands.start()
  return commands
}

async function listening(): Promise<void> {
  run()
  await api.listening()
}

const texts = () => api.messages.map(({ text }) => text)

describe('commands', () => {
  test('what is asked is answered, in the chat alone', async () => {
    await listening()
    for (const text of [
      '/status',
      '/profit',
      '/profit day',
      '/profit@corner_bot week',
      '/profit year',
      '/help',
      'good morning',
      '/status@other_bot',
    ])
      await api.say(text)
    expect(texts()).toEqual([
      'alice: playing',
      'profit of all',
      'profit day',
      'profit week',
      'say /profit, /profit day or /profit week',
      expect.stringContaining('/stopnow [bot]: kill switch'),
      // Whoever asks for the status of another bot of the group is told how this one is asked, and nothing of its bots.
      expect.stringContaining('/status: how the bots stand'),
    ])
    expect(new Set(api.messages.map(({ chat_id }) => chat_id))).toEqual(new Set(['42']))
  })

  test.each([
    ['/stop', 'stopEntries', 'all bots: entries are stopped'],
    ['/stopnow', 'stopAll', 'all bots: kill switch: everything is stopped'],
    ['/resume', 'resume', 'all bots: resumed'],
  ] as const)('%s is done once it is confirmed, and once', async (text, command, done) => {
    await listening()
    await api.say(text)
    expect(said).toEqual([])
    const [yes = ''] = api.buttons
    await api.press(yes)
    await api.press(yes)
    expect(said).toEqual([[command, undefined]])
    expect(texts().slice(1)).toEqual([done])
    expect(api.pressed).toEqual(['', 'No longer open: send the command again'])
    expect(log).toEqual([`telegram: the owner said ${command} to all bots`])
  })

  test('of one bot, with what still stops more; of one that there is not; and what could not be done', async () => {
    await listening()
    await api.say('/resume alice')
    await api.press(api.buttons[0] ?? '')
    await api.say('/stop zoe')
    await api.say('/stopnow bob')
    await api.press(api.buttons[0] ?? '')
    expect(said).toEqual([['resume', 'alice']])
    expect(texts().filter((text) => !text.includes('?'))).toEqual([
      'alice: resumed; but all bots are still stopped',
      'There is no bot of this name. There is alice, bob',
      'bob: it was not done: the disk is full',
    ])
  })

  test('cancelled, late, of another question, and made up: nothing is done', async () => {
    await listening()
    await api.say('/stopnow')
    const [yes = '', no = ''] = api.buttons
    await api.press(no)
    await api.press(yes)
    await api.say('/stopnow')
    const [late = ''] = api.buttons
    clock.advanceTo(START_MS + 60_000)
    await api.press(late)
    await api.say('/stop')
    const [older = ''] = api.buttons
    await api.say('/resume')
    await api.press(older)
    for (const data of ['', 'yes', 'yes:', ':', 'yes:undefined', `${older}x`]) await api.press(data)
    expect(said).toEqual([])
    expect(texts()).toContain('all bots: nothing was changed')
  })
})

test('a foreign chat gets no answer, presses nothing, and is a line of the log at most every ten minutes', async () => {
  await listening()
  await api.say('/stopnow')
  const [yes = ''] = api.buttons
  await api.press(yes, 666)
  for (let index = 0; index < 50; index++) await api.say('/status', 666)
  expect(said).toEqual([])
  expect(api.messages).toHaveLength(1)
  expect(api.pressed).toEqual([])
  expect(log).toEqual(["telegram: a message from another chat than the config's, the newest from 666: not answered"])
  clock.advanceTo(START_MS + 600_000)
  await api.say('/status', -667)
  expect(log.at(-1)).toBe("telegram: 51 messages from another chat than the config's, the newest from -667: not answered")
})

test('a flood has bounded answers, one line of the log, and lets the kill switch through', async () => {
  await listening()
  for (let index = 0; index < 500; index++) api.putText('/status')
  await api.say('/stopnow')
  expect(api.messages).toHaveLength(13)
  await api.press(api.buttons[0] ?? '')
  expect(said).toEqual([['stopAll', undefined]])
  expect(log).toEqual([
    'telegram: more than 12 commands within a minute: those beyond are not answered',
    'telegram: the owner said stopAll to all bots',
  ])
  for (let index = 0; index < 50; index++) await api.say('/stopnow')
  expect(api.messages.length).toBeLessThan(20)
  clock.advanceTo(START_MS + 60_000)
  await api.say('/status')
  expect(texts().at(-1)).toBe('alice: playing')
})

test('a restart obeys nothing of before: no old command, no old button, none twice', async () => {
  api.putText('/stopnow')
  api.putText('/status')
  const first = run()
  await api.listening()
  expect(api.messages).toEqual([])
  await api.say('/stopnow')
  const [obeyed = ''] = api.buttons
  await api.press(obeyed)
  await api.say('/resume')
  const [open = ''] = api.buttons
  await first.close()
  api.cut()
  const before = api.messages.length
  api.putText('/stopnow')
  await listening()
  await api.press(obeyed)
  await api.press(open)
  expect(said).toEqual([['stopAll', undefined]])
  expect(api.messages).toHaveLength(before)
})

test('two processes on one token: said once by the one whose turn it was, whose commands are off', async () => {
  run('first: ')
  await api.listening()
  run('second: ')
  await api.until(() => api.polls >= 4)
  await api.listening()
  await api.say('/stop')
  await api.press(api.buttons[0] ?? '')
  expect(said).toEqual([['stopEntries', undefined]])
  const conflicts = log.filter((line) => line.includes('409'))
  expect(conflicts).toEqual([expect.stringMatching(/^first: commands by telegram are off in this run: another process.*Alerts go on/)])
  expect(log.join()).not.toContain('AAHsecret')
})

test('garbage is passed over and told of once; what is readable among it is answered', async () => {
  await listening()
  for (const fields of [
    {},
    { message: null },
    { message: 'text' },
    { message: { chat: { id: 42 } } },
    { message: { chat: { id: 42 }, text: 7, entities: 'x' } },
    { message: { chat: { id: 42 }, text: '/status', entities: [null] } },
    { callback_query: null },
    { callback_query: { data: {}, message: { chat: { id: 42 } } } },
  ])
    api.put(fields)
  await api.say('/status')
  expect(texts()).toEqual(['alice: playing'])
  expect(log.filter((line) => line.includes('set aside')).length).toBeLessThanOrEqual(1)
})

test('what has no number comes again at once, and is asked for at a pace', async () => {
  await listening()
  const before = api.polls
  api.put({ update_id: 'x' })
  for (let second = 1; second <= 3; second++) {
    await turns(50)
    clock.advanceTo(START_MS + second * 1000 - 1)
    await turns(50)
    expect(api.polls).toBe(before + second - 1)
    clock.advanceTo(START_MS + second * 1000)
    await api.until(() => api.polls >= before + second)
  }
})

test.each<[name: string, instead: (response: ServerResponse) => unknown]>([
  ['no JSON', (response) => response.writeHead(502).end('<html>bad gateway</html>')],
  ['no list', (response) => answer(response, 200, { ok: true, result: { not: 'a list' } })],
  ['a lost network', (response) => response.destroy()],
])('%s: said once, tried again ever slower, and heard again', async (_name, instead) => {
  await listening()
  const before = api.polls
  api.instead = instead
  api.cut()
  for (let look = 0; look < 400; look++) {
    await turns(1)
    clock.advanceTo(clock.now() + 500)
  }
  await api.until(() => api.polls > before)
  expect(api.polls - before).toBeLessThan(12)
  api.instead = undefined
  const heard = api.listening()
  let isHeard = false
  void heard.then(() => {
    isHeard = true
  })
  while (!isHeard) {
    clock.advanceTo(clock.now() + 60_000)
    await turns(1)
  }
  await api.say('/status')
  expect(texts()).toEqual(['alice: playing'])
  expect(log).toEqual([expect.stringMatching(/^commands by telegram are not heard \(/), 'commands by telegram are heard again'])
  expect(log.join()).not.toContain('AAHsecret')
})

test('of the hosts of a fleet one listens; when another is the first, that one does, and what was said meanwhile is passed over', async () => {
  let first = 'h1'
  run('h1: ', () => first === 'h1')
  run('h2: ', () => first === 'h2')
  await api.listening()
  await clock.advanceBy(5000, 1000)
  await api.say('/status')
  expect(texts()).toEqual(['alice: playing'])
  expect(log).toEqual([])
  // The one before still holds its question open, until the other asks.
  first = 'h2'
  const handed = async () => {
    const polls = api.polls
    for (let tries = 0; api.polls < polls + 2; tries++) {
      expect(tries).toBeLessThan(200)
      await clock.advanceBy(1000, 1000)
      await turns(50)
    }
    await api.listening()
  }
  await handed()
  await api.say('/profit')
  expect(texts()).toEqual(['alice: playing', 'profit of all'])
  await clock.advanceBy(10_000, 1000)
  await turns(50)
  first = 'h1'
  await handed()
  await api.say('/stop')
  await api.press(api.buttons[0] ?? '')
  expect(said).toEqual([['stopEntries', undefined]])
  expect(log.filter((line) => line.includes('are off'))).toEqual([])
})

test('a token that Telegram does not know, and a run that ends: nothing asks any more', async () => {
  api.instead = (response) => answer(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' })
  const refused = run()
  while (log.length === 0) await turns(1)
  await refused.close()
  expect(log).toEqual(['commands by telegram are off in this run: 401 Unauthorized: check the token'])
  api.instead = undefined
  const ended = run()
  await api.listening()
  await ended.close()
  expect(log).toHaveLength(1)
  expect(said).toEqual([])
})

test('a config has commands obeyed and summaries sent where it says so, and nothing asked where it does not', async () => {
  const attend = (options: Partial<Parameters<typeof telegram>[0]>, isFirst = true) => {
    const config = alertSchema.parse(telegram({ token: secret('TELEGRAM_TOKEN'), chat: '42', apiRoot, ...options }))
    const [opened] = openChannels([config], { clock, reveal: () => TOKEN })
    const into = (message: string) => void log.push(message)
    const attended = opened?.attend?.({ desk, clock, log: { info: into, warn: into }, isFirst: () => isFirst })
    return { close: (): Promise<unknown> => Promise.all([attended?.close(), opened?.channel.close()]) }
  }
  const silent = attend({})
  await clock.advanceBy(24 * 3_600_000, 60_000)
  await turns(200)
  expect([api.polls, api.messages]).toEqual([0, []])
  await silent.close()
  const second = attend({ commands: true }, false)
  clock.advanceTo(clock.now() + 24 * 3_600_000)
  await turns(200)
  expect([api.polls, api.messages]).toEqual([0, []])
  await second.close()
  const asked = attend({ commands: true, summaryAt: '01:00', timeZone: 'Europe/Berlin' })
  await api.listening()
  await api.say('/status')
  clock.advanceTo(START_MS + 72 * 3_600_000)
  await api.until(() => api.messages.length === 2)
  expect(texts()).toEqual(['alice: playing', 'the summary'])
  await asked.close()
})

test('of several that share a chat one sends the summary of a day, and sends it again until it is taken', async () => {
  const done = new Map<string, string>()
  const hosts = ['h1', 'h2', 'h3'].map((host) => {
    const config = alertSchema.parse(telegram({ token: secret('TELEGRAM_TOKEN'), chat: '42', apiRoot, summaryAt: '01:00' }))
    const [opened] = openChannels([config], { clock, reveal: () => TOKEN })
    const into = (message: string) => void log.push(`${host}: ${message}`)
    const once = (chore: string) => Promise.resolve(done.get(chore) === undefined && done.set(chore, host).size > 0)
    const attended = opened?.attend?.({ desk, clock, log: { info: into, warn: into }, isFirst: () => host === 'h3', once })
    return { host, close: (): Promise<unknown> => Promise.all([attended?.close(), opened?.channel.close()]) }
  })
  api.refuses = true
  clock.advanceTo(START_MS + 3_600_000)
  while (log.length === 0) await turns(1)
  api.refuses = false
  for (let looks = 0; looks < 6; looks++) {
    await clock.advanceBy(20_000, 20_000)
    await turns(100)
  }
  await api.until(() => api.messages.length >= 1)
  expect(log).toEqual([expect.stringMatching(/^h1: the daily summary by telegram did not arrive/)])
  // The host that sent it is gone.
  await hosts[0]?.close()
  clock.advanceTo(START_MS + 25 * 3_600_000)
  await api.until(() => api.messages.length >= 2)
  await turns(200)
  expect(texts()).toEqual(['the summary', 'the summary'])
  expect([...done]).toEqual([
    ['summary:telegram:2026-01-02', 'h1'],
    ['summary:telegram:2026-01-03', 'h2'],
  ])
  for (const { close } of hosts) await close()
})
