export { checkLog } from './checkLog.ts'
export type { CompiledPrices, PriceColumn } from './compiled/compiledPrices.ts'
export { compileLog } from './compiled/compileLog.ts'
export { countLines } from './countLines.ts'
export { cutLog } from './cutLog.ts'
export { type ExportFormat, exportLog } from './export/exportLog.ts'
export { importPrices } from './import/importPrices.ts'
export * from './lines.ts'
export { LogError, LogError, type LogErrorCode, type LogProblem, type LogProblem } from './logError.ts'
export {
  DEFAULT_LIMITS,
  type LearntPrices,
  type LogLimits,
  type LogLimits,
  LogWriter,
  LogWriter,
  type LogWriterOptions,
} from './logWriter.ts'
export { type PlacedLine, type ReadLogOptions, readLog, readLog } from './readLog.ts'
export { readWithoutPrices } from './readWithoutPrices.ts'
export { type Mending, type RepairReport, repairLog, repairLog } from './repairLog.ts'
export { type ScannedLine, scanLog } from './scanLog.ts'
export { filesOf } from './segments.ts'
