export { healthOf } from './health.ts'
export { Metrics } from './metrics.ts'
