import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { keyedUuid } from '../core/ids.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'
import { statsOf } from './books/views.ts'

const settled = (name: string, atMs = START_MS) => rawEvent('contest.settled', { contestId: keyedUuid(name) }, atMs)
const past = (name: string) => settled(name, START_MS - 60_000)
const WON = 'up_down: WIN, 0.90 USDC on a stake of 1.00'

/** A journal that was made when the bot first started. */
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
