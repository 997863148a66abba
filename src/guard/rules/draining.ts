import { entryRule } from '../rule.ts'

export const draining = entryRule((_entry, view) =>
  view.runMode === 'running'
    ? undefined
    : { code: 'DRAINING', message: 'the bot is finishing its contests and enters no new one', numbers: {} },
)
