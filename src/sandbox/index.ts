export { parseFaults } from './faults/faults.ts'
export { type Sandbox, startSandbox } from './startSandbox.ts'
