export type { Fill } from '../strategy/view.ts'
export { isWanted, troubleOf } from './actions/entryAnswers.ts'
export { type Books, profitOf, type Seat } from './books/books.ts'
export { itemsOf } from './books/foldAnswer.ts'
export { Past, type PastContest } from './books/past.ts'
export { statsOf } from './books/views.ts'
export { isOfOrder, OPERATOR } from './orders.ts'
export { statusOf } from './pastOf.ts'
export { type Pipeline, type PipelineOptions, pipeline } from './pipeline.ts'
export { isOnTrial, unreadableIn } from './playable/modeReading.ts'
export { freshMode, type ModeRecord, nextMode, UNPLAYED_LIMITS } from './playable/modeRecord.ts'
export { type ModeStatus, ON_TRIAL } from './playable/modeStatus.ts'
export { reasonOf } from './playable/modes.ts'
export { pathFailureOf } from './playable/pathWatch.ts'
export { isPathUp, type SwapPath, unseenPath } from './playable/swapPath.ts'
export { unplayedBy } from './playable/unplayedBy.ts'
export { PriceBook, type PriceUpdate } from './prices/priceBook.ts'
export {
  firstRemembered,
  latestOf,
  latestTextOf,
  type PriceHistory,
  type PriceSeries,
  type PriceSnapshot,
  type PriceText,
  snapshotOf,
} from './prices/priceHistory.ts'
export type * from './protocol/alertPort.ts'
export type * from './protocol/input.ts'
export { intentKey, strategyOfKey } from './protocol/intentKey.ts'
export type * from './protocol/journalRecord.ts'
export type { Note } from './protocol/note.ts'
export type * from './protocol/outcome.ts'
export { emptyPastFacts, type PastFacts, pastFactsSchema } from './protocol/pastFacts.ts'
export type * from './protocol/ports.ts'
export { askedRemotely, FIGURES_HOLD_MS, inPlace } from './protocol/ports.ts'
export { decisionsOf, inputOf, recordedBody } from './protocol/recorded.ts'
export { type ActionRequest, requestOf } from './protocol/request.ts'
export type { PendingCall, RefusedAction, Step } from './protocol/step.ts'
export { revealTimeOf } from './seat/revealTime.ts'
export type { BotStatus } from './state/botStatus.ts'
export { type Stepwise, stepwise } from './stepwise.ts'
export { strategyTimeoutMs } from './strategies/calls.ts'
export { heardOf, subjectsOfStreams } from './strategies/customRunner.ts'
export { Interruption } from './strategies/interruption.ts'
export { writeFault } from './strategies/writes.ts'
export type { Equity } from './swaps/equity.ts'
