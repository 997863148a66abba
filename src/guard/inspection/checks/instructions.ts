import { refusal } from '../codes.ts'
import { programName } from '../programs/index.ts'
import { type Check, firstRefusal } from './check.ts'

/** No instruction that hands anything over (approve, set authority, assign, burn …), and none that cannot be read. */
export const instructions: Check = ({ acts, policy }) =>
  firstRefusal(acts, (act) => {
    const program = programName(act.program, policy.programs) ?? act.program
    if (act.kind === 'unknown') return refusal('TX_INSTRUCTION_UNKNOWN', `an instruction of ${program} cannot be read`, { program })
    if (act.kind !== 'forbidden') return undefined
    const { instruction } = act
    return refusal('TX_INSTRUCTION_FORBIDDEN', `${instruction} of ${program} has no place in a swap`, { program, instruction })
  })
