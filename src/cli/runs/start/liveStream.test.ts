import { NEVER } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../../core/clock.ts'
import { type HttpService, ServiceClock } from '../../../live/index.ts'
import type { RemoteService } from '../../../pipeline/index.ts'
import type { Logger } from '../../log.ts'
import { LiveStream } from './liveStream.ts'

const START_MS = 1_000_000_000_000

function open() {
  const base = new VirtualClock(START_MS)
  const clock = new ServiceClock(base)
  const log = { info() {}, warn() {}, error() {} } as unknown as Logger
  return { base, clock, stream: new LiveStream({ name: 'alice', clock, log, wake$: NEVER, books: () => undefined }) }
}

describe('how the event stream of a bot stands', () => {
  test('a service that has never answered is late and then stalled, though nothing is polled yet', async () => {
    const { base, stream } = open()
    const states = []
    for (const seconds of [29, 1, 89, 1]) {
      await base.advanceBy(seconds * 1000)
      states.push(stream.state.state)
    }
    expect(states).toEqual(['current', 'late', 'late', 'stalled'])
    expect(stream.state).toMatchObject({ readAt: undefined, startedAt: START_MS })
  })

  test('an answer that moves the clock by an hour makes nobody late', async () => {
    const { base, clock, stream } = open()
    await base.advanceBy(5000)
    const at = base.now()
    for (let count = 0; count < 2; count++) clock.observe({ sentAt: at, receivedAt: at, dateMs: at + 3_600_000 })
    expect(clock.now()).toBe(at + 3_600_000)
    expect(clock.now() - stream.state.startedAt).toBe(5000)
    expect(stream.state.state).toBe('current')
  })

  test('the first read ends it, and silence counts from there', async () => {
    const { base, stream } = open()
    await base.advanceBy(200_000)
    const page = { ok: true, output: { events: [], cursor: null } }
    const service = { read: () => Promise.resolve(page) } as unknown as RemoteService
    const reading = stream
      .poller(service, {} as HttpService, () => undefined)
      .from(undefined)
      .subscribe()
    await base.advanceBy(0)
    reading.unsubscribe()
    expect(stream.state).toEqual({ state: 'current', readAt: START_MS + 200_000, startedAt: START_MS })
  })
})

test('of an hour without the service a few lines are said: the alarm once, what lasts ever more seldom, and the end', async () => {
  const base = new VirtualClock(START_MS)
  const clock = new ServiceClock(base)
  const lines: string[] = []
  const say = (level: string) => (_about: unknown, text: string) => lines.push(`${level} ${text}`)
  const log = { info: say('info'), warn: say('warn'), error: say('error') } as unknown as Logger
  const stream = new LiveStream({ name: 'alice', clock, log, wake$: NEVER, books: () => undefined })
  let rebuilt = 0
  const http = { rebuild: () => ++rebuilt } as unknown as HttpService
  let answer: unknown = { ok: false, refusal: undefined, reason: 'ECONNREFUSED' }
  const service = { read: () => Promise.resolve(answer) } as unknown as RemoteService
  const reading = stream
    .poller(service, http, () => undefined)
    .from(undefined)
    .subscribe()
  await base.advanceBy(3_600_000, 1000)
  answer = { ok: true, output: { events: [], cursor: null } }
  await base.advanceBy(20_000, 1000)
  reading.unsubscribe()
  expect(lines[0]).toMatch(/^warn no event has been read for 30 s: ECONNREFUSED/)
  expect(lines.slice(1, -1).map((line) => Number(/^error no event has been read for (\d+) s/.exec(line)?.[1]))).toEqual([
    120, 240, 480, 960, 1920,
  ])
  expect(lines.at(-1)).toMatch(/^info events are read again after 36\d\d s/)
  // The connection is made anew every two minutes all the same.
  expect(rebuilt).toBe(30)
})
