import { demoPrices, importPrices, SYNTHETIC } from '../../../recording/index.ts'
import { print } from '../../output.ts'
import { softwareVersions } from '../../software.ts'

export interface DemoOptions {
  readonly out: string
  readonly days: number
  readonly seed: number
  readonly json?: boolean
}

const CONTESTS_PER_HOUR = 6

export function demoLog({ out, days, seed, json }: DemoOptions): void {
  const prices = demoPrices({ days, seed })
  const report = importPrices({ prices, out, seed, contestsPerHour: CONTESTS_PER_HOUR, software: softwareVersions(), realm: SYNTHETIC })
  print(json, { log: out, ...report, realm: SYNTHETIC, tokens: prices.series.length }, [
    `${out}: SYNTHETIC, ${days} days of ${prices.series.length} tokens, ${report.ticks.toLocaleString('en')} prices each, with ${report.contests.toLocaleString('en')} contests to enter`,
  ])
}
