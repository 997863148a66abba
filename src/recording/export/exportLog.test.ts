import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { BONK, emptyFolder, header, input, prices, SOL, START, sealedText, segmentOf } from '../../../test/support/logFiles.ts'
import type { Decision } from '../lines.ts'
import { type ExportFormat, exportLog } from './exportLog.ts'

const decision: Decision = { type: 'sent', key: '1:ladder:0', procedure: 'agent.enqueue' }
const awkward = { type: 'refused', strategy: 'a "b", c\nd', action: {}, code: 'X', numbers: {} } as const satisfies Decision
const contest = {
  ...{ kind: 'contest', at: START + 4000, contestId: 'c-1', mode: 'pnl_usd', chain: 'solana', format: 'duel', stake: '1000000' },
  ...{ durationSec: 60, capacity: 2, opponents: 'AGENT', params: {}, via: 'queue' },
}
const log = segmentOf(
  sealedText([
    header({ mints: [SOL] }),
    input(1, { type: 'event', body: { raw: '1' } }),
    prices(2),
    { kind: 'mints', mints: [BONK] },
    prices(3, { prices: [null, '0.000000000000000123'] }),
    { kind: 'output', n: 3, at: START + 3000, decisions: [decision, awkward] },
    contest,
  ]),
)

function exported(format: ExportFormat): string {
  const out = emptyFolder()
  expect(exportLog(log, out, format)).toEqual(['prices', 'decisions', 'events'].map((name) => join(out, `${name}.${format}`)))
  return out
}

const { kind, at: _at, ...contestDetail } = contest

describe('exportLog', () => {
  test('as CSV', () => {
    const out = exported('csv')
    const read = (name: string) => parse(readFileSync(join(out, `${name}.csv`), 'utf8'), { columns: true })
    expect(read('prices')).toEqual([
      { at: String(START + 2000), tick: '2', mint: SOL, symbol: 'SOL', price: '187.25' },
      { at: String(START + 3000), tick: '3', mint: BONK, symbol: 'BONK', price: '0.000000000000000123' },
    ])
    expect(read('decisions')).toEqual([
      {
        n: '3',
        at: String(START + 3000),
        type: 'sent',
        strategy: '',
        key: '1:ladder:0',
        detail: JSON.stringify({ key: '1:ladder:0', procedure: 'agent.enqueue' }),
      },
      {
        ...{ n: '3', at: String(START + 3000), type: 'refused', strategy: 'a "b", c\nd', key: '' },
        detail: JSON.stringify({ strategy: awkward.strategy, action: {}, code: 'X', numbers: {} }),
      },
    ])
    expect(read('events')).toEqual([
      { n: '1', at: String(START + 1000), type: 'event', detail: '{"raw":"1"}' },
      { n: '', at: String(START + 4000), type: kind, detail: JSON.stringify(contestDetail) },
    ])
  })

  test('as Parquet: times are timestamps, and a price is there as text and as a number', async () => {
    const out = exported('parquet')
    const read = async (name: string) => parquetReadObjects({ file: await asyncBufferFromFile(join(out, `${name}.parquet`)) })
    expect(await read('prices')).toEqual([
      { at: new Date(START + 2000), tick: 2n, mint: SOL, symbol: 'SOL', price: '187.25', value: 187.25 },
      { at: new Date(START + 3000), tick: 3n, mint: BONK, symbol: 'BONK', price: '0.000000000000000123', value: 1.23e-16 },
    ])
    expect(await read('decisions')).toMatchObject([
      { n: 3n, at: new Date(START + 3000), type: 'sent', strategy: null, key: '1:ladder:0' },
      { n: 3n, type: 'refused', strategy: awkward.strategy, key: null },
    ])
    expect(await read('events')).toEqual([
      { n: 1n, at: new Date(START + 1000), type: 'event', detail: '{"raw":"1"}' },
      { n: null, at: new Date(START + 4000), type: kind, detail: JSON.stringify(contestDetail) },
    ])
  })

  test('writes into nothing that is taken', () => {
    const out = exported('csv')
    expect(() => exportLog(log, out, 'csv')).toThrow(expect.objectContaining({ code: 'LOG_OUT_TAKEN' }))
  })

  test.each<ExportFormat>(['csv', 'parquet'])('of a damaged log as %s nothing is left, and it can be tried again', (format) => {
    const out = emptyFolder()
    const damaged = segmentOf(sealedText([header({ mints: [SOL] }), prices(2, { prices: ['0'] })]))
    expect(() => exportLog(damaged, out, format)).toThrow(expect.objectContaining({ code: 'LOG_PRICE_INVALID' }))
    expect(readdirSync(out)).toEqual([])
    expect(exportLog(log, out, format)).toHaveLength(3)
  })
})
