import { describe, expect, test } from 'vitest'
import {
  blockedUntil,
  isPathUp,
  judged,
  type PathFailure,
  pathBlocked,
  pathFailed,
  pathFreed,
  pathTrouble,
  pathWorked,
  type SwapPath,
  unseenPath,
} from './swapPath.ts'

const AT = 1_000_000
const dex = (hadNoTurn = false): PathFailure => ({ part: 'dex', reason: 'Jupiter cannot be reached', hadNoTurn })
const failedAt = (path: SwapPath, ...times: number[]) => times.reduce((before, at) => pathFailed(before, dex(), at), path)
const worked = pathWorked(unseenPath, AT)

describe('the way of a swap', () => {
  test('is not known to be open before one has come through, nor long after', () => {
    expect(isPathUp(unseenPath, AT)).toBe(false)
    expect(isPathUp(worked, AT + 150_000)).toBe(true)
    expect(isPathUp(worked, AT + 150_001)).toBe(false)
  })

  test('takes no stake from the first failure on, is down after two in a row, and open after one success', () => {
    const doubted = failedAt(worked, AT + 1)
    expect([isPathUp(doubted, AT + 1), doubted.isDown]).toEqual([false, false])
    const down = failedAt(worked, AT + 1, AT + 2)
    expect(down).toMatchObject({ isDown: true, part: 'dex', failedInRow: 2, failedSince: AT + 1, downAt: AT + 2 })
    expect(isPathUp(down, AT + 2)).toBe(false)
    const again = pathWorked(down, AT + 9)
    expect(again).toMatchObject({ isDown: false, okAt: AT + 9, downAt: AT + 9, failedInRow: 0 })
    expect(isPathUp(again, AT + 9)).toBe(true)
  })

  test('is not closed by a look that found no free request, until that lasts for a minute', () => {
    const noTurn = (path: SwapPath, at: number) => pathFailed(path, dex(true), at)
    let path = noTurn(worked, AT)
    expect(path).toMatchObject({ failedInRow: 0, heldSince: AT })
    expect(isPathUp(path, AT)).toBe(true)
    path = noTurn(path, AT + 59_999)
    expect(path.failedInRow).toBe(0)
    path = noTurn(noTurn(path, AT + 60_000), AT + 61_000)
    expect(path).toMatchObject({ failedInRow: 2, isDown: true })
    expect(noTurn(pathWorked(path, AT + 62_000), AT + 200_000).failedInRow).toBe(0)
  })

  test('is down where a swap waits in vain, and a look finds no free request either', () => {
    expect(pathFailed(failedAt(worked, AT + 1), dex(true), AT + 2)).toMatchObject({ failedInRow: 2, isDown: true })
  })

  test.each(['wallet', 'prices'] as const)('takes no stake while it is blocked by %s, and is down once that lasts', (part) => {
    const blocked = pathBlocked(worked, part, 'why', AT + 10)
    expect([isPathUp(blocked, AT + 10), blocked.isDown, pathTrouble(blocked)]).toEqual([false, false, { part, reason: 'why' }])
    const until = blockedUntil(blocked)
    expect(until).toBe(AT + 3010)
    expect([judged(blocked, AT + 3009).isDown, judged(blocked, AT + 3010).isDown]).toEqual([false, true])
    // A look cannot see it.
    const looked = pathWorked(judged(blocked, AT + 3010), AT + 3011)
    expect([looked.isDown, isPathUp(looked, AT + 3011)]).toEqual([true, false])
    const freed = pathFreed(looked, part, AT + 4000)
    expect([freed.isDown, freed.downAt, isPathUp(freed, AT + 4000)]).toEqual([false, AT + 4000, true])
  })

  test('stays down for as long as anything is in its way', () => {
    const both = pathBlocked(failedAt(worked, AT + 1, AT + 2), 'prices', 'why', AT + 2)
    expect(pathFreed(both, 'prices', AT + 9000).isDown).toBe(true)
    expect(pathWorked(both, AT + 9000).isDown).toBe(true)
    expect(pathFreed(pathWorked(both, AT + 9000), 'prices', AT + 9001).isDown).toBe(false)
  })
})
