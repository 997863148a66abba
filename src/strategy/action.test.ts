import { describe, expect, test } from 'vitest'
import {
  type Action,
  cancelTicket,
  commitPrediction,
  createContest,
  draftPick,
  enqueue,
  joinContest,
  leaveContest,
  readAction,
  ready,
} from './action.ts'

const BOUGHT = { mode: 'draft_basket', stake: 1_000_000n, durationSec: 20 } as const
const ACTIONS: readonly Action[] = [
  enqueue(BOUGHT),
  enqueue({ ...BOUGHT, opponents: 'AGENT', chain: 'solana', waitSec: 30 }),
  cancelTicket({ ticketId: 't' }),
  createContest({ ...BOUGHT, chain: 'solana', format: 'duel' }),
  createContest({
    ...BOUGHT,
    chain: 'robinhood',
    format: 'lobby',
    opponents: 'HUMAN',
    visibility: 'private',
    capacity: 4,
    teamSize: 2,
    joinWindowSec: 60,
    params: { pool: ['a', 'b'], picks: 3 },
  }),
  joinContest({ contestId: 'c' }),
  joinContest({ contestId: 'c', orElse: ['d', 'e'], side: 'UP', readiedBy: 'policy' }),
  leaveContest({ contestId: 'c' }),
  ready({ contestId: 'c', ready: false }),
  draftPick({ contestId: 'c', token: 'mint' }),
  commitPrediction({ contestId: 'c', price: '187.25' }),
  { type: 'revealPrediction', contestId: 'c' },
]

describe('readAction', () => {
  test.each(ACTIONS)('reads $type as it is', (action) => {
    expect(readAction(action)).toStrictEqual(action)
  })

  test('gives what it read back as a copy: the strategy may do with its own what it likes', () => {
    const mine = createContest({ ...BOUGHT, chain: 'solana', format: 'duel', params: { pool: ['a'] } })
    const read = readAction(mine)
    Object.assign(mine, { stake: 9n })
    if (mine.type === 'createContest') Object.assign(mine.params ?? {}, { pool: [] })
    expect(read).toMatchObject({ stake: 1_000_000n, params: { pool: ['a'] } })
  })

  test('puts a predicted price in canonical form', () => {
    expect(readAction({ type: 'commitPrediction', contestId: 'c', price: '0187.2500' })).toEqual({
      type: 'commitPrediction',
      contestId: 'c',
      price: '187.25',
    })
  })

  test.each(['', '1e3', '-1', 'soon'])('%j is no predicted price', (price) => {
    expect(() => readAction({ type: 'commitPrediction', contestId: 'c', price })).toThrow(
      expect.objectContaining({ code: 'PRICE_INVALID' }),
    )
  })

  test.each<readonly [name: string, value: unknown, field: string, allowed: string]>([
    ['nothing', undefined, 'what it returned is missing', 'an object, { … }'],
    ['a text', 'enqueue', "what it returned = 'enqueue'", 'an object, { … }'],
    ['a list', [enqueue(BOUGHT)], 'what it returned', 'an object, { … }'],
    ['no type', {}, 'type is missing', "one of 'enqueue', 'cancelTicket'"],
    ['a type there is not', { type: 'withdraw' }, "type = 'withdraw'", "one of 'enqueue', 'cancelTicket'"],
    ['a number as the stake', { ...enqueue(BOUGHT), stake: 1 }, 'stake = 1', 'a bigint'],
    ['text as the stake', { ...enqueue(BOUGHT), stake: '1' }, "stake = '1'", 'a bigint'],
    ['a mode there is not', { ...enqueue(BOUGHT), mode: 'poker' }, "mode = 'poker'", "'up_down'"],
    ['half a second', { ...enqueue(BOUGHT), durationSec: 15.5 }, 'durationSec = 15.5', 'a whole number'],
    ['no time', { ...enqueue(BOUGHT), durationSec: 0 }, 'durationSec = 0', 'more than 0'],
    ['NaN seconds', { ...enqueue(BOUGHT), durationSec: Number.NaN }, 'durationSec = NaN', 'a number'],
    ['a field there is not', { ...enqueue(BOUGHT), wait: 30 }, 'wait', 'no such field'],
    ['no contest', { type: 'joinContest' }, 'contestId is missing', ': text'],
    ['an empty contest', { type: 'leaveContest', contestId: '' }, "contestId = ''", 'at least 1'],
    ['one bad alternative', { type: 'joinContest', contestId: 'c', orElse: ['d', 5] }, 'orElse[1] = 5', ': text'],
    ['a price that is a number', { type: 'commitPrediction', contestId: 'c', price: 187.25 }, 'price = 187.25', ': text'],
    ['a salt of its own', { type: 'revealPrediction', contestId: 'c', salt: 'x' }, 'salt', 'no such field'],
  ])('refuses %s, naming the field, the value and what is allowed', (_name, value, field, allowed) => {
    const message = expect.stringMatching(/^a strategy returned something that is not an action: /)
    expect(() => readAction(value)).toThrow(expect.objectContaining({ code: 'ACTION_INVALID', message }))
    expect(() => readAction(value)).toThrow(field)
    expect(() => readAction(value)).toThrow(allowed)
  })
})
