// The public door: strategies and configs import only this, as `cornerman`.
export { CornermanError } from './core/error.ts'
export { canonicalPrice, type Price, priceFromNumber } from './core/price.ts'
export type { Random } from './core/random.ts'
export { type Mint, SOL_MINT, symbolOf, TOKENS, type Token, tokenOf, tokenOfMint, USDC_MINT } from './core/tokens.ts'
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
  type SwapIntent,
  swap,
  sweep,
} from './strategy/action.ts'
export { discord, telegram, webhook } from './strategy/alertConfig.ts'
export { confidenceBound, kellyFraction, shareOf } from './strategy/betting.ts'
export type { Browse } from './strategy/checkBrowse.ts'
export { type Config, type ConfigInput, contestService, defineConfig, sandbox } from './strategy/config.ts'
export {
  type CustomStrategy,
  type CustomStreams,
  type Definition,
  type DraftContext,
  type DraftPicker,
  type DraftTurn,
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineStrategy,
  defineTrader,
  type PredictContext,
  type Prediction,
  type PredictionDue,
  type PredictionMode,
  type Predictor,
  type QueueContext,
  type QueuePolicy,
  type RunContext,
  type Strategy,
  type StrategyContext,
  type StrategyLog,
  type TradeContext,
  type Trader,
} from './strategy/define.ts'
export * from './strategy/enums.ts'
export { ema, type MovingAverages, type MovingAveragesOptions, movingAverages, sma } from './strategy/indicators/averages.ts'
export { type CandlesOptions, candles } from './strategy/indicators/candles.ts'
export { donchianChannel, highest, lowest } from './strategy/indicators/channel.ts'
export { type Computation, candleIndicator, indicator, type PriceLike } from './strategy/indicators/indicator.ts'
export { lastOf } from './strategy/indicators/lastOf.ts'
export { type Macd, type MacdOptions, macd, rsi } from './strategy/indicators/momentum.ts'
export { priceHistory$ } from './strategy/indicators/priceHistory.ts'
export { atr, type Bands, bollingerBands } from './strategy/indicators/volatility.ts'
export { type OneAtATimeOptions, oneAtATime } from './strategy/oneAtATime.ts'
export { buy, heldOf, sellAll } from './strategy/orders.ts'
export { type Secret, secret } from './strategy/secret.ts'
export * from './strategy/shapes.ts'
export type * from './strategy/view.ts'
