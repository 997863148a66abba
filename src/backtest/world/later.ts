import type { VirtualClock } from '../../core/clock.ts'
import type { Told } from '../../pipeline/index.ts'

/** One value, worked out when the clock has gone on by that much. */
export const later =
  <T>(clock: VirtualClock, delayMs: number, work: () => T): Told<T> =>
  (hear) => {
    clock.at(clock.now() + delayMs, () => hear(work()))
  }
