import { entryRule } from '../rule.ts'

/** Without `guard.entriesPerMinute`: so many for each contest that may be open, and at least so many. */
const FOR_EACH_CONTEST = 10
const LEAST = 30

export const entriesPerMinute = entryRule((_entry, { config, entriesInMinute }) => {
  const most = config.entriesPerMinute ?? Math.max(LEAST, FOR_EACH_CONTEST * config.maxOpenContests)
  if (entriesInMinute < most) return undefined
  return {
    code: 'ENTRIES_IN_MINUTE',
    message: `${entriesInMinute} entries were sent in the last minute, guard.entriesPerMinute is ${most}`,
    numbers: { entriesInMinute, entriesPerMinute: most },
  }
})
