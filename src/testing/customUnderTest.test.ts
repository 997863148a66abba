import { map, merge, withLatestFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { SOL_MINT } from '../core/tokens.ts'
import { cancelTicket, leaveContest, ready } from '../strategy/action.ts'
import { defineStrategy } from '../strategy/define.ts'
import { CustomUnderTest } from './customUnderTest.ts'
import { contestView, ticketView } from './views.ts'

/** Says of everything that it hears of what that was. */
const echo = defineStrategy({
  name: 'echo',
  params: z.object({}),
  run: ({ prices, every, events$, contests$, state, clock }) =>
    merge(
      every(5).pipe(map((at) => cancelTicket({ ticketId: `${state().tickets.length} at ${at - clock.now()}` }))),
      prices.price$(SOL_MINT).pipe(map(({ price }) => leaveContest({ contestId: `${price} ${prices.now(SOL_MINT)}` }))),
      events$.pipe(
        withLatestFrom(contests$),
        map(([{ type }, contests]) => ready({ contestId: `${type} ${contests.length}`, ready: true })),
      ),
    ),
})

test('a custom strategy is told of time, prices, events and its contests', () => {
  const strategy = new CustomUnderTest(echo(), { tickets: [ticketView()] })
  expect(strategy.wait(4)).toEqual([])
  expect(strategy.wait(6)).toEqual([cancelTicket({ ticketId: '1 at 0' }), cancelTicket({ ticketId: '1 at 0' })])
  expect(strategy.prices({ [SOL_MINT]: 187.25 })).toEqual([leaveContest({ contestId: '187.25 187.25' })])
  expect(strategy.know({ tickets: [] })).toEqual([])
  expect(strategy.wait(5)).toEqual([cancelTicket({ ticketId: '0 at 0' })])
  expect(strategy.know({ contests: [contestView()] })).toEqual([])
  expect(strategy.tell('ticket.expired', { ticketId: 't' })).toEqual([ready({ contestId: 'ticket.expired 1', ready: true })])
  expect(strategy.actions).toHaveLength(5)
})
