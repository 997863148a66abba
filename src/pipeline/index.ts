export type { Fill } from '../strategy/view.ts'
export type * from './alertPort.ts'
export { CALL_TIMEOUT_MS } from './calls.ts'
export { type BotStatus, Core } from './core.ts'
export { itemsOf } from './foldAnswer.ts'
export type * from './input.ts'
export { strategyOfKey } from './intentKey.ts'
export { Interruption } from './interruption.ts'
export type { Note } from './note.ts'
export { type PipelineOptions, pipeline, statusOf } from './pipeline.ts'
export type * from './ports.ts'
export { FIGURES_HOLD_MS, inPlace } from './ports.ts'
export { PriceBook, type PriceUpdate } from './priceBook.ts'
export {
  firstRemembered,
  latestOf,
  latestTextOf,
  type PriceHistory,
  type PriceSeries,
  type PriceSnapshot,
  type PriceText,
  snapshotOf,
} from './priceHistory.ts'
export { decisionsOf, inputOf, recordedBody } from './recorded.ts'
export type { ActionRequest } from './request.ts'
export { type Books, isActive, profitOf, type Seat, statsOf } from './state.ts'
export type { PendingCall, RefusedAction, Step } from './step.ts'
