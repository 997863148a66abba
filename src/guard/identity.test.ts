import { expect, test } from 'vitest'
import { type Action, enqueue, joinContest } from '../strategy/action.ts'
import { identityOf } from './identity.ts'

const BOUGHT = { mode: 'draft_basket', stake: 1_000_000n, durationSec: 20 } as const
const IN_C = { contestId: 'c' } as const

// Each line does one thing; no two lines do the same.
const GROUPS: readonly (readonly Action[])[] = [
  [enqueue(BOUGHT), enqueue({ ...BOUGHT, waitSec: 30 }), enqueue({ ...BOUGHT, opponents: 'ANY', chain: 'solana' })],
  [enqueue({ ...BOUGHT, mode: 'up_down' })],
  [enqueue({ ...BOUGHT, stake: 1_000_001n })],
  [enqueue({ ...BOUGHT, durationSec: 21 })],
  [enqueue({ ...BOUGHT, opponents: 'HUMAN' })],
  [enqueue({ ...BOUGHT, chain: 'robinhood' })],
  [{ type: 'createContest', chain: 'solana', format: 'duel', ...BOUGHT }],
  [{ type: 'createContest', chain: 'solana', format: 'lobby', ...BOUGHT }],
  [{ type: 'createContest', chain: 'robinhood', format: 'duel', ...BOUGHT }],
  [joinContest({ ...IN_C, side: 'UP' }), joinContest({ ...IN_C, side: 'DOWN', orElse: ['d'] })],
  [joinContest({ contestId: 'd' })],
  [{ type: 'leaveContest', ...IN_C }],
  [{ type: 'ready', ready: true, ...IN_C }],
  [
    { type: 'draftPick', token: 'a', ...IN_C },
    { type: 'draftPick', token: 'b', ...IN_C },
  ],
  [
    { type: 'commitPrediction', price: '1', ...IN_C },
    { type: 'commitPrediction', price: '2', ...IN_C },
  ],
  [{ type: 'revealPrediction', ...IN_C }],
  [{ type: 'cancelTicket', ticketId: 'c' }],
  [{ type: 'cancelTicket', ticketId: 't' }],
  // A wallet has one swap under way, whatever it is.
  [
    { type: 'swap', from: 'a', to: 'b', amount: 1n, ...IN_C },
    { type: 'swap', from: 'b', to: 'a', amount: 2n, contestId: 'd' },
    { type: 'sweep', from: 'a', to: 'b', amount: 1n, ...IN_C },
  ],
]

test('what would do the same, or take the same turn, has one identity; all else has its own', () => {
  const identities = GROUPS.map((group) => new Set(group.map(identityOf)))
  for (const [index, some] of identities.entries()) expect(some.size, JSON.stringify(GROUPS[index]?.map(({ type }) => type))).toBe(1)
  expect(new Set(identities.flatMap((some) => [...some])).size).toBe(GROUPS.length)
})
