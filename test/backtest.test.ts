import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filter, mergeMap } from 'rxjs'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import botsConfig from '../bots.config.ts'
import { type BacktestOptions, type BacktestRun, backtest, readLogs } from '../src/backtest/index.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { usdc } from '../src/core/usdc.ts'
import { LogWriter } from '../src/recording/index.ts'
import { type Action, enqueue } from '../src/strategy/action.ts'
import { type BotConfig, readConfig } from '../src/strategy/config.ts'
import { defineStrategy } from '../src/strategy/define.ts'
import { inSegments, priceLog } from './support/priceLog.ts'
import { hastyClock } from './support/replaying.ts'
import { policy, predictor } from './support/testStrategies.ts'

const folder = mkdtempSync(join(tmpdir(), 'backtest-'))
const log = priceLog(folder)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { bots } = readConfig(botsConfig, 'bots.config.ts')
const [alice, bob] = bots as [BotConfig, BotConfig]

const play = async (options: Partial<BacktestOptions> = {}) =>
  await backtest({ logs: [log], bots, seed: 1, withPrices: false, clock: systemClock, ...options })

/** Of the bots of the project, which take their time. */
let played: Promise<BacktestRun> | undefined
const whole = () => {
  played ??= play()
  return played
}

/** A bot that is quickly played, and answers late. */
const later = (): BotConfig => ({
  ...alice,
  strategies: [
    policy(
      async ({ clock, prices, tickets, contests }) => {
        await Promise.resolve()
        const risen = (prices.change(SOL_MINT, 60) ?? 0) > 0
        if (tickets.length + contests.length > 0) return []
        return [enqueue({ mode: 'draft_basket', stake: usdc(risen ? '1' : '2'), durationSec: clock.now() % 20_000 === 0 ? 60 : 120 })]
      },
      { everySec: 7 },
    ),
  ],
})

type Priced = readonly [at: number, prices: Readonly<Record<string, string>>]

/** A log of prices alone: runs of so many ticks each. */
function logOf(name: string, ...runs: readonly (readonly Priced[])[]): string {
  const into = join(folder, name)
  const software = { cornerman: '0.1.0', node: process.versions.node }
  for (const [place, ticks] of runs.entries()) {
    const run = `20250701T00000${place}Z-${name}`
    const header = { source: 'import', bot: 'import', agentId: null, run, software, config: null } as const
    const writer = new LogWriter({ folder: into, header: { ...header, mints: Object.keys(ticks[0]?.[1] ?? {}) } })
    for (const [index, [at, prices]] of ticks.entries())
      writer.writePrices({ at, tick: index + 1, prices: new Map(Object.entries(prices)) })
    writer.close()
  }
  return into
}

const JULY = Date.UTC(2025, 6, 1)
const ticks = (count: number, tickOf: (index: number) => Priced): Priced[] => Array.from({ length: count }, (_, index) => tickOf(index))
const enterPredictions = (durationSec: number) =>
  policy(
    ({ tickets, contests }) =>
      tickets.length + contests.length > 0 ? [] : [enqueue({ mode: 'price_prediction', stake: usdc('1'), durationSec })],
    { everySec: 1 },
  )

test('no contest is about the dollar, though the log has a price of it', async () => {
  const tokens = new Set<string | undefined>()
  // As a live recording has it: with a price of the dollar among the others.
  const log = logOf(
    'dollar',
    ticks(240, (minute) => [JULY + minute * 60_000, { [USDC_MINT]: '1', [SOL_MINT]: String(190 + (minute % 7)) }]),
  )
  const predicts = predictor(({ contest }) => {
    tokens.add(contest.token)
    return { price: '190' }
  })
  const guard = { ...alice.guard, dailyLoss: usdc('1000') }
  const { bots: tried } = await play({ logs: [log], bots: [{ ...alice, guard, strategies: [enterPredictions(60), predicts] }] })
  expect(tried[0]?.contests.length).toBeGreaterThan(20)
  expect([...tokens]).toEqual([SOL_MINT])
})

