import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLogs, type Terms, usualTerms } from '../../src/backtest/index.ts'
import { shareLog } from '../../src/backtest/sharedLog.ts'
import { openPool } from '../../src/cli/runs/optimize/pools.ts'
import { codeOf, loadSubject } from '../../src/cli/runs/optimize/subject.ts'
import { MODES, type Mode } from '../../src/contract/modes.ts'
import type { BlockJob } from '../../src/optimize/blockJob.ts'
import { isLost } from '../../src/optimize/pool.ts'
import { importRows } from '../../src/recording/index.ts'
import { openPriceFiles } from '../../src/recording/priceFiles.ts'

const PRICES = fileURLToPath(new URL('../../src/sandbox/data/31-coins-1m-closes-2025-07.csv.gz', import.meta.url))
const CONFIG = fileURLToPath(new URL('speedConfig.ts', import.meta.url))
const BLOCKS = 16
const REPEATS = 5
const MB = 1e6

/** Contests that a worker plays in a second of its processor, once it is warm, and what it takes of memory. */
export async function speed(): Promise<{
  readonly aSecond: number
  readonly cold: number
  readonly megabytes: number
  readonly contests: number
}> {
  const folder = mkdtempSync(join(tmpdir(), 'speed-'))
  try {
    const log = join(folder, 'july')
    const found = await openPriceFiles([PRICES], {})
    const { mints, from, until, stepMs } = found
    await importRows(
      { mints, from, until, stepMs, rows: found.rows() },
      { out: log, seed: 7, contestsPerHour: 24, software: { cornerman: '0', node: '0' } },
    )
    const data = readLogs([log])
    const terms = new Map(MODES.map((mode): [Mode, Terms] => [mode, usualTerms(data, mode)]))
    const subject = { config: CONFIG, bot: undefined, strategies: undefined, set: undefined }
    const { bot } = await loadSubject(subject, (mode) => terms.get(mode) as Terms)
    const before = process.memoryUsage().rss
    const pool = openPool({ subject, terms, code: codeOf(bot) }, { log: shareLog(data), sealedFrom: undefined, workers: 1 })
    const length = (data.lastAt - data.firstAt) / BLOCKS
    const jobs = Array.from(
      { length: BLOCKS },
      (_, index): BlockJob => ({
        ...{ from: data.firstAt + index * length, until: data.firstAt + (index + 1) * length, tailMs: 700_000, seed: index + 1 },
        values: {},
      }),
    )
    const rates: number[] = []
    let [contests, most] = [0, 0]
    for (let repeat = 0; repeat <= REPEATS; repeat++) {
      const used = process.cpuUsage()
      const results = await pool.play(jobs)
      const { user, system } = process.cpuUsage(used)
      contests = results.reduce((sum, result) => sum + (isLost(result) ? 0 : result.contests.length), 0)
      rates.push((contests * 1e6) / (user + system))
      most = Math.max(most, process.memoryUsage().rss)
    }
    await pool.close()
    const [cold = 0, ...warm] = rates
    return { cold, contests, aSecond: warm.sort((a, b) => a - b)[REPEATS >> 1] ?? 0, megabytes: (most - before) / MB }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
