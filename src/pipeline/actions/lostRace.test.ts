import { expect, test } from 'vitest'
import { isLostRace } from './lostRace.ts'

const contestId = 'c'

test('being too late for a seat is no failure', () => {
  const join = { type: 'joinContest', contestId } as const
  for (const code of ['CONTEST_FULL', 'CONTEST_NOT_OPEN', 'SIDE_TAKEN']) expect(isLostRace(join, code)).toBe(true)
  expect(isLostRace({ type: 'cancelTicket', ticketId: 't' }, 'TICKET_NOT_OPEN')).toBe(true)
  expect(isLostRace({ type: 'leaveContest', contestId }, 'CONTEST_NOT_OPEN')).toBe(true)
})

test('a refusal that says something about the bot is one', () => {
  expect(isLostRace({ type: 'joinContest', contestId }, 'STAKE_OVER_CAP')).toBe(false)
  expect(isLostRace({ type: 'enqueue', mode: 'up_down', stake: 1n, durationSec: 15 }, 'CONTEST_FULL')).toBe(false)
  // A reveal that is refused is a stake about to be lost.
  expect(isLostRace({ type: 'revealPrediction', contestId }, 'CONTEST_NOT_OPEN')).toBe(false)
})
