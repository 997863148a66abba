import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { keyedUuid } from '../src/core/ids.ts'
import { usdc } from '../src/core/usdc.ts'
import { SqliteJournal } from '../src/live/index.ts'
import { enqueue } from '../src/strategy/action.ts'
import { emptyIndexPage, entryIntent, journalRecord, leafPagesOf, openedJournal, spoilPages, writeJournal } from './support/journalFiles.ts'
import { rawEvent } from './support/rawEvents.ts'
import { openTestBot, type TestBot } from './support/testBot.ts'
import { policy } from './support/testStrategies.ts'

// What a full disk and a broken file do to a bot: it stops, says why, and has sent nothing that is not written.

const folder = mkdtempSync(join(tmpdir(), 'journal-faults-'))
const open: SqliteJournal[] = []
afterEach(() => {
  for (const journal of open.splice(0)) journal.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const freshFile = () => join(folder, `${files++}.db`)
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 60 })
/** Enters after the first settlement, and never again. */
const afterSettlement = () => policy(({ tickets, stats }) => (stats.settled > 0 && tickets.length === 0 ? [entry] : []))
/** Larger than what is left of any page. */
const bulky = rawEvent('contest.settled', { contestId: keyedUuid('contest'), remark: 'x'.repeat(20_000) })

function keep(journal: SqliteJournal): SqliteJournal {
  open.push(journal)
  return journal
}

const botOn = (journalOnDisk: SqliteJournal): Promise<TestBot> => openTestBot({ journalOnDisk, strategies: [afterSettlement()] })
const codeOf = (bot: TestBot) => (bot.end?.error as { code?: string } | undefined)?.code
const messageOf = (bot: TestBot) => (bot.end?.error as Error | undefined)?.message

describe('a full disk', () => {
  test('stops the bot, which has sent nothing of that step; once there is room it goes on where it was', async () => {
    const file = freshFile()
    const small = rawEvent('contest.live', {
      contestId: keyedUuid('contest'),
      startsAt: '2025-03-01T12:00:00Z',
      endsAt: '2025-03-01T13:00:00Z',
    })
    const { journal, db } = openedJournal(file)
    keep(journal.belongTo('agent'))
    const bot = await botOn(journal)
    await bot.tell(small)
    db.exec(`PRAGMA max_page_count = ${db.prepare('PRAGMA page_count').get()?.page_count}`)
    await bot.tell(bulky)
    await bot.run(5000)
    expect(bot.end?.how).toBe('failed')
    expect(codeOf(bot)).toBe('JOURNAL_WRITE_FAILED')
    expect(messageOf(bot)).toContain(file)
    expect(messageOf(bot)).toMatch(/nothing of this step is sent \(database or disk is full\): make room on its disk, then start again/)
    expect(bot.service.acts).toEqual([])
    journal.close()

    const again = keep(new SqliteJournal(file).belongTo('agent'))
    expect([...again.load().events]).toEqual([small])
    const next = await botOn(again)
    expect(next.events.askedFrom).toEqual([small.id])
    await next.tell(bulky)
    await next.run(5000)
    expect(next.service.sent('agent.queue.enqueue')).toHaveLength(1)
    expect(next.status().books.byMode.get('up_down')?.results.WIN).toBe(1)
  })

  test('keeps reads from being set aside, which is an error of the journal’s too', () => {
    const { journal, db } = openedJournal(freshFile())
    keep(journal.belongTo('agent'))
    db.exec(`PRAGMA max_page_count = ${db.prepare('PRAGMA page_count').get()?.page_count}`)
    const leaseAll = () => {
      for (let at = 1; at < 1000; at++) journal.lease({ at, count: 20 }, 0)
    }
    expect(leaseAll).toThrow(expect.objectContaining({ code: 'JOURNAL_WRITE_FAILED', message: expect.stringMatching(/make room/) }))
  })
})

test('a journal that is deleted with its folder under a bot that runs: nothing more is sent, and the bot stops', async () => {
  const ownFolder = mkdtempSync(join(folder, 'deleted-'))
  const journal = keep(new SqliteJournal(join(ownFolder, 'alice.db')).belongTo('agent'))
  const bot = await botOn(journal)
  rmSync(ownFolder, { recursive: true })
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('contest') }))
  await bot.run(5000)
  expect(codeOf(bot)).toBe('JOURNAL_GONE')
  expect(messageOf(bot)).toMatch(/nothing of this step is sent/)
  expect(bot.service.acts).toEqual([])
})

