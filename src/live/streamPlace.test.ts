import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../test/support/rawEvents.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid, uuidv7 } from '../core/ids.ts'
import type { InputBody, ReadRequest } from '../pipeline/index.ts'
import { Poller } from './poller.ts'

// A service is restored from a backup: of the events that were read from it, it has the first alone, and perhaps new ones since.

const START_MS = Date.UTC(2026, 0, 5)
const event = (n: number, of = 'first') => ({
  ...rawEvent('ticket.expired', { ticketId: keyedUuid('ticket', n) }, START_MS + n),
  id: uuidv7(START_MS + n, n, of),
})
type Told = ReturnType<typeof event>

/** What a service says to a cursor that it does not know, which no specification states. */
const HABITS = {
  'an error': () => ({
    ok: false,
    refusal: { code: 'INVALID_INPUT', message: 'no such event', status: 400, details: undefined },
    reason: '',
  }),
  'nothing, for ever': (_told: readonly Told[], after: string) => ({ ok: true, output: { events: [], cursor: after } }),
  'the stream from its first event': (told: readonly Told[]) => pageOf(told, 0),
} as const
type Habit = keyof typeof HABITS
const HABIT_NAMES = Object.keys(HABITS) as Habit[]

const pageOf = (told: readonly Told[], from: number, limit = 100) => {
  const events = told.slice(from, from + limit)
  return { ok: true, output: { events, cursor: events.at(-1)?.id ?? told.at(-1)?.id ?? null } }
}

function serve(habit: Habit, told: readonly Told[]) {
  const reads: unknown[] = []
  const state: { told: readonly Told[]; isDown: boolean } = { told, isDown: false }
  const service = {
    timeoutMs: 5000,
    figuresHoldMs: 60_000,
    act: () => Promise.reject(new Error('a poller does not act')),
    read: async ({ input }: ReadRequest): Promise<never> => {
      reads.push(input)
      if (state.isDown) return { ok: false, refusal: undefined, reason: 'no answer' } as never
      if ('latest' in (input as object)) return { ok: true, output: { events: [], cursor: state.told.at(-1)?.id ?? null } } as never
      const { after, limit } = input as { after: string | null; limit: number }
      const at = after === null ? -1 : state.told.findIndex(({ id }) => id === after)
      if (after !== null && at < 0) return HABITS[habit](state.told, after) as never
      return pageOf(state.told, at + 1, limit) as never
    },
  }
  return { reads, service, state }
}

/** A bot that has read all of `known`, and then polls this service for a minute. */
async function follow(options: {
  habit: Habit
  known: readonly Told[]
  told: readonly Told[]
  journal?: readonly Told[]
  everyMs?: number
}) {
  const { habit, known, told, journal = known, everyMs = 1000 } = options
  const clock = new VirtualClock()
  const { reads, service, state } = serve(habit, told)
  const inputs: InputBody[] = []
  const seen: Told[] = []
  const poller = new Poller({
    ...{ name: 'bot', service, clock, everyMs: () => everyMs },
    knownEvents: (back) => [...journal, ...seen].at(-1 - back)?.id,
  })
  const subscription = poller.from(known.at(-1)?.id).subscribe((input) => {
    inputs.push(input)
    if (input.type === 'event') seen.push(input.raw as Told)
  })
  const run = (ms: number) => clock.advanceBy(ms, 10)
  await run(60_000)
  const restored = () => inputs.flatMap((input) => (input.type === 'restored' ? [input.reason] : []))
  const causes = () => inputs.flatMap((input) => (input.type === 'restored' ? [input.cause ?? 'restore'] : []))
  const ids = () => inputs.flatMap((input) => (input.type === 'event' ? [(input.raw as Told).id] : []))
  return { reads, inputs, restored, causes, ids, run, state, clock, stop: () => subscription.unsubscribe() }
}

