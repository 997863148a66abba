import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { priceLog } from '../../test/support/priceLog.ts'
import { readLogs } from '../backtest/index.ts'
import { hashOfLog } from '../optimize/plan.ts'
import { view } from '../optimize/sealed.ts'
import { packLog, unpackLog } from './packedLog.ts'

const folder = mkdtempSync(join(tmpdir(), 'packed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a log that was packed is played as the same, and nobody hears where it lay', () => {
  const log = priceLog(folder)
  const data = readLogs([log])
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
  expect(Buffer.compare(packLog(readLogs([log])), bytes)).toBe(0)
})

test('of a view nothing travels that it does not show', () => {
  const data = readLogs([priceLog(join(folder, 'second'))])
  const boundary = Math.round((data.firstAt + data.lastAt) / 2)
  const bytes = zstdDecompressSync(packLog(view(data, boundary)))
  const isIn = (at: number) => bytes.includes(Buffer.from(Float64Array.of(at).buffer))
  expect([...data.prices.at].filter((at) => at < boundary).every(isIn)).toBe(true)
  expect([...data.prices.at].filter((at) => at >= boundary).length).toBeGreaterThan(10)
  expect([...data.prices.at].filter((at) => at >= boundary).some(isIn)).toBe(false)
})
