import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../test/support/rawEvents.ts'
import { unreadable } from '../../test/support/scriptedService.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import type { InputBody, ReadRequest, ReadResult } from '../pipeline/index.ts'
import { Poller } from './poller.ts'
import { ServiceClock } from './serviceClock.ts'
import type { StreamLag } from './streamWatchdog.ts'

const EVERY_MS = 1000
const expired = (n: number) => rawEvent('ticket.expired', { ticketId: keyedUuid('ticket', n) })
type Page = { events: unknown[]; cursor: string | null }

/** A stream of which pages of `pageSize` are given, whatever was asked for. */
function open(
  options: {
    stream?: unknown[]
    pageSize?: number
    answer?: (after: string | null) => ReadResult | Page | Promise<never>
    cursor?: string
  } = {},
) {
  const clock = new VirtualClock()
  const stream = options.stream ?? []
  const polls: { at: number; after: string | null }[] = []
  const state: { answer: NonNullable<typeof options.answer> } = { answer: options.answer ?? pageOf }
  function pageOf(after: string | null): Page {
    const start = after === null ? 0 : stream.findIndex((event) => (event as { id: string }).id === after) + 1
    const events = stream.slice(start, start + (options.pageSize ?? 100))
    return { events, cursor: (events.at(-1) as { id?: string } | undefined)?.id ?? after }
  }
  const service = {
    timeoutMs: 5000,
    figuresHoldMs: 60_000,
    act: () => Promise.reject(new Error('a poller does not act')),
    read: async (request: ReadRequest): Promise<never> => {
      const { after } = request.input as { after: string | null }
      polls.push({ at: clock.now(), after })
      const answer = await state.answer(after)
      return ('ok' in answer ? answer : { ok: true, output: answer }) as never
    },
  }
  const inputs: InputBody[] = []
  const lags: StreamLag[] = []
  const wake$ = new Subject<void>()
  const errors: unknown[] = []
  const poller = new Poller({
    name: 'bot',
    service,
    clock,
    everyMs: (random) => EVERY_MS * (1 + 0.2 * random),
    wake$,
    onLag: (lag) => lags.push(lag),
  })
  const subscription = poller
    .from(options.cursor)
    .subscribe({ next: (input) => inputs.push(input), error: (error: unknown) => errors.push(error) })
  const run = (durationMs: number) => clock.advanceBy(durationMs, 10)
  const types = () => inputs.map(({ type }) => type)
  const ids = () => inputs.flatMap((input) => (input.type === 'event' ? [(input.raw as { id: string }).id] : []))
  return { clock, stream, polls, inputs, lags, wake$, errors, run, types, ids, pageOf, state, stop: () => subscription.unsubscribe() }
}