const first = (count: number) => Array.from({ length: count }, (_, n) => event(n))
const since = (count: number) => Array.from({ length: count }, (_, n) => event(100_000 + n, 'since'))

describe('a service that was restored from a backup', () => {
  const lost = [1, 2, 5, 17, 63, 64, 500]
  const cases = HABIT_NAMES.flatMap((habit) => lost.flatMap((count) => [0, 1, 7].map((news) => [habit, count, news] as const)))

  test.each(cases)('and says %s to what it lost: after %i events that are gone its %i new ones are read', async (habit, count, news) => {
    const known = first(600)
    const kept = known.slice(0, -count)
    const bot = await follow({ habit, known, told: [...kept, ...since(news)] })
    // What was read before may be told once more, and is known by its id; nothing new is left out.
    expect(bot.ids().filter((id) => !known.some((each) => each.id === id))).toEqual(since(news).map(({ id }) => id))
    expect(bot.restored()).toHaveLength(1)
    expect(bot.restored()[0]).toContain(known.at(-1)?.id)
    expect(bot.inputs.at(-1)?.type).toBe('caughtUp')
    // Nothing but polls comes after the search, and a look at the newest event every three seconds.
    const before = bot.reads.length
    await bot.run(30_000)
    expect(bot.restored()).toHaveLength(1)
    expect(bot.reads.length - before).toBeLessThanOrEqual(41)
    bot.stop()
  })

  test.each(HABIT_NAMES)('and says %s is found out within twenty reads, however many events it lost', async (habit) => {
    const known = first(5000)
    // One that begins anew without anything of before tells new events alone, as one would that has lost nothing.
    for (const kept of [4990, 2500, 40, 1, ...(habit === 'the stream from its first event' ? [] : [0])]) {
      const { reads, restored, stop } = await follow({ habit, known, told: [...known.slice(0, kept), ...since(3)] })
      // Every place that was asked for until it is read from its beginning, polls of the lost one apart.
      const asked = reads.map((input) => (input as { after?: unknown }).after)
      const places = new Set(asked.slice(0, asked.includes(null) ? asked.indexOf(null) : undefined))
      expect(restored()).toHaveLength(1)
      expect(places.size).toBeLessThanOrEqual(20 + 3)
      stop()
    }
  })

  test.each(HABIT_NAMES)('while the bot plays, and says %s, is found out within a minute and a half', async (habit) => {
    const known = first(300)
    const bot = await follow({ habit, known, told: [...known] })
    expect(bot.restored()).toEqual([])
    bot.state.told = [...known.slice(0, 200), ...since(2)]
    await bot.run(90_000)
    expect(bot.restored()).toHaveLength(1)
    expect(bot.ids().slice(-2)).toEqual(since(2).map(({ id }) => id))
    bot.stop()
  })

  test.each(HABIT_NAMES)('and has nothing left, and says %s, is read from its beginning', async (habit) => {
    const bot = await follow({ habit, known: first(30), told: [] })
    bot.state.told = since(1)
    await bot.run(90_000)
    expect(bot.restored()).toHaveLength(1)
    expect(bot.ids()).toEqual(since(1).map(({ id }) => id))
    bot.stop()
  })

  test('that does not answer meanwhile is asked again, and has lost nothing until it has said so', async () => {
    const known = first(30)
    const { service, state, reads } = serve('an error', known.slice(0, 10))
    const clock = new VirtualClock()
    const inputs: InputBody[] = []
    const unsteady = {
      ...service,
      read: async (request: ReadRequest) => {
        // In the middle of a search it does not answer once.
        state.isDown = reads.length % 11 === 5
        return await service.read(request)
      },
    }
    const poller = new Poller({
      name: 'bot',
      service: unsteady,
      clock,
      everyMs: () => 1000,
      knownEvents: (back) => known.at(-1 - back)?.id,
    })
    const subscription = poller.from(known.at(-1)?.id).subscribe((input) => inputs.push(input))
    await clock.advanceBy(600_000, 10)
    expect(inputs.filter(({ type }) => type === 'restored')).toHaveLength(1)
    subscription.unsubscribe()
  })
})

