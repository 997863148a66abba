import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { header, input, sealedText } from './support/logFiles.ts'
import { jsonOf, runCornerman } from './support/runCornerman.ts'

const folder = mkdtempSync(join(tmpdir(), 'cornerman-logs-'))

async function logs(...args: string[]) {
  const run = runCornerman(['logs', ...args])
  return { code: await run.exited, run }
}

test('logs: a price file becomes a log, which is listed, shown, checked and exported', async () => {
  const csv = join(folder, 'prices.csv')
  writeFileSync(csv, `ts,SOL,kBONK\n${Array.from({ length: 300 }, (_, row) => `${(row + 1) * 60},187.${row + 1},0.03`).join('\n')}\n`)
  const log = join(folder, 'recordings', 'july')
  const imported = await logs('import', csv, '--out', log, '--seed', '3', '--contests-per-hour', '12', '--json')
  expect(imported.code).toBe(0)
  const { ticks, contests } = jsonOf<{ ticks: number; contests: number }>(imported.run)
  expect(ticks).toBe(300)

  const [listed, shown, limited, checked, exported] = await Promise.all([
    logs('list', '--data-dir', folder, '--json'),
    logs('show', log, '--kind', 'contest', '--limit', '1000', '--json'),
    logs('show', log, '--limit', '2'),
    logs('check', log, '--json'),
    logs('export', log, '--out', join(folder, 'tables'), '--format', 'parquet', '--json'),
  ])
  expect(jsonOf(listed.run)).toEqual({
    recordings: [{ bot: 'july', path: log, segments: 1, bytes: expect.any(Number), from: 60_000 }],
  })
  expect(jsonOf<{ lines: unknown[] }>(shown.run).lines).toHaveLength(contests)
  expect(limited.run.stdout()).toMatch(/^1970-01-01T00:01:00.000Z header .*\n1970-01-01T00:01:00.000Z prices .*\n$/)
  expect([checked.code, jsonOf(checked.run)]).toMatchObject([0, { problems: [], tokens: [{ prices: 300 }, { prices: 300 }] }])
  expect(jsonOf<{ files: string[] }>(exported.run).files).toHaveLength(3)
})

test('logs list: does without a segment that is deleted meanwhile', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cornerman-logs-'))
  const log = join(dataDir, 'recordings', 'alice')
  mkdirSync(log, { recursive: true })
  const text = sealedText([header({ segment: 2, at: 7000 }), input(1)])
  writeFileSync(join(log, 'run-000002.ndjson'), text)
  // In the listing of the folder, and gone when it is looked at.
  symlinkSync(join(dataDir, 'nowhere'), join(log, 'run-000001.ndjson.zst'))
  writeFileSync(join(log, 'run-000000.ndjson'), '')
  const listed = await logs('list', '--data-dir', dataDir, '--json')
  expect(listed.code).toBe(0)
  expect(jsonOf(listed.run)).toEqual({ recordings: [{ bot: 'alice', path: log, segments: 2, bytes: text.length, from: 7000 }] })
})

test('logs: what is wrong is listed with exit code 1, repaired with 0, and a wrong use is 2', async () => {
  const log = join(folder, 'damaged')
  mkdirSync(log)
  const file = join(log, 'run-000001.ndjson')
  writeFileSync(file, sealedText([header(), input(1), input(3)]))
  const out = join(folder, 'repaired')
  const [checked, shown, repaired] = await Promise.all([logs('check', log), logs('show', log), logs('repair', log, '--out', out, '--json')])
  expect(checked.code).toBe(1)
  expect(checked.run.stdout()).toContain(`LOG_GAP ${file}, line 3: input 3 follows input 1`)
  expect([shown.code, shown.run.stderr()]).toEqual([1, expect.stringContaining('logs repair')])
  expect(repaired.code).toBe(0)
  expect(jsonOf(repaired.run)).toEqual({
    kept: 2,
    mendings: [{ file, line: 3, code: 'LOG_GAP', done: 'what follows is a run of its own' }],
  })

  const [again, taken, nowhere, format, csv] = await Promise.all([
    logs('check', out),
    logs('repair', log, '--out', out),
    logs('check', join(folder, 'nowhere')),
    logs('export', log, '--out', join(folder, 'x'), '--format', 'xml'),
    logs('import', file, '--out', join(folder, 'y')),
  ])
  expect(again.code).toBe(0)
  expect([taken.code, nowhere.code, format.code, csv.code]).toEqual([2, 2, 2, 2])
})
