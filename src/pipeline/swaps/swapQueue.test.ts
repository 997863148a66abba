import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { SwapQueue, type WaitingSwap } from './swapQueue.ts'

const waiting = (at: number, contestId = 'c'): WaitingSwap => ({
  action: { type: 'swap', contestId, from: USDC_MINT, to: SOL_MINT, amount: BigInt(at) },
  by: 'trader',
  at,
})
const { most, waitMs } = SwapQueue.limits

function queueOf(...swaps: readonly WaitingSwap[]): SwapQueue {
  const queue = new SwapQueue()
  for (const swap of swaps) queue.add(swap)
  return queue
}

describe('SwapQueue', () => {
  test('gives back the oldest first', () => {
    const queue = queueOf(waiting(1), waiting(2), waiting(3))
    expect([queue.take()?.at, queue.take()?.at, queue.take()?.at, queue.take()]).toEqual([1, 2, 3, undefined])
    expect(queue.size).toBe(0)
  })

  test('is full at its bound, and not before', () => {
    const queue = queueOf(...Array.from({ length: most - 1 }, (_, n) => waiting(n)))
    expect(queue.isFull).toBe(false)
    queue.add(waiting(most))
    expect(queue.isFull).toBe(true)
    queue.take()
    expect(queue.isFull).toBe(false)
  })

  test('gives up what has waited to the limit, and keeps the others in their order', () => {
    const queue = queueOf(waiting(0), waiting(500), waiting(501))
    expect(queue.lateAt).toBe(waitMs)
    expect(queue.takeLate(waitMs - 1)).toEqual([])
    expect(queue.takeLate(waitMs + 500)).toEqual([waiting(0), waiting(500)])
    expect(queue.lateAt).toBe(waitMs + 501)
    expect(queue.take()).toEqual(waiting(501))
    expect(queue.lateAt).toBeUndefined()
  })

  test('knows whose swaps wait', () => {
    const queue = queueOf(waiting(1, 'c'), waiting(2, 'd'))
    expect([queue.hasOf('c'), queue.hasOf('d'), queue.hasOf('e')]).toEqual([true, true, false])
    queue.take()
    expect(queue.hasOf('c')).toBe(false)
  })
})
