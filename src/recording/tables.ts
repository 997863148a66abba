// The door to logs as tables, apart from `index.ts`: what is behind it loads Arrow and Parquet, which no bot needs.

export { type CompiledPrices, compiledPricesOf, type PriceColumn } from './compiled/compiledPrices.ts'
export { compileLog } from './compiled/compileLog.ts'
export { leastPauseMs, usualStep } from './compiled/steps.ts'
export { type ExportFormat, exportLog } from './export/exportLog.ts'
