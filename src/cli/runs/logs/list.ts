import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, LogError, readLog, segmentSize } from '../../../recording/index.ts'
import { isoTime, print } from '../../output.ts'

export interface ListOptions {
  readonly dataDir: string
  readonly json?: boolean
}

/** `from` is Unix milliseconds; null where the log cannot be read from its first line. */
interface Recording {
  readonly bot: string
  readonly path: string
  readonly segments: number
  readonly bytes: number
  readonly from: number | null
}

export function list({ dataDir, json }: ListOptions): void {
  const recordings = recordingsIn(join(dataDir, 'recordings'))
  const lines = recordings.map(
    ({ path, segments, bytes, from }) =>
      `${path}  ${segments} ${segments === 1 ? 'segment' : 'segments'}, ${(bytes / 1024 ** 2).toFixed(1)} MiB, ${from === null ? 'cannot be read: see logs check' : `from ${isoTime(from)}`}`,
  )
  print(json, { recordings }, recordings.length === 0 ? [`nothing is recorded in ${dataDir}`] : lines)
}

function recordingsIn(folder: string): Recording[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: bot }) => {
      const path = join(folder, bot)
      const segments = filesOf(path).flatMap((file) => {
        const bytes = segmentSize(file)
        return bytes === undefined ? [] : { file, bytes }
      })
      return {
        bot,
        path,
        segments: segments.length,
        bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
        from: beginningOf(segments.map(({ file }) => file)),
      }
    })
}

/** Of the first segment that has a line. */
function beginningOf(segments: readonly string[]): number | null {
  for (const segment of segments) {
    try {
      for (const { line } of readLog(segment)) return line.kind === 'header' ? line.at : null
    } catch (thrown) {
      if (!(thrown instanceof LogError)) throw thrown
      if (thrown.code !== 'LOG_EMPTY') return null
    }
  }
  return null
}
