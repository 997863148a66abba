import { closeSync, openSync, writeFileSync } from 'node:fs'
import type { Decided } from '../backtest/index.ts'

const BUFFERED_CHARACTERS = 256 * 1024

/**
 * What was decided, a line of JSON for each input that led to something. Written as it comes: a backtest holds the loop, and
 * a stream would gather all of it in memory.
 *
 * @throws the system's error where it cannot be written, as both functions
 */
export function decisionsFile(path: string): { write(decided: Decided): void; close(): void } {
  const descriptor = openSync(path, 'w')
  let buffered = ''
  const flush = () => {
    writeFileSync(descriptor, buffered)
    buffered = ''
  }
  return {
    write(decided) {
      buffered += `${JSON.stringify({ ...decided, decisions: decided.decisions() })}\n`
      if (buffered.length >= BUFFERED_CHARACTERS) flush()
    },
    close() {
      try {
        flush()
      } finally {
        closeSync(descriptor)
      }
    },
  }
}