describe('a page that is not what was written', () => {
  test.each(['events', 'intents', 'custody', 'fills', 'swaps'])('of %s: the bot does not start to play on it', async (table) => {
    const file = freshFile()
    writeJournal(file, 200)
    spoilPages(file, leafPagesOf(file, table).at(-1) ?? 0)
    const journal = keep(new SqliteJournal(file).belongTo('agent'))
    const bot = await botOn(journal)
    await bot.run(5000)
    expect(codeOf(bot)).toBe('JOURNAL_CORRUPT')
    expect(messageOf(bot)).toContain(`logs repair ${file}`)
    expect(bot.service.acts).toEqual([])
  })

  test('while the bot runs: what cannot be written on it is not sent', async () => {
    const file = freshFile()
    const long = new SqliteJournal(file).belongTo('agent')
    for (let n = 1; n <= 300; n++) {
      const intent = entryIntent(n)
      long.commit(journalRecord({ n, intents: [intent], outcomes: [{ key: intent.key, status: 'rejected' }] }))
    }
    long.close()
    const keys = leafPagesOf(file, 'sqlite_autoindex_intents_1')
    const journal = keep(new SqliteJournal(file).belongTo('agent'))
    const bot = await botOn(journal)
    spoilPages(file, ...keys)
    await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('contest') }))
    await bot.run(5000)
    expect(codeOf(bot)).toBe('JOURNAL_CORRUPT')
    expect(messageOf(bot)).toMatch(/could not be written .* nothing of this step is sent/)
    expect(bot.service.sent('agent.queue.enqueue')).toEqual([])
  })

  test('a first page that is gone: the file is not taken for a new journal', () => {
    const file = freshFile()
    writeJournal(file, 40)
    spoilPages(file, 1)
    expect(() => new SqliteJournal(file)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNREADABLE', message: expect.stringContaining(`logs repair ${file}`) }),
    )
  })

  test('a row that is no longer what a bot writes is named, and what stands in it is not shown', () => {
    const file = freshFile()
    writeJournal(file, 20)
    const { journal, db } = openedJournal(file)
    keep(journal)
    const loading = () => [...journal.load().events]
    db.exec("UPDATE events SET raw = 'not json' WHERE position = 7")
    expect(loading).toThrow(
      expect.objectContaining({ code: 'JOURNAL_CORRUPT', message: expect.stringContaining('table events, row 7: raw') }),
    )
    db.exec("UPDATE intents SET action = 'not json' WHERE key = '10:ladder:0'")
    expect(loading).toThrow(expect.objectContaining({ message: expect.stringContaining('table intents, row 10:ladder:0: action') }))
    expect(loading).not.toThrow(/not json/)
  })

  test('an index that has forgotten an open intent is not believed', () => {
    const file = freshFile()
    writeJournal(file, 30)
    emptyIndexPage(file, leafPagesOf(file, 'intents_open')[0] ?? 0)
    const journal = keep(new SqliteJournal(file))
    expect(() => journal.load()).toThrow(
      expect.objectContaining({ code: 'JOURNAL_CORRUPT', message: expect.stringMatching(/do not agree/) }),
    )
  })

  test('an index that has forgotten the intent of an outcome does not lose the outcome in silence', () => {
    const file = freshFile()
    writeJournal(file, 30)
    const { journal, db } = openedJournal(file)
    keep(journal)
    db.exec("DELETE FROM swaps WHERE key = '10:crossover:0'; DELETE FROM intents WHERE key = '10:crossover:0'")
    const settle = () => journal.commit(journalRecord({ n: 31, outcomes: [{ key: '10:crossover:0', status: 'expired' }], refusals: ['X'] }))
    expect(settle).toThrow(expect.objectContaining({ code: 'JOURNAL_CORRUPT', message: expect.stringContaining('row 10:crossover:0') }))
    expect(journal.load().counts.refused).toBe(3)
  })
})
