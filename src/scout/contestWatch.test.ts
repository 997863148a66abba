import { describe, expect, test } from 'vitest'
import type { Contest } from '../contract/records.ts'
import type { ReadResult } from '../pipeline/index.ts'
import { ContestWatch, type WatchedRead } from './contestWatch.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const START = 1_000_000

/** A watch, and the time that goes by. */
class World {
  now = START
  readonly watch = new ContestWatch(START)

  list(status: 'open' | 'live', contests: readonly Contest[], isWhole = true): Contest[] {
    return this.watch.listed(status, contests, { now: this.now, isWhole })
  }

  /** Goes on to a time, and answers what is due on the way. @returns what was read, in seconds since the start */
  until(atMs: number, answer: (read: WatchedRead) => ReadResult): string[] {
    const read: string[] = []
    for (;;) {
      const nextAt = this.watch.nextAt()
      if (nextAt === undefined || nextAt > START + atMs) break
      this.now = Math.max(this.now, nextAt)
      const due = this.watch.next(this.now)
      if (due === undefined) break
      read.push(`${(this.now - START) / 1000} ${due.procedure.replace('agent.', '')} ${Number(due.contestId.slice(-4))}`)
      this.watch.answered(due, answer(due), this.now)
    }
    this.now = START + atMs
    return read
  }
}

const ok = (output: object): ReadResult => ({ ok: true, output }) as ReadResult
const refused: ReadResult = { ok: false, refusal: { appCode: 'NOT_FOUND' } as never, reason: 'NOT_FOUND' }
const away: ReadResult = { ok: false, refusal: undefined, reason: 'ECONNREFUSED' }
const live = (n: number, fields: Partial<Contest> = {}): Contest => ({
  ...{ contestId: id(n), mode: 'pnl_usd', status: 'live', startsAt: START, endsAt: START + 60_000 },
  ...fields,
})
const entries = [{ entryId: 'a', score: '1' }]
const settled = (mode = 'pnl_usd') => ok({ mode, status: 'settled', entries })

describe('a contest that is live', () => {
  test('is looked at before its end, and read after it', () => {
    const world = new World()
    world.list('live', [live(1)])
    expect(world.until(600_000, () => settled())).toEqual(['57 modes.state 1', '61 contests.get 1'])
    expect(world.watch.figures).toEqual({ seen: 1, settled: 1, cancelled: 0, unsettled: 0, byMode: { pnl_usd: 1 } })
    expect(world.list('live', [live(1)])).toEqual([])
    expect(world.watch.nextAt()).toBeUndefined()
  })

  test('of moves has its state read once more when all is over', () => {
    const world = new World()
    world.list('live', [live(1, { mode: 'draft_basket' })])
    const answer = ({ procedure, isLast }: WatchedRead) =>
      procedure === 'agent.contests.get'
        ? settled('draft_basket')
        : ok(isLast ? { startPrices: { SOL: '1' }, picks: [{ tokens: ['SOL'] }] } : {})
    expect(world.until(600_000, answer)).toEqual(['57 modes.state 1', '61 contests.get 1', '61 modes.state 1'])
    expect(world.watch.found.picks).toMatchObject({ told: 1, of: 1 })
  })

  test('keeps what its state said before the end where a service says nothing after it', () => {
    const world = new World()
    world.list('live', [live(1, { mode: 'draft_basket' })])
    const answer = ({ procedure, isLast }: WatchedRead) =>
      procedure === 'agent.contests.get' ? settled('draft_basket') : isLast ? refused : ok({ picks: [{ tokens: ['SOL'] }] })
    world.until(600_000, answer)
    expect(world.watch.found).toMatchObject({ settled: 1, picks: { told: 1 } })
  })

  test('is read again after 10, 60 and 600 s while it is not settled, and then given up', () => {
    const world = new World()
    world.list('live', [live(1)])
    const reads = world.until(3_600_000, ({ procedure }) => (procedure === 'agent.contests.get' ? ok({ status: 'live' }) : refused))
    expect(reads.slice(1)).toEqual(['61 contests.get 1', '71 contests.get 1', '131 contests.get 1', '731 contests.get 1'])
    expect(world.watch.figures).toMatchObject({ settled: 0, unsettled: 1 })
  })

  test('is asked for until a service that is away is back: that is no try', () => {
    const world = new World()
    world.list('live', [live(1)])
    expect(world.until(200_000, () => away).filter((read) => read.includes('get'))).toHaveLength(14)
    world.until(300_000, () => settled())
    expect(world.watch.figures).toMatchObject({ settled: 1, unsettled: 0 })
  })

  test('of which nobody says when it ends, is taken for over when no list has it any more', () => {
    const world = new World()
    const endless = live(1, { endsAt: null, startsAt: null })
    world.list('live', [endless])
    world.until(100_000, () => refused)
    expect(world.watch.nextAt()).toBeUndefined()
    world.list('live', [])
    expect(world.until(100_000, () => settled())).toEqual(['100 contests.get 1'])
  })

  test('and ends before its time is read as soon as no list has it', () => {
    const world = new World()
    world.list('live', [live(1, { mode: 'target_race' })])
    world.until(20_000, () => refused)
    world.list('live', [], false)
    expect(world.until(20_000, () => refused)).toEqual([])
    world.list('live', [])
    expect(world.until(600_000, () => settled('target_race'))).toEqual(['20 contests.get 1'])
  })
})

