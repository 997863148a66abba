import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { BacktestSummary } from '../src/backtest/index.ts'
import { keyedUuid } from '../src/core/ids.ts'
import { symbolOf, TOKENS } from '../src/core/tokens.ts'
import { LogWriter, readLog } from '../src/recording/index.ts'
import { PRICED, priceLog } from './support/priceLog.ts'
import { rawEvent } from './support/rawEvents.ts'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { pathOf, TestConfigs } from './support/testConfigs.ts'

const folder = mkdtempSync(join(tmpdir(), 'backtest-'))
const log = priceLog(folder)
const configs = new TestConfigs()
const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
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
  })

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

  test('tests the difference to the rows of another run', async () => {
    const args = ['backtest', '--config', pathOf('bots.config.ts'), '--log', 'prices', '--bot', 'alice']
    const rows = join(folder, 'before.ndjson')
    const first = cornerman(...args, '--rows', rows, '--json')
    expect(await first.exited, first.stderr()).toBe(0)
    const { bots } = jsonOf<BacktestSummary>(first)
    const written = readFileSync(rows, 'utf8').trimEnd().split('\n')
    expect(written).toHaveLength((bots[0]?.contests.settled ?? 0) + (bots[0]?.contests.cancelled ?? 0))
    const second = cornerman(...args, '--set', 'momentum.lookbackSec=40', '--set', 'ladder.durationSec=20', '--against', rows)
    expect(await second.exited, second.stderr()).toBe(0)
    // Of twelve minutes there are too few contests for a test, which is said with how many there are.
    const settled = bots[0]?.contests.settled
    expect(second.stdout().trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^alice: no paired test below 90 contests on each side, and there are \\d+ and ${settled}: `),
    )
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
  })

  test('does so on a log that lies elsewhere', async () => {
    const [cwd, named] = [join(folder, 'far', 'off'), '../../prices']
    mkdirSync(cwd, { recursive: true })
    const [leaky, honest] = await Promise.all([
      lookahead(reader(60, named), join(folder, 'prices'), cwd),
      lookahead(reader(0, named), named, cwd),
    ])
    expect(leaky).toMatchObject({ code: 1, leaks: expect.arrayContaining([expect.objectContaining({ strategy: 'reader' })]) })
    expect(honest).toMatchObject({ code: 0, samples: 2, leaks: [] })
  })

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
  })

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
    })

    test('says that there is nothing to try where it decided nothing else', async () => {
      const { named, file } = early(FIRST_PRICE_AT - 15_000)
      const run = cornerman('lookahead', '--log', named, '--config', file, '--samples', '5', '--json')
      expect(await run.exited).toBe(1)
      expect(run.stderr()).toContain(`the bots decide on ${named} before its first price alone: there is no future to cut off`)
    })
  })

  test('that is interrupted leaves nothing behind', async () => {
    const TMPDIR = join(folder, 'interrupted')
    mkdirSync(TMPDIR)
    const args = ['lookahead', '--log', 'prices', '--config', reader(0), '--samples', '50']
    const run = runCornerman(args, { cwd: folder, env: { TMPDIR } })
    runs.push(run)
    const copies = () => readdirSync(TMPDIR).filter((name) => name.startsWith('lookahead-'))
    await expect.poll(copies).not.toEqual([])
    run.child.kill('SIGTERM')
    expect(await run.exited, run.stderr()).toBe(130)
    expect([copies(), run.stdout(), run.stderr()]).toEqual([[], '', ''])
  })

  test('says it where the bots decide nothing, and where they cannot be tested', async () => {
    const idle = cornerman('lookahead', '--log', 'prices', '--config', config('export default of(momentum())'))
    expect(await idle.exited).toBe(1)
    expect(idle.stderr()).toMatch(/decide nothing on prices: there is nothing to try/)
  })
})
