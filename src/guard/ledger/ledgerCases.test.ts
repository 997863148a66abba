import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { type EventType, readEvent } from '../../contract/events.ts'
import { DAY_MS } from '../../core/day.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { GuardLedger } from './ledger.ts'

const NOON_MS = Date.UTC(2025, 6, 21, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STAKE = usdc('1')
const LOSS = { result: 'LOSS', stake: '1000000', payout: '0', profit: '-1000000' }
const WIN = { result: 'WIN', stake: '1000000', payout: '1900000', profit: '900000' }
const idOf = (name: string) => keyedUuid(name)

/** A ledger at noon, with a bankroll of 100 USDC. */
class Book {
  readonly ledger: GuardLedger
  now: number
  available = usdc('100')

  constructor(now = NOON_MS, ledger = new GuardLedger()) {
    this.now = now
    this.ledger = ledger
    ledger.move(now)
  }

  /** Reads the bankroll. @param change what it gained since the last reading */
  read(change: Usdc = 0n): this {
    this.available += change
    this.ledger.bankrollRead({ available: this.available, begunAt: this.now, swapsInFlight: 0n })
    return this
  }

  pass(ms: number): this {
    this.now += ms
    this.ledger.move(this.now)
    return this
  }

  enter(...keys: readonly string[]): this {
    for (const key of keys) {
      this.ledger.sent({ key, stake: STAKE, mode: 'up_down', by: 'ladder' })
      this.ledger.accepted(key, idOf(key))
    }
    return this
  }

  tell(type: EventType, data: Readonly<Record<string, unknown>>, at = this.now): this {
    const read = readEvent(rawEvent(type, data, at))
    if (!read.ok) throw new Error(read.message)
    this.ledger.onEvent(read.event)
    return this
  }

  settle(key: string, data: object, at = this.now): this {
    return this.tell('contest.settled', { contestId: idOf(key), mode: 'up_down', ...data }, at)
  }
}

describe('an entry', () => {
  test('with the id of another open entry is a contradiction, and one after that has ended is none', () => {
    const { ledger } = new Book().read()
    for (const key of ['a', 'b']) ledger.sent({ key, stake: STAKE, mode: 'up_down', by: 'ladder' })
    expect(ledger.accepted('a', 'one id')).toBeUndefined()
    expect(ledger.accepted('b', 'one id')).toMatch(/two entries that are both open/)
    expect(ledger.open()).toBe(usdc('2'))
    ledger.supposedLost('one id')
    ledger.sent({ key: 'c', stake: STAKE, mode: 'up_down', by: 'ladder' })
    expect(ledger.accepted('c', 'one id')).toBeUndefined()
  })

  test('that was refused after it left is expected back, and missing until the bankroll shows it', () => {
    const book = new Book().read()
    book.ledger.sent({ key: 'a', stake: STAKE, mode: 'up_down', by: 'ladder' })
    book.ledger.refused('a', true)
    book.read(-STAKE)
    expect([book.ledger.unexplained, book.ledger.open()]).toEqual([0n, STAKE])
    book.pass(31 * MINUTE_MS).read()
    expect(book.ledger.unexplained).toBe(STAKE)
    expect(book.read(STAKE).ledger.unexplained).toBe(0n)
  })

  test('holds its late refund in the budget of its mode, and in the total once', () => {
    const book = new Book()
      .read()
      .enter('a')
      .read(-STAKE)
      .tell('ticket.expired', { ticketId: idOf('a') })
    book.pass(31 * MINUTE_MS).read()
    expect(book.ledger.open({ mode: 'up_down' })).toBe(STAKE)
    expect(book.ledger.open({ by: 'ladder' })).toBe(STAKE)
    expect(book.ledger.open({ mode: 'draft_basket' })).toBe(0n)
    expect([book.ledger.open(), book.ledger.unexplained]).toEqual([0n, STAKE])
    expect(book.read(STAKE).ledger.open({ mode: 'up_down' })).toBe(0n)
  })

  test('costs the larger of what was sent and what is told, whether a payout or the profit tells it', () => {
    const cost = (data: object) =>
      new Book()
        .read()
        .enter('a')
        .settle('a', { ...LOSS, ...data })
        .ledger.lost()
    expect(cost({})).toBe(usdc('1'))
    expect(cost({ stake: '0', profit: '0' })).toBe(usdc('1'))
    expect(cost({ stake: '3000000', profit: '0' })).toBe(usdc('3'))
    expect(cost({ stake: '0', profit: '-4000000' })).toBe(usdc('4'))
  })
})

describe('a day', () => {
  test('has the loss of an adopted entry without a mode in the budget of every mode', () => {
    const { ledger } = new Book().read()
    ledger.adopt({ key: 'x', stake: STAKE, mode: undefined, by: undefined }, ['ticket'])
    expect(ledger.open({ mode: 'up_down' })).toBe(STAKE)
    ledger.close('x')
    expect([ledger.lost({ mode: 'up_down' }), ledger.lost()]).toEqual([STAKE, STAKE])
  })

  test('offsets a loss by a win that is dated on the day on which it was learnt, and by no other', () => {
    const lostWith = (winAt: number) =>
      new Book().read().enter('a', 'b').settle('a', LOSS).settle('b', WIN, winAt).read(-usdc('0.1')).ledger.lost()
    expect(lostWith(NOON_MS)).toBe(usdc('0.1'))
    expect(lostWith(NOON_MS - DAY_MS)).toBe(usdc('1'))
    expect(lostWith(NOON_MS + DAY_MS)).toBe(usdc('1'))
  })

  test('offsets nothing by a win that no bankroll shows', () => {
    expect(new Book().read().enter('a', 'b').settle('a', LOSS).settle('b', WIN).read(-usdc('2')).ledger.lost()).toBe(usdc('1'))
  })

  test('still counts for some seconds after its midnight', () => {
    const book = new Book(NOON_MS + 12 * HOUR_MS - 1000).read().enter('a').settle('a', LOSS)
    expect(book.pass(2000).ledger.lost()).toBe(STAKE)
    expect(book.pass(MINUTE_MS).ledger.lost()).toBe(0n)
  })
})

/** Starts again from what the journal kept. @param aheadMs how far each clock has advanced meanwhile */
function restarted(before: Book, aheadMs: { readonly machine: number; readonly service: number }): Book {
  const facts = before.ledger.takeFacts()
  if (facts === undefined) throw new Error('nothing to keep')
  const [machine, service] = [before.now + aheadMs.machine, before.now + aheadMs.service]
  const ledger = new GuardLedger()
  ledger.restore(facts, machine)
  const book = new Book(machine, ledger)
  // The first answer tells what time the service has: from now on inputs go by it.
  ledger.skewed(service - machine)
  book.now = service
  ledger.serviceKnown(service)
  return book.pass(MINUTE_MS)
}

describe('a restart', () => {
  test.for([
    { name: 'both clocks say a day has passed', machine: DAY_MS, service: DAY_MS, lost: 0n },
    { name: 'the machine alone says so', machine: DAY_MS, service: 0, lost: STAKE },
    { name: 'the service alone says so', machine: 0, service: DAY_MS, lost: STAKE },
    { name: 'the machine is a day back', machine: -DAY_MS, service: 0, lost: STAKE },
  ])('after which $name', ({ machine, service, lost }) => {
    const before = new Book().read().enter('a').settle('a', LOSS)
    expect(restarted(before, { machine, service }).ledger.lost()).toBe(lost)
  })

  test('soon after midnight begins no second day', () => {
    const before = new Book(NOON_MS + 11 * HOUR_MS)
      .read()
      .pass(2 * HOUR_MS)
      .enter('a')
      .settle('a', LOSS)
    const book = restarted(before, { machine: DAY_MS, service: 0 })
    expect(book.ledger.lost()).toBe(STAKE)
    expect(book.pass(20 * HOUR_MS).ledger.lost()).toBe(STAKE)
    expect(book.pass(3 * HOUR_MS).ledger.lost()).toBe(0n)
  })

  test('counts the cool-down by the bot’s own time', () => {
    const before = new Book()
      .read()
      .enter('a')
      .settle('a', LOSS, NOON_MS - HOUR_MS)
    const { losses, lastAt } = before.ledger.streak
    expect([losses, lastAt]).toEqual([1, NOON_MS])
    const book = restarted(before, { machine: DAY_MS, service: MINUTE_MS })
    expect(book.now - book.ledger.streak.lastAt).toBe(2 * MINUTE_MS)
  })
})

describe('the bankroll', () => {
  test('that rises before its payout is told is no deposit once it is told', () => {
    const book = new Book().read().enter('a').read(-STAKE)
    book.read(usdc('1.9'))
    for (let minute = 0; minute < 40; minute++) book.pass(MINUTE_MS).read()
    book.settle('a', WIN).read()
    expect([book.ledger.unexplained, book.ledger.open()]).toEqual([0n, 0n])
    expect(book.pass(31 * MINUTE_MS).read().ledger.unexplained).toBe(0n)
  })

  test('raises what is expected by a deposit that lasts, and not before', () => {
    const gone = (minutes: number) => {
      const book = new Book().read(usdc('0'))
      book.read(usdc('10'))
      for (let minute = 0; minute < minutes; minute++) book.pass(MINUTE_MS).read()
      return book.read(-usdc('10')).ledger.unexplained
    }
    expect(gone(5)).toBe(0n)
    expect(gone(45)).toBe(usdc('10'))
  })

  test('explains a stake that the service takes later', () => {
    const book = new Book().read().enter('a').pass(MINUTE_MS).read()
    expect(book.ledger.unexplained).toBe(0n)
    expect(book.pass(MINUTE_MS).read(-STAKE).ledger.unexplained).toBe(0n)
    expect(book.pass(MINUTE_MS).read(-1n).ledger.unexplained).toBe(1n)
  })
})

describe('stakes of 24 hours', () => {
  test('are net of payouts that the bankroll shows, and of no others', () => {
    const book = new Book().read().enter('a', 'b').read(-usdc('2')).settle('a', WIN).settle('b', WIN)
    expect(book.ledger.stakedNet).toBe(usdc('2'))
    expect(book.read().ledger.stakedNet).toBe(usdc('2'))
    expect(book.read(usdc('1.9')).ledger.stakedNet).toBe(usdc('0.1'))
  })

  test('count for 24 hours, to the hour', () => {
    const book = new Book().read().enter('a').read(-STAKE)
    expect(book.pass(24 * HOUR_MS).ledger.stakedNet).toBe(STAKE)
    expect(book.pass(HOUR_MS).ledger.stakedNet).toBe(0n)
  })
})

describe('the chain', () => {
  const read = (book: Book, onChain: readonly Usdc[]) => {
    for (const each of onChain) book.ledger.chainRead({ onChain: each, available: usdc('100'), wallet: undefined })
    return book.ledger.missingOnChain
  }
  const equal = (times: number) => Array<Usdc>(times).fill(usdc('100'))
  const short = (times: number) => Array<Usdc>(times).fill(usdc('97'))

  test.for([
    { name: 'agreed ten times and is short three times', readings: [...equal(10), ...short(3)], missing: usdc('3') },
    { name: 'agreed nine times', readings: [...equal(9), ...short(3)], missing: 0n },
    { name: 'is short twice', readings: [...equal(10), ...short(2)], missing: 0n },
    { name: 'is short twice, and agrees between', readings: [...equal(10), ...short(2), ...equal(1), ...short(2)], missing: 0n },
    { name: 'has more', readings: [...equal(10), usdc('101'), usdc('101'), usdc('101')], missing: 0n },
    { name: 'lacks less and less', readings: [...equal(10), usdc('97'), usdc('98'), usdc('99')], missing: usdc('1') },
  ])('is short of $missing if it $name', ({ readings, missing }) => {
    expect(read(new Book().read(), readings)).toBe(missing)
  })

  test('says nothing while a stake is open, or a payout is on its way', () => {
    const book = new Book().read().enter('a').read(-STAKE)
    expect(read(book, [...equal(10), ...short(3)])).toBe(0n)
    book.settle('a', WIN)
    expect(read(book, [...equal(10), ...short(3)])).toBe(0n)
    book.read(usdc('1.9'))
    expect(read(book, [...equal(10), ...short(3)])).toBe(usdc('3'))
  })
})