/** Two minutes of prices, ten of nothing, and two more. */
function logWithPause(): { log: string; from: number; to: number } {
  const run = (from: number) => ticks(120, (second) => [from + second * 1000, { [SOL_MINT]: String(190 + (second % 7)) }])
  return { log: logOf('paused', run(JULY), run(JULY + 720_000)), from: JULY + 119_000, to: JULY + 720_000 }
}

test('up to a time that lies in a gap of the prices or in a pause, the same is decided whether the backtest ends there or not', async () => {
  const coarse = logOf(
    'coarse',
    ticks(20, (tick) => [JULY + tick * 300_000, { [SOL_MINT]: String(190 + (tick % 7)) }]),
  )
  const paused = logWithPause()
  const strategies = [enterPredictions(45), predictor(() => ({ price: '190' }))]
  const guard = { ...alice.guard, dailyLoss: usdc('1000') }
  const decided = async (log: string, to?: number) => {
    const lines: string[] = []
    await play({
      logs: [log],
      bots: [{ ...alice, guard, strategies }],
      ...(to === undefined ? {} : { to }),
      onDecision: ({ n, at, decisions }) => lines.push(`${at} ${n} ${JSON.stringify(decisions())}`),
    })
    return lines
  }
  for (const [log, times] of [
    [coarse, [100, 1430, 1499, 1500].map((second) => JULY + second * 1000)],
    [paused.log, [20, 119, 121, 400, 719, 720, 730].map((second) => JULY + second * 1000)],
  ] as const) {
    const whole = await decided(log)
    for (const to of times) {
      const upTo = whole.filter((line) => Number.parseInt(line, 10) <= to)
      expect(await decided(log, to), new Date(to).toISOString()).toEqual(upTo)
    }
    expect(whole.length).toBeGreaterThan(20)
  }
})

test('a contest lasts as long as its service has it, be it a week', async () => {
  const days = logOf(
    'days',
    ticks(8 * 1440, (minute) => [JULY + minute * 60_000, { [SOL_MINT]: String(190 + (minute % 7)) }]),
  )
  const week = 7 * 86_400
  const strategies = [enterPredictions(week), predictor(() => ({ price: '190' }))]
  const { bots: tried } = await play({ logs: [days], bots: [{ ...alice, strategies }] })
  expect(tried[0]?.contests).toMatchObject([{ durationSec: week, result: expect.stringMatching(/^(WIN|LOSS)$/) }])
})

test('a result on prices that come too seldom says so', async () => {
  const seldom = logOf(
    'seldom',
    ticks(60, (tick) => [JULY + tick * 60_000, { [SOL_MINT]: String(190 + (tick % 7)) }]),
  )
  const warned = async (durationSec: number) => {
    const strategies = [enterPredictions(durationSec), predictor(() => ({ price: '190' }))]
    const { bots } = await play({ logs: [seldom], bots: [{ ...alice, strategies }] })
    return bots[0]?.warnings.map(({ code }) => code)
  }
  expect(await warned(45)).toEqual(['CONTESTS_BETWEEN_PRICES'])
  expect(await warned(60)).toEqual([])
})

test('a bot that can pay for nothing any more ends its backtest there, and it is said when and why', async () => {
  const enters = policy(({ tickets, contests }) =>
    tickets.length + contests.length > 0 ? [] : [enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 15 })],
  )
  const poor: BotConfig = { ...alice, strategies: [enters] }
  const { bots: played } = await play({ bots: [poor], world: { bankroll: usdc('1'), rakeBps: 5000 } })
  const [bot] = played
  const { ruined } = bot ?? {}
  expect(ruined).toMatchObject({ stake: usdc('1') })
  expect(ruined?.available).toBeLessThan(usdc('1'))
  expect(bot?.contests.every(({ endedAt }) => endedAt < (ruined?.at ?? 0))).toBe(true)
  // Asked for every few seconds, to the end of the log it would have been refused a hundred times.
  expect(bot?.refused.BANKROLL).toBeLessThan(30)
  const { bots: rich } = await play({ bots: [poor] })
  expect(rich[0]?.ruined).toBeNull()
})

