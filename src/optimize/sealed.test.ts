import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { START } from '../../test/support/logFiles.ts'
import { priceLog } from '../../test/support/priceLog.ts'
import { recordedDuel } from '../../test/support/recordedDuel.ts'
import { type LogData, readLogs } from '../backtest/index.ts'
import { Samples } from '../backtest/log/samples.ts'
import type { CornermanError } from '../core/error.ts'
import { cutLog, importPrices, readLog, repairLog } from '../recording/index.ts'
import { leaveContest } from '../strategy/action.ts'
import { openLedger } from './ledger/ledger.ts'
import { expectBefore, view } from './sealed.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const imported = priceLog(folder)
const duel = recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '0.5' } })
const TIMES = Array.from({ length: 36 }, (_, index) => index * 4000)

/** Prices as they can be read, row by row. */
const rowsOf = ({ prices }: LogData) =>
  prices.mints.map((mint) => {
    const column = prices.of(mint)
    return { mint, ticks: column?.ticks, values: column?.values, texts: [...(column?.ticks.keys() ?? [])].map((row) => column?.text(row)) }
  })

describe('view', () => {
  test.each([
    ['a recording', duel, TIMES.map((ms) => START + ms)],
    ['an import', imported, TIMES.map((ms) => Date.UTC(2025, 6, 21, 12) + 5 * ms)],
  ])('of %s says what a log says that was cut there', (name, log, times) => {
    const whole = readLogs([log])
    let compared = 0
    for (const [index, until] of times.entries()) {
      const seen = view(whole, until)
      if (seen.prices.tickCount === 0) continue
      const out = join(folder, `cut-${name}-${index}`)
      cutLog(log, until - 1, out)
      const cut = readLogs([out])
      expect(rowsOf(seen)).toEqual(rowsOf(cut))
      expect([seen.prices.at, seen.prices.known, seen.stepMs]).toEqual([cut.prices.at, cut.prices.known, cut.stepMs])
      expect(seen.samples).toEqual(cut.samples)
      expect(seen.live).toEqual(new Map([...whole.live.keys()].map((bot) => [bot, cut.live.get(bot) ?? []])))
      expect([...seen.entered.values()].flatMap(({ entries }) => entries)).toEqual(
        [...cut.entered.values()].flatMap(({ entries }) => entries),
      )
      expect(cut.opportunities).toEqual(expect.arrayContaining([...seen.opportunities]))
      expect([seen.isImported, seen.firstAt, seen.tokens]).toEqual([cut.isImported, cut.firstAt, cut.tokens])
      compared += 1
    }
    expect(compared).toBeGreaterThan(30)
  })

  test('has a contest from when it is over', () => {
    const whole = readLogs([duel])
    const seen = TIMES.map((ms) => view(whole, START + ms).opportunities.length)
    expect(seen.at(7)).toBe(0)
    expect(seen.at(-1)).toBe(whole.opportunities.length)
  })
})

const BOUNDARY = START + 100_000
const [BEFORE, AFTER] = [BOUNDARY - 120_000, BOUNDARY + 60_000]
/** Prices after the boundary, and nothing else, are above it. */
const SEALED_PRICE = 7e6

