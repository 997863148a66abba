import { describe, expect, test, vi } from 'vitest'
import { steadyClock, systemClock, within } from './systemClock.ts'

describe('systemClock', () => {
  test('runs a task when its time has come, and not a cancelled one', async () => {
    const ran: number[] = []
    const start = systemClock.now()
    systemClock.at(start + 5, () => ran.push(-1))()
    await new Promise<void>((resolve) => systemClock.at(start + 30, resolve))
    expect(systemClock.now()).toBeGreaterThanOrEqual(start + 30)
    expect(ran).toEqual([])
    await new Promise<void>((resolve) => systemClock.at(start - 1000, resolve))
  })

  test('waits for a time that is further off than a timer of Node can be set', async () => {
    let ran = false
    const cancel = systemClock.at(systemClock.now() + 2 ** 40, () => {
      ran = true
    })
    await new Promise<void>((resolve) => systemClock.at(systemClock.now() + 20, resolve))
    cancel()
    expect(ran).toBe(false)
  })
})

describe('steadyClock', () => {
  test('goes on as time does, however the machine is set', async () => {
    const [start, machine] = [steadyClock.now(), Date.now()]
    expect(Math.abs(start - machine)).toBeLessThan(5000)
    const set = vi.spyOn(Date, 'now').mockReturnValue(machine + 3_600_000)
    await new Promise<void>((resolve) => steadyClock.at(start + 30, resolve))
    set.mockRestore()
    expect(steadyClock.now() - start).toBeGreaterThanOrEqual(30)
    expect(steadyClock.now() - start).toBeLessThan(60_000)
  })
})

describe('within', () => {
  test('gives what came in time, and calls nothing off afterwards', async () => {
    let signal: AbortSignal | undefined
    const answer = await within(10, (given) => {
      signal = given
      return Promise.resolve('in time')
    })
    expect(answer).toBe('in time')
    await new Promise<void>((resolve) => systemClock.at(systemClock.now() + 40, resolve))
    expect(signal?.aborted).toBe(false)
  })

  test('calls off what takes too long, and says so', async () => {
    const calledOff = within(
      10,
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
    await expect(calledOff).rejects.toMatchObject({ name: 'TimeoutError', message: 'no whole answer within 10 ms' })
  })

  test('a task that fails has failed, and is not called off', async () => {
    await expect(within(10_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  })
})
