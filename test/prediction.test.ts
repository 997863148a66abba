import { describe, expect, test } from 'vitest'
import { commitmentOf } from '../src/contract/commitment.ts'
import { MemoryJournal } from '../src/testing/memoryJournal.ts'
import {
  alwaysSays,
  ENDS_MS,
  entryId,
  openPrediction,
  predictionEvents,
  predictionId,
  predictionSettled,
  revealsOf,
  shelvePrediction,
} from './support/predictionContest.ts'
import { rawEvent } from './support/rawEvents.ts'
import { accepted, notSent, rejected, unreadable } from './support/scriptedService.ts'
import { openTestBot } from './support/testBot.ts'
import { predictor } from './support/testStrategies.ts'

// A prediction from its commitment to its reveal: a salt that is lost, or a reveal that is not sent, is a stake lost.

/** What is said of a stake that ended without a reveal that was taken. */
const unplayed = (code: string) =>
  `price_prediction: 1.00 USDC were staked on a contest in which this bot made no valid move: its move was refused, with ${code} (refused: ${code})`

describe('a prediction', () => {
  test('is committed from custody, revealed when the contest ends, and counted', async () => {
    const journal = new MemoryJournal()
    const bot = await openPrediction({ journal })
    await bot.run(1000)
    const [custody] = journal.custodyOf(predictionId)
    expect(custody).toMatchObject({ contestId: predictionId, entryId, price: '187.25', status: 'made' })
    const { salt = '', commitment = '' } = custody ?? {}
    expect(commitment).toBe(commitmentOf('187.25', salt, entryId))
    expect(bot.service.sent('agent.modes.commitPrediction')).toEqual([{ contestId: predictionId, commitment }])
    await bot.run(18_900)
    expect(revealsOf(bot)).toEqual([])
    expect(bot.status().reveals).toEqual({ due: 0, done: 0 })
    await bot.run(300)
    expect(revealsOf(bot)).toEqual([{ contestId: predictionId, value: '187.25', salt }])
    await bot.tell(predictionSettled())
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(journal.custodyOf(predictionId).map(({ status }) => status)).toEqual(['made', 'committed', 'revealed'])
    expect(bot.notes('error')).toEqual([])
    await bot.run(60_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('the salt is durable before the commitment leaves, and the reveal’s intent before the reveal', async () => {
    const journal = new MemoryJournal()
    const checked: string[] = []
    const bot = await openPrediction({ journal }, (service) => {
      service.onSend = ({ procedure }) => {
        const { intents, custody } = journal.records.at(-1) ?? { intents: [], custody: [] }
        if (procedure === 'agent.modes.commitPrediction' && custody[0]?.salt !== undefined && intents.length === 1) checked.push(procedure)
        if (procedure === 'agent.modes.revealPrediction' && intents[0]?.action.type === 'revealPrediction') checked.push(procedure)
      }
    })
    await bot.run(21_000)
    expect(checked).toEqual(bot.service.acts.map(({ procedure }) => procedure))
    expect(checked).toEqual(['agent.modes.commitPrediction', 'agent.modes.revealPrediction'])
  })

  test('a commitment that did not leave is made again with the same price and salt', async () => {
    const prices = ['187.25', '200', '300']
    let tries = 0
    const bot = await openPrediction({ strategies: [predictor(() => ({ price: prices.shift() ?? '' }))] }, (service) => {
      service.onAct('agent.modes.commitPrediction', () => (++tries === 1 ? notSent : accepted()))
    })
    await bot.run(2000)
    const [first, second, ...more] = bot.service.sent('agent.modes.commitPrediction')
    expect(second).toEqual(first)
    expect(more).toEqual([])
    expect(bot.journal.custodyOf(predictionId).map(({ status, price }) => [status, price])).toEqual([
      ['made', '187.25'],
      ['committed', '187.25'],
    ])
  })

  test('a refused commitment is not sent in a circle', async () => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.commitPrediction', () => rejected('RATE_LIMITED', 429)))
    await bot.run(10_000)
    const { length } = bot.service.sent('agent.modes.commitPrediction')
    expect(length).toBeGreaterThan(2)
    expect(length).toBeLessThanOrEqual(13)
    await bot.tell(predictionSettled('LOSS'))
    // It was never taken, so nothing was owed and nothing is missed: what is told is the stake without a move.
    expect(bot.journal.custodyOf(predictionId).at(-1)?.status).toBe('dropped')
    expect(bot.notes('error')).toEqual([unplayed('RATE_LIMITED')])
  })

  test('one that the service shows as taken, though it refused it, is revealed', async () => {
    const bot = await openPrediction({}, (service) =>
      service.onAct('agent.modes.commitPrediction', () => {
        shelvePrediction(service, { committed: true })
        return rejected('ALREADY_COMMITTED')
      }),
    )
    await bot.run(22_000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('REVEAL_NOT_OPEN: it is revealed again until it is taken', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    const openAt = ENDS_MS + 2000
    bot.service.onAct('agent.modes.revealPrediction', () => (bot.clock.now() < openAt ? rejected('REVEAL_NOT_OPEN') : accepted()))
    await bot.run(25_000)
    expect(revealsOf(bot)).toHaveLength(4)
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('a reveal under way neither spins nor doubles', async () => {
    const bot = await openPrediction()
    await bot.run(19_900)
    bot.service.onAct('agent.modes.revealPrediction', () => bot.service.after(900, accepted()))
    const before = bot.steps.length
    await bot.run(1000)
    expect(bot.status().reveals.done).toBe(0)
    expect(bot.steps.length - before).toBeLessThan(10)
    await bot.run(3000)
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.status().reveals.done).toBe(1)
  })

  test('the reveal goes out although the stream and every read fail', async () => {
    const bot = await openPrediction()
    await bot.run(300)
    bot.events.fallBehind()
    for (const procedure of ['agent.modes.state', 'agent.limits', 'agent.bankroll'] as const)
      bot.service.onRead(procedure, () => unreadable())
    await bot.run(22_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('so it does when the commitment was answered only after the stream was lost', async () => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.commitPrediction', () => service.after(2000, accepted())))
    await bot.run(500)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    bot.events.fallBehind()
    await bot.run(22_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('a missed reveal is reported and counted', async () => {
    const bot = await openPrediction()
    bot.service.onAct('agent.modes.revealPrediction', () => rejected('REVEAL_NOT_OPEN'))
    await bot.run(22_000)
    expect(bot.status().reveals).toEqual({ due: 1, done: 0 })
    await bot.tell(predictionSettled('LOSS'))
    await bot.run(1000)
    // In whichever order.
    expect(bot.notes('error').toSorted()).toEqual([
      'a prediction was not revealed before its contest was settled, its stake is lost: REVEAL_NOT_OPEN: refused: REVEAL_NOT_OPEN, in 3 tries',
      unplayed('REVEAL_NOT_OPEN'),
    ])
    expect(bot.status().reveals).toEqual({ due: 1, done: 0 })
    expect(bot.journal.load().counts).toMatchObject({ missed: 1, revealed: 0 })
  })

  test('so it is when its contest is settled before the service has refused it', async () => {
    const bot = await openPrediction()
    bot.service.onAct('agent.modes.revealPrediction', () => bot.service.after(3000, rejected('CONTEST_NOT_OPEN')))
    await bot.run(20_500)
    await bot.tell(predictionSettled('LOSS'))
    // It may still be taken.
    expect(bot.notes('error')).toEqual([])
    await bot.run(5000)
    expect(bot.notes('error').toSorted()).toEqual([
      'a prediction was not revealed before its contest was settled, its stake is lost: CONTEST_NOT_OPEN: refused: CONTEST_NOT_OPEN',
      unplayed('CONTEST_NOT_OPEN'),
    ])
    expect(bot.journal.load()).toMatchObject({ custody: [], counts: { missed: 1 } })
  })

  test('one whose contest is cancelled owes nothing', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    await bot.tell(rawEvent('contest.cancelled', { contestId: predictionId }))
    await bot.run(30_000)
    expect(revealsOf(bot)).toEqual([])
    expect(bot.notes('error')).toEqual([])
    expect(bot.journal.load().custody).toEqual([])
  })

  test('without an entry id it says so once, naming the paths, and asks at the pace of the reads', async () => {
    const bot = await openTestBot({ strategies: [alwaysSays('1')] })
    shelvePrediction(bot.service, { entryId: null })
    await bot.tell(...predictionEvents())
    await bot.run(4900)
    expect(bot.notes('error')).toHaveLength(1)
    expect(bot.notes('error')[0]).toContain('service.shapes.pieces.entryId')
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state').length).toBeLessThanOrEqual(11)
    expect(bot.service.acts).toEqual([])
  })
})
