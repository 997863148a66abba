import { describe, expect, test } from 'vitest'
import { openPrediction, predictionSettled, revealsOf, shelvePrediction } from '../../test/support/predictionContest.ts'
import { accepted, rejected, type ScriptedService, unknown, unreadable } from '../../test/support/scriptedService.ts'
import type { TestBot } from '../../test/support/testBot.ts'

// Once all have shown what they predicted a contest is settled, a moment after the last of them: what became of a reveal whose answer was lost, or
// that was refused since an earlier one had been taken, is looked up in a contest that is over by then.

const ENDS_AFTER_MS = 20_000

const outcomes = ({ journal }: TestBot) => journal.outcomes.filter(({ type }) => type === 'revealPrediction').map(({ status }) => status)
/** The service has the reveal, and may show it. */
const take = (service: ScriptedService, shown: { readonly revealed: boolean | undefined } = { revealed: true }) =>
  shelvePrediction(service, { phase: 'settled', committed: true, ...shown })

/** A bot whose contest is about to end; reveals are answered so. */
async function revealing(answer: (service: ScriptedService, tries: number) => ReturnType<typeof rejected>): Promise<TestBot> {
  const bot = await openPrediction()
  await bot.run(ENDS_AFTER_MS - 1000)
  let tries = 0
  bot.service.onAct('agent.modes.revealPrediction', () => answer(bot.service, ++tries))
  return bot
}

/** Its contest is settled while the mode's state cannot be read, which it can a while later. */
async function settledUnread(bot: TestBot, failsForMs: number): Promise<void> {
  await bot.tell(predictionSettled('LOSS'))
  await bot.run(failsForMs)
  bot.service.onRead('agent.modes.state', undefined)
  await bot.run(10_000)
}

describe('a reveal whose answer was lost in a contest that is over', () => {
  test.each([
    ['fails inside', () => unreadable(500)],
    ['is asked too often', () => unreadable(429)],
    ['has no time', () => unreadable(408)],
    [
      'says something that nobody knows',
      () => ({ ok: false, refusal: { code: 'BUSY_NOW', message: 'no', status: 409 }, reason: 'BUSY_NOW' }) as const,
    ],
  ])('is not held for one that never happened by a service that %s', async (_how, failing) => {
    const bot = await revealing((service) => {
      take(service)
      service.onRead('agent.modes.state', failing)
      return unknown
    })
    await bot.run(1500)
    await bot.tell(predictionSettled('LOSS'))
    await bot.run(30_000)
    expect(outcomes(bot)).toEqual(['unknown'])
    bot.service.onRead('agent.modes.state', undefined)
    await bot.run(6000)
    expect(outcomes(bot)).toEqual(['unknown', 'accepted'])
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(bot.notes('error')).toEqual([])
  })

  test('is, where the service fails at it for minutes, and a drain comes to its end', async () => {
    const bot = await revealing((service) => {
      service.onRead('agent.modes.state', () => unreadable(500))
      return unknown
    })
    await bot.run(1500)
    await bot.tell(predictionSettled('LOSS'))
    bot.operator$.next('drain')
    await bot.run(120_000)
    expect(outcomes(bot)).toEqual(['unknown', 'absent'])
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('is looked up, though one before it was refused', async () => {
    const bot = await revealing((service, tries) => {
      if (tries === 1) return rejected('RATE_LIMITED', 429)
      take(service)
      service.onRead('agent.modes.state', () => unreadable(500))
      return unknown
    })
    await bot.run(2000)
    expect(revealsOf(bot)).toHaveLength(2)
    await settledUnread(bot, 0)
    expect(outcomes(bot)).toEqual(['unknown', 'accepted'])
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('was taken where the state, which could not be read at first, shows it by the end', async () => {
    const bot = await revealing((service) => {
      take(service)
      return unknown
    })
    bot.service.onRead('agent.modes.state', () => unreadable(500))
    await bot.run(1500)
    expect(outcomes(bot)).toEqual(['unknown'])
    bot.service.onRead('agent.modes.state', undefined)
    bot.service.onAct('agent.modes.revealPrediction', () => accepted())
    await bot.tell(predictionSettled('LOSS'))
    await bot.run(20_000)
    expect(outcomes(bot)).toEqual(['unknown', 'accepted'])
  })
})

describe('a reveal that is refused in a contest that is over', () => {
  test('was taken where the final state has it: an earlier one was, which a look had missed', async () => {
    const bot = await revealing((service, tries) => {
      if (tries === 1) return unknown
      // The first arrives after the look, and is the last of all.
      take(service)
      return service.after(1500, rejected('REVEAL_NOT_OPEN')) as never
    })
    await bot.run(2000)
    expect(outcomes(bot)).toEqual(['unknown', 'notTaken'])
    bot.service.onRead('agent.modes.state', () => unreadable(429))
    await settledUnread(bot, 3000)
    expect(outcomes(bot)).toEqual(['unknown', 'notTaken', 'accepted'])
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(bot.notes('error')).toEqual([])
  })

  test('was taken where it was refused before the end, and the look at it is under way then', async () => {
    const bot = await revealing((service, tries) => {
      if (tries === 1) return unknown
      take(service)
      service.onRead('agent.modes.state', () => unreadable(500))
      return rejected('REVEAL_NOT_OPEN')
    })
    await bot.run(1800)
    await settledUnread(bot, 2000)
    expect(outcomes(bot)).toEqual(['unknown', 'notTaken', 'accepted'])
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test.each([
    ['says that it was not', (service: ScriptedService) => take(service, { revealed: false })],
    ['does not say', (service: ScriptedService) => take(service, { revealed: undefined })],
    ['is not there', (service: ScriptedService) => service.states.clear()],
  ])('was not where the final state %s', async (_what, shelve) => {
    const bot = await revealing(() => rejected('REVEAL_NOT_OPEN'))
    await bot.run(2000)
    shelve(bot.service)
    await bot.tell(predictionSettled('LOSS'))
    await bot.run(1000)
    expect(outcomes(bot)).toEqual(['rejected'])
    expect(bot.status().actions).toMatchObject({ failed: 1, unknown: 0 })
    expect(bot.status().reveals).toEqual({ due: 1, done: 0 })
    expect(bot.notes('error')).toContainEqual(expect.stringContaining('was not revealed before its contest was settled'))
  })

  test('was not where nobody can say for a while, and says so once', async () => {
    const bot = await revealing(() => rejected('REVEAL_NOT_OPEN'))
    await bot.run(2000)
    bot.service.onRead('agent.modes.state', () => unreadable(500))
    await bot.tell(predictionSettled('LOSS'))
    bot.operator$.next('drain')
    await bot.run(50_000)
    expect(outcomes(bot)).toEqual([])
    await bot.run(15_000)
    expect(outcomes(bot)).toEqual(['rejected'])
    expect(bot.end).toEqual({ how: 'completed' })
    expect(bot.notes('error').filter((note) => note.includes('was not revealed'))).toHaveLength(1)
  })
})
