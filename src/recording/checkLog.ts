import type { LogProblem } from './logError.ts'
import { scanLog } from './scanLog.ts'

/** Everything that is wrong with a log, in its order; also a last line that a crash cut off, which `readLog` forgives. */
export function checkLog(log: string): LogProblem[] {
  const problems: LogProblem[] = []
  for (const { problem } of scanLog(log)) if (problem !== undefined) problems.push(problem)
  return problems
}
