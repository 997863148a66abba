import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scalePrice, unscalePrice } from '../src/core/price.ts'
import { examineLog, importRows, type PricesLine } from '../src/recording/index.ts'
import { openPriceFiles } from '../src/recording/priceFiles.ts'
import { contentOf, emptyFolder } from './support/logFiles.ts'
import { runsOf } from './support/suite/cases.ts'

const folder = mkdtempSync(join(tmpdir(), 'doubtful-'))
const START = 1_753_099_020
const MINUTE = 60_000
let made = 0

type Row = readonly [minute: number, close: string]
type Options = Parameters<typeof openPriceFiles>[1]

/** A file of candles at these minutes. */
function fileOf(rows: readonly Row[], name = 'SOL.csv'): string {
  const path = join(mkdtempSync(join(folder, `${made++}-`)), name)
  writeFileSync(path, `time,open,close\n${rows.map(([minute, close]) => `${START + 60 * minute},1,${close}\n`).join('')}`)
  return path
}

async function logOf(paths: readonly string[], options: Options = {}) {
  const out = emptyFolder()
  const found = await openPriceFiles(paths, options)
  const { mints, from, until, stepMs } = found
  const software = { cornerman: '0', node: '24' }
  await importRows({ mints, from, until, stepMs, rows: found.rows() }, { out, seed: 7, contestsPerHour: 1, software })
  const lines = contentOf(out).filter((line): line is PricesLine => line.kind === 'prices')
  return { out, found, prices: lines.map(({ at, prices }): [number, ...(string | null)[]] => [(at / 1000 - START) / 60 - 1, ...prices]) }
}

const refused = (message: RegExp) => expect.objectContaining({ code: 'PRICES_DOUBTFUL', message: expect.stringMatching(message) })
const steady = (count: number, from = 0): Row[] => Array.from({ length: count }, (_, minute): Row => [from + minute, '100'])

