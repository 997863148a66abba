import { keyedRandom } from '../../../src/core/random.ts'
import type { Recorded } from './recordSandbox.ts'

// For tests: the same recording, as a service of other keys would have answered.

type Json = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes every answer, and nothing of what is specified. */
export function rewritten(recorded: Recorded, change: (json: unknown, procedure: string) => unknown): Recorded {
  const exchanges = recorded.exchanges.map((exchange) => {
    const { json } = (exchange.body as { result: { data: { json: unknown } } }).result.data
    const isSpecified = ['agent.bankroll', 'agent.limits', 'agent.events'].includes(exchange.procedure)
    return { ...exchange, body: { result: { data: { json: isSpecified ? json : change(json, exchange.procedure) } } } }
  })
  return { ...recorded, exchanges }
}

/** Every key under another one; undefined keeps it. */
export const withKeys =
  (renamed: (key: string) => string | undefined) =>
  (json: unknown): unknown => {
    const change = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(change)
      if (!isRecord(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [renamed(key) ?? key, change(item)]))
    }
    return change(json)
  }

export const snakeKey = (key: string): string =>
  /^[a-z][A-Za-z]*$/.test(key) ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key

/** The same keys in another order. */
export function inOtherOrder(json: unknown, seed: number): unknown {
  const random = keyedRandom('order of keys', seed)
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change)
    if (!isRecord(value)) return value
    const entries = Object.entries(value).map(([key, item]) => ({ key, item, order: random.next() }))
    return Object.fromEntries(entries.sort((a, b) => a.order - b.order).map(({ key, item }) => [key, change(item)]))
  }
  return change(json)
}

const LISTS = ['agent.queue.list', 'agent.contests.mine', 'agent.contests.list']

/** Lists in a wrapper, and each record in one of its own, in lists as well. */
export function inWrappers(json: unknown, procedure: string): unknown {
  const wrapper = procedure.startsWith('agent.queue') ? 'ticket' : procedure.startsWith('agent.contests') ? 'contest' : 'state'
  if (LISTS.includes(procedure)) {
    const items = Array.isArray(json) ? json : ((json as { items: unknown[] }).items ?? [])
    return { data: { rows: items.map((item: unknown) => ({ [wrapper]: item })) }, meta: { total: items.length } }
  }
  return procedure === 'agent.me' || !/queue|contests|modes/.test(procedure) ? json : { [wrapper]: json }
}

/** Empty lists, as who reads them at a start alone sees them. */
export const withEmptyLists = (json: unknown, procedure: string): unknown => {
  if (!LISTS.includes(procedure)) return json
  return Array.isArray(json) ? [] : { ...(json as Json), items: [] }
}

/** Ids, times, tokens and marks of others and of nothing, beside what is meant. */
export function withDecoys(json: unknown, procedure: string): unknown {
  if (!isRecord(json) || !/modes\.state|contests\.get/.test(procedure)) return json
  const entries = (json.predictions ?? json.picks ?? json.entries ?? []) as readonly Json[]
  const other = entries.find(({ entryId }) => entryId !== json.entryId)
  return {
    serverTime: '2025-03-01T12:00:00.000Z',
    seq: 17,
    opponent: { entryId: other?.entryId ?? null, userId: other?.userId ?? null },
    current: { entry: entries[0]?.entryId ?? null },
    quoteToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    featuredPool: ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'So11111111111111111111111111111111111111112'],
    ...json,
  }
}

const STATE_TIMES = ['commitBy', 'revealFrom', 'revealBy', 'pickBy']

/** Deadlines of states as what is left, or as counts since 1970. */
export const withTimes =
  (as: 'ms' | 's' | 'leftMs' | 'leftSec') =>
  (recorded: Recorded): Recorded => ({
    ...recorded,
    exchanges: recorded.exchanges.map((exchange) => {
      if (exchange.procedure !== 'agent.modes.state') return exchange
      const { json } = (exchange.body as { result: { data: { json: Json } } }).result.data
      const of = (text: unknown): unknown => {
        if (typeof text !== 'string') return text
        const [at, left] = [Date.parse(text), Math.max(0, Date.parse(text) - exchange.at)]
        return { ms: at, s: Math.floor(at / 1000), leftMs: left, leftSec: Math.ceil(left / 1000) }[as]
      }
      const changed = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, STATE_TIMES.includes(key) ? of(value) : value]))
      return { ...exchange, body: { result: { data: { json: changed } } } }
    }),
  })
