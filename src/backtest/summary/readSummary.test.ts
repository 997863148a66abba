import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testRun } from '../../../test/support/backtest/testRun.ts'
import { readSummary } from './readSummary.ts'
import { summaryOf } from './summaryOf.ts'

const folder = mkdtempSync(join(tmpdir(), 'cornerman-summary-'))
afterAll(() => rmSync(folder, { recursive: true }))

const summary = summaryOf(testRun())

function written(content: unknown): string {
  const file = join(folder, 'earlier.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('reads what a backtest printed, and leaves out what it does not know', () => {
  expect(readSummary(written(summary))).toEqual(summary)
  expect(readSummary(written({ ...summary, added: 'later' }))).toEqual(summary)
})

test.each([
  ['another document', { agents: [] }, 'logs is missing'],
  ['an amount that is a number', { ...summary, bots: summary.bots.map((bot) => ({ ...bot, profit: 5 })) }, 'bots[0].profit = 5'],
  [
    'an amount with a point',
    { ...summary, bots: summary.bots.map((bot) => ({ ...bot, staked: '1.5' })) },
    "bots[0].staked = '1.5': micro-USDC as digits",
  ],
  ['a count below zero', { ...summary, decisions: -1 }, 'decisions = -1'],
  ['no object', [], 'the document'],
])('names the file and the field of %s', (_name, content, says) => {
  const file = written(content)
  expect(() => readSummary(file)).toThrow(
    expect.objectContaining({
      code: 'SUMMARY_INVALID',
      message: expect.stringContaining(says),
      details: expect.objectContaining({ file }),
    }),
  )
  expect(() => readSummary(file)).toThrow(`${file} is no summary of a backtest`)
})

test('names the file that is missing or no JSON', () => {
  const missing = join(folder, 'missing.json')
  expect(() => readSummary(missing)).toThrow(
    expect.objectContaining({ code: 'SUMMARY_UNREADABLE', message: expect.stringContaining(missing) }),
  )
  const file = written('{"logs": [')
  expect(() => readSummary(file)).toThrow(expect.objectContaining({ code: 'SUMMARY_UNREADABLE', message: expect.stringContaining(file) }))
})
