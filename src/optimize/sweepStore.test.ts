import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { BlockResult } from './runBlock.ts'
import { knownSweep, SweepStore, sweepsOf } from './sweepStore.ts'

const folder = mkdtempSync(join(tmpdir(), 'sweeps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const RESULT: BlockResult = {
  fingerprint: 'f1',
  warnings: ['MODES_NOT_PLAYED'],
  contests: [
    {
      ...{ contestId: 'c', mode: 'up_down', durationSec: 60, enteredAt: 1, startsAt: 2, endedAt: 3 },
      ...{ stake: 1_000_000n, profit: -1_000_000n, swapProfit: 9_007_199_254_740_993n, result: 'LOSS' },
    },
  ],
}

test('what was kept is there again in the next process, to the last digit', () => {
  const first = new SweepStore(folder, 'kept')
  first.state('plan', { seed: 1 })
  first.keep('job', RESULT)
  first.keep('bad', { lost: 'hung' })
  first.close()
  const next = new SweepStore(folder, 'kept')
  expect([next.fact('plan'), next.fact('outcome')]).toEqual([{ seed: 1 }, undefined])
  expect([next.result('job'), next.result('bad'), next.result('other')]).toEqual([RESULT, { lost: 'hung' }, undefined])
  next.close()
})

test('one search is run by one process at a time', () => {
  const held = new SweepStore(folder, 'held')
  expect(() => new SweepStore(folder, 'held')).toThrow(expect.objectContaining({ code: 'SWEEP_BUSY' }))
  held.close()
  new SweepStore(folder, 'held').close()
})

test.each([
  ['no database', 'x'.repeat(5000)],
  ['half a database', 'SQLite format 3\0half'],
])('a file that is %s is damaged, and the message says what to do', (_name, content) => {
  writeFileSync(join(folder, 'optimize', 'damaged.db'), content)
  expect(() => new SweepStore(folder, 'damaged')).toThrow(/damaged.*take the file away and start the search anew/)
})

test('searches are named, and one that there is not is refused with those that there are', () => {
  expect(sweepsOf(folder)).toEqual(['damaged', 'held', 'kept'])
  expect(knownSweep(folder, 'kept')).toBe('kept')
  utimesSync(join(folder, 'optimize', 'held.db'), 9e9, 9e9)
  expect(knownSweep(folder, undefined)).toBe('held')
  for (const id of ['gone', '../optimize/kept', '']) expect(() => knownSweep(folder, id)).toThrow(/there is damaged, held, kept/)
})

test('a folder that cannot be made is said with a remedy', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => new SweepStore(file, 'any')).toThrow(expect.objectContaining({ code: 'SWEEP_UNWRITABLE' }))
})
