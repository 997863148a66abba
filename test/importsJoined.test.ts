import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backtest } from '../src/backtest/index.ts'
import { importLog } from '../src/cli/runs/logs/import.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { usdc } from '../src/core/usdc.ts'
import { type ContestLine, checkLog, type PricesLine } from '../src/recording/index.ts'
import { replacedLog } from '../src/recording/priceFiles.ts'
import { enqueue } from '../src/strategy/action.ts'
import { guardConfig } from '../src/strategy/guardConfig.ts'
import { contentOf, emptyFolder, filesIn, writerOf } from './support/logFiles.ts'
import { policy } from './support/testStrategies.ts'

const START = Date.parse('2026-02-01T00:00:00Z')
const MINUTE = 60_000

/** Of minute, cent by cent, so that a price says which minute it is of. */
const priceOf = (minute: number, token: number) => (100 + token * 10 + minute / 100).toFixed(2)

interface Piece {
  readonly from: number
  readonly to: number
  readonly tokens?: readonly string[]
  readonly change?: (minute: number, price: string) => string
}

/** A file of closes, a column a token, from one minute up to another. */
function pieceOf({ from, to, tokens = ['SOL', 'BONK'], change = (_, price) => price }: Piece): string {
  const rows = Array.from({ length: to - from }, (_, index) => {
    const minute = from + index
    return [(START + minute * MINUTE) / 1000, ...tokens.map((_token, column) => change(minute, priceOf(minute, column)))].join()
  })
  const file = join(emptyFolder(), 'piece.csv')
  writeFileSync(file, `${['ts', ...tokens].join()}\n${rows.join('\n')}\n`)
  return file
}

const TERMS = { seed: 7, contestsPerHour: 6, json: true } as const
type More = Partial<Parameters<typeof importLog>[1]>

/** Imports without a word; returns the document. */
async function imported(files: readonly string[], more: More): Promise<Record<string, unknown>> {
  const written: string[] = []
  const write = process.stdout.write
  process.stdout.write = (text: string | Uint8Array) => written.push(String(text)) > 0
  try {
    await importLog(files, { ...TERMS, ...more })
  } finally {
    process.stdout.write = write
  }
  return JSON.parse(written.join('')) as Record<string, unknown>
}

async function logOf(files: readonly string[], more: More = {}): Promise<string> {
  const out = join(emptyFolder(), 'log')
  await imported(files, { out, ...more })
  return out
}

/** Names and bytes of a log's segments. */
const bytesOf = (log: string) =>
  filesIn(log)
    .filter((name) => name.endsWith('.zst'))
    .map((name) => [name, readFileSync(join(log, name)).toString('base64')])

async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  return await work.then(
    () => ({ code: 'nothing', message: 'was not refused' }),
    (thrown: { code: string; message: string }) => thrown,
  )
}

async function fingerprintOf(log: string): Promise<string> {
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('500') })
  const enters = policy(({ tickets, contests }) =>
    tickets.length + contests.length > 0 ? [] : [enqueue({ mode: 'price_prediction', stake: usdc('1'), durationSec: 1200, waitSec: 60 })],
  )
  const bots = [{ name: 'alice', strategies: [enters], guard, sweep: false, seed: 1 }]
  const { fingerprint, bots: played } = await backtest({ logs: [log], bots, seed: 1, withPrices: false, clock: systemClock })
  expect(played[0]?.contests.length).toBeGreaterThan(3)
  return fingerprint
}

const [FIRST, SECOND] = [
  { from: 0, to: 500 },
  { from: 500, to: 900 },
]

