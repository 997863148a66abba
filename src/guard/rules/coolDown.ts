import { entryRule } from '../rule.ts'

/** After a losing streak no entry for a while; a loss after that starts the while anew. */
export const coolDown = entryRule((_entry, { config, streak, now }) => {
  if (config.coolDown === undefined || streak.losses < config.coolDown.losses) return undefined
  const waitMs = streak.lastAt + config.coolDown.seconds * 1000 - now
  if (waitMs <= 0) return undefined
  return {
    code: 'COOL_DOWN',
    message: `${streak.losses} contests in a row were lost: no entry for ${waitMs} ms more (guard.coolDown)`,
    numbers: { losses: streak.losses, maxLosses: config.coolDown.losses, waitMs },
  }
})
