import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Clock, VirtualClock } from '../core/clock.ts'
import { ReadBudget, type ReadLease, type ReadLeases, type ReadPriority } from './readBudget.ts'

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('ReadBudget', () => {
  test('lets reads go at once while there is room, then as room comes', async () => {
    const clock = new VirtualClock(1000)
    const budget = new ReadBudget({ clock, perMinute: 2 })
    const sentAt: number[] = []
    for (let read = 0; read < 5; read++) void budget.take(4).then(() => sentAt.push(clock.now()))
    await turns()
    expect(sentAt).toEqual([1000, 1000])
    await clock.advanceBy(200_000, 1)
    expect(sentAt).toEqual([1000, 1000, 63_000, 63_000, 125_000])
  })

  test('what is more urgent goes first; of the same urgency, who asked first', async () => {
    const clock = new VirtualClock()
    const budget = new ReadBudget({ clock, perMinute: 1 })
    const order: string[] = []
    const ask = (name: string, priority: ReadPriority) => void budget.take(priority).then(() => order.push(name))
    ask('takes the room', 4)
    ask('rest', 4)
    ask('money', 3)
    ask('stream', 2)
    ask('money again', 3)
    ask('state', 1)
    ask('who it is', 0)
    await clock.advanceBy(400_000, 1000)
    expect(order).toEqual(['takes the room', 'who it is', 'state', 'stream', 'money', 'money again', 'rest'])
  })

  test('a read that cannot be set aside is refused to whoever asked, and the next is tried anew', async () => {
    let isFull = true
    const leases: ReadLeases = {
      leases: () => [],
      lease: () => {
        if (isFull) throw new Error('the disk is full')
      },
    }
    const budget = new ReadBudget({ clock: new VirtualClock(1000), leases })
    await expect(budget.take(4)).rejects.toThrow('the disk is full')
    isFull = false
    await expect(budget.take(4)).resolves.toBeUndefined()
  })

  test('where setting aside takes its time, the first read waits for it, and no other', async () => {
    const clock = new VirtualClock(1000)
    const asked: { lease: ReadLease; keep: () => void; lose: (thrown: Error) => void }[] = []
    const leases: ReadLeases = {
      leases: () => [],
      lease: (lease) => new Promise<void>((keep, lose) => asked.push({ lease, keep, lose })),
    }
    const budget = new ReadBudget({ clock, leases })
    let sent = 0
    let failed = 0
    const read = (count: number) => {
      for (let n = 0; n < count; n++)
        void budget.take(4).then(
          () => sent++,
          () => failed++,
        )
      return turns()
    }
    await read(3)
    expect([sent, asked.length]).toEqual([0, 1])
    asked[0]?.keep()
    await turns()
    expect([sent, asked.length]).toEqual([3, 1])
    await read(4)
    // Three are left: the next ten are being set aside.
    expect([sent, asked.length]).toEqual([7, 2])
    await read(3)
    expect(sent).toBe(10)
    await read(2)
    expect(sent).toBe(10)
    asked[1]?.keep()
    await turns()
    expect([sent, asked.map(({ lease }) => lease.count)]).toEqual([12, [10, 10]])
    // Of those that are too old by the time they are durable none is sent.
    await read(5)
    expect(asked).toHaveLength(3)
    await read(8)
    expect([sent, asked.length]).toEqual([20, 3])
    await clock.advanceBy(11_000, 1000)
    asked[2]?.keep()
    await turns()
    expect([sent, asked.length]).toEqual([20, 4])
    // What cannot be set aside is not sent.
    asked[3]?.lose(new Error('moved'))
    await turns()
    asked[4]?.keep()
    await turns()
    expect([sent, failed]).toEqual([24, 1])
  })

  test('once the service asked to wait, everything waits', async () => {
    const clock = new VirtualClock()
    const budget = new ReadBudget({ clock, perMinute: 100 })
    budget.hold(5000)
    budget.hold(3000)
    let sentAt: number | undefined
    void budget.take(1).then(() => {
      sentAt = clock.now()
    })
    await clock.advanceBy(4999, 1)
    expect(sentAt).toBeUndefined()
    await clock.advanceBy(1, 1)
    expect(sentAt).toBe(5000)
  })

  test('asked to wait while reads are waiting already, those wait too', async () => {
    const clock = new VirtualClock()
    const budget = new ReadBudget({ clock, perMinute: 1 })
    const sentAt: number[] = []
    for (let read = 0; read < 2; read++) void budget.take(1).then(() => sentAt.push(clock.now()))
    await turns()
    budget.hold(90_000)
    await clock.advanceBy(120_000, 10)
    expect(sentAt).toEqual([0, 90_000])
  })

  test('closed, it holds nobody and keeps no timer', async () => {
    const clock = new VirtualClock()
    const budget = new ReadBudget({ clock, perMinute: 1 })
    let gone = 0
    for (let read = 0; read < 3; read++) void budget.take(1).then(() => gone++)
    await turns()
    expect(gone).toBe(1)
    budget.close()
    void budget.take(1).then(() => gone++)
    await turns()
    expect(gone).toBe(4)
  })

  test('never more than the limit in any minute, however they come, and each goes in the end', async () => {
    const asks = fc.array(
      fc.record({
        gapMs: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(0, 59_600, 59_999, 60_000, 60_001)),
        priority: fc.constantFrom<ReadPriority>(0, 1, 2, 3, 4),
      }),
      {
        maxLength: 60,
      },
    )
    await fc.assert(
      fc.asyncProperty(asks, fc.integer({ min: 1, max: 8 }), async (reads, limit) => {
        const clock = new VirtualClock()
        const planned: number[] = []
        const watched = {
          now: () => clock.now(),
          at(atMs: number, task: () => void) {
            planned.push(atMs)
            return clock.at(atMs, task)
          },
        }
        const budget = new ReadBudget({ clock: watched, perMinute: limit })
        const sentAt: number[] = []
        /** Stops at every timer on the way, so that what it lets go is seen at its own time. */
        const advanceTo = async (atMs: number) => {
          while ((planned[0] ?? Number.POSITIVE_INFINITY) <= atMs) {
            clock.advanceTo(planned.shift() ?? atMs)
            await turns()
          }
          clock.advanceTo(atMs)
          await turns()
        }
        for (const { gapMs, priority } of reads) {
          await advanceTo(clock.now() + gapMs)
          void budget.take(priority).then(() => sentAt.push(clock.now()))
          await turns()
        }
        await advanceTo(clock.now() + 61 * 60_001)
        expect(sentAt).toHaveLength(reads.length)
        for (const [index, at] of sentAt.entries()) {
          const before = sentAt[index - limit]
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(60_000)
        }
      }),
      { numRuns: 100, seed: 7 },
    )
  })
})

