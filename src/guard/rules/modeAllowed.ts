import { entryRule } from '../rule.ts'

export const modeAllowed = entryRule(({ mode }, { config }) => {
  const modes: readonly string[] = config.modes
  if (modes.includes(mode)) return undefined
  return { code: 'MODE_NOT_ALLOWED', message: `${mode} is not among guard.modes`, numbers: { mode, allowed: modes.join(', ') } }
})
