import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { policy } from '../../test/support/testStrategies.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { enqueue } from '../strategy/action.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'
import { statsOf } from './books/views.ts'

const settled = (name: string, atMs = START_MS) => rawEvent('contest.settled', { contestId: keyedUuid(name) }, atMs)
const past = (name: string) => settled(name, START_MS - 60_000)
const WON = 'up_down: WIN, 0.90 USDC on a stake of 1.00'

/** A journal of before, which says by its date alone when it was made. */
function newJournal(): MemoryJournal {
  const journal = new MemoryJournal()
  journal.madeAt = START_MS
  return journal
}

const readAgain = ({ service }: TestBot) => service.reads.filter(({ procedure }) => procedure === 'agent.contests.get').length
const historic = ({ steps }: TestBot) => steps.filter(({ isHistory }) => isHistory).length

describe('what happened before a journal was made', () => {
  test('goes into the books, is said in one line, and is not read again', async () => {
    const bot = await openTestBot({ journal: newJournal(), caughtUp: false })
    await bot.tell(past('one'), past('two'), rawEvent('ticket.failed', { ticketId: keyedUuid('ticket') }, START_MS - 1))
    bot.events.catchUp()
    await bot.run(60_000)
    expect(statsOf(bot.status().books).settled).toBe(2)
    expect(bot.notes('info')).toEqual(['3 events of before this journal were read; 2 contests are settled by now'])
    expect(bot.notes('warn')).toEqual([])
    expect([readAgain(bot), historic(bot)]).toEqual([0, 3])
    await bot.tell(settled('three'))
    expect(bot.notes('info').slice(1)).toEqual([WON])
    expect([readAgain(bot), historic(bot)]).toEqual([1, 3])
  })

  test('is none either to a run that goes on reading it', async () => {
    const journal = newJournal()
    const first = await openTestBot({ journal, caughtUp: false })
    await first.tell(past('one'))
    first.kill()
    const second = await openTestBot({ journal, caughtUp: false })
    await second.tell(past('two'), past('three'))
    second.events.catchUp()
    await second.run(1000)
    expect(second.notes('info')).toEqual(['2 events of before this journal were read; 3 contests are settled by now'])
    expect([readAgain(second), historic(second)]).toEqual([0, 2])
  })
})

test('what happened between two runs is news, and so is all to a journal that does not say when it was made', async () => {
  for (const journal of [newJournal(), new MemoryJournal()]) {
    const first = await openTestBot({ journal })
    await first.tell(settled('one'))
    first.kill()
    const second = await openTestBot({ journal, caughtUp: false })
    await second.tell(settled('two', START_MS + 1000))
    second.events.catchUp()
    await second.tell()
    expect(second.notes('info')).toEqual([WON])
  }
})

describe('what is new is decided by the place in the stream', () => {
  const OFFSETS_SEC = [-600, -60, -2, -0.4, 0, 0.4, 2, 60, 600]
  /** @param newsAfter as the service gave the end of its stream when the journal was made */
  const made = (newsAfter: string | null) => Object.assign(newJournal(), { newsAfter })
  const lostIn = (name: string, atMs: number) => {
    const contestId = keyedUuid(name)
    const [ticketId, data] = [keyedUuid('ticket', name), { contestId, mode: 'price_prediction', stake: '1000000' }]
    return [
      rawEvent('match.found', { ...data, ticketId }, atMs),
      rawEvent('contest.live', { ...data, startsAt: new Date(atMs).toISOString(), endsAt: new Date(atMs + 15_000).toISOString() }, atMs),
      rawEvent('contest.settled', { ...data, result: 'LOSS', payout: '0', profit: '-1000000' }, atMs + 15_000),
    ]
  }

  test.each(OFFSETS_SEC)('a contest that is lost without a move is told of by a service whose times are %d s off', async (offsetSec) => {
    const bot = await openTestBot({ journal: made(null) })
    await bot.tell(...lostIn('one', START_MS + offsetSec * 1000))
    await bot.run(1000)
    expect(bot.notes('error')).toEqual([expect.stringContaining('1.00 USDC were staked on a contest in which this bot made no valid move')])
    expect(historic(bot)).toBe(0)
  })

  test.each(OFFSETS_SEC)('events up to the cursor are history, those after it are news, at times %d s off', async (offsetSec) => {
    const atMs = START_MS + offsetSec * 1000
    const [one, two] = [settled('one', atMs - 2000), settled('two', atMs - 1000)]
    const bot = await openTestBot({ journal: made(two.id), caughtUp: false })
    await bot.tell(one, two, settled('three', atMs))
    bot.events.catchUp()
    await bot.run(1000)
    expect(historic(bot)).toBe(2)
    expect(bot.notes('info')).toEqual([WON, '2 events of before this journal were read; 3 contests are settled by now'])
  })

  test('a run that goes on before the cursor reads history, and one that goes on after it does not', async () => {
    const [one, two, three] = [settled('one', START_MS - 3000), settled('two', START_MS - 2000), settled('three', START_MS - 1000)]
    const journal = made(two.id)
    for (const [told, expected] of [
      [one, 1],
      [two, 1],
      [three, 0],
    ] as const) {
      const bot = await openTestBot({ journal, caughtUp: false })
      await bot.tell(told)
      expect(historic(bot)).toBe(expected)
      bot.kill()
    }
  })

  test('where the service did not say, news begin where the stream is first read to its end', async () => {
    const bot = await openTestBot({ journal: made(''), caughtUp: false })
    await bot.tell(settled('one', START_MS + 60_000))
    bot.events.catchUp()
    await bot.tell(settled('two', START_MS - 60_000))
    expect(historic(bot)).toBe(1)
    expect(bot.notes('info')).toContain(WON)
  })

  test('of a journal that has a date alone, an event of an own entry is news, however it is dated', async () => {
    let entries = 0
    const eager = policy(() => (entries++ > 0 ? [] : [enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })]), { everySec: 1 })
    const ticketId = keyedUuid('ticket', 'own')
    const bot = await openTestBot({
      ...{ journal: newJournal(), strategies: [eager] },
      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId })),
    })
    await bot.run(2000)
    await bot.tell(settled('other', START_MS - 60_000), ...lostIn('own', START_MS - 60_000))
    await bot.run(1000)
    expect(historic(bot)).toBe(1)
    expect(bot.notes('error')).toEqual([expect.stringContaining('1.00 USDC were staked on a contest in which this bot made no valid move')])
  })
})
