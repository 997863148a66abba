import { createHash, hash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CornermanError } from '../core/error.ts'
import type { FleetDatabase } from './database.ts'

const PART = 1 << 20

/** Keeps bytes in the database under their SHA-256. What is there already, and is what its name says, is not sent again. @returns the name */
export async function putBlob(database: FleetDatabase, bytes: Uint8Array): Promise<string> {
  const name = hash('sha256', bytes)
  const parts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / PART)) }, (_, part) =>
    bytes.subarray(part * PART, (part + 1) * PART),
  )
  const rows = await database.query<{ part: number; hash: string }>(
    "SELECT part, encode(sha256(bytes), 'hex') AS hash FROM cornerman_fleet.blobs WHERE hash = $1 AND parts = $2",
    [name, parts.length],
  )
  await database.query('UPDATE cornerman_fleet.blobs SET put = now() WHERE hash = $1', [name])
  const there = new Map(rows.map((row) => [row.part, row.hash]))
  for (const [part, content] of parts.entries()) {
    if (there.get(part) === hash('sha256', content)) continue
    await database.query(
      `INSERT INTO cornerman_fleet.blobs (hash, part, parts, bytes) VALUES ($1, $2, $3, $4)
       ON CONFLICT (hash, part) DO UPDATE SET parts = excluded.parts, bytes = excluded.bytes, put = now()`,
      [name, part, parts.length, content],
    )
  }
  return name
}

/**
 * The bytes of a name: from this host's cache, or from the database and then kept in it.
 *
 * @param cache a folder of this host, which is made
 * @throws CornermanError `BLOB_DAMAGED` where the database has other bytes under that name, or none
 */
export async function takeBlob(database: FleetDatabase, name: string, cache: string): Promise<Uint8Array> {
  const file = join(cache, name)
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    if (hash('sha256', bytes) === name) return bytes
    rmSync(file, { force: true })
  }
  const bytes = await download(database, name)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const own = `${file}.${randomUUID()}`
  writeFileSync(own, bytes, { mode: 0o600 })
  renameSync(own, file)
  return bytes
}

async function download(database: FleetDatabase, name: string): Promise<Uint8Array> {
  const content: Buffer[] = []
  const sum = createHash('sha256')
  for (let part = 0, parts = 1; part < parts; part++) {
    const [row] = await database.query<{ parts: number; bytes: Buffer }>(
      'SELECT parts, bytes FROM cornerman_fleet.blobs WHERE hash = $1 AND part = $2',
      [name, part],
    )
    if (row === undefined) throw damaged(name, 'a part of it is missing')
    parts = row.parts
    content.push(row.bytes)
    sum.update(row.bytes)
  }
  if (sum.digest('hex') !== name) throw damaged(name, 'it is not what its hash says')
  return Buffer.concat(content)
}

const damaged = (name: string, words: string): CornermanError =>
  new CornermanError(
    'BLOB_DAMAGED',
    `what the database has as ${name.slice(0, 12)} was not taken: ${words}. The same optimize once more puts it there anew`,
  )
