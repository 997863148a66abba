import { describe, expect, test } from 'vitest'
import { systemClock } from './systemClock.ts'

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
