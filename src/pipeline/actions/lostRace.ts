import type { Action, ActionType } from '../../strategy/action.ts'

/**
 * Refusals by the service that say only that someone, or time, was faster: a seat taken, a ticket
 * matched while it was being cancelled. They cost nothing and are no failure of the bot. Codes are
 * the sandbox's; a service with other codes has these count as failures.
 */
const LOST_RACES: Partial<Record<ActionType, readonly string[]>> = {
  cancelTicket: ['TICKET_NOT_OPEN'],
  joinContest: ['CONTEST_FULL', 'CONTEST_NOT_OPEN', 'SIDE_TAKEN'],
  leaveContest: ['CONTEST_NOT_OPEN'],
  ready: ['CONTEST_NOT_OPEN', 'NOT_IN_CONTEST'],
}

export function isLostRace(action: Action, code: string): boolean {
  return LOST_RACES[action.type]?.includes(code) === true
}
