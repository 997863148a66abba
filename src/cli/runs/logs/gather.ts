import { join } from 'node:path'
import { gatherLogs } from '../../../recording/index.ts'
import { isFolder } from '../../../recording/segments.ts'
import { EXIT } from '../../exit.ts'
import { print } from '../../output.ts'

export interface GatherOptions {
  readonly bot: string
  readonly out: string
  readonly json?: boolean
}

/** @returns the exit code: 1 where inputs are in none of the parts */
export function gather(parts: readonly string[], { bot, out, json }: GatherOptions): number {
  const folders = parts.map((part) => {
    const recording = join(part, 'recordings', bot)
    return isFolder(recording) ? recording : part
  })
  const gathered = gatherLogs(folders, out)
  const { runs, missing } = gathered
  const turns = runs.map(({ epoch, host, from, to }) => `turn ${epoch} on ${host}: inputs ${from} to ${to}`)
  const gaps = missing.map(
    ({ from, to }) => `inputs ${from} to ${to} are in none of the parts: name the data directory of the host that has them`,
  )
  print(json, gathered, [...turns, ...gaps, `${out}: ${runs.length} turns of ${gathered.bot}`])
  return missing.length === 0 ? EXIT.done : EXIT.failed
}
