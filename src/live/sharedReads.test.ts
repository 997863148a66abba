import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { ReadBudget, type ReadLease, type ReadPriority } from './readBudget.ts'
import { SharedReads } from './sharedReads.ts'

const START = 1_000_000
const MINUTE = 60_000

/** A bot and a scout with one key, each in a process of its own as far as the two can tell. */
class TwoReaders {
  readonly clock = new VirtualClock(START)
  readonly folder = mkdtempSync(join(tmpdir(), 'shared-'))
  readonly journal = join(this.folder, 'alice.db')
  readonly sent: { readonly whose: string; readonly at: number }[] = []
  bot = this.open('bot')
  scout = this.open('scout')

  open(whose: 'bot' | 'scout'): ReadBudget {
    return new ReadBudget({ clock: this.clock, perMinute: 290, leases: new SharedReads({ journal: this.journal, whose }) })
  }

  ask(whose: 'bot' | 'scout', count: number, priority: ReadPriority = whose === 'bot' ? 4 : 5): void {
    for (let read = 0; read < count; read++) void this[whose].take(priority).then(() => this.sent.push({ whose, at: this.clock.now() }))
  }

  count(whose: string, from = 0): number {
    return this.sent.filter((read) => read.whose === whose && read.at >= START + from).length
  }

  mostInAMinute(): number {
    return Math.max(...this.sent.map(({ at }) => this.sent.filter((read) => read.at >= at && read.at < at + MINUTE).length))
  }
}

describe('a scout beside a bot', () => {
  test('leaves it half of the limit, and never passes the limit with it', async () => {
    const readers = new TwoReaders()
    readers.ask('bot', 10)
    await readers.clock.advanceBy(100)
    readers.ask('scout', 400)
    await readers.clock.advanceBy(2000)
    expect(readers.count('scout')).toBe(135)
    readers.ask('bot', 400, 1)
    await readers.clock.advanceBy(1000)
    // Five of the scout's newest lease are not spent yet.
    expect(readers.count('bot')).toBe(290 - 140)
    await readers.clock.advanceBy(5 * MINUTE, 500)
    expect(readers.mostInAMinute()).toBeLessThanOrEqual(290)
    expect(readers.count('scout')).toBe(400)
  })

  test('has most of the limit where no bot reads', async () => {
    const readers = new TwoReaders()
    readers.ask('scout', 400)
    await readers.clock.advanceBy(1000)
    expect(readers.count('scout')).toBe(232)
  })

  test('is told what a bot has read, and not what it has set aside and never used', async () => {
    const readers = new TwoReaders()
    for (let turn = 0; turn < 3; turn++) {
      readers.ask('bot', 1)
      await readers.clock.advanceBy(11_000, 1000)
    }
    expect(new SharedReads({ journal: readers.journal, whose: 'scout' }).others(0).map(({ count }) => count)).toEqual([1, 1, 10])
  })

  test('is known to a bot that begins after it, and to itself after it was killed', async () => {
    const readers = new TwoReaders()
    readers.ask('scout', 232)
    await readers.clock.advanceBy(1000)
    readers.bot = readers.open('bot')
    readers.scout = readers.open('scout')
    readers.ask('bot', 200, 1)
    readers.ask('scout', 10)
    await readers.clock.advanceBy(1000)
    expect([readers.count('bot'), readers.count('scout')]).toEqual([290 - 240, 232])
  })
})

describe('shared reads', () => {
  test('say of a lease that ended what of it was spent', () => {
    const folder = mkdtempSync(join(tmpdir(), 'shared-'))
    const journal = join(folder, 'alice.db')
    const bot = new SharedReads({ journal, whose: 'bot' })
    const scout = new SharedReads({ journal, whose: 'scout' })
    void bot.lease({ at: 1000, count: 10 }, 0)
    void bot.lease({ at: 2000, count: 10 }, 0, 7)
    expect(scout.others(0)).toEqual([
      { at: 1000, count: 3 },
      { at: 2000, count: 10 },
    ])
    expect(scout.others(1000)).toEqual([{ at: 2000, count: 10 }])
    expect(bot.others(0)).toEqual([])
    void bot.lease({ at: 3000, count: 10 }, 1500)
    expect(scout.others(0).map(({ at }) => at)).toEqual([2000, 3000])
    expect(readdirSync(folder)).toEqual(['alice.db.bot.reads.json'])
  })

  test('are kept where they were before, too', () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'shared-')), 'alice.db')
    const kept: ReadLease[] = []
    const inner = { leases: () => [{ at: 5, count: 1 }], lease: (lease: ReadLease) => void kept.push(lease) }
    const bot = new SharedReads({ journal, whose: 'bot', kept: inner })
    void bot.lease({ at: 1000, count: 10 }, 0)
    expect(kept).toEqual([{ at: 1000, count: 10 }])
    expect(bot.leases(0)).toEqual([{ at: 5, count: 1 }])
  })

  test('that cannot be written stop no bot, and every read of a scout', () => {
    const folder = mkdtempSync(join(tmpdir(), 'shared-'))
    const journal = join(folder, 'alice.db')
    rmSync(folder, { recursive: true })
    void new SharedReads({ journal, whose: 'bot' }).lease({ at: 1000, count: 10 }, 0)
    const scout = new SharedReads({ journal, whose: 'scout' })
    expect(() => scout.lease({ at: 1000, count: 10 }, 0)).toThrow(/alice\.db\.scout\.reads\.json cannot be written/)
  })

  test('that nobody can read are none', () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'shared-')), 'alice.db')
    writeFileSync(`${journal}.bot.reads.json`, '[{"at":')
    expect(new SharedReads({ journal, whose: 'scout' }).others(0)).toEqual([])
  })
})
