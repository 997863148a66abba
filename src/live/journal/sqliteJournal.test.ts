import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { journalRecord } from '../../../test/support/journalFiles.ts'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import {
  type Custody,
  type Fill,
  freshMode,
  type Intent,
  type IntentStatus,
  type JournalRecord,
  nextMode,
  type SwapRecord,
  UNPLAYED_LIMITS,
} from '../../pipeline/index.ts'
import { enqueue, joinContest } from '../../strategy/action.ts'
import { checkJournal } from './checkJournal.ts'
import { SqliteJournal } from './sqliteJournal.ts'

const folder = mkdtempSync(join(tmpdir(), 'journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const freshFile = () => join(folder, `${files++}.db`)
const contestId = keyedUuid('contest')
const entry: Intent = {
  key: '3:ladder:0',
  action: enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 }),
  at: 1000,
  stake: usdc('1'),
  risk: usdc('1'),
}
const trade: Intent = {
  key: '3:crossover:0',
  action: { type: 'swap', contestId, from: USDC_MINT, to: SOL_MINT, amount: usdc('10') },
  at: 1000,
  stake: usdc('10'),
  risk: usdc('0.15'),
}
const swap: SwapRecord = {
  key: trade.key,
  wallet: 'wallet',
  transaction: 'AQAB',
  lastValidBlockHeight: 400,
  sentAt: 1500,
  // More than an integer of SQLite's can hold.
  given: 2n ** 80n,
  quotedOut: 7n,
  minOut: 6n,
  signature: undefined,
  before: { total: 5n, gasLamports: 2n ** 70n, profit: -3n },
}
const fill: Fill = {
  key: entry.key,
  contestId,
  signature: undefined,
  at: 2000,
  from: USDC_MINT,
  to: SOL_MINT,
  given: 2n ** 80n,
  received: 6n,
  feeLamports: 5000n,
  source: 'quote',
}
const held: Custody = {
  contestId,
  entryId: keyedUuid('entry'),
  price: '187.25',
  salt: 'a-salt-of-the-test',
  commitment: 'ab'.repeat(32),
  status: 'made',
}
const record = (fields: Partial<JournalRecord>): JournalRecord => journalRecord({ at: 1000, ...fields })

function reopened(file: string, ...records: readonly JournalRecord[]): SqliteJournal {
  const journal = new SqliteJournal(file).belongTo('agent')
  for (const item of records) journal.commit(item)
  journal.close()
  return new SqliteJournal(file).belongTo('agent')
}

/** What is in it, with the events read out. */
function contentsOf(journal: SqliteJournal) {
  const contents = journal.load()
  const loaded = { ...contents, events: [...contents.events] }
  journal.close()
  return loaded
}

const codeOf = (task: () => unknown): unknown => {
  try {
    task()
    return undefined
  } catch (thrown) {
    return (thrown as { code?: unknown }).code
  }
}