/** A log that has everything on both sides of the boundary. */
function logOfBoth(): LogData {
  const texts = ['100.5', '101', String(SEALED_PRICE + 1), String(SEALED_PRICE + 2)]
  const at = Float64Array.of(BEFORE, BOUNDARY - 1, BOUNDARY, AFTER)
  const columnOf = (first: number) => ({
    ticks: Int32Array.of(1, 2, 3, 4).subarray(first),
    values: Float64Array.from(texts, Number).subarray(first),
    text: (row: number) => texts[first + row] ?? String(SEALED_PRICE),
  })
  const columns = new Map([
    ['old', columnOf(0)],
    ['new', columnOf(2)],
  ])
  const samples = new Samples()
  for (const time of [BEFORE, AFTER]) {
    for (const kind of ['actionMs', 'quoteMs', 'eventMs', 'waitMs', 'paidShares'] as const) samples[kind].push(time)
    samples.fees.push(BigInt(time))
    samples.filled.push({ at: time, from: 'old', to: 'new', inAmount: 1n, outAmount: BigInt(time) })
    for (const times of Object.values(samples.times)) times.push(time)
    samples.heardAt.push(time)
    samples.limits.set(`bot ${time}`, { at: time, maxStake: 1n, dailyLossCap: 1n })
    samples.bankroll.set(`bot ${time}`, { at: time, total: 1n, gasLamports: undefined })
  }
  samples.swapsFilled = 2
  samples.swapsFailed = 2
  const opportunity = (openAt: number, changes = {}): LogData['opportunities'][number] => ({
    ...{ contestId: `c ${openAt}`, mode: 'pnl_usd', chain: 'solana', format: 'duel', stake: 1n, durationSec: 10, capacity: 2, params: {} },
    ...{ via: 'queue', openAt, joinBy: null, lockedAt: openAt, ranMs: 10_000, side: null, others: [], facts: [] },
    ...changes,
  })
  const facts = [BEFORE, AFTER].map((time) => ({ mint: 'old', at: time, price: '1' }))
  const live = (toldAt: number) => ({ contestId: 'c', mode: 'pnl_usd', result: 'WIN', profit: 1n, startsAt: BEFORE, toldAt }) as const
  return {
    paths: ['log'],
    spans: [
      { realm: 'sandbox', from: BEFORE, to: AFTER },
      { realm: 'import', from: AFTER, to: AFTER },
    ],
    prices: { mints: ['old', 'new'], tickCount: 4, at, known: at, of: (mint) => columns.get(mint) },
    entered: new Map([
      [
        'alice',
        { configs: new Set(['c']), entries: [BEFORE, AFTER].map((time) => ({ at: time, action: leaveContest({ contestId: 'c' }) })) },
      ],
    ]),
    opportunities: [
      opportunity(BEFORE, { facts }),
      opportunity(BOUNDARY - 5000),
      opportunity(BEFORE - 1, { lockedAt: AFTER }),
      opportunity(BEFORE - 2, { ranMs: 600_000 }),
      opportunity(AFTER),
    ],
    samples,
    tokens: [],
    live: new Map([['alice', [live(BEFORE), live(AFTER)]]]),
    pauses: [
      { from: BEFORE, to: BEFORE + 1, tick: 1 },
      { from: BOUNDARY - 10, to: AFTER, tick: 3 },
    ],
    stepMs: 1000,
    isImported: false,
    firstAt: BEFORE,
    lastAt: AFTER,
  }
}

const MOST_ROWS = 10

/** Everything of a log that a trial could get at and that is sealed: times from the boundary on, prices of then, and arrays with more behind them. */
function sealedIn(value: unknown, path = 'log'): string[] {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = Number(value)
    return number >= BOUNDARY || (number >= SEALED_PRICE && number < SEALED_PRICE * 2) ? [path] : []
  }
  if (typeof value === 'string') return Number(value) >= SEALED_PRICE ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  if (ArrayBuffer.isView(value)) {
    const whole = value.buffer.byteLength === value.byteLength ? [] : [`${path}, behind it`]
    return [...whole, ...sealedIn([...(value as Float64Array)], path)]
  }
  if (value instanceof Map) return sealedIn([...value.entries()], path)
  if (value instanceof Set) return sealedIn([...value], path)
  const own = Object.entries(value).flatMap(([name, part]) => sealedIn(part, `${path}.${name}`))
  if ('of' in value && typeof value.of === 'function')
    return [...own, ...['old', 'new'].flatMap((mint) => sealedIn((value as LogData['prices']).of(mint), `${path}.${mint}`))]
  if ('text' in value && typeof value.text === 'function') {
    const { text } = value as { text: (row: number) => string }
    return [...own, ...Array.from({ length: MOST_ROWS }, (_, row) => row).flatMap((row) => sealedIn(text(row), `${path}.text(${row})`))]
  }
  return own
}

describe('what a trial is given', () => {
  const whole = logOfBoth()
  const seen = view(whole, BOUNDARY)

  test('has everything of before the boundary and nothing of after it', () => {
    expect(sealedIn(seen)).toEqual([])
    expect(seen.prices.tickCount).toBe(2)
    expect(seen.prices.mints).toEqual(['old'])
    expect(seen.prices.of('old')?.text(1)).toBe('101')
    expect(seen.opportunities.map(({ openAt, facts }) => [openAt, facts.length])).toEqual([[BEFORE, 1]])
    expect(seen.entered.get('alice')?.entries).toHaveLength(1)
    expect(seen.live.get('alice')).toHaveLength(1)
    expect(seen.samples).toMatchObject({ actionMs: [BEFORE], swapsFilled: 1, swapsFailed: 1, heardAt: [BEFORE] })
    expect(seen.pauses).toHaveLength(1)
    expect(seen.lastAt).toBe(BOUNDARY - 10)
    expect(seen.spans).toEqual([{ realm: 'sandbox', from: BEFORE, to: BOUNDARY - 1 }])
  })

  // Each field as it was: the look above has to find it, or it would find nothing in a view that forgets the field.
  test.each([
    'spans',
    'prices',
    'entered',
    'opportunities',
    'samples',
    'live',
    'pauses',
    'lastAt',
  ] as const)('is caught where %s was left whole', (field) => {
    const caught = sealedIn({ ...seen, [field]: whole[field] })
    expect(caught.length).toBeGreaterThan(0)
    expect(caught.every((path) => path.startsWith(`log.${field}`))).toBe(true)
  })

  test('is caught where a single sealed price can be read', () => {
    const { prices } = seen
    const column = prices.of('old')
    const leaks: Partial<LogData['prices']>[] = [
      { of: () => column && { ...column, text: whole.prices.of('old')?.text ?? (() => '') } },
      { of: () => column && { ...column, values: (whole.prices.of('old')?.values ?? new Float64Array()).subarray(0, 2) } },
      { of: (mint) => whole.prices.of(mint) },
      { at: whole.prices.at.subarray(0, 2) },
    ]
    for (const leak of leaks) expect(sealedIn({ ...seen, prices: { ...prices, ...leak } })).not.toEqual([])
  })
})

