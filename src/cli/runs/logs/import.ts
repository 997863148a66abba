import { importRows } from '../../../recording/index.ts'
import { openPriceFiles, type TimeOf, type WhichDuplicate } from '../../../recording/priceFiles.ts'
import { print } from '../../output.ts'
import { progressOfBytes } from '../../progress.ts'
import { softwareVersions } from '../../software.ts'
import { documentOf, linesOf } from './importReport.ts'

export interface ImportOptions {
  readonly out: string
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
  const { out, seed, contestsPerHour, token, times, maxHole, duplicates, outliers, round, json } = options
  const asked = { duplicates, outliers, maxHoleMs: maxHole, timesAre: times, mayRound: round, tokens: token }
  const found = await shown((onProgress) => openPriceFiles(paths, { ...asked, onProgress }))
  const { mints, from, until, stepMs } = found
  const report = await shown((onProgress) =>
    importRows({ mints, from, until, stepMs, rows: found.rows(onProgress) }, { out, seed, contestsPerHour, software: softwareVersions() }),
  )
  print(json, { log: out, ...report, ...documentOf(found) }, linesOf(found, { ...report, out, duplicates, outliers, maxHoleMs: maxHole }))
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
