import { CornermanError } from '../../../core/error.ts'
import { repairJournal } from '../../../live/index.ts'
import { repairLog } from '../../../recording/index.ts'
import { EXIT } from '../../exit.ts'
import { isJournalName, refuseAgent } from '../../journals.ts'
import { print } from '../../output.ts'
import { progressOfBytes, withProgress } from '../../progress.ts'

export interface RepairOptions {
  readonly out?: string
  readonly agent?: string
  readonly json?: boolean
}

/** @returns the exit code */
export function repair(path: string, { out, agent, json }: RepairOptions): number {
  if (!isJournalName(path)) refuseAgent('repair', agent)
  return isJournalName(path) ? repairOfJournal(path, { out, agent, json }) : repairOfLog(path, { out, json })
}

function repairOfLog(path: string, { out, json }: { out: string | undefined; json: boolean | undefined }): number {
  if (out === undefined) throw new CornermanError('USAGE', 'logs repair: a recording is copied: name the folder of the copy with --out')
  const { kept, mendings } = withProgress(progressOfBytes(), ({ update }) => repairLog(path, out, update))
  const said = mendings.map(({ file, line, last, code, done }) => {
    const place = last === undefined ? `line ${line}` : `lines ${line} to ${last}`
    return `${file}${line === 0 ? '' : `, ${place}`}: ${code}: ${done}`
  })
  print(json, { kept, mendings }, [...said, `${out}: ${kept} lines kept`])
  return kept > 0 ? EXIT.done : EXIT.failed
}

function repairOfJournal(
  path: string,
  { out, agent, json }: Record<'out' | 'agent', string | undefined> & { json: boolean | undefined },
): number {
  if (out !== undefined) throw new CornermanError('USAGE', 'logs repair: a journal is repaired in its place: it takes no --out')
  const { original, mendings, left } = repairJournal(path, agent)
  const said = mendings.map(({ table, row, what, done }) => {
    const place = [table, row].filter((part) => part !== '').join(', ')
    return `${path}${place === '' ? '' : `, ${place}`}: ${what}: ${done}`
  })
  const end =
    original === undefined ? `${path}: nothing is wrong, and nothing was changed` : `${path} is made anew; the original is ${original}`
  print(json, { original: original ?? null, mendings, left }, [...said, ...left.map(({ message }) => `left: ${message}`), end])
  return EXIT.done
}