test('what went wrong is said: strategies that fail, what the service refuses, what was not over, modes that nobody plays', async () => {
  const warningsOf = async (strategies: BotConfig['strategies']) => {
    const { bots } = await play({ bots: [{ ...alice, strategies }] })
    return bots[0]?.warnings.map(({ code, message }) => `${code} ${message}`) ?? []
  }
  const failing = policy(() => {
    throw new TypeError('no such thing')
  })
  expect(await warningsOf([failing])).toEqual([
    expect.stringMatching(/^STRATEGY_FAILED \d+ times, first at 2025-07-21T12:00.*: strategy policy failed: no such thing/),
  ])
  const odd = policy(() => [enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 5 })])
  expect(await warningsOf([odd])).toEqual([expect.stringMatching(/^ACTIONS_REJECTED the service refused actions, \d+ times.*durationSec/)])
  const long = policy(({ contests }) => (contests.length > 0 ? [] : [enqueue({ mode: 'pnl_usd', stake: usdc('1'), durationSec: 86_000 })]))
  expect(await warningsOf([long])).toEqual([expect.stringMatching(/^OPEN_AT_THE_END \d+ tickets or contests/)])
  const choosy = { ...policy(() => []), params: { modes: ['pnl_usd'] } }
  expect(await warningsOf([choosy])).toEqual([
    expect.stringMatching(/^MODES_NOT_PLAYED policy enters pnl_usd, which no strategy of alice plays/),
  ])
})

test('a strategy that never answers does not hold up a backtest for ever', async () => {
  const mute = policy(() => new Promise<never>(() => {}), { everySec: 60 })
  const waited: number[] = []
  const { bots } = await play({ bots: [{ ...alice, strategies: [mute] }], clock: hastyClock(waited) })
  // Once as long as it may take, and ever shorter from then on.
  expect(waited.length).toBeGreaterThan(3)
  expect(waited.filter((ms) => ms > 5000)).toHaveLength(1)
  expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(18_000)
  expect(bots[0]?.warnings.map(({ code }) => code)).toEqual(['STRATEGY_FAILED'])
})

test('in a pause of the log the bot sleeps, and what ended in it is cancelled', async () => {
  const { log, from, to } = logWithPause()
  const guard = { ...alice.guard, dailyLoss: usdc('1000') }
  const { bots: tried } = await play({
    logs: [log],
    bots: [{ ...alice, guard, strategies: [enterPredictions(45), predictor(() => ({ price: '190' }))] }],
  })
  const contests = tried[0]?.contests ?? []
  expect(contests.length).toBeGreaterThan(3)
  // A price counts for one period of a coarse feed.
  const isAsleep = (at: number | null) => at !== null && at > from + 5000 && at < to
  expect(contests.filter(({ enteredAt, startsAt }) => isAsleep(enteredAt) || isAsleep(startsAt))).toEqual([])
  const inPause = contests.filter(({ endsAt }) => isAsleep(endsAt))
  expect(inPause).toMatchObject([{ result: null, profit: 0n }])
  expect(contests.filter(({ result }) => result === null)).toEqual(inPause)
})

describe('the fingerprint of a backtest', () => {
  test('is the same of the same, and another of another seed or another parameter', async () => {
    const first = await whole()
    expect(first.decisions).toBeGreaterThan(50)
    expect(first.bots.map(({ contests }) => contests.length > 5)).toEqual([true, true])
    expect((await play()).fingerprint).toBe(first.fingerprint)
    expect((await play({ seed: 2 })).fingerprint).not.toBe(first.fingerprint)
    expect((await play({ bots: [{ ...alice, guard: { ...alice.guard, maxStake: usdc('1') } }, bob] })).fingerprint).not.toBe(
      first.fingerprint,
    )
  })

  test('is the same whatever the order of the bots', async () => {
    const { fingerprint } = await whole()
    expect((await play({ bots: [bob, alice] })).fingerprint).toBe(fingerprint)
    expect((await play({ bots: [alice] })).fingerprint).not.toBe(fingerprint)
  })

  test('is the same on a log split in segments', async () => {
    const split = inSegments(log, join(folder, 'split'), 20_000)
    expect(readdirSync(split).length).toBeGreaterThan(1)
    expect((await play({ logs: [split] })).fingerprint).toBe((await whole()).fingerprint)
  })

  test('is the same in every run on what was read once', async () => {
    const read = readLogs([log])
    const { fingerprint } = await whole()
    for (let run = 0; run < 2; run++) {
      const shared = await play({ logs: read })
      expect(shared.fingerprint).toBe(fingerprint)
      expect(shared.logs).toEqual([log])
    }
  })

  test('is the same from the cache, and from a cache that was damaged', async () => {
    const { fingerprint } = await play({ bots: [later()] })
    const cache = join(log, '.compiled')
    const [name = ''] = readdirSync(cache)
    const file = join(cache, name)
    const bytes = readFileSync(file)
    for (const damaged of [bytes.subarray(0, bytes.length >> 1), Buffer.alloc(0), Buffer.from(bytes).fill(0xff, 900, 901)]) {
      writeFileSync(file, damaged)
      expect((await play({ bots: [later()] })).fingerprint).toBe(fingerprint)
      expect(readFileSync(file)).toEqual(bytes)
    }
  })
})

