export * from './watch/index.ts'
