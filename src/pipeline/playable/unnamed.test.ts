import { NEVER } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { picker, policy, predictor } from '../../../test/support/testStrategies.ts'
import { MODES, type Mode, TRADING_MODES } from '../../contract/modes.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { defineTrader } from '../../strategy/define.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// A service gives a mode another name in what it tells: the bot has paid for a contest that it cannot name.

const iso = (ms: number) => new Date(ms).toISOString()
const ticketOf = (n: number) => keyedUuid(`ticket ${n}`)
const contestOf = (n: number) => keyedUuid(`contest ${n}`)

/** A bot that enters one mode whenever it has nothing open, on a service that calls it otherwise. */
async function open(mode: Mode, { journal = new MemoryJournal(), clock = new VirtualClock(START_MS), first = 0 } = {}) {
  journal.keepsModes = true
  const swapper = new ScriptedSwapper().triedWith(clock)
  swapper.prices.set(SOL_MINT, 200)
  swapper.now = () => clock.now()
  const eager = policy(({ tickets, contests }) =>
    tickets.length + contests.length > 0 ? [] : [enqueue({ mode, stake: usdc('1'), durationSec: 60 })],
  )
  const trader = defineTrader({ name: 'trader', modes: TRADING_MODES, params: z.object({}), trade: () => NEVER })()
  let made = first
  const bot = await openTestBot({
    ...{ clock, journal, swapper, caughtUp: false },
    strategies: [eager, trader, picker(() => null), predictor(() => null)],
    guard: { modes: [...MODES] },
    prepare(service) {
      service.bankroll = { ...service.bankroll, walletAddress: WALLET, gasLamports: '100000000' }
      service.onAct('agent.queue.enqueue', () => accepted({ ticketId: ticketOf(made++) }))
    },
  })
  bot.price({ [SOL_MINT]: '200' })
  bot.events.catchUp()
  await bot.run(0)
  const run = async (durationMs: number) => {
    for (let left = durationMs; left > 0; left -= 5000) {
      await bot.run(Math.min(left, 5000))
      bot.price({ [SOL_MINT]: '200' })
    }
  }
  const entries = () => bot.service.sent('agent.queue.enqueue').length
  return { bot, run, entries }
}

const saidWith = (bot: TestBot, code: string) => bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === code))

/** Plays a ticket to its lost end under another name. */
async function playAs(bot: TestBot, run: (ms: number) => Promise<void>, n: number, mode: string): Promise<void> {
  const contestId = contestOf(n)
  const now = bot.clock.now()
  const window = { startsAt: iso(now), endsAt: iso(now + 20_000) }
  bot.service.contests = [{ contestId, mode, status: 'live', stake: '1000000', ...window }]
  await bot.tell(
    rawEvent('match.found', { ticketId: ticketOf(n), contestId, mode }, now),
    rawEvent('contest.live', { contestId, mode, ...window }, now),
  )
  await run(20_000)
  bot.service.contests = []
  await bot.tell(rawEvent('contest.settled', { contestId, mode, result: 'LOSS', payout: '0', profit: '-1000000' }, bot.clock.now()))
  await run(10_000)
}

describe.each(MODES)('%s under a name that nobody knows', (mode) => {
  test('is an alarm with the first match, closes what it was entered through, and costs one stake', async () => {
    const { bot, run, entries } = await open(mode)
    expect(entries()).toBe(1)
    const name = `${mode}_v2`
    await bot.tell(rawEvent('match.found', { ticketId: ticketOf(0), contestId: contestOf(0), mode: name }, bot.clock.now()))
    const [said, ...more] = saidWith(bot, 'CONTEST_UNNAMED')
    expect(more).toEqual([])
    expect(said).toMatchObject({ level: 'error', fields: { mode: name, contestId: contestOf(0), enteredAs: mode } })
    for (const part of ['1.00 USDC', contestOf(0), name, `cornerman modes open ${mode}`]) expect(said?.message).toContain(part)
    expect(bot.status().modes?.find((status) => status.mode === mode)).toMatchObject({ code: 'MODE_CLOSED', trialAt: undefined })
    for (let n = 0; n < 5; n++) await playAs(bot, run, n, name)
    expect(entries()).toBe(1)
    expect(saidWith(bot, 'UNPLAYED')).toHaveLength(1)
    await run(60 * 60_000)
    expect(entries()).toBe(1)
  })
})

