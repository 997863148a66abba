export { type Sandbox, type SandboxAgent, type SandboxOptions, startSandbox } from './startSandbox.ts'
