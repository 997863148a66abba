import { z } from 'zod'
import { type ProcedureName, procedures } from '../../contract/procedures.ts'

// What the specification leaves open, the sandbox has decided for itself.

const limit = z.number().int().min(1).max(100).optional()
/** One transaction of Solana has 1,232 bytes: what is longer than this in base64 is not even decoded. */
const transaction = z.base64().min(1).max(4096)

const own: Partial<Record<ProcedureName, z.ZodType>> = {
  'agent.history': procedures['agent.history'].input.extend({ limit }),
  'agent.leaderboard': procedures['agent.leaderboard'].input.extend({ limit }),
  'agent.events': procedures['agent.events'].input.refine((input) => !('limit' in input) || limit.safeParse(input.limit).success, {
    path: ['limit'],
    error: 'a whole number from 1 to 100',
  }),
  'agent.contests.list': procedures['agent.contests.list'].input.extend({ limit }),
  'agent.contests.create': procedures['agent.contests.create'].input.extend({ visibility: z.enum(['public', 'private']).optional() }),
  'agent.trade.signAndSend': procedures['agent.trade.signAndSend'].input.extend({ transaction }),
  'agent.tx.status': procedures['agent.tx.status'].input.extend({ signature: z.string().min(64).max(90) }),
}

/** The input of a procedure as the sandbox takes it. */
export const inputOf = (name: ProcedureName): z.ZodType => own[name] ?? procedures[name].input
