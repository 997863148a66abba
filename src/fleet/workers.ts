import type { FleetDatabase } from './database.ts'

/** Of a worker that tells of itself every two seconds. */
const SILENT_SECONDS = 15

/** A worker of a fleet, as it last told of itself. */
export interface Worker {
  readonly host: string
  readonly pid: number
  /** SHA-256 of its framework. */
  readonly framework: string
  readonly software: string
  readonly threads: number
  readonly playing: number
  readonly played: number
  /** By the database's clock. */
  readonly silentSeconds: number
  readonly upSeconds: number
}

/** The workers that were heard of in the last day. */
export async function workersOf(database: FleetDatabase): Promise<readonly Worker[]> {
  return await database.query<{ [K in keyof Worker]: Worker[K] }>(
    `SELECT host, pid, framework, software, threads, playing, played::float8 AS played,
       round(extract(epoch FROM now() - seen))::int AS "silentSeconds", round(extract(epoch FROM seen - began))::int AS "upSeconds"
     FROM cornerman_fleet.workers WHERE seen > now() - interval '1 day' ORDER BY host, began, worker`,
  )
}

/** Those that are there now. */
export const present = (workers: readonly Worker[]): readonly Worker[] =>
  workers.filter(({ silentSeconds }) => silentSeconds < SILENT_SECONDS)

export const wordsOf = (count: number): string => `${count} ${count === 1 ? 'worker' : 'workers'}`
