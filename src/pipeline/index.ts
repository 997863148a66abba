export type { Fill } from '../strategy/view.ts'
export { intentKey, strategyOfKey } from './actions/intentKey.ts'
export { isWanted, troubleOf } from './actions/intents.ts'
export { type ActionRequest, requestOf } from './actions/request.ts'
export type * from './alertPort.ts'
export { type Books, isActive, profitOf, type Seat } from './books/books.ts'
export { itemsOf } from './books/foldAnswer.ts'
export { emptyPastFacts, Past, type PastContest, type PastFacts, pastFactsSchema } from './books/past.ts'
export { statsOf } from './books/views.ts'
export type { BotStatus } from './botState.ts'
export { revealTimeOf } from './duties/revealTime.ts'
export type * from './input.ts'
export type { Note } from './note.ts'
export { statusOf } from './pastOf.ts'
export { type Pipeline, type PipelineOptions, pipeline } from './pipeline.ts'
export type * from './ports.ts'
export { askedRemotely, FIGURES_HOLD_MS, inPlace } from './ports.ts'
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
export { decisionsOf, inputOf, recordedBody } from './recorded.ts'
export type { PendingCall, RefusedAction, Step } from './step.ts'
export { type Stepwise, stepwise } from './stepwise.ts'
export { strategyTimeoutMs } from './strategies/calls.ts'
export { Interruption } from './strategies/interruption.ts'
export { writeFault } from './strategies/writes.ts'
