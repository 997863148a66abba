import { describe, expect, test } from 'vitest'
import type { AppCode } from '../sandbox/server/appError.ts'
import type { ActionType } from '../strategy/action.ts'
import {
  isKeyRefused,
  isLostRace,
  isOfAsker,
  isUnknown,
  isUnsigned,
  type MEANINGS,
  meaningOf,
  type PLAIN,
  saysGone,
  saysNo,
  withMeaning,
} from './refusals.ts'
import { REFUSAL_MEANINGS, type RefusalMeaning } from './shapes/shapes.ts'

type Rows = typeof MEANINGS
/** Codes whose meaning was decided, or that they have none. */
type Placed = { [A in keyof Rows]: keyof Rows[A] }[keyof Rows] | (typeof PLAIN)[number]

/** Names what is missing, where something is: the compiler says it. */
const nothing = <Missing extends never>(missing: readonly Missing[]) => missing

describe('the table of refusals', () => {
  test('has a place for each code of the sandbox and its contests', () => {
    expect(nothing<Exclude<AppCode, Placed>>([])).toEqual([])
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
    ['draftPick', 'NOT_YOUR_TURN', 'notYet'],
    ['draftPick', 'TOKEN_TAKEN', 'taken'],
    ['draftPick', 'TOKEN_NOT_ALLOWED', 'taken'],
    ['commitPrediction', 'COMMIT_CLOSED', 'tooLate'],
    ['commitPrediction', 'ALREADY_COMMITTED', 'done'],
    ['revealPrediction', 'REVEAL_NOT_OPEN', 'notYet'],
    // Whatever is asked.
    ['any', 'NOT_FOUND', 'gone'],
    ['enqueue', 'STAKE_OVER_CAP', 'cap'],
    ['swap', 'INSUFFICIENT_BALANCE', 'broke'],
    ['any', 'AGENT_KEY_MISSING', 'key'],
    ['any', 'RATE_LIMITED', 'rate'],
    ['joinContest', 'RATE_LIMITED', 'rate'],
    // Says something about the bot.
    ['enqueue', 'CONTEST_FULL', undefined],
    ['swap', 'TOKEN_NOT_ALLOWED', undefined],
    // A reveal that is refused is a stake about to be lost.
    ['revealPrediction', 'CONTEST_NOT_OPEN', undefined],
    // Of another service, whatever it is called.
    ['joinContest', 'constructor', undefined],
    ['constructor', 'name', undefined],
  ])('%s refused with %s: %s', (action, code, meaning) => {
    expect(meaningOf({ code }, action)).toBe(meaning)
  })
})

describe('the words of a mapping', () => {
  const words = { notYet: ['Too_Early'], gone: ['NO_SUCH', 'CONTEST_FULL'] } as const satisfies Partial<Record<RefusalMeaning, string[]>>

  test.each([
    ['TOO_EARLY', 'revealPrediction', 'notYet'],
    ['no_such', 'any', 'gone'],
    // Before the table.
    ['CONTEST_FULL', 'joinContest', 'gone'],
    ['SIDE_TAKEN', 'joinContest', 'raceLost'],
    ['SOMETHING', 'joinContest', undefined],
  ])('give %s of %s the meaning %s', (code, action, meaning) => {
    expect(meaningOf(withMeaning({ code, status: 409 }, words), action)).toBe(meaning)
  })

  test('that are not there leave a refusal as it is', () => {
    const refusal = { code: 'NO', message: 'no', status: 409 }
    expect(withMeaning(refusal, undefined)).toBe(refusal)
    expect(withMeaning(refusal, words)).toBe(refusal)
  })

  test('may give every meaning there is', () => {
    for (const meaning of REFUSAL_MEANINGS) expect(meaningOf(withMeaning({ code: 'X' }, { [meaning]: ['x'] }), 'swap')).toBe(meaning)
  })
})

