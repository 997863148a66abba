import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../core/clock.ts'
import type { AlertChannel, Delivery, Occurrence } from '../../pipeline/index.ts'
import type { AlertConfig } from '../../strategy/alertConfig.ts'
import { Alerts } from './alerts.ts'

const good: Delivery = { ok: true, taken: 15 }
const down: Delivery = { ok: false, reason: 'HTTP 503', retryAfterMs: undefined, isFinal: false }
const refused: Delivery = { ok: false, reason: 'HTTP 400', retryAfterMs: undefined, isFinal: true }

/** A receiver that answers as the test says, and remembers what it took. */
class ScriptedChannel implements AlertChannel {
  readonly name = 'telegram'
  readonly messages: (readonly Occurrence[])[] = []
  tries = 0
  answer: (occurrences: readonly Occurrence[]) => Delivery | Promise<Delivery> = () => good

  async send(occurrences: readonly Occurrence[]): Promise<Delivery> {
    this.tries += 1
    const delivery = await this.answer(occurrences)
    if (delivery.ok) this.messages.push(occurrences.slice(0, delivery.taken))
    return delivery
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  get told(): string[] {
    return this.messages.flatMap((message) => message.map((one) => one.message))
  }
}

function open(config: Partial<Pick<AlertConfig, 'least' | 'also' | 'never'>> = {}) {
  const clock = new VirtualClock(1_000_000)
  const channel = new ScriptedChannel()
  const occurrence$ = new Subject<Occurrence>()
  const said: string[] = []
  const alerts = new Alerts({
    channels: [{ channel, config: { least: 'info', also: [], never: [], ...config } }],
    ...{ occurrence$, clock, log: { warn: (text: string) => said.push(text), info: (text: string) => said.push(text) } },
  })
  let number = 0
  const happens = (fields: Partial<Occurrence> = {}) => {
    number += 1
    occurrence$.next({ at: clock.now(), bot: 'alice', kind: 'settled', severity: 'info', message: `number ${number}`, ...fields })
  }
  return { clock, channel, alerts, said, happens }
}

describe('alerts', () => {
  test('by severity and kind: what is milder is kept back, unless it is asked for; what is not wanted, always', async () => {
    const { clock, channel, happens } = open({ least: 'warn', also: ['settled'], never: ['dailyLoss'] })
    happens({ message: 'settled', kind: 'settled', severity: 'info' })
    happens({ message: 'over', kind: 'over', severity: 'info' })
    happens({ message: 'stale', kind: 'streamStale', severity: 'warn' })
    happens({ message: 'loss', kind: 'dailyLoss', severity: 'alarm' })
    happens({ message: 'reveal', kind: 'missedReveal', severity: 'alarm' })
    await clock.advanceBy(2000)
    expect(channel.told).toEqual(['settled', 'stale', 'reveal'])
  })

  test('what happens together is one message, and messages keep a pace', async () => {
    const { clock, channel, happens } = open()
    for (let number = 0; number < 40; number++) happens()
    await clock.advanceBy(2000)
    expect(channel.messages.map(({ length }) => length)).toEqual([15])
    await clock.advanceBy(60_000)
    expect(channel.messages.map(({ length }) => length)).toEqual([15, 15, 10])
    expect(channel.told).toEqual(Array.from({ length: 40 }, (_, index) => `number ${index + 1}`))
  })

  test('what a message has no room for waits for the next one, and is counted when it is told', async () => {
    const { clock, channel, alerts, happens } = open()
    channel.answer = () => ({ ok: true, taken: 6 })
    for (let number = 0; number < 15; number++) happens()
    await clock.advanceBy(2000)
    expect(alerts.counts()).toMatchObject([{ sent: 6, waiting: 9 }])
    await clock.advanceBy(60_000)
    expect(channel.messages.map(({ length }) => length)).toEqual([6, 6, 3])
    expect(alerts.counts()).toMatchObject([{ sent: 15, waiting: 0 }])
    expect(channel.told).toEqual(Array.from({ length: 15 }, (_, index) => `number ${index + 1}`))
  })

  test('never more than twenty messages a minute, whatever happens', async () => {
    const { clock, channel, happens } = open()
    for (let second = 0; second < 60; second++) {
      happens()
      await clock.advanceBy(1000)
    }
    expect(channel.tries).toBeLessThanOrEqual(20)
    expect(channel.tries).toBeGreaterThan(10)
  })

  test('the same again within a quarter of an hour is no news', async () => {
    const { clock, channel, happens } = open()
    const stop = { kind: 'guardStop', about: 'DAILY_LOSS_OWN', severity: 'warn' } as const
    for (let second = 0; second < 30; second++) {
      happens(stop)
      await clock.advanceBy(1000)
    }
    expect(channel.told).toHaveLength(1)
    happens({ ...stop, about: 'DRAWDOWN_STOP' })
    happens({ ...stop, bot: 'bob' })
    await clock.advanceBy(900_000)
    expect(channel.told).toHaveLength(3)
    happens(stop)
    await clock.advanceBy(5000)
    expect(channel.told).toHaveLength(4)
  })

  test('a receiver that is down: they wait, are counted, and arrive in their order; it is said twice', async () => {
    const { clock, channel, alerts, said, happens } = open()
    channel.answer = () => down
    for (let number = 0; number < 3; number++) happens()
    await clock.advanceBy(600_000)
    expect(alerts.counts()).toMatchObject([{ channel: 'telegram', sent: 0, waiting: 3, dropped: 0 }])
    expect(channel.tries).toBeLessThan(12)
    channel.answer = () => good
    await clock.advanceBy(300_000)
    expect(channel.told).toEqual(['number 1', 'number 2', 'number 3'])
    expect(alerts.counts()).toMatchObject([{ sent: 3, waiting: 0, dropped: 0 }])
    expect(said).toEqual(['alerts by telegram do not arrive (HTTP 503): they wait, and are tried again', 'alerts by telegram arrive again'])
  })

  test('the receiver asks to wait, and is left alone for so long', async () => {
    const { clock, channel, happens } = open()
    channel.answer = () => ({ ok: false, reason: '429', retryAfterMs: 60_000, isFinal: false })
    happens()
    await clock.advanceBy(60_000)
    expect(channel.tries).toBe(1)
    channel.answer = () => good
    await clock.advanceBy(5000)
    expect(channel.told).toEqual(['number 1'])
  })

  test('what is refused for good is dropped alone, counted and said: what waits with it and behind it arrives', async () => {
    const { clock, channel, alerts, said, happens } = open()
    const isPoison = ({ message }: Occurrence) => message === 'number 6' || message === 'number 19'
    channel.answer = (occurrences) => (occurrences.some(isPoison) ? refused : good)
    for (let number = 0; number < 20; number++) happens()
    happens({ kind: 'missedReveal', severity: 'alarm', message: 'alarm' })
    await clock.advanceBy(120_000)
    const others = Array.from({ length: 20 }, (_, index) => `number ${index + 1}`).filter((_, index) => index !== 5 && index !== 18)
    expect(channel.told).toEqual([...others, 'alarm'])
    expect(alerts.counts()).toMatchObject([{ sent: 19, waiting: 0, dropped: 0, refused: 2 }])
    expect(said).toEqual([
      'alerts by telegram: the receiver refuses one for good (HTTP 400), and it is dropped: alice: number 6',
      'alerts by telegram: the receiver refuses one for good (HTTP 400), and it is dropped: alice: number 19',
    ])
  })

  test('a receiver that refuses everything for good gets each once alone, at the pace of messages', async () => {
    const { clock, channel, alerts, happens } = open()
    channel.answer = () => refused
    for (let number = 0; number < 10; number++) happens()
    await clock.advanceBy(60_000)
    expect(alerts.counts()).toMatchObject([{ sent: 0, waiting: 0, refused: 10 }])
    expect(channel.tries).toBeLessThanOrEqual(10 + 4)
  })

  test('past two hundred the mildest goes, the oldest of them first: an alarm stays', async () => {
    const { clock, channel, alerts, happens } = open()
    channel.answer = () => down
    happens({ kind: 'missedReveal', severity: 'alarm', message: 'alarm' })
    for (let number = 0; number < 300; number++) happens({ message: `settled ${number}` })
    expect(alerts.counts()).toMatchObject([{ waiting: 200, dropped: 101 }])
    channel.answer = () => good
    await clock.advanceBy(600_000)
    expect(channel.told[0]).toBe('alarm')
    expect(channel.told[1]).toBe('settled 101')
  })

  test('who tells of something never waits for a receiver that hangs', async () => {
    const { clock, channel, happens, alerts } = open()
    channel.answer = () => new Promise(() => {})
    happens()
    await clock.advanceBy(10_000)
    for (let number = 0; number < 1000; number++) happens()
    expect(alerts.counts()).toMatchObject([{ waiting: 200 }])
    expect(channel.tries).toBe(1)
  })

  test('the run ends: what waits is sent, in as many messages as it takes', async () => {
    const { channel, alerts, happens } = open()
    channel.answer = () => ({ ok: true, taken: 6 })
    for (let number = 0; number < 15; number++) happens()
    await alerts.close()
    expect(channel.told).toHaveLength(15)
    happens()
    expect(alerts.counts()).toMatchObject([{ waiting: 0 }])
  })

  test('and a receiver that is down then is asked once', async () => {
    const { channel, alerts, happens } = open()
    channel.answer = () => down
    happens()
    await alerts.close()
    expect([channel.tries, alerts.counts()]).toMatchObject([1, [{ waiting: 1 }]])
  })

  test('alarms that wait go first then, and are tried once more where that fails', async () => {
    const { clock, channel, alerts, happens } = open()
    channel.answer = () => down
    for (let number = 0; number < 30; number++) happens()
    happens({ kind: 'missedReveal', severity: 'alarm', message: 'alarm' })
    await clock.advanceBy(100_000)
    const tries = channel.tries
    channel.answer = () => (channel.tries === tries + 1 ? down : good)
    await alerts.close()
    expect(channel.told).toEqual(['alarm'])
    expect(channel.tries).toBe(tries + 2)
  })

  test('of a receiver that takes everything then, alarms are told first', async () => {
    const { channel, alerts, happens } = open()
    for (let number = 0; number < 20; number++) happens()
    happens({ kind: 'missedReveal', severity: 'alarm', message: 'alarm' })
    await alerts.close()
    expect(channel.told).toEqual(['alarm', ...Array.from({ length: 20 }, (_, index) => `number ${index + 1}`)])
  })
})
