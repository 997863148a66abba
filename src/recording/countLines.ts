import { filesOf, readSegment } from './segments.ts'

const NEWLINE = 0x0a

/** How many lines a log has, whatever is in them; a file that cannot be read counts for none. */
export function countLines(log: string): number {
  let lines = 0
  for (const file of filesOf(log)) {
    const bytes = bytesOf(file)
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) lines++
  }
  return lines
}

function bytesOf(file: string): Buffer {
  try {
    return readSegment(file).bytes
  } catch {
    return Buffer.alloc(0)
  }
}
