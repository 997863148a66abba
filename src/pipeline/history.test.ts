import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../test/support/rawEvents.ts'
import { openTestBot } from '../../test/support/testBot.ts'
import { keyedUuid } from '../core/ids.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'
import { statsOf } from './state.ts'

const settled = (name: string) => rawEvent('contest.settled', { contestId: keyedUuid(name) })
const WON = 'up_down: WIN, 0.90 USDC on a stake of 1.00'

describe('what happened before a journal', () => {
  test('goes into the books, and is said in one line', async () => {
    const bot = await openTestBot({ caughtUp: false })
    await bot.tell(settled('one'), settled('two'), rawEvent('ticket.failed', { ticketId: keyedUuid('ticket') }))
    bot.events.catchUp()
    await bot.run(60_000)
    expect(statsOf(bot.status().books).settled).toBe(2)
    expect(bot.notes('info')).toEqual(['3 events of before this journal were read, 2 contests settled among them'])
    expect(bot.notes('warn')).toEqual([])
    expect(bot.service.reads.map(({ procedure }) => procedure)).not.toContain('agent.contests.get')
    await bot.tell(settled('three'))
    expect(bot.notes('info').slice(1)).toEqual([WON])
  })

  test('is nothing where nothing happened', async () => {
    const bot = await openTestBot()
    await bot.tell(settled('one'))
    expect(bot.notes('info')).toEqual([WON])
  })
})

test('what happened between two runs is news', async () => {
  const journal = new MemoryJournal()
  const first = await openTestBot({ journal })
  await first.tell(settled('one'))
  first.kill()
  const second = await openTestBot({ journal, caughtUp: false })
  await second.tell(settled('two'))
  expect(second.notes('info')).toEqual([WON])
  second.events.catchUp()
  await second.tell()
  expect(second.notes('info')).toEqual([WON])
})
