import type { ServiceConfig } from './config.ts'

/** Of the embedded sandbox. */
export const SANDBOX_TIMEOUT_MS = 5000

/** An answer of the service later than this is lost. Milliseconds. */
export const timeoutOf = (service: ServiceConfig): number => (service.kind === 'contestService' ? service.timeoutMs : SANDBOX_TIMEOUT_MS)
