import { randomBytes } from 'node:crypto'

/** The name of a run in a recording: when it began, Unix milliseconds, and a few digits that tell two of one second apart. */
export const runName = (now: number): string =>
  `${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`
