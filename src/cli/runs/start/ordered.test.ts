import { Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { openTestBot, type TestBotOptions } from '../../../../test/support/testBot.ts'
import { keyedUuid } from '../../../core/ids.ts'
import type { OperatorOrder, Step } from '../../../pipeline/index.ts'
import { ordered } from './ordered.ts'

const contestId = keyedUuid('open seat')
const leave: OperatorOrder = { type: 'leaveContest', contestId }

async function openFleet(options: TestBotOptions = {}) {
  const change$ = new Subject<{ readonly bot: { readonly name: string }; readonly step?: Step }>()
  const bot = await openTestBot({
    prepare: (service) => {
      service.contests = [
        { contestId, mode: 'best_trade', status: 'open', stake: '1000000', you: { entryId: keyedUuid('e'), ready: true } },
      ]
    },
    observer: { begins: () => {}, step: (step) => change$.next({ bot: { name: 'alice' }, step }) },
    ...options,
  })
  const order = (_name: string, said: OperatorOrder) => {
    if (!bot.operator$.observed) return false
    bot.operator$.next(said)
    return true
  }
  const say = async (said: OperatorOrder, waitMs = 0) => {
    const answer = ordered({ fleet: { change$, order }, clock: bot.clock }, 'alice', said)
    await bot.run(waitMs)
    return await answer
  }
  return { bot, say, change$ }
}

const rejected = { code: 'CONFLICT', message: 'the contest is live', httpStatus: 409 } as never

test('what the service has done is done', async () => {
  const { say } = await openFleet()
  expect(await say(leave)).toEqual({ isDone: true, message: undefined })
})

test('what the service refuses, and what the guard refuses, is a sentence', async () => {
  const { bot, say } = await openFleet()
  bot.service.onAct('agent.contests.leave', () => ({ status: 'rejected', refusal: rejected }))
  expect(await say(leave)).toEqual({
    isDone: false,
    message: expect.stringMatching(/^it came to nothing \(rejected\): .*the contest is live/),
  })
  expect(await say({ type: 'cancelTicket', ticketId: 't9' })).toEqual({
    isDone: false,
    message: 'ticket t9 is not an open ticket of this bot (NOT_IN_CONTEST)',
  })
})

test('what takes long, and whose answer is lost, is looked for in the log', async () => {
  const { bot, say, change$ } = await openFleet()
  bot.service.onAct('agent.contests.leave', () => bot.service.after(60_000, { status: 'accepted', output: {} }))
  expect(await say(leave, 15_000)).toMatchObject({ isDone: true, message: expect.stringContaining('the log says what becomes of it') })
  expect(change$.observed).toBe(false)
})

test('a bot that does not play does nothing', async () => {
  const { bot, say } = await openFleet()
  bot.kill()
  expect(await say(leave)).toEqual({ isDone: false, message: 'alice does not play now: nothing was ordered' })
})
