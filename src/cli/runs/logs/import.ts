import { CornermanError } from '../../../core/error.ts'
import { type ImportReport, importRows, refuseTaken } from '../../../recording/index.ts'
import {
  type ImportedLog,
  joinFiles,
  openImportedLog,
  openPriceFiles,
  type PriceFiles,
  replacedLog,
  type TimeOf,
  type WhichDuplicate,
} from '../../../recording/priceFiles.ts'
import { isFolder } from '../../../recording/segments.ts'
import { print } from '../../output.ts'
import { progressOfBytes } from '../../progress.ts'
import { softwareVersions } from '../../software.ts'
import { documentOf, type JoinedLog, linesOf } from './importReport.ts'

export interface ImportOptions {
  /** Undefined with `join`: the log itself is extended. */
  readonly out?: string
  /** A log that an import has made. */
  readonly join?: string
  readonly seed: number
  readonly contestsPerHour: number
  readonly token?: readonly string[]
  readonly times?: TimeOf
  readonly maxHole?: number
  readonly duplicates?: WhichDuplicate
  readonly outliers?: 'keep' | 'drop'
  readonly round?: boolean
  readonly json?: boolean
}

export async function importLog(paths: readonly string[], options: ImportOptions): Promise<void> {
  const { join, token, times, maxHole, duplicates, outliers, round, json } = options
  const place = placeOf(options)
  if (options.out !== undefined) refuseTaken(options.out)
  const log = join === undefined ? undefined : await shown((onProgress) => Promise.resolve(openImportedLog(join, onProgress)))
  const asked = { duplicates, outliers, maxHoleMs: maxHole, timesAre: times, mayRound: round, tokens: token, beside: log?.spans }
  const found = await shown((onProgress) => openPriceFiles(paths, { ...asked, onProgress }))
  const { written, joined } = await write(found, log, options)
  const document = { log: place, ...written, ...documentOf(found), ...(joined === undefined ? {} : { joined }) }
  print(json, document, linesOf(found, { ...written, out: place, duplicates, outliers, maxHoleMs: maxHole, joined }))
}

/** Where the log is to be. @throws CornermanError `USAGE` */
function placeOf({ out, join }: ImportOptions): string {
  if (out === undefined && join === undefined)
    throw new CornermanError('USAGE', 'say where the log is to be, as in --out july, or which log the files extend, as in --join july')
  if (out === undefined && join !== undefined && !isFolder(join))
    throw new CornermanError(
      'USAGE',
      `--join ${join}: a single segment is not extended in its place: name the folder of the log, or an --out`,
    )
  return out ?? join ?? ''
}

async function write(
  found: PriceFiles,
  log: ImportedLog | undefined,
  { out, seed, contestsPerHour }: ImportOptions,
): Promise<{ readonly written: ImportReport; readonly joined: JoinedLog | undefined }> {
  const making = (folder: string) => ({ out: folder, seed, contestsPerHour, software: softwareVersions() })
  return await shown(async (onProgress) => {
    if (log === undefined) {
      const { mints, from, until, stepMs } = found
      const written = await importRows({ mints, from, until, stepMs, rows: found.rows(onProgress) }, making(out ?? ''))
      return { written, joined: undefined }
    }
    const { shared, ...stream } = await joinFiles(log, found, { seed, contestsPerHour }, onProgress)
    const { path, ticks, from, until } = log
    const joined = { log: path, ticks, from, until, shared, mints: stream.mints.length, all: { from: stream.from, until: stream.until } }
    const made = (folder: string) => importRows(stream, making(folder))
    return { written: await (out === undefined ? replacedLog(path, made) : made(out)), joined }
  })
}

/** Shows how far reading has come, for as long as it takes. */
async function shown<T>(work: (onProgress: (bytes: number, total: number) => void) => Promise<T>): Promise<T> {
  const progress = progressOfBytes()
  try {
    return await work(progress.update)
  } finally {
    progress.end()
  }
}
