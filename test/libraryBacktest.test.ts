import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mode, type Strategy, usdc } from 'cornerman'
import { afterAll, describe, expect, test } from 'vitest'
import { backtest } from '../src/backtest/index.ts'
import type { BotRun } from '../src/backtest/result.ts'
import { loadStrategy } from '../src/cli/loadStrategy.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { importPrices } from '../src/recording/index.ts'
import { DEFAULT_PRICE_FILE, ROW_SECONDS, readPriceFile } from '../src/sandbox/prices/readPriceFile.ts'
import { guardConfig } from '../src/strategy/guardConfig.ts'
import holder from '../strategies/holder.ts'
import ladder from '../strategies/ladder.ts'
import momentum from '../strategies/momentum.ts'
import trend from '../strategies/trend.ts'
import { casesOf, sizeOf } from './support/suite/cases.ts'

const FOLDER = fileURLToPath(new URL('../strategies', import.meta.url))
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

const folder = mkdtempSync(join(tmpdir(), 'cornerman-library-'))
const log = join(folder, 'imported')
const prices = { ...readPriceFile(DEFAULT_PRICE_FILE), stepMs: ROW_SECONDS * 1000 }
importPrices({ prices, out: log, seed: 7, contestsPerHour: 120, software: { cornerman: '0', node: '24' } })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HOUR_MS = 3_600_000
const HOURS = sizeOf(8, 2)

/** Prices of a minute: contests of ten, prices that may be a minute old, and averages over minutes. */
const OF_MINUTES: Readonly<Record<string, object>> = {
  momentum: { lookbackSec: 600 },
  volatilityAdjusted: { lookbackSec: 1800 },
  contrarian: { lookbackSec: 600 },
  drift: { lookbackSec: 600 },
  trend: { lookbackSec: 300 },
  ewma: { lookbackSec: 1800 },
  ensemble: { memorySec: 3600 },
  crossover: { candleSec: 60, fast: 2, slow: 5 },
  breakout: { channelSec: 300, stopSec: 180 },
  meanReversion: { candleSec: 60, interval: 10, deviations: 1 },
  ladder: { durationSec: 600 },
  edge: { durationsSec: [600] },
  // Contests on prices of a minute last twenty minutes and more.
  sniper: { maxStake: usdc('2'), maxDurationSec: 7200 },
}

async function played(strategy: Strategy): Promise<BotRun> {
  const modes = 'modes' in strategy ? (strategy.modes as Mode[]) : (['draft_basket'] as Mode[])
  const enters = strategy.kind === 'queue' ? [] : [ladder({ modes, stake: usdc('5'), durationSec: 600, atOnce: 4 })]
  const others = [momentum({ lookbackSec: 600 }), trend({ lookbackSec: 300 }), holder()].filter(({ name }) => name !== strategy.name)
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('200'), maxOpenContests: 4, maxPriceAgeMs: 90_000 })
  const bot = { name: 'tested', strategies: [strategy, ...enters, ...others], guard, sweep: true, seed: 1 }
  const to = prices.recordedFrom + HOURS * HOUR_MS
  const { bots } = await backtest({ logs: [log], bots: [bot], seed: 1, to, withPrices: false, clock: systemClock })
  const [run] = bots
  if (run === undefined) throw new Error('there is one bot')
  return run
}

describe(`on ${HOURS} hours of an imported log`, () => {
  // One that drafts, one that predicts, one that trades.
  test.each(casesOf(files, (file) => ['momentum.ts', 'drift.ts', 'crossover.ts'].includes(file)))('%s plays', async (file) => {
    const define = await loadStrategy(join(FOLDER, file))
    const strategy = define(OF_MINUTES[file.replace('.ts', '')] as never)
    const { contests, swaps } = await played(strategy)
    const moves = contests.flatMap(({ moves: own }) => own.map(({ text }) => text.split(' ')[0]))
    expect(contests.length).toBeGreaterThan(8)
    if (strategy.kind === 'draft') expect(moves.filter((move) => move === 'pick').length).toBeGreaterThan(8)
    if (strategy.kind === 'predict') expect(moves.filter((move) => move === 'predict' || move === 'join').length).toBeGreaterThan(8)
    if (strategy.kind === 'trade') expect(swaps.filled).toBeGreaterThan(8)
    if (strategy.name === 'edge') expect(new Set(contests.map(({ mode }) => mode)).size).toBeGreaterThan(3)
  })
})

test('docs/strategies.md has a paragraph on each, that says when it works and when not', () => {
  const text = readFileSync(new URL('../docs/strategies.md', import.meta.url), 'utf8')
  const parts = text.split(/^### /m).slice(1)
  const said = parts.map((part) => part.split('\n')[0])
  expect(said.toSorted()).toEqual(files.map((file) => file.replace('.ts', '')).toSorted())
  for (const part of parts) {
    const flat = part.replaceAll(/\s+/g, ' ')
    expect(flat).toContain('It works ')
    expect(flat).toContain('It does not work ')
  }
})
