import { describe, expect, test } from 'vitest'
import {
  alwaysSays,
  ENDS_MS,
  openCommitting,
  openPrediction,
  revealsOf,
  shelvePrediction,
  TOKEN,
} from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, notSent, openContest, queuedTicket, rejected, unknown, unreadable } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { once } from '../../test/support/testStrategies.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { enqueue } from '../strategy/action.ts'
import type { Outcome } from './protocol/outcome.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()

describe('a move whose answer does not come', () => {
  /** When reveals were sent, in milliseconds after the first. */
  async function revealing(answer: (bot: TestBot, tries: number) => Outcome | Promise<Outcome>) {
    const clock = new VirtualClock(START_MS)
    const bot = await openPrediction({ clock })
    await bot.run(1000)
    const sent: number[] = []
    bot.service.onAct('agent.modes.revealPrediction', () => answer(bot, sent.push(clock.now())))
    await bot.run(ENDS_MS - START_MS)
    const sentAfter = () => sent.map((at) => at - (sent[0] ?? 0))
    return { bot, sentAfter, reveals: () => bot.status().reveals }
  }
  const take = ({ service }: TestBot) => shelvePrediction(service, { phase: 'reveal', committed: true, revealed: true })

  test('is looked up after a second, and sent again where it is not there', async () => {
    const { bot, sentAfter, reveals } = await revealing((own, tries) => {
      if (tries === 1) return own.service.after(5000, unknown)
      take(own)
      return accepted()
    })
    await bot.run(2000)
    expect(sentAfter()).toEqual([0, expect.closeTo(1000, -2)])
    expect(revealsOf(bot)[1]).toEqual(revealsOf(bot)[0])
    expect(reveals()).toEqual({ due: 1, done: 1 })
    await bot.run(8000)
    expect(sentAfter()).toHaveLength(2)
    expect(reveals()).toEqual({ due: 1, done: 1 })
  })

  test('is done where the service shows it', async () => {
    const { bot, sentAfter, reveals } = await revealing((own) => {
      take(own)
      return own.service.after(5000, unknown)
    })
    await bot.run(2000)
    expect(reveals()).toEqual({ due: 1, done: 1 })
    await bot.run(8000)
    expect(sentAfter()).toEqual([0])
  })

  test('is not sent again where nobody can say', async () => {
    const { bot, sentAfter } = await revealing((own) => {
      own.service.onRead('agent.modes.state', () => unreadable(500))
      return own.service.after(5000, unknown)
    })
    await bot.run(4000)
    expect(sentAfter()).toEqual([0])
  })

  test('is sent no more than three times without an answer', async () => {
    const { bot, sentAfter } = await revealing((own) => own.service.after(30_000, unknown))
    await bot.run(15_000)
    expect(sentAfter()).toHaveLength(3)
  })

  test('is done where one of those that were sent is taken', async () => {
    const { bot, sentAfter, reveals } = await revealing((own, tries) => own.service.after(tries === 1 ? 3000 : 30_000, accepted()))
    await bot.run(1500)
    expect(sentAfter()).toHaveLength(3)
    expect(reveals()).toEqual({ due: 1, done: 0 })
    await bot.run(1000)
    expect(reveals()).toEqual({ due: 1, done: 1 })
    await bot.run(40_000)
    expect(sentAfter()).toHaveLength(3)
    expect(reveals()).toEqual({ due: 1, done: 1 })
    expect(bot.status().reserved.actions).toBe(0)
  })

  test('a commitment is sent again with the same salt', async () => {
    const bot = await openCommitting((service) => service.after(5000, unknown))
    await bot.run(3000)
    const commitments = bot.service.sent('agent.modes.commitPrediction')
    expect(commitments).toHaveLength(2)
    expect(commitments[1]).toEqual(commitments[0])
  })

  test('a refusal of one does not count while another may have been taken', async () => {
    const { bot, sentAfter, reveals } = await revealing((own, tries) => {
      if (tries === 1) return own.service.after(3000, accepted())
      return rejected('TOO_OFTEN')
    })
    await bot.run(1500)
    expect(sentAfter().length).toBeGreaterThan(1)
    expect(reveals()).toEqual({ due: 1, done: 0 })
    await bot.run(2000)
    expect(reveals()).toEqual({ due: 1, done: 1 })
    expect(bot.notes('warn').filter((note) => note.includes('reveal'))).toEqual([])
  })

  test('a refusal does not count where the service shows that it was taken', async () => {
    const { bot, sentAfter, reveals } = await revealing((own) => {
      take(own)
      return rejected('REVEAL_NOT_OPEN')
    })
    await bot.run(2000)
    expect(sentAfter()).toEqual([0])
    expect(reveals()).toEqual({ due: 1, done: 1 })
    expect(bot.notes('info').filter((note) => note.includes('was taken'))).toHaveLength(1)
  })

  test('a refusal counts where the service does not show it: it is tried at its pace, however often it is looked at', async () => {
    const { sentAfter, bot } = await revealing(() => rejected('REVEAL_NOT_OPEN'))
    await bot.run(2000)
    expect(sentAfter()).toEqual([0, 500, 1500])
  })

  test('where one was lost, a refusal of another is none: the service says what became of it', async () => {
    const { bot, sentAfter, reveals } = await revealing((own, tries) => {
      if (tries > 1) return rejected('TOO_OFTEN')
      return own.service.after(3000, unknown)
    })
    await bot.run(1900)
    const sent = sentAfter()
    take(bot)
    await bot.run(2000)
    expect(sentAfter()).toEqual(sent)
    expect(reveals()).toEqual({ due: 1, done: 1 })
  })

  test('a commitment that is taken after its window was seen to close is revealed all the same', async () => {
    const clock = new VirtualClock(START_MS + 4100)
    const bot = await openPrediction({ clock }, (service) =>
      service.onAct('agent.modes.commitPrediction', () => {
        if (service.sent('agent.modes.commitPrediction').length > 1) return rejected('ALREADY_COMMITTED')
        clock.at(START_MS + 5600, () => shelvePrediction(service, { phase: 'playing', committed: true }))
        return service.after(1500, accepted())
      }),
    )
    clock.at(START_MS + 5000, () => shelvePrediction(bot.service, { phase: 'playing', committed: false }))
    await bot.run(35_000)
    expect(revealsOf(bot)).not.toEqual([])
    expect(bot.status().actions.failed).toBe(0)
  })

  test('a commitment that hangs while the stream is lost is revealed all the same', async () => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.commitPrediction', () => service.after(2000, accepted())))
    await bot.run(500)
    bot.events.fallBehind()
    await bot.run(22_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('is not looked up where another one would be another stake', async () => {
    const bot = await openTestBot({
      strategies: [once(entry)],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(4000, accepted({ ticketId }))),
    })
    const looks = () => bot.service.reads.filter(({ purpose }) => purpose.startsWith('resolve:'))
    await bot.run(3500)
    expect(looks()).toEqual([])
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
  })

  test('a refusal counts, though a later one never left', async () => {
    const { bot, reveals } = await revealing((own, tries) =>
      tries % 2 === 1 ? own.service.after(1500, rejected('NO_COMMITMENT')) : own.service.after(1000, notSent),
    )
    await bot.run(1200)
    expect(bot.notes('warn')).toContainEqual(
      expect.stringMatching(/^revealPrediction .* came to nothing \(NO_COMMITMENT: refused: NO_COMMITMENT\)/),
    )
    expect(reveals()).toEqual({ due: 1, done: 0 })
  })

  test('many together leave the read limit to the stream', async () => {
    const clock = new VirtualClock(START_MS)
    const bot = await openTestBot({ clock, strategies: [alwaysSays('187.25')] })
    const shelve = (id: string, committed: boolean) =>
      bot.service.states.set(id, {
        ...{ contestId: id, mode: 'price_prediction', phase: 'commit', entryId: keyedUuid('entry of', id), token: TOKEN },
        ...{ commitBy: iso(25_000), revealFrom: iso(40_000), revealBy: iso(60_000), committed, revealed: false },
      })
    bot.service.onAct('agent.modes.commitPrediction', ({ contestId: id }) => {
      shelve(id, true)
      return accepted()
    })
    bot.service.onAct('agent.modes.revealPrediction', () => bot.service.after(5000, unknown))
    for (let index = 0; index < 20; index++) {
      const id = keyedUuid('many', index)
      shelve(id, false)
      await bot.tell(
        rawEvent('match.found', { ticketId: keyedUuid('ticket of', id), contestId: id, mode: 'price_prediction' }),
        rawEvent('contest.live', { contestId: id, mode: 'price_prediction', startsAt: iso(25_000), endsAt: iso(40_000) }),
      )
    }
    await bot.run(60_000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(20)
    const looks = bot.service.reads.filter(({ purpose, at }) => purpose.startsWith('resolve:') && at >= START_MS + 40_000)
    expect(looks.length).toBeGreaterThan(20)
    expect(looks.length).toBeLessThan(100)
  })

  test('a commitment is not sent again for the seat that was taken after its own was given back', async () => {
    const clock = new VirtualClock(START_MS)
    const seats = [keyedUuid('first entry'), keyedUuid('second entry')]
    let committed = false
    const taken: (string | undefined)[] = []
    const bot = await openTestBot({
      clock,
      strategies: [alwaysSays('187.25')],
      prepare: (service) => service.tickets.push({ ...queuedTicket(ticketId), mode: 'price_prediction' }),
    })
    const { service } = bot
    const shelve = () => {
      service.contests = [openContest(contestId, { mode: 'price_prediction', you: { ready: true } })]
      service.states.set(contestId, {
        ...{ contestId, mode: 'price_prediction', phase: 'commit', entryId: seats[0], token: TOKEN, committed, revealed: false },
        ...{ commitBy: iso(20_000), revealFrom: iso(35_000), revealBy: iso(55_000) },
      })
    }
    shelve()
    service.onAct('agent.queue.cancel', () => rejected('TICKET_NOT_OPEN'))
    service.onAct('agent.contests.leave', () => {
      service.contests = []
      return accepted()
    })
    service.onAct('agent.modes.commitPrediction', () => {
      taken.push(seats[0])
      if (taken.length === 1) return service.after(5000, unknown)
      committed = true
      shelve()
      return accepted()
    })
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('first ticket'), contestId, mode: 'price_prediction' }, clock.now()))
    while (taken.length === 0) await bot.run(100)
    bot.operator$.next('stopAll')
    await bot.run(300)
    bot.operator$.next('resume')
    seats.shift()
    shelve()
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'price_prediction' }, clock.now()))
    await bot.run(18_000 - (clock.now() - START_MS))
    await bot.tell(
      rawEvent('contest.live', { contestId, mode: 'price_prediction', startsAt: iso(20_000), endsAt: iso(35_000) }, clock.now()),
    )
    await bot.run(20_000)
    const [first, second, ...more] = service.sent('agent.modes.commitPrediction')
    expect(more).toEqual([])
    expect(second?.commitment).not.toBe(first?.commitment)
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.notes('error')).toEqual([])
  })
})
