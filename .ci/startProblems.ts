import { z } from 'zod'

const count = z.int().nonnegative()
const amount = z.string().regex(/^-?\d+$/, 'micro-USDC digits')
const results = { settled: count, won: count, lost: count, drawn: count, refunded: count }

const startSchema = z.object({
  bots: z
    .array(
      z.object({
        name: z.string().min(1),
        agentId: z.string().min(1),
        contests: z.object({ ...results, cancelled: count }),
        byMode: z.record(z.string(), z.object(results)),
        profit: amount,
        staked: amount,
        actions: z.object({ sent: count, refused: count, failed: count, unknown: count }),
        reveals: z.object({ due: count, done: count }),
        trades: z.object({ confirmed: count, failed: count }),
      }),
    )
    .min(1),
  uptimeMs: count,
  recordings: z.array(z.string().min(1)),
})

/**
 * What is wrong with a run of `npm start -- --json`, in words; empty when nothing is. A run is good when it exits with
 * 0, every bot saw a contest settle and a swap go through, every action came to a known end that is not a failure, and no
 * due reveal was missed.
 *
 * @param output the whole of its standard output
 */
export function startProblems(output: string, exitCode: number): string[] {
  return [...(exitCode === 0 ? [] : [`npm start exited with ${exitCode}`]), ...resultProblems(output)]
}

function resultProblems(output: string): string[] {
  let document: unknown
  try {
    document = JSON.parse(output)
  } catch {
    return [`standard output must be one JSON document, and is ${output === '' ? 'empty' : JSON.stringify(output.slice(0, 200))}`]
  }
  const result = startSchema.safeParse(document)
  if (!result.success) return [`the result has not the documented form: ${z.prettifyError(result.error)}`]
  return result.data.bots.flatMap(({ name, contests, actions, reveals, trades }) => [
    ...(contests.settled >= 1 ? [] : [`bot ${name}: contests.settled is 0 and must be at least 1`]),
    ...(trades.confirmed >= 1 ? [] : [`bot ${name}: trades.confirmed is 0 and must be at least 1`]),
    ...(actions.unknown === 0 ? [] : [`bot ${name}: actions.unknown is ${actions.unknown} and must be 0`]),
    ...(actions.failed === 0 ? [] : [`bot ${name}: actions.failed is ${actions.failed} and must be 0`]),
    ...(reveals.due === reveals.done ? [] : [`bot ${name}: ${reveals.done} of ${reveals.due} due reveals were made`]),
  ])
}