describe('duplicates', () => {
  const path = fileOf([...steady(3), [2, '101'], [3, '102']])

  test('are listed and refused', async () => {
    await expect(openPriceFiles([path], {})).rejects.toEqual(
      refused(/1 row of a time that has one already \(--duplicates.*\n.*SOL\.csv, line 5: a row of 2025-07-21T11:59/),
    )
  })

  test('are let in by which of them counts', async () => {
    expect((await logOf([path], { duplicates: 'first' })).prices).toEqual([
      [0, '100'],
      [1, '100'],
      [2, '100'],
      [3, '102'],
    ])
    const { prices, found } = await logOf([path], { duplicates: 'last' })
    expect(prices).toEqual([
      [0, '100'],
      [1, '100'],
      [2, '101'],
      [3, '102'],
    ])
    expect(found.files[0]?.duplicates).toMatchObject({ count: 1, listed: [{ place: 5 }] })
  })
})

describe('outliers', () => {
  const spiked = (price: string, at = 10, count = 1): Row[] =>
    steady(20).map(([minute, close]) => [minute, minute >= at && minute < at + count ? price : close])

  test.each([
    ['ten times', spiked('1000')],
    ['a tenth', spiked('10')],
    ['five in a row', spiked('1000', 10, 5)],
    ['the first', spiked('1000', 0)],
    ['the last', spiked('1000', 19)],
  ])('%s of the neighbours: listed and refused', async (_name, rows) => {
    await expect(openPriceFiles([fileOf(rows)], {})).rejects.toEqual(
      refused(/of ten times the neighbours, or a tenth \(--outliers.*\n.*SOL at 2025-07-21T.*: 10(?:00)? beside 100/),
    )
  })

  test.each([
    ['less than ten times', spiked('999.999999999999999999')],
    ['more than a tenth', spiked('10.000000000000000001')],
    ['more than five in a row, since the price has moved,', spiked('1000', 10, 10)],
  ])('%s is none', async (_name, rows) => {
    expect((await logOf([fileOf(rows)])).prices).toHaveLength(20)
  })

  test('are kept or dropped, where it is said', async () => {
    const path = fileOf(spiked('1000'))
    expect((await logOf([path], { outliers: 'keep' })).prices[10]).toEqual([10, '1000'])
    const { prices } = await logOf([path], { outliers: 'drop' })
    expect(prices.map(([minute]) => minute)).toEqual(steady(20).flatMap(([minute]) => (minute === 10 ? [] : [minute])))
  })
})

describe('holes', () => {
  test('stay holes, up to an hour', async () => {
    const { prices, found } = await logOf([fileOf([...steady(5), ...steady(5, 64)])])
    expect(prices.map(([minute]) => minute)).toEqual([0, 1, 2, 3, 4, 64, 65, 66, 67, 68])
    expect(found.files[0]?.series[0]?.holes).toMatchObject({ count: 1, missing: 59, longestMs: 60 * MINUTE })
  })

  test('longer ones are refused, unless it is said', async () => {
    const path = fileOf([...steady(5), ...steady(5, 65)])
    await expect(openPriceFiles([path], {})).rejects.toEqual(
      refused(/1 hole longer than an hour.*\n.*SOL: no price from 2025-07-21T12:01.* to 2025-07-21T13:02.*, 3660 s/),
    )
    expect((await logOf([path], { maxHoleMs: 61 * MINUTE })).prices).toHaveLength(10)
    await expect(openPriceFiles([path], { maxHoleMs: 60 * MINUTE })).rejects.toEqual(refused(/longer than 3600 s/))
  })

  test('between two files of a token are holes too', async () => {
    const files = [fileOf(steady(5, 8), 'SOLUSDT-1m-2025-08.csv'), fileOf(steady(5), 'SOLUSDT-1m-2025-07.csv')]
    const { prices, found } = await logOf(files)
    expect(prices.map(([minute]) => minute)).toEqual([0, 1, 2, 3, 4, 8, 9, 10, 11, 12])
    expect(found.files.map(({ series }) => series[0]?.holes.missing)).toEqual([0, 3])
  })

  test('everything doubtful is said at once', async () => {
    const path = fileOf([...steady(20), [19, '100'], ...steady(9, 90), [99, '1000'], ...steady(9, 100)])
    await expect(openPriceFiles([path], {})).rejects.toEqual(refused(/1 row of(?:.|\n)*1 price of(?:.|\n)*1 hole longer/))
  })
})

test('logs check finds the holes, duplicates and outliers of a log', async () => {
  const { out } = await logOf([fileOf([...steady(20), ...steady(9, 22), [31, '1000'], ...steady(9, 32)])], { outliers: 'keep' })
  const { problems, series } = examineLog(out)
  expect(problems).toEqual([])
  const at = (minute: number) => (START + 60 * (minute + 1)) * 1000
  expect(series).toMatchObject([
    {
      ...{ prices: 39, from: at(0), until: at(40), periodMs: MINUTE },
      holes: { count: 1, missing: 2, longestMs: 3 * MINUTE, listed: [{ from: at(19), until: at(22) }] },
      outliers: { count: 1, listed: [{ at: at(31), price: '1000', beside: '100' }] },
      duplicates: { count: 0 },
    },
  ])
})

test('a link to a file is the file', async () => {
  const path = fileOf(steady(3))
  const link = join(mkdtempSync(join(folder, 'link-')), 'JUP-USDC.csv')
  symlinkSync(path, link)
  expect((await logOf([link])).prices).toHaveLength(3)
})

describe('whatever the digits', () => {
  const digits = fc.integer({ min: 1, max: 999_999_999 }).map(String)
  const price = fc.tuple(digits, fc.integer({ min: 0, max: 18 }), fc.integer({ min: -4, max: 4 }))

  test('a price is its text to the last digit, with an exponent or without', async () => {
    await fc.assert(
      fc.asyncProperty(price, async ([text, decimals, exponent]) => {
        // The value is text × 10⁻ᵈᵉᶜⁱᵐᵃˡˢ; written with an exponent, the point stands elsewhere.
        const padded = text.padStart(decimals + 1, '0')
        const plain = decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
        const scientific = `${text}e${-decimals}`
        const shifted = decimals + exponent >= 0 ? `${unscalePrice(scalePrice(plain))}E+0` : scientific
        for (const written of [plain, scientific, shifted]) {
          const { prices } = await logOf(
            [
              fileOf([
                [0, written],
                [1, written],
              ]),
            ],
            {},
          )
          expect(prices.map(([, close]) => close)).toEqual([unscalePrice(scalePrice(plain)), unscalePrice(scalePrice(plain))])
        }
      }),
      { numRuns: runsOf(30) },
    )
  })

  test('a time is the same in every unit', async () => {
    const second = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 })
    await fc.assert(
      fc.asyncProperty(second, async (at) => {
        const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
        const writings = [
          String,
          (s: number) => `${s}000`,
          (s: number) => `${s}000000`,
          (s: number) => `${s}.0`,
          iso,
          (s: number) => iso(s).replace('T', ' ').slice(0, 19),
        ]
        for (const write of writings) {
          const path = join(mkdtempSync(join(folder, `${made++}-`)), 'SOL.csv')
          writeFileSync(path, `close,TIME\n1,${write(at)}\n2,${write(at + 60)}\n`)
          expect((await openPriceFiles([path], {})).from).toBe((at + 60) * 1000)
        }
      }),
      { numRuns: runsOf(30) },
    )
  })
})
