import { expect, test } from 'vitest'
import { withSeat } from '../../../test/support/foldedBooks.ts'
import { usdc } from '../../core/usdc.ts'
import { createContest } from '../../strategy/action.ts'
import type { OpenContestView } from '../../strategy/view.ts'
import { emptyBooks } from './books.ts'
import { siblingEntriesOf } from './siblingEntries.ts'

const ticket = { mode: 'up_down', stake: usdc('1'), durationSec: 15 } as const

test('names where a bot has money and where it is about to', () => {
  const books = {
    ...withSeat(emptyBooks, 'held', {}),
    tickets: new Map([['t1', { ticketId: 't1', ...ticket, stake: usdc('2') }]]),
  }
  const entries = siblingEntriesOf('alice', books, [
    { type: 'joinContest', contestId: 'coming' },
    { type: 'enqueue', ...ticket },
    { type: 'ready', contestId: 'x', ready: true },
  ])
  expect([...entries.values()]).toEqual([
    { bot: 'alice', key: 'seat:held', contestId: 'held' },
    { bot: 'alice', key: 'ticket:up_down:2000000:15', ticket: { ...ticket, stake: usdc('2') } },
    { bot: 'alice', key: 'seat:coming', contestId: 'coming', meant: true },
    { bot: 'alice', key: 'ticket:up_down:1000000:15', ticket, meant: true },
  ])
})

test('names the terms of a contest that is being made, and of one that is being joined, with the mode that it tries', () => {
  const listed = { ...ticket, contestId: 'listed', filled: 1 } as unknown as OpenContestView
  const books = { ...emptyBooks, openContests: { value: [listed], begunAt: 0, at: 0 } }
  const create = createContest({ ...ticket, stake: usdc('3'), chain: 'solana', format: 'duel' })
  const entries = siblingEntriesOf('alice', books, [create, { type: 'joinContest', contestId: 'listed' }], (mode) => mode === 'up_down')
  expect([...entries.values()]).toEqual([
    { bot: 'alice', key: 'create:up_down:3000000:15', making: { ...ticket, stake: usdc('3') }, trial: 'up_down', meant: true },
    { bot: 'alice', key: 'seat:listed', contestId: 'listed', mode: 'up_down', trial: 'up_down', joining: ticket, meant: true },
  ])
})

test('an entry keeps its key from the request to the seat', () => {
  const asked = siblingEntriesOf('alice', emptyBooks, [{ type: 'joinContest', contestId: 'c' }])
  const seated = siblingEntriesOf('alice', withSeat(emptyBooks, 'c', {}), [])
  expect([...asked.keys()]).toEqual([...seated.keys()])
})

test('what a bot has is not only meant, also while it is asked for once more', () => {
  const books = {
    ...withSeat(emptyBooks, 'c', {}),
    tickets: new Map([['t1', { ticketId: 't1', ...ticket }]]),
  }
  const entries = siblingEntriesOf('alice', books, [
    { type: 'joinContest', contestId: 'c' },
    { type: 'enqueue', ...ticket },
  ])
  expect([...entries.values()].map(({ key, meant }) => [key, meant])).toEqual([
    ['seat:c', undefined],
    ['ticket:up_down:1000000:15', undefined],
  ])
})
