import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { priceLog } from '../../test/support/priceLog.ts'
import { readLogs } from '../backtest/index.ts'
import { hashOfLog } from '../optimize/plan.ts'
import { view } from '../optimize/sealed.ts'
import { packLog, unpackLog } from './packedLog.ts'

const folder = mkdtempSync(join(tmpdir(), 'packed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a log that was packed is played as the same, and nobody hears where it lay', () => {
  const data = readLogs([priceLog(folder)])
  const bytes = packLog(data)
  const again = unpackLog(bytes)
  expect(hashOfLog(again)).toBe(hashOfLog(data))
  expect({ ...again, prices: undefined }).toEqual({ ...data, paths: [], prices: undefined })
  for (const mint of data.prices.mints) {
    const [own, other] = [data.prices.of(mint), again.prices.of(mint)]
    expect(Array.from(own?.values.keys() ?? [], (row) => own?.text(row))).toEqual(
      Array.from(other?.values.keys() ?? [], (row) => other?.text(row)),
    )
  }
  expect(packLog(unpackLog(bytes))).toEqual(bytes)
})

test('of a view nothing travels that it does not show', () => {
  const data = readLogs([priceLog(join(folder, 'second'))])
  const boundary = Math.round((data.firstAt + data.lastAt) / 2)
  const { prices } = unpackLog(packLog(view(data, boundary)))
  expect(prices.at.length).toBeGreaterThan(10)
  expect(Math.max(...prices.at)).toBeLessThan(boundary)
  expect(prices.at.buffer.byteLength).toBe(prices.at.byteLength)
})
