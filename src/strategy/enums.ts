export {
  type Chain,
  type Format,
  MODES,
  type Mode,
  type Opponents,
  type Result,
  TRADING_MODES,
  type TradingMode,
} from '../contract/enums.ts'
