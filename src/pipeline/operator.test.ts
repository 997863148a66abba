import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ENDS_MS, openPrediction, revealsOf } from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import type { ScriptedService } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { policy } from '../../test/support/testStrategies.ts'
import { buy, CONTEST, openTradingBot } from '../../test/support/tradingBot.ts'
import { keyedUuid } from '../core/ids.ts'
import { SOL_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { type Action, enqueue } from '../strategy/action.ts'
import { defineStrategy } from '../strategy/define.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'

const [ticketId, contestId] = [keyedUuid('open ticket'), keyedUuid('open seat')]
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })

/** Asks for an entry each second, as a policy does and of its own accord. */
const eager = () => policy(({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [entry]), { everySec: 1 })

/** A strategy that the test drives. */
function driven() {
  const act$ = new Subject<Action>()
  return { act$, strategy: defineStrategy({ name: 'own', params: z.object({}), run: () => act$ })() }
}

/** A ticket that waits, and a seat that is not ready, which only the framework would ready. */
const withOpenThings = (service: ScriptedService) => {
  service.tickets = [{ ticketId, status: 'queued', mode: 'draft_basket', stake: '1000000', durationSec: 20 }]
  service.contests = [{ contestId, mode: 'best_trade', status: 'open', stake: '1000000', you: { entryId: keyedUuid('e'), ready: false } }]
}

async function obey(bot: TestBot, command: 'stopEntries' | 'stopAll' | 'resume'): Promise<void> {
  bot.operator$.next(command)
  await bot.run(0)
}

const sent = ({ service }: TestBot) => service.acts.map(({ procedure }) => procedure)

describe('stopEntries', () => {
  test('asks no policy, refuses what others want to enter, and plays on what is open', async () => {
    const { act$, strategy } = driven()
    const bot = await openTestBot({ strategies: [strategy, eager()], command: 'stopEntries', prepare: withOpenThings })
    await bot.run(3000)
    expect(sent(bot)).toEqual(['agent.contests.ready'])
    act$.next(entry)
    await bot.run(0)
    expect(bot.refusals()).toEqual(['ENTRIES_STOPPED'])
    expect(sent(bot)).toEqual(['agent.contests.ready'])
    expect(bot.notes('warn').filter((note) => !note.includes('adopted'))).toEqual([
      'entries are stopped: what is open is played to its end',
    ])
  })

  test('lets traders trade', async () => {
    const bot = await openTradingBot()
    await obey(bot, 'stopEntries')
    await bot.ask(buy())
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
  })
})

describe('stopAll', () => {
  test('takes back tickets and open seats, and readies nothing', async () => {
    const bot = await openTestBot({ strategies: [eager()], command: 'stopAll', prepare: withOpenThings })
    await bot.run(5000)
    expect(sent(bot).toSorted()).toEqual(['agent.contests.leave', 'agent.queue.cancel'])
    const { tickets, seats } = bot.status().books
    expect([tickets.size, seats.size]).toEqual([0, 0])
    expect(bot.refusals(), 'and asks for nothing that would be refused').toEqual([])
    expect(bot.end, 'a bot that is stopped is not gone').toBeUndefined()
  })

  test('takes back what is answered only after it', async () => {
    const { act$, strategy } = driven()
    const bot = await openTestBot({ strategies: [strategy] })
    bot.service.onAct('agent.queue.enqueue', () => bot.service.after(1000, { status: 'accepted', output: { ticketId } }))
    act$.next(entry)
    await obey(bot, 'stopAll')
    await bot.run(3000)
    expect(bot.service.sent('agent.queue.cancel')).toEqual([{ ticketId }])
  })

  test('stops a swap at its next step, and the sale of what a contest has left', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    bot.swapper.onQuote = (good) => bot.service.after(500, good)
    await bot.ask(buy())
    await obey(bot, 'stopAll')
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    bot.refresh()
    await bot.run(5000)
    expect(bot.refusals()).toEqual(['KILL_SWITCH'])
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
    expect(bot.status().portfolios.get(CONTEST)?.holdings.size).toBe(1)
    bot.swapper.onQuote = (good) => good
    await obey(bot, 'resume')
    bot.refresh()
    await bot.run(3000)
    expect(bot.swapper.quotes.at(-1)).toMatchObject({ from: SOL_MINT, amount: 50_000_000n })
    expect(bot.status().portfolios.size).toBe(0)
  })

  test('lets reveals go on', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    await obey(bot, 'stopAll')
    await bot.run(ENDS_MS - START_MS + 1000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('follows a swap that was sent to its end', async () => {
    const bot = await openTradingBot()
    bot.service.onAct('agent.trade.signAndSend', () => ({ status: 'unknown', reason: 'lost' }))
    await bot.ask(buy())
    await obey(bot, 'stopAll')
    bot.swapper.execute(bot.service.sent('agent.trade.signAndSend')[0]?.transaction ?? '')
    await bot.run(2000)
    expect(bot.status().actions).toMatchObject({ unknown: 0, swapsFilled: 1 })
  })
})

describe('resume', () => {
  test.each(['stopEntries', 'stopAll'] as const)('after %s lets policies decide again', async (command) => {
    const bot = await openTestBot({ strategies: [eager()], command })
    await bot.run(5000)
    expect([sent(bot), bot.refusals()]).toEqual([[], []])
    await obey(bot, 'resume')
    expect(sent(bot)).toEqual(['agent.queue.enqueue'])
    expect(bot.notes('info')).toContain('resumed')
  })

  test('asks policies at once, whenever they would be due', async () => {
    let asked = 0
    const decide = () => {
      asked += 1
      return []
    }
    const seldom = policy(decide, { everySec: 3600 })
    const bot = await openTestBot({ strategies: [seldom] })
    await obey(bot, 'stopEntries')
    expect(asked).toBe(1)
    await obey(bot, 'resume')
    expect(asked).toBe(2)
  })

  test('of a bot that runs says nothing, nor does a command twice', async () => {
    const bot = await openTestBot({ command: 'resume' })
    await obey(bot, 'resume')
    expect(bot.notes('info')).toEqual([])
    await obey(bot, 'stopAll')
    await obey(bot, 'stopAll')
    expect(bot.notes('warn')).toHaveLength(1)
  })

  test('does not end a draining', async () => {
    const bot = await openTestBot({ strategies: [eager()] })
    bot.operator$.next('drain')
    await obey(bot, 'resume')
    await bot.run(5000)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    expect(bot.end).toEqual({ how: 'completed' })
  })
})

test('a command that was given before the start holds from the first input', async () => {
  const bot = await openTestBot({ strategies: [eager()], command: 'stopAll' })
  expect(bot.steps[0]?.input).toMatchObject({ type: 'operator', command: 'stopAll' })
  expect(bot.status().books.stopped).toBe('all')
  await bot.run(5000)
  expect(sent(bot)).toEqual([])
})

test.for(['stopAll', 'drain'] as const)('%s takes nothing back of what was open in the middle of the journal', async (command, {
  expect,
}) => {
  const journal = new MemoryJournal()
  const before = await openTestBot({ journal })
  const [joined, found] = [keyedUuid('joined'), keyedUuid('found')]
  for (const [type, data] of [
    ['contest.joined', { contestId: joined }],
    ['contest.live', { contestId: joined }],
    ['contest.settled', { contestId: joined }],
    ['match.found', { ticketId: keyedUuid('matched'), contestId: found }],
    ['contest.cancelled', { contestId: found }],
  ] as const)
    await before.tell(rawEvent(type, data))
  before.kill()
  const bot = await openTestBot({ journal, command, prepare: withOpenThings })
  await bot.run(3000)
  // What is open now is another matter.
  expect(sent(bot).toSorted()).toEqual(['agent.contests.leave', 'agent.queue.cancel'])
  expect(bot.service.sent('agent.contests.leave')).toEqual([{ contestId }])
})
