import { z } from 'zod'
import { type Mode, modeSchema } from '../contract/enums.ts'
import { CornermanError } from '../core/error.ts'
import type { Usdc } from '../core/usdc.ts'
import { describeIssue } from './issue.ts'

/** Which open contests a policy wants to be shown. A filter that is left out lets everything through; stakes are in micro-USDC. */
export interface Browse {
  /** Contests of other modes are not shown. */
  readonly modes?: readonly Mode[]
  /** Contests with a smaller stake are not shown. */
  readonly minStake?: Usdc
  /** Contests with a larger stake are not shown. */
  readonly maxStake?: Usdc
}

const browseSchema = z.strictObject({
  modes: z.array(modeSchema).optional(),
  minStake: z.bigint().optional(),
  maxStake: z.bigint().optional(),
})

const NAMES = { whole: 'what browse returned', unknownField: `no such filter; there is ${Object.keys(browseSchema.shape).join(', ')}` }

/**
 * Checks what a policy wants to browse, since Node runs a strategy without a look at its types: a filter that the service's
 * interface does not have would be refused at every read, and the policy never be shown a contest.
 *
 * @returns the filters as they were given
 * @throws CornermanError `STRATEGY_INVALID`: strategy, field, value, and what is allowed
 */
export function checkBrowse(name: string, browse: Browse | undefined): Browse | undefined {
  const { error } = browseSchema.optional().safeParse(browse)
  if (error === undefined) return browse
  const issues = error.issues.map((issue) => describeIssue(issue, browse, NAMES))
  throw new CornermanError('STRATEGY_INVALID', `strategy ${name}: browse: ${issues.join('; ')}`, { details: { strategy: name, issues } })
}
