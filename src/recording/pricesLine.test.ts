import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pricesLineOf } from './pricesLine.ts'
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
      const found = pricesLineOf(body)
      if (found === undefined) {
        left += 1
        return
      }
      read += 1
      expect({ line: found }).toEqual(byJson(body))
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
    for (const those of [prices, [], ['5']]) {
      const json = { kind: 'prices', ...fields, prices: those }
      expect(pricesLineOf(JSON.stringify(json).slice(0, -1))).toEqual(json)
    }
  }
})
