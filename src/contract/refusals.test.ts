import { describe, expect, test } from 'vitest'
import type { AppCode } from '../sandbox/server/appError.ts'
import type { ActionType } from '../strategy/action.ts'
import { type BEFORE_SIGNING, isKeyRefused, isUnsigned, type MEANINGS, meaningOf } from './refusals.ts'

type Rows = typeof MEANINGS
/** Codes whose place in the table was decided. */
type Placed = { [A in keyof Rows]: keyof Rows[A] }[keyof Rows] | (typeof BEFORE_SIGNING)[number]

/** Codes of the sandbox that say no more than that something was refused, or, of `INTERNAL`, nothing at all. */
const MEANS_NOTHING_MORE = [
  ...['INTERNAL', 'STAKE_OVER_CAP', 'ALREADY_JOINED', 'NOT_YOUR_TURN', 'TOKEN_TAKEN', 'TX_BLOCKHASH_EXPIRED', 'TX_DUPLICATE'],
  ...['COMMIT_CLOSED', 'ALREADY_COMMITTED', 'REVEAL_NOT_OPEN', 'COMMITMENT_MISMATCH', 'SALT_INVALID'],
] as const satisfies readonly Exclude<AppCode, Placed>[]

/** Names what is missing, where something is: the compiler says it. */
const nothing = <Missing extends never>(missing: readonly Missing[]) => missing

describe('the table of refusals', () => {
  test('has a place for each code of the sandbox and its contests', () => {
    expect(nothing<Exclude<AppCode, Placed | (typeof MEANS_NOTHING_MORE)[number]>>([])).toEqual([])
  })

  test('has a row for no action that there is not', () => {
    expect(nothing<Exclude<keyof Rows, ActionType | 'any'>>([])).toEqual([])
  })

  test.each([
    ['cancelTicket', 'TICKET_NOT_OPEN', 'raceLost'],
    ['joinContest', 'CONTEST_FULL', 'raceLost'],
    ['joinContest', 'CONTEST_NOT_OPEN', 'raceLost'],
    ['joinContest', 'SIDE_TAKEN', 'raceLost'],
    ['leaveContest', 'CONTEST_NOT_OPEN', 'raceLost'],
    ['leaveContest', 'NOT_IN_CONTEST', 'done'],
    ['ready', 'CONTEST_NOT_OPEN', 'raceLost'],
    ['ready', 'NOT_IN_CONTEST', 'raceLost'],
    ['revealPrediction', 'ALREADY_REVEALED', 'done'],
    ['swap', 'TX_SIMULATION_FAILED', 'marketMoved'],
    // Whatever is asked.
    ['any', 'RATE_LIMITED', 'rate'],
    ['joinContest', 'RATE_LIMITED', 'rate'],
    // Says something about the bot.
    ['joinContest', 'STAKE_OVER_CAP', undefined],
    ['enqueue', 'CONTEST_FULL', undefined],
    // A reveal that is refused is a stake about to be lost.
    ['revealPrediction', 'CONTEST_NOT_OPEN', undefined],
    // Of another service, whatever it is called.
    ['joinContest', 'constructor', undefined],
    ['constructor', 'name', undefined],
  ])('%s refused with %s: %s', (action, code, meaning) => {
    expect(meaningOf({ code }, action)).toBe(meaning)
  })
})

test.each([
  [{ code: 'INVALID_INPUT', status: 200 }, true],
  [{ code: 'HTTP_413', status: 413 }, true],
  // There already, or signed and too late: it may have been sent.
  [{ code: 'TX_DUPLICATE', status: 409 }, false],
  [{ code: 'SOMETHING_NEW', status: 400 }, false],
])('a swap refused with %j was not signed: %s', (refusal, expected) => {
  expect(isUnsigned(refusal)).toBe(expected)
})

test.each([
  [{ code: 'AGENT_KEY_MISSING', status: 400 }, true],
  [{ code: 'HTTP_401', status: 401 }, true],
  [{ code: 'FORBIDDEN', status: 403 }, true],
  // What stands before the service may refuse a single request.
  [{ code: 'HTTP_403', status: 403 }, false],
  [{ code: 'RATE_LIMITED', status: 429 }, false],
  [undefined, false],
])('%j refuses the key: %s', (refusal, expected) => {
  expect(isKeyRefused(refusal)).toBe(expected)
})
