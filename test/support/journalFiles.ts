import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'
import { commitmentOf } from '../../src/contract/commitment.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import { SqliteJournal } from '../../src/live/index.ts'
import type { Custody, Fill, Intent, JournalRecord, SwapRecord } from '../../src/pipeline/index.ts'
import { enqueue } from '../../src/strategy/action.ts'
import { rawEvent, START_MS } from './rawEvents.ts'

// Journals with something in them, and what can happen to their files.

export const PAGE_BYTES = 4096

export const journalRecord = (fields: Partial<JournalRecord>): JournalRecord => ({
  n: 3,
  at: START_MS,
  intents: [],
  outcomes: [],
  custody: [],
  swaps: [],
  fills: [],
  refusals: [],
  ...fields,
})

export const entryIntent = (n: number): Intent => ({
  key: `${n}:ladder:0`,
  action: enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 }),
  at: START_MS + n,
  stake: usdc('1'),
  risk: usdc('1'),
})

export const swapIntent = (n: number): Intent => ({
  key: `${n}:crossover:0`,
  action: { type: 'swap', contestId: keyedUuid('contest', n), from: USDC_MINT, to: SOL_MINT, amount: usdc('10') },
  at: START_MS + n,
  stake: usdc('10'),
  risk: usdc('0.15'),
})

export const swapRecord = (n: number): SwapRecord => ({
  key: `${n}:crossover:0`,
  wallet: 'wallet',
  // As long as a real one.
  transaction: 'AQAB'.repeat(300),
  lastValidBlockHeight: 400,
  sentAt: START_MS + n,
  given: 2n ** 80n,
  quotedOut: 7n,
  minOut: 6n,
  signature: undefined,
  before: { total: 5n, gasLamports: 2n ** 70n, profit: -3n },
})

const fillOfSwap = (n: number): Fill => ({
  key: `${n}:crossover:0`,
  contestId: keyedUuid('contest', n),
  signature: undefined,
  at: START_MS + n,
  from: USDC_MINT,
  to: SOL_MINT,
  given: usdc('10'),
  received: 6n,
  feeLamports: 5000n,
  source: 'quote',
})

export const saltOf = (n: number): string => `salt-of-the-test-number-${n}`

/** What the bot holds of a prediction: its commitment fits. */
export function heldPrediction(n: number, status: Custody['status'] = 'committed'): Custody {
  const [entryId, price, salt] = [keyedUuid('entry', n), '187.25', saltOf(n)]
  return { contestId: keyedUuid('contest', n), entryId, price, salt, commitment: commitmentOf(price, salt, entryId), status }
}

/**
 * A journal as a bot leaves it after a while, of agent `agent`: an event each input, and every tenth an entry, a swap that is
 * filled or one that is under way, and a prediction, every second of them revealed.
 *
 * @returns the ids of its events
 */
export function writeJournal(file: string, inputs: number): string[] {
  const journal = new SqliteJournal(file).belongTo('agent')
  const ids: string[] = []
  for (let n = 1; n <= inputs; n++) {
    const event = rawEvent('contest.settled', { contestId: keyedUuid('contest', n) })
    ids.push(event.id)
    const isTenth = n % 10 === 0
    const isOver = n % 20 === 0
    journal.commit(
      journalRecord({
        n,
        at: START_MS + n,
        event: { raw: event, problem: undefined },
        cursor: event.id,
        ...(isTenth && {
          intents: [entryIntent(n), swapIntent(n)],
          custody: [heldPrediction(n)],
          swaps: [swapRecord(n)],
          refusals: ['BANKROLL'],
        }),
      }),
    )
    if (!isOver) continue
    journal.commit(
      journalRecord({
        n,
        outcomes: [
          { key: entryIntent(n).key, status: 'accepted', made: keyedUuid('ticket', n) },
          { key: swapIntent(n).key, status: 'filled' },
        ],
        fills: [fillOfSwap(n)],
        custody: [heldPrediction(n, 'revealed')],
      }),
    )
  }
  journal.close()
  return ids
}

/** The journal, and the connection it made: a test plays the disk with it. */
export function openedJournal(file: string): { readonly journal: SqliteJournal; readonly db: DatabaseSync } {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
  try {
    const journal = new SqliteJournal(file)
    const db: unknown = prepared.mock.contexts.at(-1)
    if (!(db instanceof DatabaseSync)) throw new Error('the journal has prepared nothing')
    return { journal, db }
  } finally {
    prepared.mockRestore()
  }
}

/** The pages of a table or an index that hold its rows, in their order; of a file that nobody holds. */
export function leafPagesOf(file: string, name: string): number[] {
  using db = new DatabaseSync(file, { readOnly: true })
  const found = db.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path").all(name)
  return found.map(({ pageno }) => Number(pageno))
}

/** Writes garbage over whole pages of a file, as a disk or a foreign program would. */
export function spoilPages(file: string, ...pages: readonly number[]): void {
  for (const page of pages) overwritePage(file, page, Buffer.alloc(PAGE_BYTES, 'garbage '))
}

/** Writes an index page with nothing in it, as it may once have been: a write that never reached the disk. */
export function emptyIndexPage(file: string, page: number): void {
  overwritePage(file, page, Buffer.concat([Buffer.from([0x0a, 0, 0, 0, 0, PAGE_BYTES >> 8, 0, 0]), Buffer.alloc(PAGE_BYTES - 8)]))
}

function overwritePage(file: string, page: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  closeSync(descriptor)
}
