import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Price } from '../../../src/core/price.ts'
import type { Mint } from '../../../src/core/tokens.ts'
import { type ContestLine, LogWriter } from '../../../src/recording/index.ts'

export interface BenchLog {
  readonly mints: readonly Mint[]
  readonly ticks: number
  /** Unix milliseconds. */
  readonly timeOf: (tick: number) => number
  readonly priceOf: (tick: number, column: number) => Price
  /** By time. */
  readonly contests: readonly Omit<ContestLine, 'kind'>[]
}

/** @returns the folder of a new log: of prices, with contests that can be entered */
export function writeLog({ mints, ticks, timeOf, priceOf, contests }: BenchLog): string {
  const folder = mkdtempSync(join(tmpdir(), 'cornerman-bench-'))
  const software = { cornerman: '0.1.0', node: process.versions.node }
  const header = { source: 'import', bot: 'import', agentId: null, run: '20250101T000000Z-bench', software, config: null, mints } as const
  const unbounded = { segmentMs: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY, totalBytes: Number.POSITIVE_INFINITY }
  const writer = new LogWriter({ folder, header, limits: unbounded })
  let offered = 0
  for (let tick = 0; tick < ticks; tick++) {
    const at = timeOf(tick)
    for (let offer = contests[offered]; offer !== undefined && offer.at <= at; offer = contests[++offered]) {
      writer.write({ kind: 'contest', ...offer })
    }
    writer.write({ kind: 'prices', at, tick: tick + 1, prices: mints.map((_mint, column) => priceOf(tick, column)) })
  }
  writer.close()
  return folder
}