describe('SqliteJournal', () => {
  test('a new one is empty', () => {
    expect(contentsOf(new SqliteJournal(freshFile()).belongTo('agent'))).toEqual({
      cursor: undefined,
      events: [],
      pending: [],
      custody: [],
      claimed: [],
      swaps: [],
      tickets: [],
      left: [],
      ownReadies: [],
      picked: [],
      modes: [],
      revealed: [],
      madeAt: undefined,
      sent: [],
      fills: [],
      counts: { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 },
      lastInput: 0,
    })
  })

  test('gives back after a close all that was written', () => {
    const [event, odd] = [rawEvent('contest.settled', { contestId }), ['not', { even: null }]]
    const journal = reopened(
      freshFile(),
      record({
        n: 3,
        event: { raw: event, problem: undefined },
        cursor: event.id,
        intents: [entry],
        custody: [held],
        refusals: ['BANKROLL', 'BANKROLL'],
      }),
      record({ n: 4, event: { raw: odd, problem: 'malformed' } }),
      record({ n: 5, refusals: ['SIDE_TAKEN'] }),
    )
    expect(contentsOf(journal)).toEqual({
      cursor: event.id,
      events: [event, odd],
      pending: [entry],
      custody: [held],
      claimed: [],
      swaps: [],
      tickets: [],
      left: [],
      ownReadies: [],
      picked: [],
      modes: [],
      revealed: [],
      madeAt: undefined,
      sent: [],
      fills: [],
      counts: { sent: 0, refused: 3, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 },
      lastInput: 4,
    })
  })

  test('says when it was made, whatever it is told later', () => {
    const file = freshFile()
    new SqliteJournal(file).belongTo('agent', 1000).close()
    expect(contentsOf(new SqliteJournal(file).belongTo('agent', 2000)).madeAt).toBe(1000)
  })

  test('a seat was given back where the newest accepted join or leave of it is a leave', () => {
    const moves = ['joinContest', 'leaveContest'] as const
    const of = (n: number, contest: string, type: (typeof moves)[number], status: IntentStatus = 'accepted') => {
      const key = `${n}:ladder:0`
      const intent = { key, action: { type, contestId: contest }, at: 1000, stake: 0n, risk: 0n }
      return [record({ n, intents: [intent] }), record({ n: n + 1, outcomes: [{ key, status }] })]
    }
    const journal = reopened(
      freshFile(),
      ...of(1, 'left', 'joinContest'),
      ...of(3, 'left', 'leaveContest'),
      ...of(5, 'taken again', 'leaveContest'),
      ...of(9, 'taken again', 'joinContest'),
      ...of(11, 'refused', 'joinContest'),
      ...of(13, 'refused', 'leaveContest', 'lostRace'),
      ...of(15, 'not taken again', 'leaveContest'),
      ...of(17, 'not taken again', 'joinContest', 'lostRace'),
    )
    expect(journal.load().left.toSorted()).toEqual(['left', 'not taken again'])
  })

  test('a pick was taken where one was accepted', () => {
    const of = (n: number, contest: string, status: IntentStatus) => {
      const key = `${n}:picker:0`
      const intent = { key, action: { type: 'draftPick', contestId: contest, token: 'a' } as const, at: 1000, stake: 0n, risk: 0n }
      return [record({ n, intents: [intent] }), record({ n: n + 1, outcomes: [{ key, status }] })]
    }
    const journal = reopened(
      freshFile(),
      ...of(1, 'one', 'accepted'),
      ...of(3, 'two', 'rejected'),
      ...of(5, 'two', 'absent'),
      ...of(7, 'one', 'accepted'),
      ...of(9, 'three', 'rejected'),
      ...of(11, 'three', 'accepted'),
    )
    expect(journal.load().picked.toSorted()).toEqual(['one', 'one', 'three'])
  })

  test('gives back the newest of each mode; one that was altered counts as closed, and is told', () => {
    const unplayed = { type: 'unplayed', hindrance: 'noPiece', stake: usdc('1') } as const
    const taken = { type: 'enqueue', mode: 'draft_basket', stake: usdc('2'), durationSec: 60 } as const
    const entered = nextMode(freshMode('draft_basket'), { type: 'entered', action: taken }, 1000, UNPLAYED_LIMITS)
    const closed = nextMode(entered, unplayed, 2000, UNPLAYED_LIMITS)
    const file = freshFile()
    const moved = nextMode(freshMode('up_down'), { type: 'moved', isPart: false }, 1000, UNPLAYED_LIMITS)
    const journal = reopened(file, record({ n: 1, modes: [entered, moved] }), record({ n: 2, modes: [closed] }))
    expect(journal.load().modes).toEqual([closed, moved])
    expect(journal.load().faults).toBeUndefined()
    journal.close()
    const db = new DatabaseSync(file)
    db.exec(`UPDATE modes SET numbers = replace(numbers, '"closed"', '"cloned"') WHERE mode = 'up_down';
             UPDATE modes SET numbers = 'x' WHERE mode = 'draft_basket'`)
    db.close()
    const altered = new SqliteJournal(file)
    const { modes, faults } = altered.load()
    altered.close()
    expect(modes).toEqual([expect.objectContaining({ closed: expect.objectContaining({ why: 'operator', trialAt: undefined }) }), moved])
    expect(faults).toEqual([expect.stringContaining('the mode counts as closed: open it with cornerman modes open draft_basket')])
    expect(checkJournal(file)).toMatchObject([{ table: 'modes', row: 'draft_basket' }])
  })

  test('an intent is pending until it has an outcome, and an unknown one still is', () => {
    const join = {
      key: '4:ladder:0',
      action: joinContest({ contestId, side: 'UP', orElse: [] }),
      at: 2000,
      stake: usdc('2'),
      risk: usdc('2'),
    }
    const journal = reopened(
      freshFile(),
      record({ intents: [entry] }),
      record({ n: 4, intents: [join] }),
      record({ n: 5, outcomes: [{ key: entry.key, status: 'unknown', detail: 'reset' }] }),
      record({ n: 6, outcomes: [{ key: join.key, status: 'accepted', made: contestId }] }),
    )
    expect(contentsOf(journal)).toMatchObject({
      pending: [entry],
      claimed: [{ id: contestId, key: join.key }],
      counts: { sent: 1, failed: 0 },
    })
  })

  test.each([
    ['accepted', { sent: 1, failed: 0 }],
    ['lostRace', { sent: 1, failed: 0 }],
    ['rejected', { sent: 1, failed: 1 }],
    ['notSent', { sent: 1, failed: 1 }],
    ['absent', { sent: 1, failed: 1 }],
    ['notTaken', { sent: 0, failed: 0 }],
    ['unknown', { sent: 0, failed: 0 }],
  ] as const)('an action that was %s counts as %j', (status, counts) => {
    const journal = reopened(freshFile(), record({ intents: [entry] }), record({ n: 4, outcomes: [{ key: entry.key, status }] }))
    expect(contentsOf(journal).counts).toMatchObject(counts)
  })

  test.each([
    ['filled', { sent: 1, failed: 0, swapsFilled: 1, swapsFailed: 0 }],
    ['reverted', { sent: 1, failed: 0, swapsFilled: 0, swapsFailed: 1 }],
    ['expired', { sent: 1, failed: 0, swapsFilled: 0, swapsFailed: 1 }],
    ['unfilled', { sent: 0, failed: 0, swapsFilled: 0, swapsFailed: 1 }],
    ['rejected', { sent: 1, failed: 1, swapsFilled: 0, swapsFailed: 1 }],
    ['refused', { sent: 0, failed: 0, swapsFilled: 0, swapsFailed: 0 }],
    ['unknown', { sent: 0, failed: 0, swapsFilled: 0, swapsFailed: 0 }],
  ] as const)('a swap that was %s counts as %j', (status, counts) => {
    const journal = reopened(freshFile(), record({ intents: [trade] }), record({ n: 4, outcomes: [{ key: trade.key, status }] }))
    expect(contentsOf(journal).counts).toMatchObject(counts)
  })

  test('a swap that was sent is known until it has an outcome, with the signature that was learnt', () => {
    const [file, signature] = [freshFile(), 'a-signature']
    const open = reopened(file, record({ intents: [trade], swaps: [swap] }), record({ n: 4, swaps: [{ ...swap, signature }] }))
    expect(contentsOf(open)).toMatchObject({ pending: [trade], swaps: [{ ...swap, signature }] })
    const own = { ...fill, key: trade.key }
    const closed = reopened(file, record({ n: 5, outcomes: [{ key: trade.key, status: 'filled' }], fills: [own] }))
    expect(contentsOf(closed)).toMatchObject({ pending: [], swaps: [], fills: [own] })
  })

  test('the figures before a swap stand as they were corrected', () => {
    const before = { total: 5n, gasLamports: 6n, profit: 7n, readAt: 8, answeredAt: 9 }
    const corrected = { ...swap, before: { ...before, profit: -7n } }
    const journal = reopened(freshFile(), record({ intents: [trade], swaps: [{ ...swap, before }] }), record({ n: 4, swaps: [corrected] }))
    expect(contentsOf(journal).swaps).toEqual([corrected])
  })

  test('figures that were not read are undefined, not 0', () => {
    const unread = { ...swap, before: undefined }
    expect(contentsOf(reopened(freshFile(), record({ intents: [trade], swaps: [unread] }))).swaps).toEqual([unread])
  })

  test.each([
    ['made', 1, {}],
    ['committed', 1, {}],
    ['revealed', 0, { revealed: 1 }],
    ['missed', 0, { missed: 1 }],
    ['dropped', 0, {}],
  ] as const)('a prediction that is %s leaves %i in custody', (status, size, counts) => {
    const {
      custody,
      revealed,
      counts: counted,
    } = contentsOf(reopened(freshFile(), record({ custody: [held] }), record({ n: 4, custody: [{ ...held, status }] })))
    expect(custody).toEqual(size === 0 ? [] : [{ ...held, status }])
    expect(revealed).toEqual(status === 'revealed' ? [held.contestId] : [])
    expect(counted).toMatchObject({ revealed: 0, missed: 0, ...counts })
  })

  test('the newest salt of a contest is the one that is kept', () => {
    const second: Custody = { ...held, salt: 'another-salt-of-the-test', price: '188', commitment: 'cd'.repeat(32) }
    const journal = reopened(
      freshFile(),
      record({ custody: [held] }),
      record({ n: 4, custody: [{ ...held, status: 'revealed' }] }),
      record({ n: 5, custody: [second] }),
    )
    expect(contentsOf(journal).custody).toEqual([second])
  })

  test('what one input changes is written whole or not at all', () => {
    const journal = new SqliteJournal(freshFile()).belongTo('agent')
    journal.commit(record({ intents: [entry] }))
    const event = rawEvent('contest.settled', { contestId })
    // The same key twice cannot be: it comes last, after the event, the cursor and the custody.
    const broken = record({
      n: 9,
      event: { raw: event, problem: undefined },
      cursor: event.id,
      custody: [held],
      intents: [{ ...entry, key: 'new' }, entry],
      refusals: ['BANKROLL'],
    })
    expect(codeOf(() => journal.commit(broken))).toBe('JOURNAL_WRITE_FAILED')
    journal.commit(record({ n: 10, refusals: ['SIDE_TAKEN'] }))
    expect(contentsOf(journal)).toMatchObject({
      cursor: undefined,
      events: [],
      custody: [],
      pending: [entry],
      lastInput: 3,
      counts: { refused: 1 },
    })
  })

  test('a write that fails outside of a transaction is the journal’s error too', () => {
    const journal = new SqliteJournal(freshFile()).belongTo('agent')
    journal.close()
    expect(codeOf(() => journal.commit(record({ refusals: ['BANKROLL'] })))).toBe('JOURNAL_WRITE_FAILED')
  })

  test('is written through to the disk before a commit returns', () => {
    const file = freshFile()
    const pragmas: unknown[] = []
    const closed = vi.spyOn(DatabaseSync.prototype, 'close').mockImplementationOnce(function (this: DatabaseSync) {
      for (const name of ['journal_mode', 'synchronous', 'locking_mode']) pragmas.push(this.prepare(`PRAGMA ${name}`).get()?.[name])
      this.close()
    })
    new SqliteJournal(file).belongTo('agent').close()
    closed.mockRestore()
    // 2 is FULL: a commit waits for the disk.
    expect(pragmas).toEqual(['wal', 2, 'exclusive'])
  })

  test('belongs to one process at a time', () => {
    const file = freshFile()
    const first = new SqliteJournal(file).belongTo('agent')
    expect(codeOf(() => new SqliteJournal(file).belongTo('agent'))).toBe('JOURNAL_IN_USE')
    first.close()
    new SqliteJournal(file).belongTo('agent').close()
  })

  test('belongs to one agent', () => {
    const file = freshFile()
    new SqliteJournal(file).belongTo('agent').close()
    expect(() => new SqliteJournal(file).belongTo('other')).toThrow(/is the journal of agent agent, this bot is agent other/)
    // Refused, it is let go of.
    new SqliteJournal(file).belongTo('agent').close()
  })

  test('of a newer version it is left alone', () => {
    const file = freshFile()
    new SqliteJournal(file).belongTo('agent').close()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 1000')
    db.close()
    expect(codeOf(() => new SqliteJournal(file).belongTo('agent'))).toBe('JOURNAL_NEWER')
  })

  test('what is no journal is not opened as one', () => {
    expect(codeOf(() => new SqliteJournal(folder).belongTo('agent'))).toBe('JOURNAL_UNREADABLE')
    const text = freshFile()
    writeFileSync(text, 'dear diary, '.repeat(100))
    expect(codeOf(() => new SqliteJournal(text).belongTo('agent'))).toBe('JOURNAL_UNREADABLE')
  })
})

test('of reads that were set aside those that were never sent are given back, and the next run knows it', () => {
  const file = freshFile()
  const journal = new SqliteJournal(file)
  journal.lease({ at: 1000, count: 10 }, 0)
  journal.lease({ at: 2000, count: 10 }, 0, 7)
  expect(journal.leases(0).map(({ count }) => count)).toEqual([3, 10])
  journal.lease({ at: 3000, count: 1 }, 1500)
  journal.close()
  const next = new SqliteJournal(file)
  expect(next.leases(0)).toEqual([
    { at: 2000, count: 10 },
    { at: 3000, count: 1 },
  ])
  next.lease({ at: 4000, count: 10 }, 0, 20)
  expect(next.leases(2500)).toEqual([
    { at: 3000, count: 0 },
    { at: 4000, count: 10 },
  ])
  next.close()
})
