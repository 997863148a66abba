import { expectConformance, line, strategyContext } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import trend from './trend.ts'

const predict = (prices: readonly string[], asked: { readonly lookbackSec?: number; readonly token?: string | undefined } = {}) => {
  const { lookbackSec, token } = { lookbackSec: 8, token: 'sol', ...asked }
  return trend({ lookbackSec }).predict({
    ...strategyContext({ prices: { sol: prices } }),
    contest: { contestId: 'c', mode: 'up_down', stake: 1n, token, durationSec: 20, startsAt: undefined, endsAt: undefined },
  })
}

describe('trend', () => {
  test('keeps the contract of a strategy', () => expectConformance(trend()))

  test('takes the side the price has been moving to', () => {
    expect(predict(line(100, 101, 10))).toEqual({ side: 'UP' })
    expect(predict(line(100, 99, 10))).toEqual({ side: 'DOWN' })
    expect(predict(line(100, 100.000001, 10))).toEqual({ side: 'UP' })
  })

  test('looks back as far as it is told', () => {
    const downThenUp = [...line(100, 90, 20), ...line(91, 94, 3)]
    expect(predict(downThenUp, { lookbackSec: 20 })).toEqual({ side: 'DOWN' })
    expect(predict(downThenUp, { lookbackSec: 4 })).toEqual({ side: 'UP' })
  })

  test('passes where nothing moved, and where it came back to where it was', () => {
    expect(predict(line(100, 100, 10))).toBeNull()
    expect(predict([...line(100, 105, 4), ...line(104, 100, 4)], { lookbackSec: 9 })).toBeNull()
  })

  test('passes without a price, without enough of a past, and where it is not told the token', () => {
    expect(predict([])).toBeNull()
    expect(predict(line(100, 101, 7))).toBeNull()
    expect(predict(line(100, 101, 10), { token: undefined })).toBeNull()
    expect(predict(line(100, 101, 10), { token: 'another' })).toBeNull()
  })

  test('is asked for up_down alone', () => {
    expect(trend().modes).toEqual(['up_down'])
  })
})
