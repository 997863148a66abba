export * from './action.ts'
export * from './config.ts'
export * from './define.ts'
export * from './view.ts'