describe('a service that has lost nothing', () => {
  test.each([
    'an error',
    'nothing, for ever',
  ] as const)('and answers from a copy that lags behind for five seconds, with %s, is not taken for another one', async (habit) => {
    const known = first(300)
    const { service, state } = serve(habit, [...known.slice(0, 290)])
    const clock = new VirtualClock()
    const inputs: InputBody[] = []
    const poller = new Poller({ name: 'bot', service, clock, everyMs: () => 1000, knownEvents: (back) => known.at(-1 - back)?.id })
    const subscription = poller.from(known.at(-1)?.id).subscribe((input) => inputs.push(input))
    await clock.advanceBy(5000, 10)
    expect(inputs).toEqual([])
    state.told = [...known, ...since(1)]
    await clock.advanceBy(60_000, 10)
    expect(inputs.map(({ type }) => type)).toEqual(['event', 'caughtUp'])
    subscription.unsubscribe()
  })

  test.each(HABIT_NAMES)('and is quiet is asked for its newest event every three seconds (%s)', async (habit) => {
    const known = first(50)
    const bot = await follow({ habit, known, told: [...known] })
    await bot.run(240_000)
    expect(bot.restored()).toEqual([])
    expect(bot.reads.filter((input) => 'latest' in (input as object)).length).toBeLessThanOrEqual(101)
    bot.stop()
  })

  test('and whose word on the newest event is of another form than its cursors is believed', async () => {
    const known = first(50)
    const { service, state } = serve('an error', known)
    const clock = new VirtualClock()
    const inputs: InputBody[] = []
    const reads: unknown[] = []
    const other = {
      ...service,
      read: async (request: ReadRequest): Promise<never> => {
        reads.push(request.input)
        if ('latest' in (request.input as object)) return { ok: true, output: { events: [], cursor: 'newest' } } as never
        return await service.read(request)
      },
    }
    const poller = new Poller({ name: 'bot', service: other, clock, everyMs: () => 1000, knownEvents: (back) => known.at(-1 - back)?.id })
    const subscription = poller.from(known.at(-1)?.id).subscribe((input) => inputs.push(input))
    await clock.advanceBy(60_000, 10)
    state.told = [...known, ...since(2)]
    await clock.advanceBy(180_000, 10)
    expect(inputs.filter(({ type }) => type === 'restored')).toEqual([])
    expect(inputs.filter(({ type }) => type === 'event').slice(-2)).toHaveLength(2)
    // While it is in doubt, and never again.
    expect(reads.filter((input) => 'latest' in (input as object)).length).toBeLessThanOrEqual(7)
    subscription.unsubscribe()
  })

  test('and refuses everything for a while is not taken for another one', async () => {
    const known = first(50)
    const { service } = serve('an error', known)
    const clock = new VirtualClock()
    const inputs: InputBody[] = []
    const refusal = { code: 'INVALID_INPUT', message: 'maintenance', status: 400, details: undefined }
    const refusing = {
      ...service,
      read: async (request: ReadRequest): Promise<never> =>
        clock.now() < 100_000 ? ({ ok: false, refusal, reason: 'maintenance' } as never) : await service.read(request),
    }
    const poller = new Poller({
      name: 'bot',
      service: refusing,
      clock,
      everyMs: () => 1000,
      knownEvents: (back) => known.at(-1 - back)?.id,
    })
    const subscription = poller.from(known.at(-1)?.id).subscribe((input) => inputs.push(input))
    await clock.advanceBy(200_000, 10)
    expect(inputs.map(({ type }) => type)).toEqual(['caughtUp'])
    subscription.unsubscribe()
  })
})

