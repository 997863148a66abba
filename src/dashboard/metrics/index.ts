export { type Health, healthOf } from './health.ts'
export { Metrics, type MetricsOptions } from './metrics.ts'