test.each([
  [{ code: 'SOMETHING', status: 409 }, true],
  [{ code: 'BAD_REQUEST', status: 400 }, true],
  [{ code: 'SOMETHING', status: 409, meaning: 'cap' }, false],
  [{ code: 'TX_DUPLICATE', status: 409 }, false],
  // Of another action.
  [{ code: 'CONTEST_FULL', status: 409 }, false],
  [{ code: 'AGENT_KEY_EXPIRED', status: 401 }, false],
  // No code at all.
  [{ code: 'HTTP_409', status: 409 }, false],
  // A failure, and no word on what was asked.
  [{ code: 'SERVICE_UNAVAILABLE', status: 503 }, false],
  [{ code: 'TOO_EAGER', status: 429 }, false],
] as const)('%j has a code that nobody knows: %s', (refusal, expected) => {
  expect(isUnknown(refusal)).toBe(expected)
})

test.each([
  ['joinContest', 'CONTEST_FULL', undefined, true],
  ['joinContest', 'SEAT_GONE', 'taken', true],
  ['draftPick', 'TOKEN_TAKEN', undefined, false],
  ['revealPrediction', 'CONTEST_NOT_OPEN', undefined, false],
] as const)('%s refused with %s, which means %s, is a lost race: %s', (action, code, meaning, expected) => {
  expect(isLostRace(meaning === undefined ? { code } : { code, meaning }, action)).toBe(expected)
})

test.each([
  [{ code: 'NOT_FOUND', status: 404 }, [true, true]],
  [{ code: 'HTTP_404', status: 404 }, [true, true]],
  [{ code: 'NO_TICKET', status: 410 }, [true, true]],
  // Its mapping says so, whatever its status.
  [{ code: 'NO_TICKET', status: 200, meaning: 'gone' }, [true, true]],
  [{ code: 'SLOW_DOWN', status: 404, meaning: 'rate' }, [false, false]],
  [{ code: 'RATE_LIMITED', status: 400 }, [false, false]],
  [{ code: 'AGENT_KEY_EXPIRED', status: 400 }, [false, false]],
  // It says no, and not that there is nothing.
  [{ code: 'SOMETHING', status: 409 }, [true, false]],
  [{ code: 'HTTP_500', status: 500 }, [false, false]],
  [{ code: 'HTTP_403', status: 403 }, [false, false]],
  [undefined, [false, false]],
] as const)('%j says no, and that there is nothing: %j', (refusal, expected) => {
  expect([saysNo(refusal), saysGone(refusal)]).toEqual(expected)
})

test.each([
  [{ code: 'INVALID_INPUT', status: 200 }, true, false],
  [{ code: 'HTTP_413', status: 413 }, true, false],
  [{ code: 'DAILY_LOSS_CAP', status: 409 }, true, true],
  [{ code: 'NOT_IN_CONTEST', status: 409 }, true, true],
  // Of the procedure, it may be.
  [{ code: 'NOT_FOUND', status: 404 }, true, false],
  [{ code: 'NOT_A_PLAYER', status: 409, meaning: 'gone' }, true, true],
  // There already, or signed and too late: it may have been sent.
  [{ code: 'TX_DUPLICATE', status: 409 }, false, false],
  [{ code: 'EXPIRED', status: 409, meaning: 'tooLate' }, false, false],
  [{ code: 'SOMETHING_NEW', status: 400 }, false, false],
] as const)('a swap refused with %j was not signed: %s, for what was asked: %s', (refusal, unsigned, ofAsker) => {
  expect([isUnsigned(refusal), isOfAsker(refusal)]).toEqual([unsigned, ofAsker])
})

test.each([
  [{ code: 'AGENT_KEY_MISSING', status: 400 }, true],
  [{ code: 'HTTP_401', status: 401 }, true],
  [{ code: 'FORBIDDEN', status: 403 }, true],
  // What stands before the service may refuse a single request.
  [{ code: 'HTTP_403', status: 403 }, false],
  [{ code: 'RATE_LIMITED', status: 429 }, false],
  // Who names a limit knows whom it answers.
  [{ code: 'DAILY_LOSS_CAP', status: 403 }, false],
  [{ code: 'WHO_ARE_YOU', status: 200, meaning: 'key' }, true],
  [{ code: 'NOT_YOURS', status: 403, meaning: 'gone' }, false],
  [undefined, false],
] as const)('%j refuses the key: %s', (refusal, expected) => {
  expect(isKeyRefused(refusal)).toBe(expected)
})