describe('expectBefore', () => {
  test('lets a play end at the boundary, and not a millisecond later', () => {
    expectBefore(BOUNDARY, BOUNDARY - 1000, 1000)
    for (const [until, tailMs] of [
      [BOUNDARY - 999, 1000],
      [BOUNDARY - 1000, 1001],
      [AFTER, 0],
    ] as const) {
      let thrown: unknown
      try {
        expectBefore(BOUNDARY, until, tailMs)
      } catch (error) {
        thrown = error
      }
      expect((thrown as CornermanError | undefined)?.code).toBe('LOG_SEALED')
    }
  })
})

describe('looks at a log', () => {
  const dataDir = join(folder, 'data')
  const clock = { now: () => 5000 }
  const [span] = readLogs([imported]).spans
  const [from, to] = [span?.from ?? 0, span?.to ?? 0]
  const boundary = from + Math.round((to - from) * 0.6)
  const ledger = openLedger({ dataDir, clock })
  const seal = ledger.seal({
    spans: [{ realm: 'import', from: boundary, to }],
    trainUntil: boundary - 60_000,
    incumbent: 'old',
    prices: [],
  })
  ledger.look({ by: 'promote', candidate: 'new', incumbent: 'old', seal })
  const looksAt = (...logs: readonly string[]) => openLedger({ dataDir, clock }).sealOf(readLogs(logs).spans)?.looks
  const place = (name: string) => join(folder, name)

  test('count for a copy, however it is called', () => {
    cpSync(imported, place('copy'), { recursive: true })
    expect([looksAt(imported), looksAt(place('copy'))]).toEqual([1, 1])
  })

  test('count for what was cut from it or repaired, and joined to others', () => {
    cutLog(imported, boundary + 30_000, place('start'))
    repairLog(imported, place('mended'))
    expect([looksAt(place('start')), looksAt(place('mended')), looksAt(duel, place('start')), looksAt(place('mended'), duel)]).toEqual([
      1, 1, 1, 1,
    ])
  })

  test('count for the same prices imported with another seed, or a part of them', () => {
    const rows = [...readLog(imported)].flatMap(({ line }) => (line.kind === 'prices' ? [line] : [])).slice(50)
    const mints = [...readLog(imported)].flatMap(({ line }) => (line.kind === 'header' ? line.mints : []))
    const series = mints.map((mint, column) => ({ mint, closes: rows.map((row) => row.prices[column] ?? '1') }))
    importPrices({
      prices: { recordedFrom: rows[0]?.at ?? 0, stepMs: 5000, series },
      ...{ out: place('again'), seed: 99, contestsPerHour: 30, software: { cornerman: '0.0.0', node: '24' } },
    })
    expect(looksAt(place('again'))).toBe(1)
  })

  test('do not count for what ends before it, or is of another realm', () => {
    cutLog(imported, boundary - 10_000, place('train'))
    expect([looksAt(place('train')), looksAt(duel)]).toEqual([undefined, undefined])
  })

  test('are lost by a crash before the answer', () => {
    const other = openLedger({ dataDir, clock })
    const again = other.look({ by: 'promote', candidate: 'new', incumbent: 'old', seal })
    expect(again).toMatchObject({ number: 2, answer: undefined })
    other.answer(again, { p: 0.5 })
    expect(openLedger({ dataDir, clock }).look({ by: 'promote', candidate: 'new', incumbent: 'old', seal })).toMatchObject({
      number: 2,
      answer: { p: 0.5 },
    })
    expect(looksAt(imported)).toBe(2)
  })
})
