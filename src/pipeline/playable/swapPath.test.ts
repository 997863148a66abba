import { describe, expect, test } from 'vitest'
import { isPathUp, type PathFailure, pathFailed, pathWorked, type SwapPath, unseenPath } from './swapPath.ts'

const AT = 1_000_000
const dex = (isHeldBack = false): PathFailure => ({ part: 'dex', reason: 'Jupiter cannot be reached', isHeldBack })
const failedAt = (path: SwapPath, ...times: number[]) => times.reduce((before, at) => pathFailed(before, dex(), at), path)
const worked = pathWorked(unseenPath, AT)

describe('the way of a swap', () => {
  test('is not known to be open before one has come through, nor long after', () => {
    expect(isPathUp(unseenPath, AT)).toBe(false)
    expect(isPathUp(worked, AT + 150_000)).toBe(true)
    expect(isPathUp(worked, AT + 150_001)).toBe(false)
  })

  test('is down after two failures in a row, and open after one success', () => {
    expect(isPathUp(failedAt(worked, AT + 1), AT + 1)).toBe(true)
    const down = failedAt(worked, AT + 1, AT + 2)
    expect(down).toMatchObject({ isDown: true, part: 'dex', failedInRow: 2, failedSince: AT + 1, downAt: AT + 2 })
    expect(isPathUp(down, AT + 2)).toBe(false)
    const again = pathWorked(down, AT + 9)
    expect(again).toMatchObject({ isDown: false, okAt: AT + 9, downAt: AT + 9, failedInRow: 0 })
    expect(isPathUp(again, AT + 9)).toBe(true)
    expect(isPathUp(failedAt(again, AT + 10), AT + 10)).toBe(true)
  })

  test('that is asked too often is down only once that lasts for a minute', () => {
    const heldBack = (path: SwapPath, at: number) => pathFailed(path, dex(true), at)
    let path = heldBack(worked, AT)
    expect(path).toMatchObject({ failedInRow: 0, heldSince: AT })
    path = heldBack(path, AT + 59_999)
    expect(path.failedInRow).toBe(0)
    path = heldBack(heldBack(path, AT + 60_000), AT + 61_000)
    expect(path).toMatchObject({ failedInRow: 2, isDown: true })
    expect(heldBack(pathWorked(path, AT + 62_000), AT + 200_000).failedInRow).toBe(0)
  })
})
