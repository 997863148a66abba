/** Set to yes, the system suite does the whole of what was ever asked of it. */
export const IS_LONG = process.env.LONG_TESTS === 'yes'

/** How often what takes minutes is done: as often as was ever asked of it with `LONG_TESTS=yes`, else half as often, or as `usual` says. */
export const inLong = (times: number, usual = Math.ceil(times / 2)): number => (IS_LONG ? times : usual)

/** All the cases with `LONG_TESTS=yes`; else every third of them, from a place that the seed draws: runs together look at all. */
export const thirdOf = <T>(all: readonly T[], seed: number): readonly T[] =>
  IS_LONG ? all : all.filter((_, index) => index % 3 === Math.abs(seed) % 3)
