import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { keyedUuid } from '../src/core/ids.ts'
import { usdc } from '../src/core/usdc.ts'
import { enqueue } from '../src/strategy/action.ts'
import { MemoryJournal } from '../src/testing/memoryJournal.ts'
import {
  alwaysSays,
  openPrediction,
  predictionId,
  predictionSettled,
  revealsOf,
  servePrediction,
  shelvePrediction,
} from './support/predictionContest.ts'
import { START_MS } from './support/rawEvents.ts'
import { queuedTicket, rejected, unknown } from './support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from './support/testBot.ts'
import { once, policy } from './support/testStrategies.ts'

// A bot that dies at the worst moment, and the one that takes up its journal.

const TIMEOUT_MS = 5000
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
/** The ticket it makes, as the service lists it. */
const ticket = queuedTicket(keyedUuid('ticket'))
/** Wants one ticket, and asks again and again while it has none. */
const persistent = () => policy(({ tickets }) => (tickets.length > 0 ? [] : [entry]), { everySec: 1 })
const lookUps = ({ service }: TestBot) => service.reads.filter(({ purpose }) => purpose.startsWith('resolve:'))

describe('a restart in the middle of a prediction', () => {
  async function restarted(journal: MemoryJournal, clock: VirtualClock, prepare: TestBotOptions['prepare'] = () => {}): Promise<TestBot> {
    return await openTestBot({
      journal,
      clock,
      strategies: [alwaysSays('999')],
      prepare: (service) => {
        servePrediction(service, () => clock.now())
        prepare(service)
      },
    })
  }

  test('the prediction made before it is revealed with the same price and salt', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    const salt = journal.custodyOf(predictionId)[0]?.salt ?? ''
    await clock.advanceBy(9000)
    const second = await restarted(journal, clock, (service) => shelvePrediction(service, { phase: 'running', committed: true }))
    await second.run(12_000)
    expect(second.service.acts.map(({ procedure, input }) => [procedure, input])).toEqual([
      ['agent.modes.revealPrediction', { contestId: predictionId, value: '187.25', salt }],
    ])
    await second.tell(predictionSettled())
    expect(second.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('so it is when the contest ended while the bot was down', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    await clock.advanceBy(20_000)
    const second = await restarted(journal, clock, (service) => shelvePrediction(service, { phase: 'reveal', committed: true }))
    await second.run(500)
    expect(revealsOf(second)).toHaveLength(1)
  })

  test('so it is although the stream cannot be read since the start', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    const second = await openTestBot({ journal, clock, caughtUp: false, prepare: (service) => servePrediction(service, () => clock.now()) })
    await second.run(22_000)
    expect(revealsOf(second)).toHaveLength(1)
  })

  test('killed while the commitment was on its way, it is looked up, and revealed when it was taken', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock }, (service) =>
      service.onAct('agent.modes.commitPrediction', () => service.after(60_000, unknown)),
    )
    await first.run(200)
    expect(first.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    first.kill()
    const second = await restarted(journal, clock, (service) => shelvePrediction(service, { committed: true }))
    await second.run(22_000)
    expect(second.service.sent('agent.modes.commitPrediction')).toEqual([])
    expect(revealsOf(second)).toEqual([{ contestId: predictionId, value: '187.25', salt: journal.custodyOf(predictionId)[0]?.salt }])
  })

  test('custody that the journal holds of a contest that is over is closed, without a reveal', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    await clock.advanceBy(60_000)
    const second = await restarted(journal, clock, (service) =>
      service.onAct('agent.modes.revealPrediction', () => rejected('CONTEST_NOT_OPEN')),
    )
    await second.tell(predictionSettled('LOSS'))
    await second.run(1000)
    expect(journal.load()).toMatchObject({ custody: [], counts: { missed: 1 } })
  })
})

describe('killed between the order and its answer', () => {
  const killed = async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openTestBot({
      journal,
      clock,
      strategies: [once(entry)],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(60_000, unknown)),
    })
    expect(first.service.acts).toHaveLength(1)
    first.kill()
    return { journal, clock }
  }

  test('what may have been sent is looked up, not sent again', async () => {
    const { journal, clock } = await killed()
    const second = await openTestBot({ journal, clock, strategies: [persistent()], prepare: (service) => service.tickets.push(ticket) })
    await second.run(1000)
    expect(second.service.acts).toEqual([])
    expect(journal.outcomes).toEqual([{ type: 'enqueue', status: 'accepted' }])
    expect(second.status().actions).toMatchObject({ sent: 1, unknown: 0 })
  })

  test('until then its stake is held', async () => {
    const { journal, clock } = await killed()
    const second = await openTestBot({ journal, clock, strategies: [persistent()] })
    await second.run(TIMEOUT_MS)
    expect(second.service.acts).toEqual([])
    expect(second.status()).toMatchObject({ actions: { unknown: 1 }, reserved: { actions: 1, stake: usdc('1') } })
  })

  test('what the service does not show twice, late enough, never happened', async () => {
    const { journal, clock } = await killed()
    const second = await openTestBot({ journal, clock })
    await second.run(3 * TIMEOUT_MS)
    expect(journal.outcomes).toEqual([])
    await second.run(2000)
    expect(journal.outcomes).toEqual([{ type: 'enqueue', status: 'absent' }])
    // At once, then every time-out, and a second after the first absence that counts.
    expect(lookUps(second)).toHaveLength(5)
  })

  test('keys of a second run differ from those of the first', async () => {
    const { journal, clock } = await killed()
    const second = await openTestBot({
      journal,
      clock,
      strategies: [once(enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 15 }))],
    })
    await second.run(4 * TIMEOUT_MS)
    const keys = journal.intents.map(({ key }) => key)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })
})
