import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filter, mergeMap } from 'rxjs'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import botsConfig from '../bots.config.ts'
import { type BacktestOptions, type BacktestRun, type BacktestSummary, backtest, readLogs } from '../src/backtest/index.ts'
import { keyedUuid } from '../src/core/ids.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { SOL_MINT, symbolOf, TOKENS, USDC_MINT } from '../src/core/tokens.ts'
import { usdc } from '../src/core/usdc.ts'
import { LogWriter, readLog } from '../src/recording/index.ts'
import { type Action, enqueue } from '../src/strategy/action.ts'
import { type BotConfig, readConfig } from '../src/strategy/config.ts'
import { defineStrategy } from '../src/strategy/define.ts'
import { inSegments, PRICED, priceLog } from './support/priceLog.ts'
import { rawEvent } from './support/rawEvents.ts'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { pathOf, TestConfigs } from './support/testConfigs.ts'
import { policy, predictor } from './support/testStrategies.ts'

const folder = mkdtempSync(join(tmpdir(), 'backtest-'))
const log = priceLog(folder)
const configs = new TestConfigs()
const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

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
  const startedAt = performance.now()
  const { bots } = await play({ bots: [{ ...alice, strategies: [mute] }] })
  expect(performance.now() - startedAt).toBeLessThan(18_000)
  expect(bots[0]?.warnings.map(({ code }) => code)).toEqual(['STRATEGY_FAILED'])
}, 30_000)

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

function cornerman(...args: string[]): CornermanRun {
  const run = runCornerman(args, { cwd: folder })
  runs.push(run)
  return run
}

const config = (body: string): string =>
  pathOf(
    configs.write(`import { defineConfig, defineQueuePolicy, enqueue, sandbox, usdc } from 'cornerman'
import { z } from 'zod'
import momentum from './strategies/momentum.ts'
import { readLog } from './src/recording/index.ts'
const guard = { maxStake: usdc('5'), dailyLoss: usdc('1000') }
const of = (...strategies) => defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard }] })
${body}`),
  )

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

