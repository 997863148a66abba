import { expect, test } from 'vitest'
import { usdc } from '../../core/usdc.ts'
import { emptyBooks } from './books.ts'
import { withSeat } from './foldEvent.ts'
import { siblingEntriesOf } from './siblingEntries.ts'

const ticket = { mode: 'up_down', stake: usdc('1'), durationSec: 15 } as const

test('names where a bot has money and where it is about to', () => {
  const books = {
    ...withSeat(emptyBooks, 'held', {}, new Set()),
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
    { bot: 'alice', key: 'seat:coming', contestId: 'coming' },
    { bot: 'alice', key: 'ticket:up_down:1000000:15', ticket },
  ])
})

test('an entry keeps its key from the request to the seat', () => {
  const asked = siblingEntriesOf('alice', emptyBooks, [{ type: 'joinContest', contestId: 'c' }])
  const seated = siblingEntriesOf('alice', withSeat(emptyBooks, 'c', {}, new Set()), [])
  expect([...asked.keys()]).toEqual([...seated.keys()])
})
