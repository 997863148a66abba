export * from './alerts/index.ts'
export * from './metrics/index.ts'
export * from './watch/index.ts'