describe('Poller', () => {
  test('drains the pages without waiting, in order, then says that it has caught up, once', async () => {
    const stream = Array.from({ length: 250 }, (_, n) => expired(n))
    const poller = open({ stream })
    await poller.run(100)
    expect(poller.ids()).toEqual(stream.map(({ id }) => id))
    expect(poller.types().filter((type) => type === 'caughtUp')).toHaveLength(1)
    expect(poller.types().at(-1)).toBe('caughtUp')
    expect(poller.polls.map(({ after }) => after)).toEqual([null, stream[99]?.id, stream[199]?.id, stream[249]?.id])
  })

  test('a service that keeps its pages short is not taken for read to the end', async () => {
    const stream = Array.from({ length: 25 }, (_, n) => expired(n))
    const poller = open({ stream, pageSize: 10 })
    await poller.run(100)
    expect(poller.ids()).toHaveLength(25)
    expect(poller.types().indexOf('caughtUp')).toBe(25)
  })

  test('goes on by the ids of events where the cursor of the service says nothing', async () => {
    const stream = Array.from({ length: 250 }, (_, n) => expired(n))
    for (const stuck of [(after: string | null) => after, () => '']) {
      const poller = open({ stream })
      poller.state.answer = (after) => ({ ...poller.pageOf(after), cursor: stuck(after) })
      await poller.run(100)
      expect(poller.ids()).toEqual(stream.map(({ id }) => id))
      expect(poller.types().at(-1)).toBe('caughtUp')
    }
  })

  test('does not ask with an empty cursor', async () => {
    const poller = open({ answer: () => ({ events: [], cursor: '' }) })
    await poller.run(5000)
    expect(poller.polls.length).toBeGreaterThan(3)
    expect(new Set(poller.polls.map(({ after }) => after))).toEqual(new Set([null]))
  })

  test('starts from the saved cursor', async () => {
    const stream = [expired(1), expired(2)]
    const poller = open({ stream, cursor: stream[0]?.id ?? '' })
    await poller.run(50)
    expect(poller.ids()).toEqual([stream[1]?.id])
  })

  test('waits its time between polls, up to a fifth more, and brings what is new', async () => {
    const poller = open()
    await poller.run(10_000)
    const gaps = poller.polls.slice(1).map(({ at }, index) => at - (poller.polls[index]?.at ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(EVERY_MS)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(EVERY_MS * 1.2 + 10)
    poller.stream.push(expired(1))
    await poller.run(1300)
    expect(poller.types()).toEqual(['caughtUp', 'event'])
  })

  test('each event has the cursor past it; the page’s own is the one past its last', async () => {
    const stream = [expired(1), { nonsense: true }, expired(2)]
    const poller = open({ answer: (after) => ({ events: after === null ? stream : [], cursor: 'past the page' }) })
    await poller.run(50)
    const cursors = poller.inputs.map((input) => (input.type === 'event' ? [input.cursor, input.recorded] : []))
    expect(cursors).toEqual([[(stream[0] as { id: string }).id, false], [undefined, false], ['past the page', false], []])
  })

  test('an empty page without a cursor keeps the place', async () => {
    const stream = [expired(1)]
    const poller = open({ answer: (after) => ({ events: after === null ? stream : [], cursor: null }) })
    await poller.run(5000)
    expect(poller.ids()).toEqual([stream[0]?.id])
    expect(poller.polls.at(-1)?.after).toBe(stream[0]?.id)
  })

  test('says once that it is behind, tries again ever slower, and catches up again', async () => {
    const poller = open()
    await poller.run(100)
    poller.state.answer = () => unreadable()
    await poller.run(120_000)
    expect(poller.types()).toEqual(['caughtUp', 'behind'])
    const gaps = poller.polls.slice(2).map(({ at }, index) => at - (poller.polls[index + 1]?.at ?? 0))
    // The clock of the test moves in steps of 10 ms.
    expect(gaps.slice(0, 3).map((gap) => Math.round(gap / 100) * 100)).toEqual([500, 1000, 2000])
    expect(Math.max(...gaps)).toBe(15_000)
    poller.state.answer = poller.pageOf
    await poller.run(15_010)
    expect(poller.types()).toEqual(['caughtUp', 'behind', 'caughtUp'])
    // What failed before counts no more: the next failure is tried again soon.
    poller.state.answer = () => unreadable()
    await poller.run(3000)
    poller.state.answer = poller.pageOf
    await poller.run(5000)
    expect(poller.types().slice(3)).toEqual(['behind', 'caughtUp'])
  })

  test('behind from the start, it says nothing of it and tries on', async () => {
    const poller = open({ answer: () => unreadable() })
    await poller.run(5000)
    expect(poller.types()).toEqual([])
    expect(poller.polls.length).toBeGreaterThan(2)
  })

  test('a refused key ends the stream with what to do', async () => {
    const refusal = { code: 'AGENT_KEY_INVALID', message: 'the key is not one of this sandbox', status: 401 }
    const poller = open({ answer: () => ({ ok: false, refusal, reason: 'AGENT_KEY_INVALID: the key is not one of this sandbox' }) })
    await poller.run(60_000)
    expect(poller.errors).toMatchObject([{ code: 'AGENT_KEY_REFUSED' }])
    expect(String(poller.errors[0])).toContain('agentKey')
    expect(poller.polls).toHaveLength(5)
    expect(poller.polls.at(-1)?.at).toBeLessThan(8000)
  })

  test('a key that is refused a few times, and then taken, was not replaced', async () => {
    const poller = open()
    const refusal = { code: 'HTTP_401', message: 'the service answered HTTP 401', status: 401 }
    await poller.run(100)
    let answers = 0
    poller.state.answer = (after) => (answers++ % 5 < 4 ? { ok: false, refusal, reason: 'HTTP_401' } : poller.pageOf(after))
    await poller.run(120_000)
    expect(answers).toBeGreaterThan(20)
    expect(poller.errors).toEqual([])
  })

  test('unsubscribed, it polls no more', async () => {
    const poller = open()
    await poller.run(100)
    poller.stop()
    await poller.run(60_000)
    expect(poller.polls).toHaveLength(1)
    const underWay = open()
    underWay.stop()
    await underWay.run(60_000)
    expect(underWay.types()).toEqual([])
    expect(underWay.polls).toHaveLength(1)
  })
})

describe('waking', () => {
  test('a poll is made at once, and its cursor is the saved one: nothing is taken from the waker', async () => {
    const poller = open()
    await poller.run(100)
    const before = poller.polls.length
    const event = expired(1)
    poller.stream.push(event)
    poller.wake$.next()
    await poller.run(20)
    expect(poller.polls).toHaveLength(before + 1)
    expect(poller.ids()).toEqual([event.id])
  })

  test('a waker that comes while a poll is under way leads to one more, and a crowd of them to one only', async () => {
    const poller = open()
    await poller.run(100)
    const before = poller.polls.length
    for (let count = 0; count < 50; count++) poller.wake$.next()
    await poller.run(20)
    expect(poller.polls).toHaveLength(before + 2)
  })

  test('the waits after failures are kept', async () => {
    const poller = open({ answer: () => unreadable(503) })
    await poller.run(100)
    for (let count = 0; count < 100; count++) poller.wake$.next()
    await poller.run(100)
    expect(poller.polls).toHaveLength(1)
  })
})

test('a stream that is read well is not late because a skew was found out', async () => {
  const base = new VirtualClock(1_000_000_000_000)
  const clock = new ServiceClock(base)
  const lags: StreamLag[] = []
  const service = {
    ...{ timeoutMs: 5000, figuresHoldMs: 60_000, act: () => Promise.reject(new Error('a poller does not act')) },
    read: () => Promise.resolve({ ok: true, output: { events: [], cursor: null } } as never),
  }
  const poller = new Poller({ name: 'bot', service, clock, steady: clock.steady, everyMs: () => EVERY_MS, onLag: (lag) => lags.push(lag) })
  const subscription = poller.from(undefined).subscribe()
  await base.advanceBy(5000, 10)
  const at = base.now()
  for (let count = 0; count < 2; count++) clock.observe({ sentAt: at - 20, receivedAt: at, dateMs: at + 300_000 })
  expect(clock.now() - base.now()).toBeGreaterThan(290_000)
  await base.advanceBy(5000, 10)
  expect(lags).toEqual([])
  subscription.unsubscribe()
})

describe('the watchdog', () => {
  test('says when nothing was read for 30 s, alarms at two minutes and every two after, and says when it is well', async () => {
    const poller = open()
    await poller.run(1000)
    const goodAt = poller.polls.at(-1)?.at ?? 0
    poller.state.answer = () => unreadable(503)
    await poller.run(250_000)
    expect(poller.lags.map(({ state }) => state)).toEqual(['late', 'stalled', 'stalled'])
    expect(poller.lags[0]).toEqual({ state: 'late', lagMs: 30_000, reason: expect.stringContaining('503') })
    expect(poller.lags[1]?.lagMs).toBe(120_000)
    poller.state.answer = poller.pageOf
    await poller.run(20_000)
    expect(poller.lags.at(-1)?.state).toBe('recovered')
    expect(poller.lags.at(-1)?.lagMs).toBeGreaterThan(poller.clock.now() - goodAt - 40_000)
    await poller.run(60_000)
    expect(poller.lags).toHaveLength(4)
  })

  test('notices a poll that never ends', async () => {
    const poller = open()
    await poller.run(1000)
    poller.state.answer = () => new Promise<never>(() => {})
    await poller.run(130_000)
    expect(poller.lags.map(({ state }) => state)).toEqual(['late', 'stalled'])
  })

  test('is silent once the bot has stopped', async () => {
    const poller = open()
    await poller.run(1000)
    poller.stop()
    await poller.run(300_000)
    expect(poller.lags).toEqual([])
  })
})

test('a read that cannot be made at all ends the stream', async () => {
  const { run, errors } = open({
    answer: () => {
      throw new Error('the journal cannot be written')
    },
  })
  await run(100)
  expect(errors).toEqual([expect.objectContaining({ message: 'the journal cannot be written' })])
})

test('an event that wakes the poller while its page is told has nothing asked for twice', async () => {
  const clock = new VirtualClock()
  const stream = [expired(1), expired(2)]
  const asked: (string | null)[] = []
  const service = {
    timeoutMs: 5000,
    figuresHoldMs: 60_000,
    act: () => Promise.reject(new Error('a poller does not act')),
    read: async ({ input }: ReadRequest): Promise<never> => {
      const { after, latest } = input as { after: string | null; latest?: true }
      if (latest === true) return { ok: true, output: { events: [], cursor: stream.at(-1)?.id ?? null } } as never
      asked.push(after)
      const events = stream.slice(after === null ? 0 : stream.findIndex(({ id }) => id === after) + 1)
      return { ok: true, output: { events, cursor: events.at(-1)?.id ?? after } } as never
    },
  }
  const wake$ = new Subject<void>()
  const types: string[] = []
  const subscription = new Poller({ name: 'bot', service, clock, everyMs: () => EVERY_MS, wake$ }).from(undefined).subscribe(({ type }) => {
    types.push(type)
    if (type === 'event') wake$.next()
  })
  await clock.advanceBy(EVERY_MS * 3, 10)
  expect(types).toEqual(['event', 'event', 'caughtUp'])
  expect(asked.filter((after) => after === null)).toEqual([null])
  subscription.unsubscribe()
})
