import { readFileSync } from 'node:fs'
import { CornermanError, messageOf } from '../../core/error.ts'
import { describeIssue } from '../../strategy/issue.ts'
import { type BacktestSummary, summarySchema } from './summary.ts'

const MAKE_ONE = 'make one with backtest --json > FILE'

/**
 * Reads what an earlier `backtest --json` printed.
 *
 * @throws CornermanError `SUMMARY_UNREADABLE` where the file is missing or no JSON, `SUMMARY_INVALID` where it is another
 *   document: the message names the file and the field
 */
export function readSummary(file: string): BacktestSummary {
  const document = readJson(file)
  const read = summarySchema.safeParse(document)
  if (read.success) return read.data
  const names = { whole: 'the document', unknownField: 'is no field of a summary' }
  const problems = read.error.issues.map((issue) => describeIssue(issue, document, names))
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  throw new CornermanError('SUMMARY_INVALID', `${file} is no summary of a backtest: ${problems[0]}${more}; ${MAKE_ONE}`, {
    details: { file, problems },
  })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new CornermanError('SUMMARY_UNREADABLE', `${file} cannot be read as JSON: ${messageOf(cause)}; ${MAKE_ONE}`, {
      details: { file },
      cause,
    })
  }
}
