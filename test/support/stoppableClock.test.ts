import { expect, test } from 'vitest'
import { VirtualClock } from '../../src/core/clock.ts'
import { StoppableClock } from './stoppableClock.ts'

test('timers that fall due while it is stopped run right after, in their order; the time goes on', () => {
  const base = new VirtualClock(0)
  const clock = new StoppableClock(base)
  const ran: string[] = []
  const note = (name: string) => () => ran.push(`${name} at ${clock.now()}`)
  clock.at(500, note('before'))
  clock.at(3000, note('second'))
  clock.at(2000, note('first'))
  clock.at(9000, note('after'))
  const cancels = [clock.at(2500, note('cancelled before')), clock.at(2500, note('cancelled meanwhile'))]
  cancels[0]?.()
  base.advanceTo(1000)
  clock.stop(4000)
  base.advanceTo(4000)
  cancels[1]?.()
  expect(ran).toEqual(['before at 500'])
  expect(clock.now()).toBe(4000)
  base.advanceTo(10_000)
  expect(ran).toEqual(['before at 500', 'first at 5000', 'second at 5000', 'after at 9000'])
})
