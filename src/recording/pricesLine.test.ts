import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumAfter, sealed } from './checksum.ts'
import { PricesReader } from './pricesLine.ts'
import { readLine } from './readLine.ts'

const price = fc.oneof(
  { weight: 30, arbitrary: fc.stringMatching(/^\d{1,25}(\.\d{1,18})?$/) },
  { weight: 5, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('0', '0.000', '1.', '.5', '1e3', '-1', '', ' 1', '1.2.3', '1'.repeat(31), `1.${'1'.repeat(19)}`, 'é', '"'),
  },
)
const count = fc.oneof({ weight: 30, arbitrary: fc.nat() }, fc.constantFrom(0, 2 ** 53 - 1, 1_735_689_600_000, 10 ** 15, 1.5, -1))
const line = fc
  .record({
    n: fc.option(count, { nil: undefined }),
    at: count,
    tick: count,
    known: fc.option(count, { nil: undefined }),
    prices: fc.array(price, { maxLength: 4 }),
  })
  .map(({ n, at, tick, known, prices }) => ({ kind: 'prices', n, at, tick, known, prices }))

/** What any line is read by. */
function byJson(body: string) {
  try {
    return readLine(JSON.parse(`${body}}`))
  } catch {
    return undefined
  }
}

const reader = new PricesReader()
const behind = Buffer.from('{"kind":"prices",')

/** The line of a body, sealed, with other lines before and behind it. */
function placed(body: string) {
  const line = Buffer.from(`${sealed(body, checksumAfter(7, body))}\n`)
  const bytes = Buffer.concat([Buffer.from('what\n'), line, behind])
  return { bytes, start: bytes.length - behind.length - line.length, end: bytes.length - behind.length }
}

test('reads what JSON and its checks read, or nothing', () => {
  let [read, left] = [0, 0]
  const change = fc.record({
    at: fc.nat(200),
    cut: fc.nat(3),
    put: fc.constantFrom('', '0', '9', '"', ',', ']', '[', '.', 'n', ' ', '\\', '\n'),
  })
  fc.assert(
    fc.property(line, fc.option(change, { nil: undefined }), (json, changed) => {
      const whole = JSON.stringify(json).slice(0, -1)
      const place = changed === undefined ? 0 : changed.at % whole.length
      const body = changed === undefined ? whole : whole.slice(0, place) + changed.put + whole.slice(place + changed.cut)
      const { bytes, start, end } = placed(body)
      const next = reader.read(bytes, start)
      if (next < 0) {
        left += 1
        return
      }
      read += 1
      expect(next).toBe(end)
      expect({ line: reader.line(bytes.toString('utf8', start, end)) }).toEqual(byJson(body))
      expect(reader.checksum).toBe(checksumAfter(7, body))
      expect(bytes.toString('utf8', start, reader.bodyEnd)).toBe(body)
    }),
    { numRuns: 20_000 },
  )
  expect(Math.min(read, left)).toBeGreaterThan(1000)
})

test('reads every line that is written as it should be', () => {
  const prices = ['187.25', null, '0.000000000000000001', '1']
  for (const fields of [
    { at: 0, tick: 1 },
    { n: 12, at: 1_735_689_600_000, tick: 1 },
    { n: 1, at: 2, tick: 3, known: 4 },
    { at: 2, tick: 3, known: 4 },
  ]) {
    for (const those of [prices, [], ['5'], Array.from({ length: 100 }, (_, column) => (column % 3 === 0 ? null : `0.${column}`))]) {
      const json = { kind: 'prices', ...fields, prices: those }
      const { bytes, start, end } = placed(JSON.stringify(json).slice(0, -1))
      expect(reader.read(bytes, start)).toBe(end)
      expect(reader.line(bytes.toString('utf8', start, end))).toEqual(json)
      expect(those.map((_, column) => reader.text(column))).toEqual(those)
    }
  }
})

test('leaves a line alone that has no checksum or no end', () => {
  const body = '{"kind":"prices","at":1,"tick":2,"prices":["5"]'
  const line = `${sealed(body, 0xabcdef01)}\n`
  expect(reader.read(Buffer.from(line), 0)).toBe(line.length)
  for (let length = 0; length < line.length; length++) expect(reader.read(Buffer.from(line.slice(0, length)), 0)).toBe(-1)
  for (const other of [
    `${body}}\n`,
    line.replace('}\n', '}\r\n'),
    line.replace('abcdef01', 'ABCDEF01'),
    line.replace('abcdef01', 'abcdefg1'),
  ])
    expect(reader.read(Buffer.from(other), 0)).toBe(-1)
})

test('gives the number of a price whose text it is, and of no other', () => {
  const digits = fc.oneof(fc.stringMatching(/^\d{1,18}(\.\d{1,18})?$/), fc.double({ min: 1e-9, max: 1e9, noNaN: true }).map(String))
  let given = 0
  fc.assert(
    fc.property(digits, (text) => {
      const { bytes, start } = placed(`{"kind":"prices","at":1,"tick":2,"prices":["${text}"]`)
      if (reader.read(bytes, start) < 0 || Number.isNaN(reader.value(0))) return
      given += 1
      expect(reader.value(0)).toBe(Number(text))
      expect(String(reader.value(0))).toBe(text)
    }),
    { numRuns: 20_000 },
  )
  expect(given).toBeGreaterThan(1000)
})

test.each(['187.25', '1', '0.000001', '123456789.012345', '0.5', '100'])('gives the number of %s', (text) => {
  const { bytes, start } = placed(`{"kind":"prices","at":1,"tick":2,"prices":["${text}"]`)
  reader.read(bytes, start)
  expect(reader.value(0)).toBe(Number(text))
})

test.each(['0.0000001', '1.10', '01.5', '1234567890123456', '0.1234567890123456'])('leaves %s to its text', (text) => {
  const { bytes, start, end } = placed(`{"kind":"prices","at":1,"tick":2,"prices":["${text}"]`)
  expect(reader.read(bytes, start)).toBe(end)
  expect(reader.value(0)).toBeNaN()
  expect(reader.text(0)).toBe(text)
})
