import { CornermanError } from '../../../core/error.ts'
import { checkJournal, type JournalFinding } from '../../../live/index.ts'
import { examineLog } from '../../../recording/index.ts'
import { complain, EXIT, exitCodeOf } from '../../exit.ts'
import { journalsAt, refuseAgent } from '../../journals.ts'
import { print } from '../../output.ts'
import { progressOfBytes, withProgress } from '../../progress.ts'
import { documentOfSeries, linesOfDoubts, linesOfSeries } from './series.ts'

export interface CheckOptions {
  readonly agent?: string
  readonly json?: boolean
}

/** @returns the exit code */
export function check(path: string, { agent, json }: CheckOptions): number {
  const journals = journalsAt(path)
  if (journals === undefined) refuseAgent('check', agent)
  return journals === undefined ? checkRecording(path, json) : checkJournals(path, journals, { agent, json })
}

/** Holes, duplicates and outliers of its prices are said, and no fault of the log: what was not there when it was recorded is not there. */
function checkRecording(path: string, json: boolean | undefined): number {
  const { problems, series } = withProgress(progressOfBytes(), ({ update }) => examineLog(path, update))
  const lines = problems.map(({ code, message }) => `${code} ${message}`)
  const prices = [...linesOfSeries(series), ...linesOfDoubts(series)]
  print(json, { problems, tokens: series.map(documentOfSeries) }, [
    ...(problems.length === 0 ? [`${path}: nothing is wrong`] : lines),
    ...prices,
  ])
  return problems.length === 0 ? EXIT.done : EXIT.failed
}

/** One that cannot be looked at, since a bot runs on it, does not keep the others from being looked at. */
function checkJournals(
  path: string,
  files: readonly string[],
  { agent, json }: { agent: string | undefined; json: boolean | undefined },
): number {
  const problems: JournalFinding[] = []
  const refusals: CornermanError[] = []
  for (const file of files) {
    try {
      problems.push(...checkJournal(file, agent))
    } catch (thrown) {
      if (!(thrown instanceof CornermanError)) throw thrown
      refusals.push(thrown)
    }
  }
  const lines = problems.map(({ message }) => message)
  const isWell = problems.length === 0 && refusals.length === 0
  const well = files.length === 0 ? `${path}: no bot has a journal there` : `${path}: nothing is wrong`
  print(json, { problems, refused: refusals.map(({ code, message }) => ({ code, message })) }, isWell ? [well] : lines)
  for (const refusal of refusals) complain(refusal)
  if (problems.length > 0) return EXIT.failed
  return refusals[0] === undefined ? EXIT.done : exitCodeOf(refusals[0])
}
