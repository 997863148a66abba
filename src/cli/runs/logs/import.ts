import { importPrices } from '../../../recording/index.ts'
import { ROW_SECONDS, readPriceFile } from '../../../sandbox/index.ts'
import { print } from '../../output.ts'
import { progressOf, progressOfBytes, withProgress } from '../../progress.ts'
import { softwareVersions } from '../../software.ts'

export interface ImportOptions {
  readonly out: string
  readonly seed: number
  readonly contestsPerHour: number
  readonly json?: boolean
}

export function importLog(csv: string, { out, seed, contestsPerHour, json }: ImportOptions): void {
  const file = withProgress(progressOfBytes(), ({ update }) => readPriceFile(csv, update))
  const prices = { ...file, stepMs: ROW_SECONDS * 1000 }
  const report = withProgress(progressOf('rows'), ({ update: onProgress }) =>
    importPrices({ prices, out, seed, contestsPerHour, software: softwareVersions(), onProgress }),
  )
  print(json, { log: out, ...report }, [`${out}: ${report.ticks} price lines, ${report.contests} contests`])
}
