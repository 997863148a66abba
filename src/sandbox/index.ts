export { type Sandbox, startSandbox } from './startSandbox.ts'
