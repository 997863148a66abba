import type { Refusal, RefusalCode, Refused } from './types.ts'

export function refusal(code: RefusalCode, message: string, details: Refusal['details'] = {}): Refusal {
  return { code, message, details }
}

/** A refused command or read: the message names the value, what is allowed and the next step. */
export function refuse(code: RefusalCode, message: string, details: Refusal['details'] = {}): Refused {
  return { ok: false, refusal: refusal(code, message, details) }
}

export const noContest = (contestId: string): Refused => refuse('NOT_FOUND', `there is no contest ${contestId}`, { contestId })

export const noSeat = (contestId: string): Refused =>
  refuse('NOT_IN_CONTEST', `you have no seat in contest ${contestId}: join it while it is open`, { contestId })

export const noTicket = (ticketId: string): Refused =>
  refuse('NOT_FOUND', `you have no ticket ${ticketId}: see agent.queue.list`, { ticketId })