describe('a contest that is open', () => {
  const open = (n: number): Contest => ({ contestId: id(n), mode: 'pnl_usd', status: 'open' })

  test('is not read while it is listed, and once it is not, it says what became of it', () => {
    const world = new World()
    world.list('open', [open(1), open(2), open(3)])
    world.list('live', [])
    expect(world.until(1000, () => refused)).toEqual([])
    world.list('open', [])
    world.list('live', [live(3, { endsAt: START + 30_000 })])
    const answer = ({ contestId }: WatchedRead) =>
      contestId === id(1) ? ok({ status: 'cancelled' }) : contestId === id(2) ? ok(live(2, { endsAt: START + 40_000 })) : settled()
    expect(world.until(30_000, answer)).toEqual(['1 contests.get 1', '1 contests.get 2', '27 modes.state 3'])
    world.list('live', [])
    expect(world.until(100_000, () => settled())).toEqual(['31 contests.get 3', '37 modes.state 2', '41 contests.get 2'])
    expect(world.watch.figures).toMatchObject({ seen: 3, settled: 2, cancelled: 1 })
  })

  test('is not missed where the list was cut short', () => {
    const world = new World()
    world.list('open', [open(1)])
    world.list('open', [open(2)], false)
    world.list('live', [])
    expect(world.watch.nextAt()).toBeUndefined()
  })
})

test('where there are more reads than can be made, a part of the contests is followed to the end, and no other is recorded', () => {
  const world = new World()
  const all = Array.from({ length: 400 }, (_, n) => live(n + 1))
  expect(world.list('live', all)).toHaveLength(400)
  // One read a second: most come too late.
  for (let second = 0; second < 900; second++) {
    world.now = START + second * 1000
    const due = world.watch.next(world.now)
    if (due !== undefined) world.watch.answered(due, due.procedure === 'agent.contests.get' ? settled() : ok({}), world.now)
  }
  expect(world.watch.share).toBeLessThan(1)
  const { settled: ended, seen } = world.watch.figures
  expect(seen).toBe(400)
  expect(ended).toBeGreaterThan(20)
  expect(ended).toBeLessThan(400)
  expect(world.watch.size).toBe(0)
  const later = Array.from({ length: 400 }, (_, n) => live(n + 1001))
  const followed = world.list('live', later).length
  expect(followed).toBeGreaterThan(0)
  expect(followed).toBeLessThan(400)
})
