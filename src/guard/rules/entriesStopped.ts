import { entryRule } from '../rule.ts'

export const entriesStopped = entryRule((_entry, { stopped }) =>
  stopped === 'entries'
    ? { code: 'ENTRIES_STOPPED', message: 'the operator has stopped new entries; contests under way are played on', numbers: {} }
    : undefined,
)
