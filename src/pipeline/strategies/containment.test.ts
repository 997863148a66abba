import { describe, expect, test } from 'vitest'
import { CornermanError } from '../../core/error.ts'
import { Containment } from './containment.ts'

const at = (now: number, n = 1) => ({ n, now })

describe('Containment', () => {
  test('three faults in a contest, and the strategy is left alone there for good, and only there', () => {
    const containment = new Containment()
    for (let fault = 1; fault <= 2; fault++) containment.fault('drift', 'c1', new Error('boom'), at(0))
    expect(containment.isSuspended('drift', 'c1', 0)).toBe(false)
    const note = containment.fault('drift', 'c1', new Error('boom'), at(0))
    expect(note.message).toContain('left alone in this contest')
    expect(containment.isSuspended('drift', 'c1', 1e12)).toBe(true)
    expect(containment.isSuspended('drift', 'c2', 0)).toBe(false)
    expect(containment.isSuspended('momentum', 'c1', 0)).toBe(false)
    expect(containment.isSuspended('drift', undefined, 0)).toBe(false)
  })

  test('without a contest it is left alone for a minute, again after every third fault', () => {
    const containment = new Containment()
    const fail = (now: number) => containment.fault('ladder', undefined, new Error('boom'), at(now))
    for (let fault = 1; fault <= 3; fault++) fail(1000)
    expect(containment.isSuspended('ladder', undefined, 60_999)).toBe(true)
    expect(containment.isSuspended('ladder', undefined, 61_000)).toBe(false)
    fail(70_000)
    fail(70_000)
    expect(containment.isSuspended('ladder', undefined, 70_000)).toBe(false)
    fail(70_000)
    expect(containment.isSuspended('ladder', undefined, 129_999)).toBe(true)
  })

  test('a contest that is over is forgotten', () => {
    const containment = new Containment()
    for (let fault = 1; fault <= 3; fault++) containment.fault('drift', 'c1', 'boom', at(0))
    containment.forget('c1')
    expect(containment.isSuspended('drift', 'c1', 0)).toBe(false)
  })

  test('the note says who, what, on which input and where', () => {
    const containment = new Containment()
    const error = new Error('no such token')
    expect(containment.fault('drift', 'c1', error, at(0, 17))).toEqual({
      level: 'error',
      message: 'strategy drift failed: no such token',
      fields: { strategy: 'drift', input: 17, faults: 1, contestId: 'c1', stack: error.stack },
    })
    const coded = containment.fault('drift', undefined, new CornermanError('ANSWER_INVALID', 'nonsense'), at(0, 18))
    expect(coded.fields).toEqual({ strategy: 'drift', input: 18, faults: 1, code: 'ANSWER_INVALID' })
  })
})
