export { parseFaults } from './faults/faults.ts'
export { ROW_SECONDS, readPriceFile } from './prices/readPriceFile.ts'
export { type Sandbox, startSandbox } from './startSandbox.ts'
