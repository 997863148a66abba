import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf, movesMade, movesOf, type Sample } from '../../../test/support/lifecycles/machines.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import type { ServiceAction } from '../../strategy/action.ts'
import type { WaitingTicket } from '../books/books.ts'
import { type TicketHappening, type TicketSeen, type TicketState, ticketMachine } from './ticketMachine.ts'

const NOW = 1_000_000
const ticketId = keyedUuid('ticket')
const ticket: WaitingTicket = Object.freeze({ ticketId, mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const waiting = (leaveAt?: number): TicketState => Object.freeze({ is: 'waiting', ticket, leaveAt })
const see = (isUnderWay: TicketSeen['isUnderWay'] = () => false): TicketSeen =>
  Object.freeze({ now: NOW, isUnderWay, leaveRetryMs: (id: string) => (id === ticketId ? 2000 : undefined) })
const isCancel = (action: ServiceAction) => action.type === 'cancelTicket' && action.ticketId === ticketId
const read: WaitingTicket = Object.freeze({ ...ticket, durationSec: 60 })

const HAPPENINGS: readonly TicketHappening[] = [{ type: 'learnt', ticket: read }, { type: 'over' }, { type: 'windUp' }, { type: 'due' }]
/** Times at which it is given back once more: not at all, in the past, now, later, and as the clock of a test begins. */
const TIMES = [undefined, NOW - 1, NOW, NOW + 5, 0]
type Sampled = Sample<TicketState, TicketHappening, TicketSeen>
const SAMPLES = HAPPENINGS.flatMap((happening) => TIMES.map((leaveAt): Sampled => [waiting(leaveAt), happening, see()]))
const move = (state: TicketState, happening: TicketHappening, seen = see()) => moveOf(ticketMachine, [state, happening, seen])

describe('the machine of a ticket', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(ticketMachine, SAMPLES)].sort()).toEqual([...movesOf(ticketMachine as unknown as AnyMachine)].sort())
  })

  test('is shown as it was read last, and given back when that was planned', () => {
    for (const leaveAt of TIMES) {
      const { state, effects } = move(waiting(leaveAt), { type: 'learnt', ticket: read })
      expect({ state, effects }).toEqual({ state: { is: 'waiting', ticket: read, leaveAt }, effects: [] })
      expect(state?.ticket).toBe(read)
    }
  })

  test('is gone as it is matched or comes to nothing, and leads to nothing more', () => {
    for (const leaveAt of TIMES) expect(move(waiting(leaveAt), { type: 'over' })).toEqual({ state: undefined, effects: [] })
  })

  test('is given back as the run ends, and asked for again after two seconds', () => {
    const { state, effects } = move(waiting(), { type: 'windUp' })
    expect(state).toEqual({ is: 'waiting', ticket, leaveAt: NOW + 2000 })
    expect(state?.ticket).toBe(ticket)
    expect(effects).toEqual([{ type: 'propose', action: { type: 'cancelTicket', ticketId } }])
    const other = see((action) => action.type === 'cancelTicket' && action.ticketId !== ticketId)
    expect(move(waiting(), { type: 'windUp' }, other), 'another ticket is given back').toEqual({ state, effects })
  })

  test('is not given back while that is under way, nor before its time has come, nor after it was refused too often', () => {
    const idle = (state: TicketState, seen?: TicketSeen) => {
      const { state: next, effects } = move(state, { type: 'windUp' }, seen)
      expect(next).toBe(state)
      expect(effects).toEqual([])
    }
    idle(waiting(), see(isCancel))
    idle(waiting(), { ...see(), leaveRetryMs: () => undefined })
    for (const leaveAt of TIMES.filter((time) => time !== undefined)) idle(waiting(leaveAt))
  })

  test('may be given back again once it is due', () => {
    for (const leaveAt of TIMES) {
      const { state, effects } = move(waiting(leaveAt), { type: 'due' })
      expect({ state, effects }).toEqual({ state: waiting(), effects: [] })
      expect(state?.ticket).toBe(ticket)
    }
  })

  test('is due when its state says so', () => {
    expect(ticketMachine.dueAt(waiting(NOW))).toEqual([{ task: `leave:${ticketId}`, at: NOW }])
    expect(ticketMachine.dueAt(waiting(0))).toEqual([{ task: `leave:${ticketId}`, at: 0 }])
    expect(ticketMachine.dueAt(waiting())).toEqual([])
  })
})