describe('a log that is joined by files', () => {
  test('is the log of one import of all of them', async () => {
    const files = [pieceOf(FIRST), pieceOf(SECOND)]
    const whole = await logOf(files)
    const log = await logOf(files.slice(0, 1))
    const alone = bytesOf(log)
    const document = await imported(files.slice(1), { join: log })
    expect(document).toMatchObject({ log, ticks: 900, joined: { ticks: 500, from: START, shared: 0, mints: 2 } })
    expect(bytesOf(log)).toEqual(bytesOf(whole))
    expect(bytesOf(log)).not.toEqual(alone)
    expect(checkLog(log)).toEqual([])
    expect(await fingerprintOf(log)).toBe(await fingerprintOf(whole))
  })

  test('is the same whichever of the two is there first', async () => {
    const files = [pieceOf(FIRST), pieceOf({ ...SECOND, tokens: ['WIF', 'BONK'] })]
    const log = await logOf(files.slice(1))
    await imported(files.slice(0, 1), { join: log })
    expect(bytesOf(log)).toEqual(bytesOf(await logOf(files)))
  })

  test('may share prices with them, written otherwise, and have new tokens', async () => {
    const log = await logOf([pieceOf(FIRST)])
    const later = pieceOf({ from: 400, to: 900, tokens: ['SOL', 'BONK', 'WIF'], change: (_, price) => `${price}0` })
    const document = await imported([later], { join: log })
    expect(document).toMatchObject({ joined: { shared: 200, mints: 3 } })
    expect(checkLog(log)).toEqual([])
    const rows = contentOf(log).filter((line): line is PricesLine => line.kind === 'prices')
    expect(rows).toHaveLength(900)
    expect(rows[399]?.prices).toEqual(['103.99', '113.99', null])
    expect(rows[400]?.prices).toEqual(['104', '114', '124'])
    expect(rows[899]?.at).toBe(START + 899 * MINUTE)
  })

  test('with --out stays as it is', async () => {
    const log = await logOf([pieceOf(FIRST)])
    const before = bytesOf(log)
    const out = join(emptyFolder(), 'longer')
    await imported([pieceOf(SECOND)], { join: log, out })
    expect(bytesOf(log)).toEqual(before)
    expect(bytesOf(out)).toEqual(bytesOf(await logOf([pieceOf(FIRST), pieceOf(SECOND)])))
  })

  test('keeps what else is in its folder, and its permissions', async () => {
    const log = await logOf([pieceOf(FIRST)])
    writeFileSync(join(log, 'notes.txt'), 'mine')
    mkdirSync(join(log, '.compiled'))
    chmodSync(log, 0o750)
    await imported([pieceOf(SECOND)], { join: log })
    expect(readFileSync(join(log, 'notes.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(log, '.compiled'))).toBe(false)
    expect(statSync(log).mode & 0o777).toBe(0o750)
    expect(readdirSync(join(log, '..'))).toEqual(['log'])
  })

  test('has contests over all of the time', async () => {
    const log = await logOf([pieceOf(FIRST)])
    const contestsOf = () => contentOf(log).filter((line): line is ContestLine => line.kind === 'contest')
    const before = contestsOf().length
    await imported([pieceOf(SECOND)], { join: log })
    expect(contestsOf().length).toBeGreaterThan(1.5 * before)
  })
})

describe('a log is not joined', () => {
  async function refused(files: readonly string[], more: More = {}): Promise<{ code: string; message: string }> {
    const log = more.join ?? (await logOf([pieceOf(FIRST)]))
    const before = bytesOf(log)
    const refusal = await refusalOf(imported(files, { ...more, join: log }))
    expect(bytesOf(log)).toEqual(before)
    expect(readdirSync(join(log, '..'))).toEqual(['log'])
    return refusal
  }

  test('by prices that contradict its own', async () => {
    const change = (minute: number, price: string) => (minute === 450 || minute === 451 ? '104.77' : price)
    const { code, message } = await refused([pieceOf({ from: 400, to: 900, change })])
    expect(code).toBe('PRICES_CONTRADICT')
    expect(message).toContain('4 of the 200 prices')
    expect(message).toContain('SOL at 2026-02-01T07:30:00.000Z: 104.5 in the log, 104.77 in the files')
  })

  test.each([
    ['after', { from: 700, to: 900 }, '2026-02-01T08:19:00.000Z to 2026-02-01T11:40:00.000Z'],
    ['before', { from: -300, to: -100 }, '2026-01-31T22:19:00.000Z to 2026-02-01T00:00:00.000Z'],
  ])('by prices that begin or end long %s it, unless the hole is let in', async (_name, piece, hole) => {
    const { code, message } = await refused([pieceOf(piece)])
    expect(code).toBe('PRICES_DOUBTFUL')
    expect(message).toContain(`SOL: no price from ${hole}`)
    const log = await logOf([pieceOf(FIRST)])
    await imported([pieceOf(piece)], { join: log, maxHole: 6 * 60 * MINUTE })
    expect(checkLog(log)).toEqual([])
  })

  test('whose contests were offered by another seed or rate', async () => {
    const log = await logOf([pieceOf(FIRST)], { seed: 8 })
    expect(await refused([pieceOf(SECOND)], { join: log })).toMatchObject({ code: 'JOIN_OTHER_CONTESTS' })
    expect(await refused([pieceOf(SECOND)], { join: log, seed: 8, contestsPerHour: 12 })).toMatchObject({ code: 'JOIN_OTHER_CONTESTS' })
    await imported([pieceOf(SECOND)], { join: log, seed: 8 })
    expect(bytesOf(log)).toEqual(bytesOf(await logOf([pieceOf(FIRST), pieceOf(SECOND)], { seed: 8 })))
  })

  test('that a bot recorded', async () => {
    const log = join(emptyFolder(), 'log')
    const writer = writerOf(log)
    writer.write({ kind: 'prices', at: START, tick: 1, n: 1, prices: ['1'] })
    writer.close()
    const { code, message } = await refused([pieceOf(SECOND)], { join: log })
    expect(code).toBe('LOG_NOT_IMPORTED')
    expect(message).toContain('was recorded by alice')
  })

  test('that is damaged, or has nothing in it', async () => {
    const log = await logOf([pieceOf(FIRST)])
    const [segment = ''] = filesIn(log)
    const whole = readFileSync(join(log, segment))
    writeFileSync(join(log, segment), whole.subarray(0, whole.length - 40))
    expect((await refused([pieceOf(SECOND)], { join: log })).code).toMatch(/^LOG_(?:CUT|ALTERED)$/)
    rmSync(join(log, segment))
    expect((await refused([pieceOf(SECOND)], { join: log })).code).toMatch(/^LOG_(?:EMPTY|UNREADABLE)$/)
  })

  test('where the new one cannot be written', async () => {
    const log = await logOf([pieceOf(FIRST)])
    const before = bytesOf(log)
    const halfWritten = async (out: string) => {
      writeFileSync(join(out, 'half'), '')
      throw new Error('no room')
    }
    await expect(replacedLog(log, halfWritten)).rejects.toThrow('no room')
    expect(bytesOf(log)).toEqual(before)
    expect(readdirSync(join(log, '..'))).toEqual(['log'])
  })

  test('in its place where it is one segment, and without a place at all', async () => {
    const log = await logOf([pieceOf(FIRST)])
    const [segment = ''] = filesIn(log)
    expect(await refusalOf(imported([pieceOf(SECOND)], { join: join(log, segment) }))).toMatchObject({ code: 'USAGE' })
    expect(await refusalOf(imported([pieceOf(SECOND)], {}))).toMatchObject({ code: 'USAGE' })
  })
})