describe('cornerman backtest', () => {
  test('prints one document, with the same fingerprint in any order of --bot', async () => {
    const started = [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ].map((names) => cornerman('backtest', '--config', pathOf('bots.config.ts'), '--log', 'prices', '--bot', ...names, '--json'))
    const fingerprints = []
    for (const run of started) {
      expect(await run.exited, run.stderr()).toBe(0)
      fingerprints.push(jsonOf<BacktestSummary>(run).fingerprint)
    }
    expect(fingerprints[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(fingerprints[1]).toBe(fingerprints[0])
  })

  test('takes a time without a zone as UTC, wherever the machine is', async () => {
    const file = config(`const often = defineQueuePolicy({
  name: 'often',
  params: z.object({}),
  decide: ({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 60 })]),
})
export default of(often(), momentum())`)
    const fingerprints = []
    for (const [from, TZ] of [
      ['2025-07-21T12:02:00Z', 'UTC'],
      ['2025-07-21T12:02:00', 'America/New_York'],
      ['2025-07-21 12:02', 'America/New_York'],
      ['2025-07-21t12:02', 'America/New_York'],
      ['2025-07-21 14:02+02:00', 'America/New_York'],
    ] as const) {
      const run = runCornerman(['backtest', '--config', file, '--log', 'prices', '--from', from, '--json'], { cwd: folder, env: { TZ } })
      runs.push(run)
      expect(await run.exited, run.stderr()).toBe(0)
      fingerprints.push(jsonOf<BacktestSummary>(run).fingerprint)
    }
    expect(new Set(fingerprints).size).toBe(1)
  }, 60_000)

  test('prints the other run with its own, where it is to be held against it', async () => {
    const args = [
      'backtest',
      '--config',
      pathOf('bots.config.ts'),
      '--log',
      'prices',
      '--bot',
      'alice',
      '--to',
      '2025-07-21T12:05:00Z',
      '--json',
    ]
    const first = cornerman(...args)
    expect(await first.exited, first.stderr()).toBe(0)
    const before = jsonOf<BacktestSummary>(first)
    const file = join(folder, 'before.json')
    writeFileSync(file, first.stdout())
    const second = cornerman(...args, '--seed', '2', '--against', file)
    expect(await second.exited, second.stderr()).toBe(0)
    const { against, ...summary } = jsonOf<BacktestSummary & { against: BacktestSummary }>(second)
    expect(against).toEqual(before)
    expect(Object.keys(summary)).toEqual(Object.keys(before))
  })

  const unpriced = TOKENS.find(({ mint }) => !PRICED.includes(mint) && symbolOf(mint) !== 'USDC')?.mint ?? ''
  const naming = () =>
    config(
      `export default of(defineQueuePolicy({ name: 'fan', params: z.object({ token: z.string() }), decide: () => [] })({ token: '${unpriced}' }))`,
    )

  test.each<[name: string, args: () => string[], says: RegExp]>([
    [
      'a strategy that names a token the log has not',
      () => ['backtest', '--log', 'prices', '--config', naming()],
      /strategy fan names \S+ .*prices has no price: change the parameter or take another log/,
    ],
    [
      'a time that the log has not',
      () => ['backtest', '--log', 'prices', '--from', '2035-01-01'],
      /no price from 2035.*the log has prices from 2025-07-21T12:00:00.000Z/,
    ],
    [
      'one file for two things',
      () => ['backtest', '--log', 'prices', '--report', 'one.html', '--decisions', './one.html'],
      /--report and --decisions both name one.html: name two files/,
    ],
    ['no such log', () => ['backtest', '--log', 'gone'], /'gone' is invalid.*there is no such file or folder/],
    ['no such log, for replay', () => ['replay', 'gone'], /'gone' is invalid.*there is no such file or folder/],
    ['a log made of prices, for replay', () => ['replay', 'prices'], /prices was made from prices: there are no decisions in it to replay/],
    ['no decision to try', () => ['lookahead', '--log', 'prices', '--samples', '0'], /it must be 1 or more/],
  ])('%s: said before the run, exit code 2', async (_name, args, says) => {
    const given = args()
    const run = cornerman(...given, ...(given.includes('--config') ? [] : ['--config', pathOf('bots.config.ts')]))
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(says)
    expect(run.stderr()).not.toMatch(/\n\s+at /)
    expect(run.stdout()).toBe('')
  })
})

describe('cornerman lookahead', () => {
  /** Stakes by a price read from the log itself, so many seconds from now. */
  const reader = (aheadSec: number, named = 'prices') =>
    config(`let points
const reader = defineQueuePolicy({
  name: 'reader',
  params: z.object({ log: z.string() }),
  everySec: 10,
  async decide({ params, clock, contests, tickets }) {
    points ??= [...readLog(params.log)].map(({ line }) => line).filter(({ kind }) => kind === 'prices')
    const seen = points.findLast(({ at }) => at <= clock.now() + ${aheadSec * 1000})
    const stake = Number(seen.prices[0]) > 10 ? '1' : '2'
    return tickets.length + contests.length > 0 || seen.at < clock.now() + ${aheadSec * 1000 - 10_000} ? [] : [enqueue({ mode: 'draft_basket', stake: usdc(stake), durationSec: 60 })]
  },
})
export default of(reader({ log: '${named}' }), momentum())`)

  const lookahead = async (file: string, named = 'prices', cwd = folder) => {
    const run = runCornerman(['lookahead', '--log', named, '--config', file, '--samples', '2', '--json'], { cwd })
    runs.push(run)
    const code = await run.exited
    return {
      code,
      stderr: run.stderr(),
      ...(code === 2 ? {} : jsonOf<{ decisions: number; samples: number; leaks: { bot: string; strategy: string }[] }>(run)),
    }
  }

  test('catches a strategy that reads the future from the log, and lets one be that reads the past', async () => {
    const [leaky, honest] = await Promise.all([lookahead(reader(60), join(folder, 'prices')), lookahead(reader(0))])
    expect(leaky).toMatchObject({
      code: 1,
      samples: 2,
      leaks: expect.arrayContaining([expect.objectContaining({ bot: 'alice', strategy: 'reader' })]),
    })
    expect(honest).toMatchObject({ code: 0, samples: 2, leaks: [] })
    expect(honest.decisions).toBeGreaterThan(10)
  }, 60_000)

  test('does so on a log that lies elsewhere', async () => {
    const [cwd, named] = [join(folder, 'far', 'off'), '../../prices']
    mkdirSync(cwd, { recursive: true })
    const [leaky, honest] = await Promise.all([
      lookahead(reader(60, named), join(folder, 'prices'), cwd),
      lookahead(reader(0, named), named, cwd),
    ])
    expect(leaky).toMatchObject({ code: 1, leaks: expect.arrayContaining([expect.objectContaining({ strategy: 'reader' })]) })
    expect(honest).toMatchObject({ code: 0, samples: 2, leaks: [] })
  }, 60_000)

  test('tells a strategy that decides otherwise each time from one that knew the future', async () => {
    const file = config(`const dice = defineQueuePolicy({
  name: 'dice',
  params: z.object({}),
  everySec: 10,
  decide: ({ tickets, contests }) =>
    tickets.length + contests.length > 0 ? [] : [enqueue({ mode: 'draft_basket', stake: usdc(String(1 + Math.random()).slice(0, 6)), durationSec: 60 })],
})
export default of(dice(), momentum())`)
    const run = cornerman('lookahead', '--log', 'prices', '--config', file, '--samples', '2', '--json')
    expect(await run.exited).toBe(1)
    expect(run.stderr()).toContain('alice: strategy dice decides otherwise when the same log is played twice')
  }, 60_000)

  describe('on a log whose bot decided before its first price', () => {
    const FIRST_PRICE_AT = Date.UTC(2025, 6, 21, 12)

    /** The log, with an event in each of its segments 20 s before it begins; and a config whose bot enters, now and then, until `until`. */
    function early(until: number): { named: string; file: string } {
      const named = `early-${until}`
      const writers: LogWriter[] = []
      for (const { line } of readLog(log)) {
        if (line.kind === 'header') {
          const writer = new LogWriter({ folder: join(folder, named), header: line })
          const at = line.at - 20_000
          const raw = rawEvent('ticket.expired', { ticketId: keyedUuid('t') }, at)
          writer.write({ kind: 'input', n: 1, at, type: 'event', body: { raw, cursor: null, recorded: false } })
          writers.push(writer)
        } else writers.at(-1)?.write(line)
      }
      writers.at(-1)?.close()
      const file = config(`const once = defineQueuePolicy({
  name: 'once',
  params: z.object({}),
  decide: ({ clock }) => (clock.now() < ${until} ? [enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 60, waitSec: 30 })] : []),
})
export default of(once())`)
      return { named, file }
    }

    test('lets be what it decided then', async () => {
      const { named, file } = early(FIRST_PRICE_AT + 20_000)
      const run = cornerman('lookahead', '--log', named, '--config', file, '--samples', '50', '--json')
      expect(await run.exited, run.stderr()).toBe(0)
      const { decisions, samples } = jsonOf<{ decisions: number; samples: number }>(run)
      expect(samples).toBeGreaterThan(0)
      expect(decisions).toBeGreaterThan(samples)
    }, 60_000)

    test('says that there is nothing to try where it decided nothing else', async () => {
      const { named, file } = early(FIRST_PRICE_AT - 15_000)
      const run = cornerman('lookahead', '--log', named, '--config', file, '--samples', '5', '--json')
      expect(await run.exited).toBe(1)
      expect(run.stderr()).toContain(`the bots decide on ${named} before its first price alone: there is no future to cut off`)
    }, 60_000)
  })

  test('that is interrupted leaves nothing behind', async () => {
    const TMPDIR = join(folder, 'interrupted')
    mkdirSync(TMPDIR)
    const args = ['lookahead', '--log', 'prices', '--config', reader(0), '--samples', '50']
    const run = runCornerman(args, { cwd: folder, env: { TMPDIR } })
    runs.push(run)
    const copies = () => readdirSync(TMPDIR).filter((name) => name.startsWith('lookahead-'))
    await expect.poll(copies, { timeout: 30_000 }).not.toEqual([])
    run.child.kill('SIGTERM')
    expect(await run.exited, run.stderr()).toBe(130)
    expect([copies(), run.stdout(), run.stderr()]).toEqual([[], '', ''])
  }, 60_000)

  test('says it where the bots decide nothing, and where they cannot be tested', async () => {
    const idle = cornerman('lookahead', '--log', 'prices', '--config', config('export default of(momentum())'))
    expect(await idle.exited).toBe(1)
    expect(idle.stderr()).toMatch(/decide nothing on prices: there is nothing to try/)
  })
})
