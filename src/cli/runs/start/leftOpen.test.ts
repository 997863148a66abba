import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../../test/support/rawEvents.ts'
import { accepted, queuedTicket, unreadable } from '../../../../test/support/scriptedService.ts'
import { openTestBot } from '../../../../test/support/testBot.ts'
import { once } from '../../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../../core/ids.ts'
import { usdc } from '../../../core/usdc.ts'
import { enqueue } from '../../../strategy/action.ts'
import { doubtOf, leftOpenBy, leftOpenText } from './leftOpen.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
const live = [
  rawEvent('match.found', { ticketId: keyedUuid('another'), contestId }),
  rawEvent('contest.live', { contestId, startsAt: iso(3000), endsAt: iso(900_000) }),
]
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })

/** One in a live contest, with a ticket that waits, or whose entry has no answer. */
async function openBusy({ caughtUp = true, answered = true } = {}) {
  const bot = await openTestBot({
    caughtUp,
    strategies: [once(entry)],
    prepare(service) {
      service.tickets = answered ? [queuedTicket(ticketId)] : []
      service.onAct('agent.queue.enqueue', () => {
        if (answered) return accepted({ ticketId })
        // What became of it would show there.
        service.onRead('agent.queue.list', () => unreadable(503))
        return { status: 'unknown', reason: 'no answer' }
      })
    },
  })
  // A match that nobody knows of would be taken for what came of the lost one.
  if (answered) await bot.tell(...live)
  return bot
}

type Busy = Awaited<ReturnType<typeof openBusy>>
const doubt = (bot: Busy, of: { phase?: 'running' | 'drained'; hasCaughtUp?: boolean } = {}) =>
  doubtOf({ phase: 'running', hasCaughtUp: true, life: () => bot.status(), ...of })

describe('what a run leaves open', () => {
  test('is named by its ids, and known where the service says what it is', async () => {
    const bot = await openBusy()
    const left = leftOpenBy(bot.status())
    expect(left).toEqual({ contests: [contestId], tickets: [ticketId], predictions: [], actions: 0 })
    expect(leftOpenText([left, undefined])).toBe('1 contests, 1 tickets, 0 predictions to reveal')
    expect(doubt(bot)).toBeUndefined()
  })

  test('is nothing where nothing is', async () => {
    const bot = await openTestBot()
    expect(leftOpenBy(bot.status())).toBeUndefined()
    expect(doubt(bot)).toBeUndefined()
  })

  test('is in doubt where the stream was never read to its end', async () => {
    const bot = await openBusy({ caughtUp: false })
    expect(doubt(bot, { hasCaughtUp: false })).toMatchObject({
      code: 'NEVER_CAUGHT_UP',
      message: expect.stringMatching(/left open: 1 contests, \d+ tickets.*start again once the service answers/),
    })
  })

  test('is in doubt where an action has no outcome', async () => {
    const bot = await openBusy({ answered: false })
    expect(leftOpenBy(bot.status())?.actions).toBe(1)
    expect(doubt(bot)).toMatchObject({ code: 'LEFT_UNACCOUNTED', message: expect.stringMatching(/of 1 actions nobody knows/) })
  })

  test('is in doubt where the service cannot be read at the end', async () => {
    const bot = await openBusy()
    bot.events.fallBehind()
    await bot.run(1000)
    expect(doubt(bot)).toMatchObject({ code: 'LEFT_UNACCOUNTED', message: expect.stringMatching(/could not be read at the end/) })
    // What has drained, or failed, has said it all.
    expect(doubt(bot, { phase: 'drained' })).toBeUndefined()
  })
})
