import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { entryIntent, heldPrediction, leafPagesOf, spoilPages, swapIntent, swapRecord } from '../../../test/support/journalFiles.ts'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { encodeExact } from '../../core/exactJson.ts'
import { keyedUuid } from '../../core/ids.ts'
import { checkJournal } from './checkJournal.ts'
import { headerOf, migrate, SCHEMA_VERSION } from './migrations.ts'
import { repairJournal } from './repairJournal.ts'
import { SqliteJournal } from './sqliteJournal.ts'
import { rowOfSwap } from './swapRows.ts'

const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The tables as each older version had them: these texts never change. */
const OLDER = {
  1: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE events (position INTEGER PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, raw TEXT NOT NULL, problem TEXT) STRICT;
    CREATE TABLE intents (
      key TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, stake TEXT NOT NULL,
      status TEXT NOT NULL, made TEXT, detail TEXT, settled_at INTEGER
    ) STRICT;
    CREATE INDEX intents_open ON intents (status) WHERE status IN ('pending', 'unknown');
    CREATE TABLE custody (
      contest_id TEXT PRIMARY KEY, entry_id TEXT NOT NULL, price TEXT NOT NULL, salt TEXT NOT NULL, commitment TEXT NOT NULL,
      status TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE refusals (code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    PRAGMA user_version = 1;
  `,
  2: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE events (position INTEGER PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, raw TEXT NOT NULL, problem TEXT) STRICT;
    CREATE TABLE intents (
      key TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, stake TEXT NOT NULL,
      status TEXT NOT NULL, made TEXT, detail TEXT, settled_at INTEGER, risk TEXT
    ) STRICT;
    CREATE INDEX intents_open ON intents (status) WHERE status IN ('pending', 'unknown');
    CREATE TABLE custody (
      contest_id TEXT PRIMARY KEY, entry_id TEXT NOT NULL, price TEXT NOT NULL, salt TEXT NOT NULL, commitment TEXT NOT NULL,
      status TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE refusals (code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    CREATE TABLE swaps (
      key TEXT PRIMARY KEY REFERENCES intents (key), wallet TEXT NOT NULL, tx TEXT NOT NULL, last_valid_block_height INTEGER NOT NULL,
      sent_at INTEGER NOT NULL, given TEXT NOT NULL, quoted_out TEXT NOT NULL, min_out TEXT NOT NULL, signature TEXT,
      total_before TEXT, gas_before TEXT, profit_before TEXT
    ) STRICT;
    CREATE TABLE fills (
      position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE REFERENCES intents (key), contest_id TEXT NOT NULL, signature TEXT,
      at INTEGER NOT NULL, mint_from TEXT NOT NULL, mint_to TEXT NOT NULL, given TEXT NOT NULL, received TEXT NOT NULL,
      fee_lamports TEXT NOT NULL, source TEXT NOT NULL
    ) STRICT;
    PRAGMA user_version = 2;
  `,
  3: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE events (position INTEGER PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, raw TEXT NOT NULL, problem TEXT) STRICT;
    CREATE TABLE intents (
      key TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, stake TEXT NOT NULL,
      status TEXT NOT NULL, made TEXT, detail TEXT, settled_at INTEGER, risk TEXT
    ) STRICT;
    CREATE INDEX intents_open ON intents (status) WHERE status IN ('pending', 'unknown');
    CREATE TABLE custody (
      contest_id TEXT PRIMARY KEY, entry_id TEXT NOT NULL, price TEXT NOT NULL, salt TEXT NOT NULL, commitment TEXT NOT NULL,
      status TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE refusals (code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    CREATE TABLE swaps (
      key TEXT PRIMARY KEY REFERENCES intents (key), wallet TEXT NOT NULL, tx TEXT NOT NULL, last_valid_block_height INTEGER NOT NULL,
      sent_at INTEGER NOT NULL, given TEXT NOT NULL, quoted_out TEXT NOT NULL, min_out TEXT NOT NULL, signature TEXT,
      total_before TEXT, gas_before TEXT, profit_before TEXT
    ) STRICT;
    CREATE TABLE fills (
      position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE REFERENCES intents (key), contest_id TEXT NOT NULL, signature TEXT,
      at INTEGER NOT NULL, mint_from TEXT NOT NULL, mint_to TEXT NOT NULL, given TEXT NOT NULL, received TEXT NOT NULL,
      fee_lamports TEXT NOT NULL, source TEXT NOT NULL
    ) STRICT;
    CREATE TABLE read_leases (at INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;
    PRAGMA user_version = 3;
  `,
  4: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE events (position INTEGER PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, raw TEXT NOT NULL, problem TEXT) STRICT;
    CREATE TABLE intents (
      key TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, stake TEXT NOT NULL,
      status TEXT NOT NULL, made TEXT, detail TEXT, settled_at INTEGER, risk TEXT
    ) STRICT;
    CREATE INDEX intents_open ON intents (status) WHERE status IN ('pending', 'unknown');
    CREATE TABLE custody (
      contest_id TEXT PRIMARY KEY, entry_id TEXT NOT NULL, price TEXT NOT NULL, salt TEXT NOT NULL, commitment TEXT NOT NULL,
      status TEXT NOT NULL, at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE refusals (code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    CREATE TABLE swaps (
      key TEXT PRIMARY KEY REFERENCES intents (key), wallet TEXT NOT NULL, tx TEXT NOT NULL, last_valid_block_height INTEGER NOT NULL,
      sent_at INTEGER NOT NULL, given TEXT NOT NULL, quoted_out TEXT NOT NULL, min_out TEXT NOT NULL, signature TEXT,
      total_before TEXT, gas_before TEXT, profit_before TEXT, figures_at INTEGER, figures_by INTEGER
    ) STRICT;
    CREATE TABLE fills (
      position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE REFERENCES intents (key), contest_id TEXT NOT NULL, signature TEXT,
      at INTEGER NOT NULL, mint_from TEXT NOT NULL, mint_to TEXT NOT NULL, given TEXT NOT NULL, received TEXT NOT NULL,
      fee_lamports TEXT NOT NULL, source TEXT NOT NULL
    ) STRICT;
    CREATE TABLE read_leases (at INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;
    PRAGMA user_version = 4;
  `,
} as const
type Older = keyof typeof OLDER
const versions = Object.keys(OLDER).map(Number) as Older[]

const EVENTS = 60
const ids = new Map<Older, string[]>()
let files = 0

/** A journal of that version, with rows in it as its Cornerman wrote them. */
function written(version: Older): string {
  const file = join(folder, `${files++}.db`)
  using db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; ${OLDER[version]} BEGIN`)
  const events = Array.from({ length: EVENTS }, (_, at) => rawEvent('contest.settled', { contestId: keyedUuid('contest', at) }))
  ids.set(
    version,
    events.map(({ id }) => id),
  )
  for (const [at, event] of events.entries())
    db.prepare('INSERT INTO events (n, at, raw) VALUES (?, 1, ?)').run(at + 1, JSON.stringify(event))
  db.prepare("INSERT INTO meta VALUES ('agentId', 'agent'), ('cursor', ?)").run(events.at(-1)?.id ?? '')
  const columns = version === 1 ? '' : ", '0'"
  for (const [n, status] of [
    [70, 'pending'],
    [71, 'accepted'],
    [72, 'rejected'],
  ] as const) {
    const { key, at, action } = entryIntent(n)
    db.prepare(`INSERT INTO intents VALUES (?, ?, ?, ?, '1000000', ?, NULL, NULL, NULL${columns})`).run(
      key,
      n,
      at,
      encodeExact(action),
      status,
    )
  }
  if (version > 1) {
    const { key, at, action } = swapIntent(80)
    db.prepare("INSERT INTO intents VALUES (?, 80, ?, ?, '10000000', 'unknown', NULL, NULL, NULL, '150000')").run(
      key,
      at,
      encodeExact(action),
    )
    const values = rowOfSwap(swapRecord(80)).slice(0, version < 4 ? 12 : 14)
    db.prepare(`INSERT INTO swaps VALUES (${values.map(() => '?').join(', ')})`).run(...values)
  }
  for (const n of [1, 2]) {
    const { contestId, entryId, price, salt, commitment, status } = heldPrediction(n)
    db.prepare('INSERT INTO custody VALUES (?, ?, ?, ?, ?, ?, 1)').run(contestId, entryId, price, salt, commitment, status)
  }
  db.exec("INSERT INTO refusals VALUES ('BANKROLL', 3); COMMIT")
  return file
}

const expected = (version: Older) => ({
  cursor: ids.get(version)?.at(-1),
  events: ids.get(version),
  pending: [
    // The first version took the whole stake for what it can cost.
    { ...entryIntent(70), risk: version === 1 ? 1_000_000n : 0n },
    ...(version === 1 ? [] : [swapIntent(80)]),
  ],
  custody: [heldPrediction(1), heldPrediction(2)],
  claimed: [],
  tickets: [],
  left: [],
  ownReadies: [],
  picked: [],
  modes: [],
  revealed: [],
  madeAt: undefined,
  sent: version === 1 ? [] : [{ at: swapRecord(80).sentAt, transaction: swapRecord(80).transaction }],
  swaps: version === 1 ? [] : [swapRecord(80)],
  fills: [],
  counts: { sent: 2, refused: 3, failed: 1, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 },
  lastInput: version === 1 ? 72 : 80,
})

function takenUp(file: string) {
  const journal = new SqliteJournal(file).belongTo('agent')
  const { events, ...contents } = journal.load()
  const taken = { ...contents, events: [...events].map((event) => (event as { id: string }).id) }
  journal.close()
  return taken
}

/** What the tables look like, and every row of those that both versions have. */
function imageOf(file: string) {
  using db = new DatabaseSync(file)
  const tables = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const rows = tables.map(({ name }) => db.prepare(`SELECT * FROM ${String(name)}`).all())
  return { version: headerOf(db).version, tables, rows, integrity: db.prepare('PRAGMA integrity_check').get() }
}

test('there is a text of every older version', () => {
  expect(versions).toEqual(Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1))
})

describe.each(versions)('a journal of version %i', (version) => {
  test('is brought up to the newest when it is opened, and loses nothing', () => {
    const file = written(version)
    expect(takenUp(file)).toEqual(expected(version))
    expect(imageOf(file).version).toBe(SCHEMA_VERSION)
    expect(takenUp(file)).toEqual(expected(version))
  })

  test('is checked as it is, and stays so', () => {
    const file = written(version)
    const before = imageOf(file)
    expect(checkJournal(file)).toEqual([])
    expect(imageOf(file)).toEqual(before)
  })

  test('is repaired into the newest', () => {
    const file = written(version)
    spoilPages(file, leafPagesOf(file, 'events').at(-1) ?? 0)
    expect(repairJournal(file).left).toEqual([])
    const { events, cursor, ...taken } = takenUp(file)
    const { events: _events, cursor: _cursor, ...rest } = expected(version)
    expect(taken).toEqual(rest)
    expect(events).toEqual(ids.get(version)?.slice(0, events.length))
    expect(cursor).toBe(events.at(-1))
  })

  test('a step that fails leaves it as it was', () => {
    const file = written(version)
    using db = new DatabaseSync(file)
    // The last step makes this table, after all that comes before it.
    db.exec('CREATE TABLE outbox (something TEXT) STRICT')
    db.close()
    const before = imageOf(file)
    expect(() => new SqliteJournal(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNREADABLE' }))
    expect(imageOf(file)).toEqual(before)
  })

  test('a crash anywhere in the middle leaves it as it was, or finished', () => {
    const file = written(version)
    const before = imageOf(file)
    using db = new DatabaseSync(file)
    db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = FULL')
    migrate(db, file)
    const frames = (statSync(`${file}-wal`).size - 32) / (24 + 4096)
    expect(frames).toBeGreaterThan(0)
    const found = Array.from({ length: frames + 1 }, (_, written) => {
      const copy = join(folder, `${files++}.db`)
      copyFileSync(file, copy)
      copyFileSync(`${file}-wal`, `${copy}-wal`)
      truncateSync(`${copy}-wal`, 32 + written * (24 + 4096))
      return imageOf(copy)
    })
    for (const image of found.slice(0, -1)) expect(image).toEqual(before)
    expect(found.at(-1)).toMatchObject({ version: SCHEMA_VERSION, integrity: { integrity_check: 'ok' } })
  })
})
