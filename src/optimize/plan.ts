import { hash } from 'node:crypto'
import type { LogData } from '../backtest/index.ts'
import { plainJson } from '../core/plainJson.ts'
import type { Block } from './runBlock.ts'
import type { Dimension, Values } from './search/dimension.ts'
import type { SearchKind } from './search/search.ts'

/** Where the time of a log is cut. Unix milliseconds; `trainUntil` to `sealedFrom` is the purge, in which nothing is entered. */
export interface Cut {
  readonly trainFrom: number
  readonly trainUntil: number
  readonly sealedFrom: number
  readonly sealedUntil: number
  /** What an entry may last, in milliseconds. */
  readonly tailMs: number
}

/** All that decides what a search comes to. Two searches of equal plans are one. */
export interface Plan {
  readonly software: { readonly cornerman: string; readonly node: string }
  /** SHA-256 of the prices and contests that it is played on. */
  readonly log: string
  /** SHA-256 of the bot's config and of its strategies' code. */
  readonly code: string
  readonly dimensions: readonly Dimension[]
  readonly incumbent: Values
  readonly split: Cut
  readonly blocks: readonly Block[]
  readonly search: SearchKind
  readonly budget: number
  readonly seed: number
}

const ID_DIGITS = 8

/** Names a search: what it varies, and the hash of its plan. */
export function idOf(plan: Plan): string {
  const [first = 'search'] = plan.dimensions.map(({ name }) => name.split('.')[0])
  return `${first}-${hash('sha256', JSON.stringify(plainJson(plan))).slice(0, ID_DIGITS)}`
}

/** What of a plan is another thing now; undefined where nothing is. */
export function changeOf(before: Plan, now: Plan): string | undefined {
  const parts: readonly (readonly [keyof Plan, string])[] = [
    ['software', 'the software'],
    ['log', 'the log'],
    ['code', 'the code of the bot, or its config'],
    ['split', 'what is sealed'],
  ]
  const text = (value: unknown) => JSON.stringify(plainJson(value))
  const changed = parts.find(([part]) => text(before[part]) !== text(now[part]))
  if (changed !== undefined) return changed[1]
  return text(before) === text(now) ? undefined : 'what it was asked'
}

/** SHA-256 of what a log is played as: its prices and its contests, wherever its files lie. */
export function hashOfLog({ prices, opportunities }: Pick<LogData, 'prices' | 'opportunities'>): string {
  const columns = prices.mints.toSorted().map((mint) => {
    const column = prices.of(mint)
    return `${mint} ${hashOf(column?.ticks)} ${hashOf(column?.values)}`
  })
  return hash('sha256', [hashOf(prices.at), hashOf(prices.known), ...columns, JSON.stringify(plainJson(opportunities))].join('\n'))
}

const hashOf = (column: Float64Array | Int32Array | undefined): string =>
  column === undefined ? '' : hash('sha256', new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
