import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { SwapQueue, type WaitingSwap } from './swapQueue.ts'

/** Contests whose stake is lost without a swap begin with this letter. */
const FIRST = 'f'
const waiting = (at: number, contestId = 'c'): WaitingSwap => ({
  action: { type: 'swap', contestId, from: USDC_MINT, to: SOL_MINT, amount: BigInt(at) },
  by: 'trader',
  at,
})
const { most, waitMs } = SwapQueue.limits

/** The queue, and what had no place in it. */
function queueOf(...swaps: readonly WaitingSwap[]) {
  const queue = new SwapQueue((contestId) => contestId.startsWith(FIRST))
  return { queue, refused: swaps.flatMap((swap) => queue.add(swap) ?? []) }
}

describe('SwapQueue', () => {
  test.each([
    ['the oldest first', [waiting(1), waiting(2), waiting(3)], [1, 2, 3]],
    ["a contest's first swap before the others", [waiting(1), waiting(2), waiting(3, 'f')], [3, 1, 2]],
    ['first swaps in their order', [waiting(1), waiting(2, 'f1'), waiting(3), waiting(4, 'f2')], [2, 4, 1, 3]],
  ])('gives back %s', (_, swaps, order) => {
    const { queue } = queueOf(...swaps)
    expect(swaps.map(() => queue.take()?.at)).toEqual(order)
    expect([queue.take(), queue.size]).toEqual([undefined, 0])
  })

  const full = Array.from({ length: most }, (_, n) => waiting(n))
  const fullOfFirsts = Array.from({ length: most }, (_, n) => waiting(n, `f${n}`))
  test.each([
    ['one of others more', full, waiting(99), waiting(99)],
    ["a contest's first swap, for the newest of the others", full, waiting(99, 'f'), waiting(most - 1)],
    ['a first swap among as many first swaps', fullOfFirsts, waiting(99, 'f'), waiting(99, 'f')],
  ])('at its bound refuses %s', (_, before, added, refused) => {
    const { queue, refused: none } = queueOf(...before)
    expect(none).toEqual([])
    expect(queue.add(added)).toEqual(refused)
    expect(queue.size).toBe(most)
  })

  test('gives up what has waited to the limit, and keeps the others in their order', () => {
    const { queue } = queueOf(waiting(0), waiting(500), waiting(501))
    expect(queue.lateAt).toBe(waitMs)
    expect(queue.takeLate(waitMs - 1)).toEqual([])
    expect(queue.takeLate(waitMs + 500)).toEqual([waiting(0), waiting(500)])
    expect(queue.lateAt).toBe(waitMs + 501)
    expect(queue.take()).toEqual(waiting(501))
    expect(queue.lateAt).toBeUndefined()
  })

  test('knows whether a contest waits for its first swap', () => {
    const { queue } = queueOf(waiting(0), waiting(1, 'f'))
    expect(queue.hasFirst).toBe(true)
    queue.take()
    expect([queue.hasFirst, queue.size]).toEqual([false, 1])
  })

  test("does not give up a contest's first swap, however long it waits", () => {
    const { queue } = queueOf(waiting(0, 'f'), waiting(1), waiting(2, 'f'))
    expect(queue.lateAt).toBe(waitMs + 1)
    // The second one of the same contest is not its first.
    expect(queue.takeLate(20 * waitMs)).toEqual([waiting(1), waiting(2, 'f')])
    expect([queue.lateAt, queue.take()]).toEqual([undefined, waiting(0, 'f')])
  })

  test('knows whose swaps wait', () => {
    const { queue } = queueOf(waiting(1, 'c'), waiting(2, 'd'))
    expect([queue.hasOf('c'), queue.hasOf('d'), queue.hasOf('e')]).toEqual([true, true, false])
    queue.take()
    expect(queue.hasOf('c')).toBe(false)
  })
})
