import { readFileSync } from 'node:fs'
import type { Row } from './guard/inspection/fixtures.ts'

const rows = (file: string): readonly Row[] =>
  readFileSync(new URL(`../data/transactions/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** Real swaps, of Jupiter's and of others. */
export const SWAPS = rows('swaps.jsonl')

/** Real transactions that are no swaps. */
export const NOT_SWAPS = rows('not-swaps.jsonl')
