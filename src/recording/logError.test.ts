import { expect, test } from 'vitest'
import { problemAt } from './logError.ts'

const messageOf = (log: string) => problemAt({ code: 'LOG_UNREADABLE', what: 'it is no log' }, { log, file: log, line: 1 }).message

test.each([
  'prices.csv',
  'PRICES.CSV',
  'prices.csv.gz',
  'prices.json',
  'klines.zip',
])('%s in place of a log is to be imported first', (log) => {
  expect(messageOf(log)).toContain(`npm run cornerman -- logs import ${log} --out DIR`)
})

test.each(['recordings/alice', 'recordings/alice/20260101.000001.ndjson', 'csv'])('%s is to be looked at, or repaired', (log) => {
  expect(messageOf(log)).toMatch(/logs repair/)
  expect(messageOf(log)).not.toMatch(/logs import/)
})
