export { healthOf, livenessOf } from './health.ts'
export { Metrics } from './metrics.ts'
