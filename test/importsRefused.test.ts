import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openPriceFiles } from '../src/recording/priceFiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'refused-'))
let made = 0

/** A file of this name, alone in its folder. */
function fileOf(content: string | Buffer, name = 'SOL.csv'): string {
  const path = join(mkdtempSync(join(folder, `${made++}-`)), name)
  writeFileSync(path, content)
  return path
}

type Options = Parameters<typeof openPriceFiles>[1]

/** What is said of files that are refused. */
async function refusalOf(paths: readonly string[], options: Options = {}): Promise<{ code: string; message: string }> {
  try {
    await openPriceFiles(paths, options)
  } catch (thrown) {
    return thrown as { code: string; message: string }
  }
  throw new Error(`${paths.join(', ')} was not refused`)
}

const HEADER = 'timestamp,open,high,low,close,volume\n'
const START = 1_753_099_020
const candle = (minute: number, close = '191.5'): string => `${START + 60 * minute},191,192,190,${close},10\n`
const candles = (count: number): string => HEADER + Array.from({ length: count }, (_, minute) => candle(minute)).join('')
const packed = gzipSync(candles(500))

describe('a file of prices that is none', () => {
  const cases: readonly [name: string, content: string | Buffer, message: RegExp, file?: string][] = [
    ['nothing', '', / is empty: it needs rows of a time and a price, such as/],
    ['white space', ' \n\n', / has nothing in it but white space/],
    ['packed nothing', gzipSync(''), / has nothing in it but its packing/],
    ['a header alone', HEADER, / has a header and no row: it needs at least two/],
    ['one row', candles(1), / has one row: it needs at least two/],
    ['one row, doubled', candles(1) + candle(0), / has one row, but for duplicates/],
    [
      'other columns',
      'foo;bar\n1;2\n',
      /Looked for: a time .* Found: the names "foo;bar" \(2 columns, parted by semicolon\)\. .*\n {2}timestamp,open/,
    ],
    ['a time and no price', 'timestamp,volume\n1,2\n', /Found: the names "timestamp,volume".*\n {2}timestamp,open,high,low,close,volume/],
    ['a price and no time', 'open,close\n1,2\n', /Found: the names "open,close"/],
    ['tokens and no time', 'SOL,JUP\n1,2\n', /Found: the names "SOL,JUP".*\n {2}ts,SOL,JUP/],
    ['another delimiter', candles(3).replaceAll(',', '~'), /one column: neither comma, semicolon, tab nor bar parts it/],
    ['no names, and other cells', '1,2,3\n4,5,6\n', /Found: no names, and in line 1 "1,2,3" \(3 columns/],
    [
      'no names, in another order',
      `${START},191,190,192,193,10\n`,
      /without a header its cells are taken for time, open, high, low, close, volume/,
    ],
    ['bytes', Buffer.from([1, 0, 2, 0, 3]), / is not text, it has bytes/],
    ['Parquet', Buffer.from('PAR1\0\0'), / is Parquet: .*freqtrade convert-data --format-from parquet --format-to jsongz/],
    ['Feather', Buffer.from('ARROW1\0\0'), / is Feather: .*freqtrade convert-data --format-from feather --format-to jsongz/],
    ['a ZIP archive', Buffer.from('PK\x03\x04\0'), / is a ZIP archive: unpack it/],
    ['UTF-16', Buffer.from(`\uFEFF${candles(2)}`, 'utf16le'), / is UTF-16: save it as UTF-8/],
    ['gzip that was cut', packed.subarray(0, packed.length - 20), / is not whole gzip: .*it was cut short or altered/],
    ['gzip that was altered', Buffer.concat([packed.subarray(0, 20), Buffer.alloc(9, 0xff), packed.subarray(29)]), / is not whole gzip: /],
    ['a quote without an end', `${HEADER}${candle(0)}"1,2\n`, / is not CSV: .*line 3/i],
    ['a name without an end', '"timestamp,close\n', / is not CSV: /],
    ['a row cut off', `${candles(2)}${START + 120},191`, /, line 4: has 2 cells, the header has 6; a row is cut off/],
    ['a cell too many', `${candles(2)}${candle(2).trim()},1\n`, /, line 4: has 7 cells, the header has 6/],
    ['JSON that was cut', '[[1753099020000,1,1,1,1,1],[17530990', / is not JSON: /, 'SOL.json'],
    ['JSON without rows', '[]', / has no row: it needs at least two/, 'SOL.json'],
    ['JSON of something else', '{"error":"no such pair"}', / is a JSON object with the fields error: no list of rows/, 'SOL.json'],
    ['JSON of numbers', '[1,2,3]', / has .* among its rows: a row is/, 'SOL.json'],
    ['JSON with other names', '[{"a":1,"b":2}]', /Found: the names "a,b" .*\n {2}\[\{"timestamp"/, 'SOL.json'],
    [
      'JSON with a null',
      '[[1753099020000,1,1,1,1,1],[1753099080000,1,1,1,null,1]]',
      /, row 2, column close: "null" is no price/,
      'SOL.json',
    ],
    ['no price', HEADER + candle(0) + candle(1, 'NaN'), /, line 3, column close: "NaN" is no price; leave the cell empty/],
    ['a price of zero', HEADER + candle(0) + candle(1, '0.00'), /, line 3, column close: the price is 0.00, it must be above 0/],
    ['a price of zero with an exponent', HEADER + candle(0) + candle(1, '0e-9'), /the price is 0e-9, it must be above 0/],
    ['a negative price', HEADER + candle(0) + candle(1, '-191.5'), /the price is -191.5, it must be above 0/],
    ['a word', HEADER + candle(0) + candle(1, 'n.a.'), /"n.a." is not a price: write decimal text/],
    ['a decimal comma', `time;close\n${START};191,5\n`, /, line 2, column close: "191,5" has a decimal comma/],
    ['more decimals than a log holds', HEADER + candle(0, '1e-19'), /1e-19 has 19 decimals, a log holds 18; --round rounds/],
    ['more digits than a log holds', HEADER + candle(0, '1e30'), /1e30 has more than 30 digits before its point/],
    ['a time that is none', `${candles(2)}noon,1,1,1,1,1\n`, /, line 4, column timestamp: "noon" is no time: it must be/],
    ['a day that is none', 'date,close\n2025-02-30,1\n', /"2025-02-30" is no time/],
    ['times of two meanings', 'date,close\n07/21/2025,1\n', /"07\/21\/2025" is no time/],
    [
      'times that go back',
      HEADER + candle(0) + candle(2) + candle(1),
      /, line 4: its time 2025-07-21T11:58.* is before .*, that of line 3: rows must be in the order of time/,
    ],
    [
      'two periods, one after the other',
      `${candles(30)}${Array.from({ length: 30 }, (_, row) => candle(34 + 5 * row)).join('')}`,
      /, line 32: it is 300 s after the row before, others are 60 s apart: these are candles of two periods/,
    ],
    [
      'a row out of step',
      `${candles(5)}${START + 290},191,192,190,191,1\n${START + 350},191,192,190,191,1\n`,
      /, line 7: it is 50 s after the row before, others are 60 s apart/,
    ],
    [
      'a period of two days',
      `${HEADER}${candle(0)}${candle(2880)}${candle(5760)}`,
      /its rows are 172800 s apart; a period is from 1 s to 1 day/,
    ],
    ['a period under a second', `time,close\n${START}000,1\n${START}500,1\n`, /its rows are 0.5 s apart/],
    ['a column twice', 'ts,close,Close\n1,2,3\n', /2 columns are called close: which one is meant is not known/],
    ['a token twice', `ts,BONK,kBONK\n${START},1,1\n`, /the columns BONK and kBONK are both prices of DezXAZ8z/],
    ['an unknown token among others', `ts,SOL,DOGE\n${START},1,1\n`, /no token is known for column "DOGE"/],
    ['a column without a price', `ts,SOL,JUP\n${START},1,\n${START + 60},1,\n`, /, column JUP: there is no price in it/],
    [
      'a name without a token',
      candles(2),
      /which token it has the prices of is not clear, since its name has no token that is known: say it by --token/,
      'candles.csv',
    ],
    ['a name with two tokens', candles(2), /its name may mean SOL or JUP/, 'SOL-JUP.csv'],
    ['a name with another currency', candles(2), /its name says that the prices are in EUR, and a log's are in USD/, 'SOL_EUR-1m.csv'],
  ]

  test.each(cases)('%s is said', async (_name, content, message, name) => {
    const path = fileOf(content, name)
    const refusal = await refusalOf([path])
    expect(refusal).toMatchObject({ code: 'PRICE_FILE_INVALID', message: expect.stringMatching(message) })
    expect(refusal.message).toContain(path)
  })

  test('so is a folder, and a file that is not there', async () => {
    expect((await refusalOf([folder])).message).toMatch(/ is a folder: name the files in it/)
    expect((await refusalOf([join(folder, 'none.csv')])).message).toMatch(/none\.csv cannot be read: ENOENT/)
  })

  test('so is a token that is not known, and one for each of too few files', async () => {
    const path = fileOf(candles(2))
    expect((await refusalOf([path], { tokens: ['DOGE'] })).message).toMatch(
      /no token is called "DOGE": known are SOL, .*; any other is named by its mint/,
    )
    expect(await refusalOf([path], { tokens: ['SOL', 'JUP'] })).toMatchObject({ code: 'USAGE', message: /given 2 times for 1 file/ })
    const wide = fileOf(`ts,SOL\n${START},1\n${START + 60},1\n`)
    expect((await refusalOf([wide], { tokens: ['SOL'] })).message).toMatch(/names its tokens by its columns, SOL: leave --token out/)
  })

  test('so are two files of one token at the same times', async () => {
    const [one, other] = [fileOf(candles(5)), fileOf(candles(5))]
    expect((await refusalOf([one, other])).message).toMatch(/both have prices of So1.* at the same times: leave one out/)
  })
})
