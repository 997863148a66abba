export { MODES, type Mode, TRADING_MODES, type TradingMode } from '../contract/enums.ts'
