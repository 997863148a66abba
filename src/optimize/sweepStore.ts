import { globSync, mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskRemedy } from '../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import { plainJson } from '../core/plainJson.ts'
import type { Lost } from './pool.ts'
import { resultOf, resultText } from './resultText.ts'
import type { BlockResult } from './runBlock.ts'

const TABLES = `
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS results (job TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

type Fact = 'plan' | 'outcome' | 'judged'

/** What a sweep has played so far, in a database of its own: what is in it survives a kill, and half of a result is never in it. */
export class SweepStore {
  readonly #database: DatabaseSync
  readonly #file: string
  readonly #results = new Map<string, BlockResult | Lost>()

  /**
   * Opens a sweep, and holds it for this process alone.
   *
   * @param id of a sweep that is there, or of one to be made
   * @throws CornermanError `SWEEP_BUSY` where another process holds it, `SWEEP_DAMAGED` where it cannot be read, `SWEEP_UNWRITABLE` where
   *   it cannot be made
   */
  constructor(dataDir: string, id: string) {
    this.#file = fileOf(dataDir, id)
    let database: DatabaseSync | undefined
    try {
      mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 })
      database = new DatabaseSync(this.#file, { timeout: 0 })
      database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${TABLES}`)
      for (const { job, body } of database.prepare('SELECT job, body FROM results').all() as { job: string; body: string }[])
        this.#results.set(job, resultOf(body))
    } catch (cause) {
      database?.close()
      throw refusalOf(cause, id, this.#file)
    }
    this.#database = database
  }

  /** What was written down of it before; undefined where nothing was. */
  fact(key: Fact): unknown {
    const row = this.#database.prepare('SELECT value FROM facts WHERE key = ?').get(key) as { value: string } | undefined
    return row === undefined ? undefined : (JSON.parse(row.value) as unknown)
  }

  /** @throws CornermanError `SWEEP_UNWRITABLE` */
  state(key: Fact, value: unknown): void {
    this.#write('INSERT OR REPLACE INTO facts VALUES (?, ?)', key, JSON.stringify(plainJson(value)))
  }

  /** What a job came to, in this run or an earlier one. */
  result(job: string): BlockResult | Lost | undefined {
    return this.#results.get(job)
  }

  /** @throws CornermanError `SWEEP_UNWRITABLE` */
  keep(job: string, result: BlockResult | Lost): void {
    this.#write('INSERT OR REPLACE INTO results VALUES (?, ?)', job, resultText(result))
    this.#results.set(job, result)
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #write(statement: string, key: string, body: string): void {
    try {
      this.#database.prepare(statement).run(key, body)
    } catch (cause) {
      throw new CornermanError('SWEEP_UNWRITABLE', `${this.#file} cannot be written (${messageOf(cause)}): ${diskRemedy(cause)}`, { cause })
    }
  }
}

/** The ids of the sweeps of a data directory. */
export const sweepsOf = (dataDir: string): string[] =>
  globSync('*.db', { cwd: folderOf(dataDir) })
    .map((file) => basename(file, '.db'))
    .sort()

/**
 * The id of a search that is there.
 *
 * @param id undefined: the newest
 * @throws CornermanError `SWEEP_UNKNOWN`, with those that there are
 */
export function knownSweep(dataDir: string, id: string | undefined): string {
  const known = sweepsOf(dataDir)
  const madeAt = (one: string) => statSync(fileOf(dataDir, one)).mtimeMs
  const found = id ?? known.toSorted((a, b) => madeAt(b) - madeAt(a))[0]
  if (found !== undefined && known.includes(found)) return found
  throw new CornermanError(
    'SWEEP_UNKNOWN',
    `${dataDir} has no search${id === undefined ? '' : ` ${id}`}; there is ${known.join(', ') || 'none'}`,
  )
}

const folderOf = (dataDir: string): string => join(dataDir, 'optimize')
const fileOf = (dataDir: string, id: string): string => join(folderOf(dataDir), `${id}.db`)

function refusalOf(cause: unknown, id: string, file: string): CornermanError {
  const message = messageOf(cause)
  if (/locked|busy/i.test(message))
    return new CornermanError('SWEEP_BUSY', `the search ${id} is run by another process: wait until it has ended`, { cause })
  if (cause instanceof SyntaxError || /malformed|not a database|corrupt/i.test(message)) {
    const remedy = 'take the file away and start the search anew; what was looked at stays in the ledger'
    return new CornermanError('SWEEP_DAMAGED', `${file} is damaged (${message}): ${remedy}`, { cause })
  }
  return new CornermanError('SWEEP_UNWRITABLE', `${file} cannot be opened (${message}): ${diskRemedy(cause)}`, { cause })
}
