import type { LogProblem } from './logError.ts'
import { type OnProgress, scanLog } from './scanLog.ts'

/** Everything that is wrong with a log, in its order; also a last line that a crash cut off, which `readLog` forgives. */
export function checkLog(log: string, onProgress?: OnProgress): LogProblem[] {
  const problems: LogProblem[] = []
  for (const { problem } of scanLog(log, { onPrices: () => {}, onProgress })) if (problem !== undefined) problems.push(problem)
  return problems
}
