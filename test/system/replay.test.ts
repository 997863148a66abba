import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Replay } from '../../src/backtest/index.ts'
import type { StartReport } from '../../src/cli/runs/start/report.ts'
import { MODES } from '../../src/contract/enums.ts'
import { sealedText } from '../support/logFiles.ts'
import { textOf } from '../support/replaying.ts'
import { type CornermanRun, jsonOf, runCornerman } from '../support/runCornerman.ts'
import { startSandboxProcess } from '../support/sandboxProcess.ts'
import { IS_LONG, inLong } from '../support/suite/long.ts'
import { TestConfigs } from '../support/testConfigs.ts'

// Real bots against a sandbox with faults, killed at moments nothing in them knows of: what they recorded is replayed,
// damaged, and replayed again, all by the command line.

const KILLS_AFTER_MS = [9000, 14_000, 6000]
const FAULTS = JSON.stringify({
  dropBefore: 0.02,
  dropAfter: 0.02,
  error500: 0.03,
  rateLimited: 0.01,
  latencyMs: [0, 60],
  pollDuplicate: 0.1,
})

const folder = mkdtempSync(join(tmpdir(), 'replay-'))
const dataDir = join(folder, 'data')
const recordingOf = (bot: string) => join(dataDir, 'recordings', bot)
const configs = new TestConfigs()
const runs: CornermanRun[] = []
let config = ''

afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

function cornerman(...args: string[]): CornermanRun {
  const run = runCornerman(args)
  runs.push(run)
  return run
}

async function replayOf(log: string, file = config): Promise<{ code: number | null; replay: Replay }> {
  const run = cornerman('replay', log, '--verify', '--json', '--config', file)
  const code = await run.exited
  expect(run.stdout(), run.stderr()).not.toBe('')
  return { code, replay: jsonOf<Replay>(run) }
}

/** The bots of the project on a sandbox of their own; alice may be of another mind. */
const botsOn = (url: string, lookbackSec = 10) =>
  configs.write(`import { contestService, defineConfig, secret } from 'cornerman'
import momentum from './strategies/momentum.ts'
import shipped from './bots.config.ts'
export default defineConfig({
  ...shipped,
  service: contestService({ url: '${url}', sandbox: true }),
  market: { url: '${url}/jup/price/v3', swapUrl: '${url}/jup/swap/v1', rpcUrl: '${url}/rpc' },
  bots: shipped.bots.map((bot) => ({
    ...bot,
    agentKey: secret(bot.name.toUpperCase() + '_TEST_KEY'),
    strategies: bot.strategies.map((strategy) => (bot.name === 'alice' && strategy.name === 'momentum' ? momentum({ lookbackSec: ${lookbackSec} }) : strategy)),
  })),
})`)

beforeAll(async () => {
  const sandbox = await startSandboxProcess(['--agents', 'alice,bob', '--seed', '7', '--faults', FAULTS])
  runs.push(sandbox.run)
  for (const { name, key } of sandbox.agents) process.env[`${name.toUpperCase()}_TEST_KEY`] = key
  config = botsOn(sandbox.url)
  for (const afterMs of KILLS_AFTER_MS) {
    const run = cornerman('start', '--config', config, '--data-dir', dataDir)
    await run.logged(({ msg }) => msg.startsWith('enqueue'))
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    run.child.kill('SIGKILL')
    expect(await run.exited).toBeNull()
  }
  const last = cornerman('start', '--config', config, '--data-dir', dataDir, '--for', `${inLong(150, 80)}s`, '--json')
  expect([0, 1], last.stderr()).toContain(await last.exited)
  for (const { name, byMode } of jsonOf<StartReport>(last).bots) {
    expect(
      MODES.filter((mode) => (byMode[mode]?.settled ?? 0) === 0),
      name,
    ).toEqual([])
  }
}, 15 * 60_000)