const window = { startsAt: iso(START_MS), endsAt: iso(START_MS + 60_000) }
type Tells = (bot: TestBot, name: string) => Promise<void>
const CHANNELS: Readonly<Record<string, Tells>> = {
  'the match': (bot, mode) => bot.tell(rawEvent('match.found', { ticketId: ticketOf(0), contestId: contestOf(0), mode })),
  'the start of the contest': (bot, mode) =>
    bot.tell(
      rawEvent('match.found', { ticketId: ticketOf(0), contestId: contestOf(0), mode: 'up_down' }),
      rawEvent('contest.live', { contestId: contestOf(0), mode, ...window }),
    ),
  'the list of tickets': async (bot, mode) => {
    bot.service.tickets = [{ ticketId: ticketOf(0), status: 'queued', mode, stake: '1000000', durationSec: 60 }]
    bot.events.restore()
    bot.events.catchUp()
    await bot.run(0)
  },
}
const NAMES = ['up_down_v2', 'UP_DOWN', 'up-down', '', 'constructor', '__proto__', 'a mode of "next" year']

describe.each(Object.entries(CHANNELS))('a name that nobody knows, told by %s', (_channel, tell) => {
  test.each(NAMES)('%j', async (name) => {
    const { bot, run, entries } = await open('up_down')
    await tell(bot, name)
    expect(saidWith(bot, 'CONTEST_UNNAMED')).toMatchObject([{ fields: { mode: name, enteredAs: 'up_down' } }])
    expect(bot.status().unnamedEntries).toMatchObject([{ mode: name, stake: usdc('1'), enteredAs: 'up_down' }])
    bot.service.tickets = []
    await bot.tell(rawEvent('contest.cancelled', { contestId: contestOf(0) }), rawEvent('ticket.expired', { ticketId: ticketOf(0) }))
    await run(60_000)
    expect(bot.status().unnamedEntries).toEqual([])
    expect(entries()).toBe(1)
  })
})

describe('the mode stays closed', () => {
  const name = 'up_down_v2'
  const matched = (n: number) => rawEvent('match.found', { ticketId: ticketOf(n), contestId: contestOf(n), mode: name })

  test('over a restart, until the operator opens it; the next match under that name closes it again', async () => {
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const first = await open('up_down', { journal, clock })
    await first.bot.tell(matched(0), rawEvent('contest.cancelled', { contestId: contestOf(0) }))
    first.bot.kill()
    const second = await open('up_down', { journal, clock, first: 1 })
    await second.run(60 * 60_000)
    expect(second.entries()).toBe(0)
    second.bot.operator$.next({ command: 'open', mode: 'up_down', saidAt: clock.now() })
    await second.run(10_000)
    expect(second.entries()).toBe(1)
    await second.bot.tell(matched(1))
    expect(saidWith(second.bot, 'CONTEST_UNNAMED')).toHaveLength(1)
    expect(second.bot.status().modes?.find(({ mode }) => mode === 'up_down')?.code).toBe('MODE_CLOSED')
  })

  test('whatever is won in it, and after a stake that is lost in it', async () => {
    const { bot, run, entries } = await open('up_down')
    await bot.tell(matched(0), rawEvent('contest.settled', { contestId: contestOf(0), mode: name, result: 'WIN' }))
    await run(60 * 60_000)
    expect(entries()).toBe(1)
    expect(saidWith(bot, 'UNPLAYED')).toMatchObject([{ fields: { mode: 'up_down', hindrance: 'unnamed' } }])
  })
})

test('an entry whose answer comes after the match closes its mode with that answer', async () => {
  const clock = new VirtualClock(START_MS)
  const { bot, run, entries } = await open('up_down', { clock })
  bot.service.onAct('agent.queue.enqueue', () => bot.service.after(1000, accepted({ ticketId: ticketOf(7) })))
  await bot.tell(rawEvent('ticket.expired', { ticketId: ticketOf(0) }))
  await bot.run(100)
  expect(entries()).toBe(2)
  await bot.tell(rawEvent('match.found', { ticketId: ticketOf(7), contestId: contestOf(7), mode: 'up_down_v2' }, clock.now()))
  await run(5000)
  expect(saidWith(bot, 'CONTEST_UNNAMED')).toHaveLength(1)
  expect(bot.status().modes?.find(({ mode }) => mode === 'up_down')?.code).toBe('MODE_CLOSED')
})

test('a contest that a person entered in a new mode is an alarm, and closes nothing', async () => {
  const { bot } = await open('up_down')
  bot.service.contests = [{ contestId: contestOf(3), mode: 'chess', status: 'live', stake: '2000000', ...window }]
  await bot.tell(
    rawEvent('contest.joined', { contestId: contestOf(3) }),
    rawEvent('contest.live', { contestId: contestOf(3), mode: 'chess', ...window }),
  )
  await bot.run(1000)
  expect(saidWith(bot, 'CONTEST_UNNAMED')).toMatchObject([{ fields: { mode: 'chess', enteredAs: null } }])
  expect(bot.status().modes?.filter(({ code }) => code === 'MODE_CLOSED')).toEqual([])
})
