import type { DatabaseSync } from 'node:sqlite'

/** Rows of our own statements on our own tables, one after the other. */
export function* rowsOf<T>(db: DatabaseSync, sql: string): Generator<T> {
  for (const row of db.prepare(sql).iterate()) yield row as T
}
