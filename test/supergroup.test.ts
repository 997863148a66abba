import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { openChannels } from '../src/live/index.ts'
import type { Occurrence } from '../src/pipeline/index.ts'
import { alertSchema, telegram } from '../src/strategy/alertConfig.ts'
import { secret } from '../src/strategy/secret.ts'
import { BotApi } from './support/botApi.ts'

// A group that becomes a supergroup has another id, and its old one takes no messages.

const GROUP = -42
const SUPERGROUP = -1_001_234_567_890
const STRANGER = -1_009_999_999_999
const START_MS = Date.UTC(2026, 0, 2)
const MOVED = `telegram: the group ${GROUP} has become the supergroup ${SUPERGROUP}. Alerts and commands use it for this run. Write chat: '${SUPERGROUP}' in alerts[0] of the config`

let api: BotApi
let apiRoot: string
let clock: VirtualClock
let log: string[]
let said: string[]
const runs: { close(): Promise<unknown> }[] = []

beforeEach(async () => {
  api = new BotApi()
  apiRoot = await api.open()
  clock = new VirtualClock(START_MS)
  log = []
  said = []
})
afterEach(async () => {
  for (const run of runs.splice(0)) await run.close()
  api.close()
})

const alarm: Occurrence = { at: 1, bot: 'alice', kind: 'missedReveal', severity: 'alarm', message: 'a reveal was missed' }

function open(commands = true) {
  const config = alertSchema.parse(telegram({ token: secret('TELEGRAM_TOKEN'), chat: String(GROUP), apiRoot, commands }))
  const [opened] = openChannels([config], { clock, reveal: () => '123456:AAHsecret' })
  if (opened === undefined) throw new Error('no channel')
  const into = (message: string) => void log.push(message)
  const desk = {
    bots: ['alice'],
    status: () => 'alice: playing',
    profit: () => 'profit',
    summary: () => 'summary',
    say: (command: string) => void said.push(command),
  }
  const attended = opened.attend?.({ desk, clock, log: { info: into, warn: into } })
  const run = { channel: opened.channel, close: () => Promise.all([attended?.close(), opened.channel.close()]) }
  runs.push(run)
  return run
}

/** Has Telegram turn the group into a supergroup, with the service message that the group gets. */
function upgrade(): void {
  api.moved = { from: GROUP, to: SUPERGROUP }
}
const serviceMessage = () =>
  api.put({ message: { message_id: 5, date: 1, chat: { id: GROUP, type: 'group' }, migrate_to_chat_id: SUPERGROUP } })

const chats = () => api.messages.map(({ chat_id }) => chat_id)

describe('alerts', () => {
  test('follow the group at once, say once what to write, and go straight there from then on', async () => {
    const { channel } = open(false)
    expect(await channel.send([alarm])).toEqual({ ok: true, taken: 1 })
    upgrade()
    expect(await Promise.all([channel.send([alarm]), channel.send([alarm])])).toEqual([
      { ok: true, taken: 1 },
      { ok: true, taken: 1 },
    ])
    api.moved = undefined
    expect(await channel.send([alarm])).toEqual({ ok: true, taken: 1 })
    expect(chats()).toEqual([GROUP, SUPERGROUP, SUPERGROUP, SUPERGROUP].map(String))
    expect(log).toEqual([MOVED.replace('Alerts and commands use', 'Alerts use')])
  })

  test.each([[7], ['-100'], [1.5], [null], [GROUP], [-(2 ** 60)], [{}]])('follow no id that is none (%j)', async (to) => {
    const { channel } = open(false)
    api.moved = { from: GROUP, to }
    expect(await channel.send([alarm])).toMatchObject({ ok: false, isFinal: false })
    expect([api.messages, log]).toEqual([[], []])
  })

  test('follow once: a second move is a failure, and asks nobody in a circle', async () => {
    const { channel } = open(false)
    upgrade()
    await channel.send([alarm])
    api.moved = { from: SUPERGROUP, to: STRANGER }
    expect(await channel.send([alarm])).toMatchObject({ ok: false, reason: expect.stringContaining('upgraded') as string })
    expect(chats()).toEqual([String(SUPERGROUP)])
  })
})

describe('switches', () => {
  test('go on in the supergroup, with the question that was open', async () => {
    open()
    await api.listening()
    await api.say('/stopnow', GROUP)
    const [yes = ''] = api.buttons
    upgrade()
    serviceMessage()
    await api.press(yes, SUPERGROUP)
    await api.say('/status', SUPERGROUP)
    await api.say('/status', STRANGER)
    expect(said).toEqual(['stopAll'])
    expect(chats()).toEqual([GROUP, SUPERGROUP, SUPERGROUP].map(String))
    expect(log).toEqual([
      MOVED,
      'telegram: the owner said stopAll to all bots',
      `telegram: a message from another chat than the config's, the newest from ${STRANGER}: not answered`,
    ])
  })

  test('are found by a run that starts with the old id, which obeys nothing of before', async () => {
    upgrade()
    serviceMessage()
    api.putText('/resume', GROUP)
    api.putText('/resume', SUPERGROUP)
    api.put({
      callback_query: {
        id: '1',
        from: { id: 9 },
        chat_instance: '1',
        data: 'yes:old',
        message: { message_id: 1, date: 1, chat: { id: SUPERGROUP, type: 'supergroup' } },
      },
    })
    open()
    await api.listening()
    expect([api.messages, said, log]).toEqual([[], [], [MOVED]])
    await api.say('/resume', SUPERGROUP)
    expect(said).toEqual([])
    await api.press(api.buttons[0] ?? '', SUPERGROUP)
    expect(said).toEqual(['resume'])
  })

  test('believe no other chat that it was this group, however often it says so', async () => {
    open()
    await api.listening()
    for (let index = 0; index < 200; index++)
      api.put({ message: { message_id: 6, date: 1, chat: { id: STRANGER, type: 'supergroup' }, migrate_from_chat_id: GROUP } })
    api.put({ message: { message_id: 7, date: 1, chat: { id: STRANGER, type: 'group' }, migrate_to_chat_id: -777 } })
    await api.say('/stopnow', STRANGER)
    await api.say('/stopnow', -777)
    expect([api.messages, said]).toEqual([[], []])
    expect(api.sought.length).toBeLessThanOrEqual(2)
    await api.say('/status', GROUP)
    expect(chats()).toEqual([String(GROUP)])
  })

  test('believe Telegram where another chat says that it was this group', async () => {
    open()
    await api.listening()
    upgrade()
    clock.advanceTo(START_MS + 60_000)
    api.put({ message: { message_id: 6, date: 1, chat: { id: SUPERGROUP, type: 'supergroup' }, migrate_from_chat_id: GROUP } })
    await api.say('/status', SUPERGROUP)
    expect(chats()).toEqual([String(SUPERGROUP)])
  })

  test('have one bound for a flood under both ids, and room for the kill switch', async () => {
    open()
    await api.listening()
    upgrade()
    serviceMessage()
    for (let index = 0; index < 500; index++) api.putText('/status', index % 2 === 0 ? GROUP : SUPERGROUP)
    await api.say('/stopnow', SUPERGROUP)
    expect(api.messages).toHaveLength(13)
    await api.press(api.buttons[0] ?? '', SUPERGROUP)
    expect(said).toEqual(['stopAll'])
    expect(log).toHaveLength(3)
  })
})
