import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { TOKENS, tokenOf } from '../../core/tokens.ts'
import { DEFAULT_PRICE_FILE, type PriceFile, readPriceFile } from './readPriceFile.ts'

let folder = ''
let filesMade = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prices-'))
})

function fileOf(content: string | Buffer): string {
  const file = join(folder, `${filesMade++}.csv`)
  writeFileSync(file, content)
  return file
}

const closesOf = (file: PriceFile, symbol: string) => file.series.find(({ mint }) => mint === tokenOf(symbol)?.mint)?.closes

describe('readPriceFile', () => {
  test('reads the file that comes with the project: every token but USDC, 6,779 minutes', () => {
    const file = readPriceFile(DEFAULT_PRICE_FILE)
    expect(file.recordedFrom).toBe(Date.parse('2025-07-21T11:57:00Z'))
    expect(file.series.map(({ mint }) => mint).toSorted()).toEqual(
      TOKENS.filter(({ symbol }) => symbol !== 'USDC')
        .map(({ mint }) => mint)
        .toSorted(),
    )
    expect(new Set(file.series.map(({ closes }) => closes.length))).toEqual(new Set([6779]))
    expect(closesOf(file, 'SOL')?.[0]).toBe('191.87')
    expect(closesOf(file, 'CBBTC')?.[0]).toBe('118264')
  })

  test('tells how far it has come', () => {
    const told: [number, number][] = []
    readPriceFile(DEFAULT_PRICE_FILE, (bytes, total) => told.push([bytes, total]))
    const total = gunzipSync(readFileSync(DEFAULT_PRICE_FILE)).length
    expect(told).toHaveLength(7)
    expect(told[0]).toEqual([0, total])
    for (const [index, [bytes, of]] of told.slice(1).entries()) {
      expect(of).toBe(total)
      expect(bytes / total).toBeCloseTo(((index + 1) * 1024) / 6779, 1)
    }
  })

  test('kBONK is the price of 1,000 BONK', () => {
    expect(closesOf(readPriceFile(DEFAULT_PRICE_FILE), 'BONK')?.[0]).toBe('0.000034954')
  })

  test('puts prices in canonical form, packed or not, and knows the text by its hash', () => {
    const text = 'ts,SOL\n60,187.250\n120,0190\n'
    const plain = readPriceFile(fileOf(text))
    const packed = readPriceFile(fileOf(gzipSync(text)))
    expect(closesOf(plain, 'SOL')).toEqual(['187.25', '190'])
    expect(packed).toEqual(plain)
    expect(readPriceFile(fileOf(`${text}\n\r\n`)).series).toEqual(plain.series)
    expect(readPriceFile(fileOf(`${text}180,190\n`)).fingerprint).not.toBe(plain.fingerprint)
  })

  test.each([
    ['nothing', '', /is empty/],
    ['another first column', 'time,SOL\n60,1\n120,1\n', /line 1: the header starts "time,SOL", it must be ts,SYMBOL/],
    ['no price column', 'ts\n60\n120\n', /line 1: the header/],
    ['an unknown coin', 'ts,SOL,DOGE\n60,1,1\n120,1,1\n', /line 1: no token is known for column "DOGE"; known are SOL,/],
    ['a coin twice', 'ts,BONK,kBONK\n60,1,1\n120,1,1\n', /line 1: column kBONK prices a token that another column prices/],
    ['one row', 'ts,SOL\n60,1\n', /has one row: it needs at least two/],
    ['a hole', 'ts,SOL\n60,1\n120,1\n240,1\n', /line 4: ts is 240 and the row before has 120.*so 180 belongs here/],
    ['a time that is none', 'ts,SOL\n60,1\nnoon,1\n', /line 3: ts is "noon"/],
    ['a price of zero', 'ts,SOL\n60,1\n120,0.00\n', /line 3, column SOL: the price is 0.00, it must be above 0/],
    ['a price that vanishes when divided', 'ts,kBONK\n60,1\n120,0.000000000000000001\n', /line 3, column kBONK: .* must be above 0/],
    ['not a number', 'ts,JUP,SOL\n60,1,1\n120,1,NaN\n', /line 3, column SOL: "NaN" is not a price/],
    ['a negative price', 'ts,SOL\n60,-1\n120,1\n', /line 2, column SOL: "-1" is not a price/],
    ['an exponent', 'ts,SOL\n60,1e3\n120,1\n', /line 2, column SOL: "1e3" is not a price/],
    ['a missing field', 'ts,SOL,JUP\n60,1,1\n120,1\n', /line 3: has 2 fields, the header has 3/],
    ['an empty line', 'ts,SOL\n60,1\n\n120,1\n', /line 3/],
  ])('refuses %s, naming the place', (_name, text, message) => {
    const file = fileOf(text)
    expect(() => readPriceFile(file)).toThrow(message)
    expect(() => readPriceFile(file)).toThrow(file)
  })

  test('refuses a file that is missing, cut short, or not CSV', () => {
    expect(() => readPriceFile(join(folder, 'none.csv'))).toThrow(/none\.csv cannot be read: ENOENT/)
    expect(() => readPriceFile(folder)).toThrow(/cannot be read: EISDIR/)
    const packed = gzipSync('ts,SOL\n60,1\n120,1\n')
    expect(() => readPriceFile(fileOf(packed.subarray(0, packed.length - 6)))).toThrow(/whole gzip/)
    expect(() => readPriceFile(fileOf('ts,SOL\n60,"1\n'))).toThrow(/is not CSV: .*line 2/i)
  })
})