describe('a strategy that answers late', () => {
  test('decides the same up to a time whether the backtest ends there or goes on, to the millisecond', async () => {
    const decided = async (to?: number) => {
      const seen: { at: number; text: string }[] = []
      await play({
        bots: [later()],
        to,
        onDecision: ({ at, decisions, ...input }) => void seen.push({ at, text: JSON.stringify({ ...input, decisions: decisions() }) }),
      })
      return seen
    }
    const all = await decided()
    expect(all.length).toBeGreaterThan(10)
    for (const { at } of all.slice(2, 10)) {
      const known = all.filter((decision) => decision.at <= at)
      expect((await decided(at)).filter((decision) => decision.at <= at)).toEqual(known)
    }
  })
})

describe('what a strategy of observables awaits', () => {
  const entry = enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 20 })
  const cached = Promise.resolve(entry)
  /** When what is promised at one price was let out. */
  const approvedAt = async (log: string, at: number, answer: () => Promise<Action>, to?: number) => {
    const times: number[] = []
    const awaiting = defineStrategy({
      name: 'awaiting',
      params: z.object({}),
      run: ({ prices }) =>
        prices.price$(SOL_MINT).pipe(
          filter((point) => point.at === at),
          mergeMap(answer),
        ),
    })
    await play({
      ...{ logs: [log], to, bots: [{ ...alice, strategies: [awaiting()] }] },
      onDecision: (decided) => {
        if (decided.decisions().some(({ type }) => type === 'approved')) times.push(decided.at)
      },
    })
    return times
  }

  test('comes between that price and the next ones, however often it is resolved anew', async () => {
    const log = logOf(
      'awaited',
      ticks(200, (second) => [JULY + second * 1000, { [SOL_MINT]: String(190 + (second % 7)) }]),
    )
    const [at, ...more] = await approvedAt(log, JULY + 50_000, () => Promise.resolve().then(() => cached))
    expect(more).toEqual([])
    expect(at).toBeGreaterThanOrEqual(JULY + 50_000)
    expect(at).toBeLessThan(JULY + 60_000)
  })

  test('comes before a pause of the log, and before the end', async () => {
    const { log, from, to } = logWithPause()
    for (const until of [from, to + 60_000]) {
      const times = await approvedAt(log, from, async () => entry, until)
      expect(times).toHaveLength(1)
      expect(times[0]).toBeLessThan(to)
    }
  })
})

describe('the range of a backtest', () => {
  test('may end after the log does: nothing is played there', async () => {
    const to = Date.UTC(2035, 0)
    expect((await play({ to, bots: [later()] })).fingerprint).toBe((await play({ bots: [later()] })).fingerprint)
  })

  test.each([
    ['after the log', { from: Date.UTC(2035, 0) }],
    ['before it', { to: Date.UTC(2015, 0) }],
    ['the wrong way round', { from: Date.UTC(2025, 6, 21, 12, 5), to: Date.UTC(2025, 6, 21, 12, 4) }],
  ])('%s: it is said what the log has', async (_name, range) => {
    await expect(play(range)).rejects.toMatchObject({
      code: 'LOG_RANGE_EMPTY',
      message: expect.stringMatching(/has prices from 2025-07-21T12:00:00/),
    })
  })
})
