/** How often what takes minutes is done: as often as was ever asked of it with `LONG_TESTS=yes`, else half as often. */
export const inLong = (times: number): number => (process.env.LONG_TESTS === 'yes' ? times : Math.ceil(times / 2))
