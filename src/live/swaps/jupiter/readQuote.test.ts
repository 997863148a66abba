import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readQuote } from './readQuote.ts'

const { quotes } = JSON.parse(readFileSync(new URL('../../../../test/data/jupiter/quotes.json', import.meta.url), 'utf8')) as {
  quotes: Record<string, Record<string, unknown>>
}
const [QUOTE = {}] = Object.values(quotes)
const read = (changed: object) => readQuote({ ...QUOTE, ...changed }, 5)

describe('a quote', () => {
  test.each(Object.entries(quotes))('of the real API reads: %s', (_name, quote) => {
    const { inputMint, outputMint, inAmount, outAmount, otherAmountThreshold, slippageBps, priceImpactPct } = quote
    expect(readQuote(quote, 5)).toEqual({
      from: inputMint,
      to: outputMint,
      inAmount: BigInt(String(inAmount)),
      outAmount: BigInt(String(outAmount)),
      minOut: BigInt(String(otherAmountThreshold)),
      slippageBps,
      impactBps: priceImpactPct === '0' ? 0 : 4.2209781925,
      askedAt: 5,
    })
  })

  test.each([
    ['0.0029', 29],
    ['0.01', 100],
    ['1', 10_000],
    ['-0.0003', -3],
    ['1.5e-7', 0.0015],
    [0.0057, 57],
  ])('with an impact of %s has %s bps of it', (priceImpactPct, impactBps) => {
    expect(read({ priceImpactPct })).toMatchObject({ impactBps })
  })

  test.each([
    [''],
    [' '],
    ['0x10'],
    ['NaN'],
    ['Infinity'],
    ['1e999'],
    ['much'],
    [null],
    [[1]],
    [undefined],
  ])('with an impact of %j says nothing of it', (priceImpactPct) => {
    expect(read({ priceImpactPct })).toMatchObject({ inAmount: 1_000_000_000n, impactBps: undefined })
  })

  test.each(['inAmount', 'outAmount', 'otherAmountThreshold'])('whose %s is not digits of 64 bits is none', (field) => {
    const bad = [
      '-1',
      '1.0',
      '1e9',
      '',
      ' 1',
      '1\n',
      '0x1',
      '٣',
      'NaN',
      '18446744073709551616',
      '1'.repeat(21),
      1_000_000,
      null,
      undefined,
      {},
    ]
    for (const value of bad) expect(read({ [field]: value })).toEqual(expect.stringMatching(`^${field}: `))
    expect(read({ [field]: '18446744073709551615' })).toMatchObject({ from: QUOTE.inputMint })
    expect(read({ [field]: '0' })).toMatchObject({ from: QUOTE.inputMint })
  })

  test.each([
    ['inputMint', ['', 'SOL', '0'.repeat(40), 5]],
    ['outputMint', ['', undefined]],
    ['swapMode', ['ExactOut', undefined, 'exactin']],
    ['slippageBps', [-1, 0.5, 10_001, '50', Number.NaN, undefined]],
  ])('with another %s than is asked for is none', (field, values) => {
    for (const value of values) expect(read({ [field]: value })).toEqual(expect.stringMatching(`^${field}: `))
  })

  test.each([[null], [undefined], ['text'], [[QUOTE]], [7], [{}]])('is not %j', (json) => {
    expect(readQuote(json, 5)).toEqual(expect.any(String))
  })
})
