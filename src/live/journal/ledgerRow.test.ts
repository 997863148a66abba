import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { journalRecord } from '../../../test/support/journalFiles.ts'
import { usdc } from '../../core/usdc.ts'
import { GuardLedger, type LedgerFacts } from '../../guard/index.ts'
import { SqliteJournal } from './sqliteJournal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ledger-row-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AT = Date.UTC(2026, 0, 1)

/** A ledger with an open entry, a loss and an unseen payout. */
function played(): LedgerFacts {
  const ledger = new GuardLedger()
  ledger.move(AT)
  ledger.bankrollRead({ available: usdc('100'), begunAt: AT, swapsInFlight: 0n })
  for (const key of ['open', 'lost', 'won']) {
    ledger.sent({ key, stake: usdc('1'), mode: 'up_down', by: 'ladder' })
    ledger.accepted(key, key)
  }
  const settled = { type: 'contest.settled', id: 'e', createdAt: AT } as const
  const data = { mode: 'up_down', stake: usdc('1') } as const
  ledger.onEvent({ ...settled, data: { ...data, contestId: 'lost', result: 'LOSS', payout: 0n, profit: -usdc('1') } })
  ledger.onEvent({ ...settled, data: { ...data, contestId: 'won', result: 'WIN', payout: usdc('1.9'), profit: usdc('0.9') } })
  const facts = ledger.takeFacts()
  if (facts === undefined) throw new Error('nothing has changed')
  return facts
}

/** Keeps a ledger in a file, and opens the file again after `sql`. */
function reopened(facts: LedgerFacts, sql = '') {
  const file = join(mkdtempSync(join(folder, 'x-')), 'bot.db')
  const journal = new SqliteJournal(file)
  journal.load()
  journal.commit(journalRecord({ n: 1, at: AT, ledger: facts }))
  journal.close()
  if (sql !== '') {
    const db = new DatabaseSync(file)
    db.exec(sql)
    db.close()
  }
  const again = new SqliteJournal(file)
  const { ledger, faults } = again.load()
  again.close()
  return { ledger, faults: faults ?? [] }
}

test('the guard’s ledger is the same after a restart, and counts the same', () => {
  const facts = played()
  const { ledger: kept, faults } = reopened(facts)
  expect([kept, faults]).toEqual([facts, []])
  const restored = new GuardLedger()
  if (kept !== undefined) restored.restore(kept, AT)
  restored.move(AT)
  expect(restored.open()).toBe(usdc('2'))
  expect(restored.lost()).toBe(usdc('1'))
  expect(restored.stakedNet).toBe(usdc('3'))
})

test.for([
  { name: 'an amount was changed', sql: `UPDATE facts SET body = replace(body, '1000000', '1') WHERE name = 'ledger'` },
  { name: 'it is of another version', sql: `UPDATE facts SET body = replace(body, '"version":1', '"version":9') WHERE name = 'ledger'` },
  { name: 'it is no JSON', sql: `UPDATE facts SET body = 'x' WHERE name = 'ledger'` },
])('a ledger is named and not used if $name', ({ sql }) => {
  const { ledger, faults } = reopened(played(), sql)
  expect(ledger).toBeUndefined()
  expect(faults).toEqual([expect.stringContaining('table facts, row ledger')])
  expect(faults[0]).toContain('losses count by the dates of their events')
})