describe('recordings of nine modes, with faults of the service and kills', () => {
  test.each(['alice', 'bob'])('%s: every decision comes out as it was', async (bot) => {
    const log = recordingOf(bot)
    const { code, replay } = await replayOf(log)
    expect(replay.runs).toBe(KILLS_AFTER_MS.length + 1)
    expect(replay.decisions).toBeGreaterThan(100)
    expect(replay).toMatchObject({ matched: replay.decisions, diverged: [] })
    expect(code).toBe(0)
    console.info(`${bot}: ${replay.matched} of ${replay.decisions} decisions of ${replay.runs} runs matched`)
    expect(textOf(log)).toContain('"status":"unknown"')
  })

  test('what was killed in the middle replays as far as it came, without the next start having mended it', async () => {
    const copy = join(folder, 'killed')
    const run = cornerman('start', '--config', config, '--data-dir', copy)
    await run.logged(({ bot, msg }) => bot === 'alice' && msg.startsWith('enqueue'))
    run.child.kill('SIGKILL')
    await run.exited
    const log = join(copy, 'recordings', 'alice')
    expect(readdirSync(log).filter((name) => name.endsWith('.ndjson'))).toHaveLength(1)
    const { code, replay } = await replayOf(log)
    expect(replay.decisions).toBeGreaterThan(0)
    expect({ code, matched: replay.matched, diverged: replay.diverged }).toEqual({ code: 0, matched: replay.decisions, diverged: [] })
  })

  test('one altered price makes it exit 1, whether its checksum gives it away or a decision does', async () => {
    const lines = linesOf('alice')
    const place = lines.findIndex(({ kind }) => kind === 'prices')
    const text = textOf(recordingOf('alice'))
    const price = /"kind":"prices".*?"prices":\["([0-9.]+)"/.exec(text)?.[1] ?? ''
    const changed = text.replace(`"prices":["${price}"`, `"prices":["${price}1"`)
    expect(changed).not.toBe(text)
    const altered = await replayOf(logOf('altered', changed))
    expect(altered.code).toBe(1)
    expect(altered.replay.diverged[0]).toMatchObject({ seq: 0, replayed: expect.stringMatching(/line \d+: .*checksum/) })
    expect(altered.replay.damage).toEqual([expect.stringMatching(/line \d+: .*checksum/)])
    const unasked = cornerman('replay', join(folder, 'altered'), '--config', config)
    expect(await unasked.exited, 'a damaged log is no word about the strategies').toBe(1)
    expect(unasked.stdout()).toMatch(/the log is damaged: .*line \d+: .*checksum/)

    // Its checksums made good again: every token that is played is worth ten times as much from one tick on.
    const forged = lines.map((line, index) =>
      line.kind === 'prices' && index > place + 20
        ? { ...line, prices: (line.prices as (string | null)[]).map((each) => (each === null ? null : `1${each}`)) }
        : line,
    )
    const replayed = await replayOf(logOf('forged', sealedSegments(forged)))
    expect(replayed.code).toBe(1)
    expect(replayed.replay.matched).toBeLessThan(replayed.replay.decisions)
  })

  test('one altered parameter makes it exit 1', async () => {
    const { code, replay } = await replayOf(recordingOf('alice'), botsOn('http://127.0.0.1:9', 11))
    expect(code).toBe(1)
    expect(replay.diverged[0]).toMatchObject({ seq: 0 })
  })

  test('a bot that the config has not: exit 2', async () => {
    const run = cornerman(
      'replay',
      recordingOf('bob'),
      '--config',
      configs.write("import bots from './bots.config.ts'\nexport default { ...bots, bots: bots.bots.slice(0, 1) }"),
    )
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(/is of bot bob, and the config has alice: name the config it was recorded with/)
  })
})

interface Line {
  readonly kind: string
  readonly [field: string]: unknown
}

/** Without their checksums. */
const linesOf = (bot: string): Line[] =>
  textOf(recordingOf(bot))
    .trimEnd()
    .split('\n')
    .map((text) => {
      const { crc: _, ...line } = JSON.parse(text) as Line & { crc: string }
      return line as unknown as Line
    })

/** Checksums begin anew at every header. */
function sealedSegments(lines: readonly Line[]): string {
  const starts = lines.flatMap(({ kind }, index) => (kind === 'header' ? [index] : []))
  return starts.map((start, index) => sealedText(lines.slice(start, starts[index + 1]))).join('')
}

/** A log of one file a segment of its text. */
function logOf(name: string, text: string | Buffer): string {
  const log = join(folder, name)
  mkdirSync(log, { recursive: true })
  if (typeof text !== 'string') writeFileSync(join(log, '20260101T000000Z-a-000001.ndjson.zst'), text)
  else
    for (const [index, segment] of text.split(/(?=\{"kind":"header")/).entries())
      writeFileSync(join(log, `2026010${index}T000000Z-a-000001.ndjson`), segment)
  return log
}

describe('a log that is not as it should be', () => {
  const first = () => textOf(recordingOf('alice')).split(/(?=\{"kind":"header")/)[0] ?? ''
  const moved = (texts: string[], from: number, to: number) => texts.toSpliced(to, 0, texts[from] ?? '')
  const bad: [name: string, log: () => string, says: RegExp][] = [
    ['cut off, and packed', () => logOf('cut', zstdCompressSync(first().slice(0, -20))), /\.zst, line \d+: .*cut off.*logs repair/],
    [
      'packed, and cut off',
      () => logOf('packedCut', zstdCompressSync(first()).subarray(0, 5000)),
      /\.zst, line \d+: .*ends in the middle.*logs repair/,
    ],
    [
      'with a gap',
      () => logOf('gap', sealedText(linesOf('alice').filter(({ kind, n }) => !(kind === 'input' && (n as number) % 50 === 9)))),
      /line \d+: input \d+ follows input \d+: \d+ (?:is|are) missing.*logs repair/,
    ],
    [
      'out of order',
      () => logOf('order', moved(first().split(/(?<=\n)/), 20, 40).join('')),
      /line 41: .*follows input|line 41: its time .* is before.*logs repair/,
    ],
    [
      'of a newer version',
      () =>
        logOf(
          'newer',
          first()
            .replace('"version":1', '"version":99')
            .replace(/,"crc":"[0-9a-f]{8}"/g, ''),
        ),
      /line 1: the log is of version 99, this Cornerman reads up to 1; read it with/,
    ],
    [
      'of two bots',
      () => {
        const log = join(folder, 'mixed')
        cpSync(recordingOf('alice'), log, { recursive: true })
        for (const [index, name] of readdirSync(recordingOf('bob'))
          .filter((each) => each.includes('ndjson'))
          .entries())
          cpSync(join(recordingOf('bob'), name), join(log, `2099010${index}T000000Z-b-000001.ndjson.zst`))
        return log
      },
      /line 1: this segment is of bot \w+, those before are of \w+; put each bot's segments in a folder of their own/,
    ],
    [
      'with a price of 0',
      () => logOf('zero', first().replace(/("kind":"prices".*?"prices":\[)"[0-9.]+"(.*?),"crc":"[0-9a-f]{8}"/, '$1"0"$2')),
      /line \d+: (?:a price must be decimal text above 0|the line does not match its checksum)/,
    ],
    [
      'with a price that is NaN',
      () =>
        logOf(
          'nan',
          first()
            .replace(/,"crc":"[0-9a-f]{8}"/g, '')
            .replace(/("kind":"prices".*?"prices":\[)"[0-9.]+"/, '$1NaN'),
        ),
      /line \d+: a price must be decimal text above 0 such as '187\.25', not 'NaN'/,
    ],
    ['empty', () => logOf('empty', zstdCompressSync('')), /there is no line in it; name the folder of one bot/],
    ['no log at all', () => logOf('hello', 'hello\n'), /line 1: a segment begins with a header line, this is none/],
  ]

  test.each(
    bad.map((row, index) => [...row, index] as const),
  )('%s: each command says where, what and what to do, and exits 1', async (_name, make, says, index) => {
    const log = make()
    const players = [() => cornerman('backtest', '--log', log, '--config', config), () => cornerman('replay', log, '--config', config)]
    // Both read logs by the same way: they take turns, but with `LONG_TESTS=yes`.
    const turn = players.filter((_, place) => IS_LONG || place === index % players.length)
    const asked = [cornerman('logs', 'check', log), ...turn.map((play) => play())]
    for (const run of asked) {
      expect(await run.exited, run.stdout() + run.stderr()).toBe(1)
      expect(run.stdout() + run.stderr()).toMatch(says)
      expect(run.stderr()).not.toMatch(/\n\s+at /)
    }
  })

  test('the last line of a segment that was being written may be cut off: logs check says it, and the others go on', async () => {
    const log = logOf('torn', first().slice(0, -20))
    const [check, backtest, replay] = [
      cornerman('logs', 'check', log),
      cornerman('backtest', '--log', log, '--config', config),
      cornerman('replay', log, '--verify', '--config', config),
    ]
    expect([await check.exited, await backtest.exited, await replay.exited]).toEqual([1, 0, 0])
    expect(check.stdout()).toMatch(/LOG_CUT .*line \d+: .*cut off/)
  })
})
