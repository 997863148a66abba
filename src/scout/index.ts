export { ContestScout } from './contestScout.ts'
export type { WatchFigures } from './contestWatch.ts'
export { type FoundCounts, foundSentence } from './found.ts'
export { ScoutLog } from './scoutLog.ts'
