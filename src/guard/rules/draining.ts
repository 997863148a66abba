import { isEntry, type Rule } from '../rule.ts'

export const draining: Rule = (action, view) =>
  !isEntry(action) || view.runMode === 'running'
    ? undefined
    : { code: 'DRAINING', message: 'the bot is finishing its contests and enters no new one', numbers: {} }
