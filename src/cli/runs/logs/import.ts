import { importPrices } from '../../../recording/index.ts'
import { ROW_SECONDS, readPriceFile } from '../../../sandbox/index.ts'
import { print } from '../../output.ts'
import { softwareVersions } from '../../software.ts'

export interface ImportOptions {
  readonly out: string
  readonly seed: number
  readonly contestsPerHour: number
  readonly json?: boolean
}

export function importLog(csv: string, { out, seed, contestsPerHour, json }: ImportOptions): void {
  const prices = { ...readPriceFile(csv), stepMs: ROW_SECONDS * 1000 }
  const report = importPrices({ prices, out, seed, contestsPerHour, software: softwareVersions() })
  print(json, { log: out, ...report }, [`${out}: ${report.ticks} price lines, ${report.contests} contests`])
}
