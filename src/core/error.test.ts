import { describe, expect, test } from 'vitest'
import { CornermanError, invariant, messageOf, unreachable } from './error.ts'

describe('CornermanError', () => {
  test('carries its code, its details and what caused it', () => {
    const cause = new Error('connection reset')
    const error = new CornermanError('SERVICE_DOWN', 'the service does not answer', { details: { tries: 3 }, cause, retryable: true })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'CornermanError',
      code: 'SERVICE_DOWN',
      message: 'the service does not answer',
      details: { tries: 3 },
      retryable: true,
    })
    expect(error.cause).toBe(cause)
    expect(String(error)).toBe('CornermanError: the service does not answer')
  })

  test('has no details, no cause and no use in trying again unless it is told', () => {
    const error = new CornermanError('X', 'x')
    expect(error.details).toEqual({})
    expect(error.retryable).toBe(false)
    expect('cause' in error).toBe(false)
  })
})

describe('invariant', () => {
  test('lets what holds pass and stops on what does not', () => {
    expect(() => invariant(true, 'never seen')).not.toThrow()
    expect(() => invariant(0, 'a stake is known', { contestId: 'c' })).toThrow(
      expect.objectContaining({ code: 'INVARIANT', message: 'a stake is known', details: { contestId: 'c' }, retryable: false }),
    )
  })
})

test('unreachable shows the case that was forgotten, amounts included', () => {
  const forgotten = { type: 'enqueue', stake: 5n }
  expect(() => unreachable(forgotten as never)).toThrow(
    expect.objectContaining({ code: 'INVARIANT', message: "unhandled case { type: 'enqueue', stake: 5n }" }),
  )
})

describe('messageOf', () => {
  test('of an error is its own, of text the text, of anything else what it looks like', () => {
    expect(messageOf(new Error('broken'))).toBe('broken')
    expect(messageOf(new CornermanError('X', 'wrong'))).toBe('wrong')
    expect(messageOf('text')).toBe('text')
    expect(messageOf(undefined)).toBe('undefined')
    expect(messageOf(5n)).toBe('5n')
    expect(messageOf(Symbol('s'))).toBe('Symbol(s)')
    expect(messageOf({ reason: 'none' })).toBe("{ reason: 'none' }")
  })

  test('of what cannot be made text there is one too: a strategy may throw anything', () => {
    const hostile = {
      toString() {
        throw new Error('no text')
      },
    }
    expect(messageOf(Object.create(null))).toContain('Object: null prototype')
    expect(messageOf(hostile)).toContain('toString')
  })
})
