import { refusal } from '../codes.ts'
import { actsOf, type Check } from './check.ts'

/** Only programs that are known, or that the user let in. */
export const programs: Check = (subject) => {
  const [act] = actsOf(subject, 'foreign')
  return act && refusal('TX_PROGRAM_NOT_ALLOWED', `it calls the program ${act.program}, which is not allowed`, { program: act.program })
}
