import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SlidingWindow } from './slidingWindow.ts'

describe('SlidingWindow', () => {
  test('lets a limit of calls through in any stretch, and says when the next may come', () => {
    const window = new SlidingWindow(2, 1000)
    expect(window.admit('a', 0)).toEqual({ ok: true })
    expect(window.admit('a', 400)).toEqual({ ok: true })
    expect(window.admit('a', 500)).toEqual({ ok: false, retryAfterMs: 500 })
    expect(window.admit('a', 999)).toEqual({ ok: false, retryAfterMs: 1 })
    expect(window.admit('a', 1000)).toEqual({ ok: true })
    expect(window.admit('a', 1001)).toEqual({ ok: false, retryAfterMs: 399 })
  })

  test('counts every key by itself', () => {
    const window = new SlidingWindow(1, 1000)
    expect(window.admit('a', 0).ok).toBe(true)
    expect(window.admit('b', 0).ok).toBe(true)
    expect(window.admit('a', 0).ok).toBe(false)
  })

  test('is exact: admitted while, and only while, fewer than the limit were in the window before', () => {
    const calls = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), calls, (limit, gaps) => {
        const window = new SlidingWindow(limit, 100)
        const admitted: number[] = []
        let nowMs = 0
        for (const gap of gaps) {
          nowMs += gap
          const inside = admitted.filter((atMs) => atMs > nowMs - 100)
          const admission = window.admit('a', nowMs)
          expect(admission).toEqual(inside.length < limit ? { ok: true } : { ok: false, retryAfterMs: (inside[0] ?? 0) + 100 - nowMs })
          if (admission.ok) admitted.push(nowMs)
        }
      }),
    )
  })
})