describe('a cursor that is answered with nothing, once the service has gone back', () => {
  const paces = [250, 1000, 2000, 3100, 4000]
  // Milliseconds from a look at the newest event to the restore of the service.
  const phases = [0, 700, 1900, 2999, 3999]
  const cases = paces.flatMap((everyMs) => phases.flatMap((phaseMs) => [0, 2].map((news) => ({ everyMs, phaseMs, news }))))

  test.each(cases)('is found within 10 s: polls every $everyMs ms, $phaseMs ms later, $news new events', async ({
    everyMs,
    phaseMs,
    news,
  }) => {
    const known = first(300)
    const bot = await follow({ habit: 'nothing, for ever', known, told: known, everyMs })
    await bot.run(phaseMs)
    bot.state.told = [...known.slice(0, 200), ...since(news)]
    await bot.run(10_000)
    expect(bot.causes()).toEqual(['restore'])
    expect(bot.ids().slice(bot.ids().length - news)).toEqual(since(news).map(({ id }) => id))
    bot.stop()
  })
})

describe('a service that keeps its events for a short time', () => {
  const all = first(300)
  const [read, told] = [all.slice(0, 200), all.slice(200)]
  const oldest = (kept: readonly Told[]) => kept[0]?.id ?? 'keeps none now'
  const KEPT: readonly (readonly [what: string, kept: readonly Told[]])[] = [
    ['and has deleted events that the bot has not read', told.slice(50)],
    ['and has deleted no more than what the bot has read', told],
    ['and has one event left', told.slice(-1)],
  ]
  const cases = HABIT_NAMES.flatMap((habit) => KEPT.map(([what, kept]) => ({ habit, what, kept })))

  test.each(cases)('$what is told apart from a restore ($habit)', async ({ habit, kept }) => {
    const bot = await follow({ habit, known: read, told: kept })
    expect(bot.causes()).toEqual(['retention'])
    expect(bot.restored()[0]).toContain(`event ${read.at(-1)?.id} of 2026-01-05T00:00:00Z was read last`)
    expect(bot.restored()[0]).toContain(oldest(kept))
    expect(bot.ids()).toEqual(kept.map(({ id }) => id))
    expect(bot.inputs.at(-1)?.type).toBe('caughtUp')
    await bot.run(60_000)
    expect(bot.causes()).toHaveLength(1)
    bot.stop()
  })

  test.each([
    'an error',
    'nothing, for ever',
  ] as const)('and deletes the place while the bot plays loses nothing new (%s)', async (habit) => {
    const bot = await follow({ habit, known: read, told: read })
    bot.state.told = told
    await bot.run(30_000)
    expect(bot.causes()).toEqual(['retention'])
    expect(bot.ids()).toEqual(told.map(({ id }) => id))
    bot.stop()
  })

  test('and deletes the place while the bot plays is read on from its first event where it begins there', async () => {
    const bot = await follow({ habit: 'the stream from its first event', known: read, told: read })
    bot.state.told = told
    await bot.run(30_000)
    expect(bot.causes()).toEqual([])
    expect(bot.ids()).toEqual(told.map(({ id }) => id))
    bot.stop()
  })

  test('and has deleted all of them, while its newest cursor is still the one that was read', async () => {
    const { service } = serve('an error', [])
    const clock = new VirtualClock()
    const inputs: InputBody[] = []
    const cursor = read.at(-1)?.id ?? null
    const emptied = {
      ...service,
      read: async (request: ReadRequest): Promise<never> =>
        'latest' in (request.input as object) ? ({ ok: true, output: { events: [], cursor } } as never) : await service.read(request),
    }
    const poller = new Poller({ name: 'bot', service: emptied, clock, everyMs: () => 1000, knownEvents: (back) => read.at(-1 - back)?.id })
    const subscription = poller.from(cursor ?? undefined).subscribe((input) => inputs.push(input))
    await clock.advanceBy(60_000, 10)
    expect(inputs.flatMap((input) => (input.type === 'restored' ? [input.cause] : []))).toEqual(['retention'])
    subscription.unsubscribe()
  })
})
