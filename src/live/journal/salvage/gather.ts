import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type Leaf, leafRows, type Stored } from './leafRows.ts'
import type { PageFile } from './pageFile.ts'

// What is left of a journal, row by row, into the tables of a new one. A row is known by its columns: no two tables of a
// journal have the same.

type Column = 'integer' | 'text' | 'text?' | 'integer?' | 'rowid'

interface TableForm {
  readonly table: string
  /** In the order of the file; of older versions too. */
  readonly forms: readonly (readonly Column[])[]
  /** Of a row that is there twice, the newer stands: a page that was given up may still hold the older. */
  readonly insert: string
}

const texts = (count: number): Column[] => Array<Column>(count).fill('text')
const INTENT_BEFORE_RISK: Column[] = ['text', 'integer', 'integer', ...texts(3), 'text?', 'text?', 'integer?']

const SWAP_BEFORE_FIGURES_AT: Column[] = ['text', 'text', 'text', 'integer', 'integer', ...texts(3), 'text?', 'text?', 'text?', 'text?']

const TABLES: readonly TableForm[] = [
  {
    table: 'custody',
    forms: [
      [...texts(6), 'integer', 'integer?'],
      [...texts(6), 'integer'],
    ],
    insert: `INSERT INTO custody (contest_id, entry_id, price, salt, commitment, status, at, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (contest_id) DO UPDATE SET entry_id = excluded.entry_id, price = excluded.price, salt = excluded.salt,
        commitment = excluded.commitment, status = excluded.status, at = excluded.at, sum = excluded.sum WHERE excluded.at > custody.at`,
  },
  {
    table: 'events',
    forms: [['rowid', 'integer', 'integer', 'text', 'text?']],
    insert: 'INSERT OR IGNORE INTO events (position, n, at, raw, problem) VALUES (?, ?, ?, ?, ?)',
  },
  {
    table: 'intents',
    forms: [[...INTENT_BEFORE_RISK, 'text?', 'integer?'], [...INTENT_BEFORE_RISK, 'text?'], INTENT_BEFORE_RISK],
    insert: `INSERT INTO intents (key, n, at, action, stake, status, made, detail, settled_at, risk, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET status = excluded.status, made = excluded.made, detail = excluded.detail,
        settled_at = excluded.settled_at, sum = excluded.sum WHERE excluded.settled_at > coalesce(intents.settled_at, 0)`,
  },
  {
    table: 'swaps',
    forms: [
      [...SWAP_BEFORE_FIGURES_AT, 'integer?', 'integer?', 'integer?'],
      [...SWAP_BEFORE_FIGURES_AT, 'integer?', 'integer?'],
      SWAP_BEFORE_FIGURES_AT,
    ],
    insert: `INSERT INTO swaps (key, wallet, tx, last_valid_block_height, sent_at, given, quoted_out, min_out, signature, total_before,
        gas_before, profit_before, figures_at, figures_by, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET signature = excluded.signature, profit_before = excluded.profit_before, sum = excluded.sum
        WHERE swaps.signature IS NULL`,
  },
  {
    table: 'fills',
    forms: [
      ['rowid', 'text', 'text', 'text?', 'integer', ...texts(6), 'integer?'],
      ['rowid', 'text', 'text', 'text?', 'integer', ...texts(6)],
    ],
    insert: `INSERT OR IGNORE INTO fills (position, key, contest_id, signature, at, mint_from, mint_to, given, received, fee_lamports, source, sum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  },
  {
    table: 'contests',
    forms: [['text', 'integer', 'text?', 'text?', 'text?', 'text?', 'text?', 'text', 'text', 'text?', 'integer?']],
    insert: `INSERT OR IGNORE INTO contests (contest_id, ended_at, mode, strategy, versus, chain, stake, result, profit, swap_profit, sum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  },
  {
    table: 'facts',
    forms: [['text', 'text', 'integer?']],
    insert: 'INSERT OR REPLACE INTO facts (name, body, sum) VALUES (?, ?, ?)',
  },
  {
    table: 'modes',
    forms: [[...texts(4), 'integer', 'integer', 'integer?']],
    insert: 'INSERT OR IGNORE INTO modes (mode, state, why, numbers, since, trials, trial_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  },
  {
    table: 'outbox',
    forms: [['rowid', 'integer', 'text', 'text', 'integer', 'integer?']],
    insert: 'INSERT OR IGNORE INTO outbox (id, at, kind, body, tries, due_at) VALUES (?, ?, ?, ?, ?, ?)',
  },
  {
    table: 'refusals',
    forms: [['text', 'integer']],
    insert: 'INSERT INTO refusals VALUES (?, ?) ON CONFLICT (code) DO UPDATE SET count = max(count, excluded.count)',
  },
  { table: 'read_leases', forms: [['integer', 'integer']], insert: 'INSERT INTO read_leases VALUES (?, ?)' },
  { table: 'meta', forms: [['text', 'text']], insert: 'INSERT OR IGNORE INTO meta VALUES (?, ?)' },
]
/** What the database itself keeps of its tables: of each its kind, name, table, first page and words. */
const SCHEMA_FORM: readonly Column[] = ['text', 'text', 'text', 'integer', 'text?']

export interface Gathered {
  /** Names in the schema; empty where that cannot be read. */
  readonly tables: ReadonlySet<string>
  /** Pages that hold something beyond reading, in their order. */
  readonly damagedPages: readonly number[]
  /** How many rows were found. */
  readonly rows: number
}

/** @param db with the tables of a journal, all empty, and without the foreign keys being watched */
export function gather(pages: PageFile, db: DatabaseSync): Gathered {
  const inserts = new Map(TABLES.map((form): [TableForm, StatementSync] => [form, db.prepare(form.insert)]))
  const tables = new Set<string>()
  const damaged = new Set<number>()
  let rows = 0
  for (const leaf of leafRows(pages)) {
    const row = 'damaged' in leaf ? undefined : rowOf(leaf)
    if (row !== undefined) {
      inserts.get(row.form)?.run(...row.values)
      rows += 1
    } else if ('values' in leaf && isOf(SCHEMA_FORM, leaf.values)) {
      tables.add(String(leaf.values[1]))
    } else damaged.add(leaf.page)
  }
  return { tables, damagedPages: [...damaged].sort((a, b) => a - b), rows }
}

function rowOf({ rowid, values }: Exclude<Leaf, { damaged: unknown }>): { form: TableForm; values: SQLInputValue[] } | undefined {
  for (const form of TABLES) {
    const columns = form.forms.find((own) => isOf(own, values))
    if (columns === undefined) continue
    const own = values.map((value, index) => (columns[index] === 'rowid' ? rowid : value))
    // The first version had no risk: it was the stake.
    const known = columns === INTENT_BEFORE_RISK ? [...own, own[4] ?? null] : own
    // What an older version lacks at a row's end nobody has written.
    const missing = form.insert.split('?').length - 1 - known.length
    return { form, values: [...known, ...Array<null>(Math.max(0, missing)).fill(null)] }
  }
  return undefined
}

const isOf = (columns: readonly Column[], values: readonly Stored[]): boolean =>
  columns.length === values.length && columns.every((column, index) => isIn(column, values[index] ?? null))

function isIn(column: Column, value: Stored): boolean {
  if (value === null) return column === 'rowid' || column.endsWith('?')
  if (column === 'rowid') return false
  // A block of zeros is what a disk gives back that has lost one.
  if (column.startsWith('text')) return typeof value === 'string' && !value.includes('\0')
  return typeof value === 'number' || typeof value === 'bigint'
}