/** Leases in memory, as a journal keeps them over processes. */
function ledger(): ReadLeases & { readonly kept: ReadLease[] } {
  const kept: ReadLease[] = []
  return {
    kept,
    leases: (sinceMs) => kept.filter(({ at }) => at > sinceMs),
    lease: (lease) => void kept.push(lease),
  }
}

describe('leases', () => {
  test('reads are set aside ten at a time, before the first of them leaves, and anew after ten seconds', async () => {
    const clock = new VirtualClock(1000)
    const leases = ledger()
    const budget = new ReadBudget({ clock, leases })
    void budget.take(1)
    expect(leases.kept).toEqual([{ at: 1000, count: 10 }])
    for (let read = 0; read < 10; read++) void budget.take(1)
    expect(leases.kept).toHaveLength(2)
    await clock.advanceBy(9000)
    void budget.take(1)
    expect(leases.kept).toHaveLength(2)
    await clock.advanceBy(1000)
    void budget.take(1)
    expect(leases.kept).toHaveLength(3)
  })

  test('a start sets aside no more than it sends, so that the next one has its reads, too', async () => {
    const clock = new VirtualClock(100_000)
    const leases = ledger()
    void leases.lease({ at: clock.now(), count: 290 }, 0)
    for (let start = 0; start < 5; start++) {
      let isSent = false
      void new ReadBudget({ clock, leases }).take(0).then(() => {
        isSent = true
      })
      await turns()
      expect(isSent, `start ${start}`).toBe(true)
      await clock.advanceBy(1000, 1000)
    }
    let isSent = false
    void new ReadBudget({ clock, leases }).take(0).then(() => {
      isSent = true
    })
    await turns()
    expect(isSent, 'nor more than the service takes').toBe(false)
    await clock.advanceBy(80_000, 1000)
    expect(isSent).toBe(true)
  })

  test('however often the process dies, no minute has more than the limit', async () => {
    const lives = fc.array(fc.record({ reads: fc.integer({ min: 0, max: 60 }), livesMs: fc.integer({ min: 1, max: 30_000 }) }), {
      minLength: 5,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(lives, async (plan) => {
        const clock = new VirtualClock(1000)
        const leases = ledger()
        const sentAt: number[] = []
        for (const { reads, livesMs } of plan) {
          const budget = new ReadBudget({ clock, leases, perMinute: 100 })
          let isDead = false
          for (let read = 0; read < reads; read++) {
            // A read of a process that died is never sent.
            void budget.take(1).then(() => {
              if (!isDead) sentAt.push(clock.now())
            })
          }
          await clock.advanceBy(livesMs, 500)
          isDead = true
        }
        const inMinuteOf = (from: number) => sentAt.filter((at) => at >= from && at < from + 60_000).length
        expect(Math.max(0, ...sentAt.map(inMinuteOf))).toBeLessThanOrEqual(100)
      }),
      { numRuns: 60 },
    )
  })
})

describe('what is kept for the more urgent', () => {
  test('the rest of the reads leaves a fifth of the budget, money a tenth and what the stream needs, the stream a twentieth; a start has some beside it', async () => {
    const budget = new ReadBudget({ clock: new VirtualClock(1000), perMinute: 100 })
    const sent = [0, 0, 0, 0, 0]
    const ask = async (priority: ReadPriority) => {
      for (let read = 0; read < 100; read++)
        void budget.take(priority).then(() => {
          sent[priority] = (sent[priority] ?? 0) + 1
        })
      await turns()
      return sent
    }
    expect(await ask(4)).toEqual([0, 0, 0, 0, 80])
    expect(await ask(3), 'a quarter is needed, and a tenth kept').toEqual([0, 0, 0, 0, 80])
    expect(await ask(2)).toEqual([0, 0, 15, 0, 80])
    expect(await ask(1)).toEqual([0, 5, 15, 0, 80])
    expect(await ask(0)).toEqual([2, 5, 15, 0, 80])
  })

  test('money may take what neither is kept nor needed by the stream, and more with every second that brings the next reads nearer', async () => {
    const clock = new VirtualClock(1000)
    const budget = new ReadBudget({ clock, perMinute: 100 })
    let money = 0
    for (let read = 0; read < 200; read++) void budget.take(3).then(() => money++)
    await turns()
    expect(money).toBe(65)
    await clock.advanceBy(33_000, 1000)
    expect(money).toBe(78)
    await clock.advanceBy(28_999, 1000)
    expect(money).toBe(89)
  })

  test('a poll a second never waits for reads of money, however many are asked for', async () => {
    const clock = new VirtualClock(1000)
    const budget = new ReadBudget({ clock })
    const waitedMs: number[] = []
    let money = 0
    for (let second = 0; second < 300; second++) {
      for (let read = 0; read < 5; read++) void budget.take(3).then(() => money++)
      const askedAt = clock.now()
      void budget.take(2).then(() => waitedMs.push(clock.now() - askedAt))
      await turns()
      await clock.advanceBy(1000, 250)
    }
    expect(waitedMs.length).toBe(300)
    expect(Math.max(...waitedMs)).toBe(0)
    // What the stream leaves is used: over five windows of 62 s, nearly all that 290 reads have room for beside it.
    expect(money).toBeGreaterThan(850)
  })

  test('a clock that turns out to have been an hour ahead costs the reads of a window, and no more', async () => {
    const truth = new VirtualClock(1_000_000_000)
    let aheadMs = 3_600_000
    let timers = 0
    const clock: Clock = {
      now: () => truth.now() + aheadMs,
      at(atMs, task) {
        timers += 1
        return truth.at(Math.max(truth.now() + 1, atMs - aheadMs), task)
      },
    }
    // What a process before was to send, by the same clock.
    const leases: ReadLeases = { leases: () => [{ at: truth.now() + aheadMs - 1000, count: 20 }], lease: () => {} }
    const budget = new ReadBudget({ clock, steady: truth, leases })
    for (let read = 0; read < 4; read++) await budget.take(2)
    budget.hold(1000)
    aheadMs = 0
    let reads = 0
    await truth.advanceBy(3_600_000, 60_000)
    for (let second = 0; second < 600; second++) {
      void budget.take(2).then(() => {
        reads += 1
      })
      await truth.advanceBy(1000, 250)
    }
    expect(reads).toBeGreaterThan(590)
    expect(timers).toBeLessThan(100)
  })
})
