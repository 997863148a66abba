import type { Stopped } from '../../watch/views.ts'

/** What holds for a bot, or for all, as one reads it. */
export const STATES: Readonly<Record<Stopped, string>> = { nothing: 'Playing', entries: 'Entries stopped', all: 'Kill switch on' }
