import { readFileSync } from 'node:fs'
import type { LoggedCall } from '../../../src/sandbox/server/callLog.ts'

export function callsIn(file: string): LoggedCall[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as LoggedCall)
}

/** The value in the middle, and others, of a list of figures. */
export function percentilesOf(figures: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
