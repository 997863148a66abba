// The public door: strategies and configs import only this, as `cornerman`.
export { CornermanError } from './core/error.ts'
export { canonicalPrice, type Price, priceFromNumber } from './core/price.ts'
export type { Random } from './core/random.ts'
export { type Mint, symbolOf, TOKENS, type Token, tokenOf } from './core/tokens.ts'
export { formatUsdc, type Usdc, usdc } from './core/usdc.ts'
export {
  type Action,
  cancelTicket,
  commitPrediction,
  createContest,
  draftPick,
  enqueue,
  joinContest,
  leaveContest,
  ready,
} from './strategy/action.ts'
export { type Config, type ConfigInput, contestService, defineConfig, sandbox, secret } from './strategy/config.ts'
export {
  type Browse,
  type CustomStrategy,
  type DraftContext,
  type DraftPicker,
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineStrategy,
  type PredictContext,
  type Prediction,
  type Predictor,
  type QueueContext,
  type QueuePolicy,
  type RunContext,
  type Strategy,
} from './strategy/define.ts'
export { MODES, type Mode } from './strategy/mode.ts'
export type * from './strategy/view.ts'
