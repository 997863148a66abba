import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, notSent, queuedTicket, rejected } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { OperatorCommand } from '../protocol/input.ts'

// A bot that ends takes back what it can; a service may refuse to give it back.

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const HOUR = 60 * 60_000

const KINDS = {
  'an open seat': {
    procedure: 'agent.contests.leave',
    id: contestId,
    open: (bot: TestBot) => {
      bot.service.contests = [{ contestId, mode: 'up_down', status: 'open', stake: '2000000', you: { ready: true, side: 'UP' } }]
      return bot.tell(rawEvent('contest.joined', { contestId }, START_MS))
    },
  },
  'a ticket': {
    procedure: 'agent.queue.cancel',
    id: ticketId,
    open: (bot: TestBot) => {
      bot.service.tickets = [{ ...queuedTicket(ticketId), stake: '2000000' }]
      bot.events.restore()
      bot.events.catchUp()
      return bot.run(0)
    },
  },
} as const
const COMMANDS: readonly OperatorCommand[] = ['drain', 'stopAll']
const CODES = ['CONTEST_NOT_OPEN', 'TICKET_NOT_OPEN', 'LEAVING_CLOSED', 'FORBIDDEN', 'INVALID_INPUT']

const cases = Object.entries(KINDS).flatMap(([what, kind]) =>
  COMMANDS.flatMap((command) => CODES.map((code) => ({ what, ...kind, command, code }))),
)
const said = (bot: TestBot) => bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'LEAVE_REFUSED'))

describe('what the service refuses to give back', () => {
  test.each(cases)('$what with $code ($command): is asked for five times, and one line says what stays at risk', async (row) => {
    const { procedure, id, open, command, code } = row
    const bot = await openTestBot()
    await bot.run(1000)
    await open(bot)
    await bot.run(1000)
    bot.service.onAct(procedure, () => rejected(code, 400))
    bot.operator$.next(command)
    await bot.run(HOUR)
    expect(bot.service.sent(procedure)).toHaveLength(5)
    expect(said(bot)).toHaveLength(1)
    const [line] = said(bot)
    for (const part of ['2.00 USDC', id, code, '5 times']) expect(line?.message).toContain(part)
    expect(bot.end).toBeUndefined()
  })
})

const joined = async () => {
  const bot = await openTestBot()
  await bot.run(1000)
  await KINDS['an open seat'].open(bot)
  await bot.run(1000)
  return bot
}

describe('what is asked for again', () => {
  test.each([0, 1, 2, 3, 4])('is given back after %i refusals, and the bot ends', async (refusals) => {
    const bot = await joined()
    bot.service.onAct('agent.contests.leave', () => {
      const isRefused = bot.service.sent('agent.contests.leave').length <= refusals
      if (!isRefused) bot.service.contests = []
      return isRefused ? rejected('FORBIDDEN', 400) : accepted()
    })
    bot.operator$.next('drain')
    await bot.run(3 * 60_000)
    expect(bot.service.sent('agent.contests.leave')).toHaveLength(refusals + 1)
    expect(said(bot)).toEqual([])
    expect(bot.end?.how).toBe('completed')
  })

  test.each([
    ['too often', rejected('RATE_LIMITED', 429)],
    ['by a service that is down', notSent],
  ])('while it is refused only since it was asked for %s', async (_why, answer) => {
    const bot = await joined()
    bot.service.onAct('agent.contests.leave', () => answer)
    bot.operator$.next('drain')
    await bot.run(60_000)
    expect(bot.service.sent('agent.contests.leave').length).toBeGreaterThan(20)
    expect(said(bot)).toEqual([])
  })

  test('is asked for anew once the bot played on and is stopped again', async () => {
    const bot = await joined()
    bot.service.onAct('agent.contests.leave', () => rejected('FORBIDDEN', 400))
    for (const command of ['stopAll', 'resume', 'stopAll'] as const) {
      bot.operator$.next(command)
      await bot.run(HOUR)
    }
    expect(bot.service.sent('agent.contests.leave')).toHaveLength(10)
    expect(said(bot)).toHaveLength(2)
  })

  test('is played once its contest begins, and the bot ends with it', async () => {
    const bot = await joined()
    bot.service.onAct('agent.contests.leave', () => rejected('FORBIDDEN', 400))
    bot.operator$.next('drain')
    await bot.run(HOUR)
    bot.service.contests = []
    await bot.tell(rawEvent('contest.settled', { contestId }, bot.clock.now()))
    await bot.run(60_000)
    expect(bot.end?.how).toBe('completed')
  })
})
