export { ContestScout, type ServiceReads } from './contestScout.ts'
export type { WatchFigures } from './contestWatch.ts'
export { type FoundCounts, foundSentence, isOfUse, TELLING_CONTESTS } from './found.ts'
export { ScoutLog } from './scoutLog.ts'
