import { expect, test } from 'vitest'
import { openJournal } from './openJournal.ts'
import { prepareStatements } from './statements.ts'

/** Tables that stay small, however long a bot plays. */
const SMALL = new Set(['read_leases', 'json_each'])
/** What is asked at the start alone, and may go through all there is. */
const AT_START = new Set([
  'claimed',
  'openTickets',
  'seats',
  'sentSwaps',
  'counts',
  'newestEvent',
  'lastInput',
  'openCustody',
  'revealed',
  'revealCounts',
  'refusalCount',
  'picked',
  'modes',
])

test('no statement but those of a start goes through a table that grows: an input costs the same after weeks', () => {
  const db = openJournal(':memory:', 'FULL')
  const scans = Object.entries(prepareStatements(db)).flatMap(([name, statement]) => {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${statement.sourceSQL}`).all() as unknown as readonly { readonly detail: string }[]
    const tables = plan.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
    return tables.some((table) => !SMALL.has(table)) ? [name] : []
  })
  db.close()
  expect(new Set(scans)).toEqual(AT_START)
})
