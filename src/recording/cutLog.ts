import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { filesOf, isFolder, readSegment } from './segments.ts'

const NEWLINE = 0x0a

/**
 * Writes a copy of a log without its future: every segment up to its last line of that time or before.
 *
 * @param at Unix milliseconds
 * @param out where the copy is to be: a folder for a recording's folder, a file for a single segment
 */
export function cutLog(log: string, at: number, out: string): void {
  const folder = isFolder(log) ? out : dirname(out)
  mkdirSync(folder, { recursive: true })
  for (const file of filesOf(log)) {
    const { bytes } = readSegment(file)
    const length = lengthUntil(bytes, at)
    // A copy of part of a segment is not packed: what reads it looks at its bytes and not at its name.
    const name = isFolder(log) ? basename(file).replace(/\.zst$/, '') : basename(out)
    if (length > 0) writeFileSync(join(folder, name), bytes.subarray(0, length))
  }
}

function lengthUntil(bytes: Buffer, at: number): number {
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const line = JSON.parse(bytes.toString('utf8', start, end)) as { readonly at?: number }
    if (line.at !== undefined && line.at > at) return start
    start = end + 1
  }
  return start
}
