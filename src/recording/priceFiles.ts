// The door to files of prices, apart from `index.ts`: what is behind it loads a reader of CSV, which no bot needs.

export { maxHoleOf } from './import/files/doubts.ts'
export { openPriceFiles, type PriceFiles } from './import/files/priceFiles.ts'
export type { WhichDuplicate } from './import/files/scanFile.ts'
export type { ScannedFile } from './import/files/scannedFile.ts'
export type { TimeOf } from './import/files/tableShape.ts'
export { type ImportedLog, openImportedLog } from './import/join/importedLog.ts'
export { replacedLog } from './import/join/inPlace.ts'
export { joinFiles } from './import/join/joinFiles.ts'
