import { isDeepStrictEqual } from 'node:util'
import type { ProcedureName } from '../../src/contract/procedures.ts'
import type { Piece, Shapes } from '../../src/contract/shapes/shapes.ts'
import { Translator } from '../../src/contract/shapes/translator.ts'
import { type Exchange, outputOf } from '../../src/probe/exchange.ts'

// What one mapping reads otherwise than another, in answers as they came.

/** Where a form counts in whole seconds, or in time that is left. */
const MOST_ROUNDED_MS = 2000
const TIMES: ReadonlySet<string> = new Set(['commitBy', 'revealFrom', 'revealBy', 'pickBy', 'startsAt', 'endsAt'])
/** The field of a record that each piece is read into. */
const FIELDS: Partial<Record<ProcedureName, Readonly<Partial<Record<Piece, string>>>>> = {
  'agent.queue.list': { ticketId: 'ticketId', ticketState: 'ticketState', ticketContest: 'ticketContest' },
  'agent.queue.get': { ticketId: 'ticketId', ticketState: 'ticketState', ticketContest: 'ticketContest' },
  'agent.contests.mine': { contestId: 'contestId', contestState: 'status', mode: 'mode', stake: 'stake' },
  'agent.contests.get': {
    contestId: 'contestId',
    contestState: 'status',
    mode: 'mode',
    stake: 'stake',
    entryId: 'entryId',
    token: 'token',
  },
  'agent.contests.list': { listedContestId: 'contestId', listedMode: 'mode', listedStake: 'stake' },
  'agent.modes.state': {
    phase: 'phase',
    commitBy: 'commitBy',
    revealFrom: 'revealFrom',
    revealBy: 'revealBy',
    turn: 'yourTurn',
    pool: 'available',
    token: 'token',
    pickBy: 'pickBy',
  },
}

const KNOWN_PHASES: ReadonlySet<string> = new Set(['waiting', 'commit', 'draft', 'running', 'reveal', 'over'])

/** @returns in words, what `found` reads in the answers and `truth` reads otherwise */
export function misreadBy(found: Shapes, truth: Shapes, exchanges: readonly Exchange[]): readonly string[] {
  const [ours, theirs] = [new Translator(found), new Translator(truth)]
  const wrong = new Set<string>()
  const { phase } = found.pieces ?? {}
  const hasFlags = typeof phase === 'object' && 'flags' in phase
  for (const exchange of exchanges) {
    const { input, at } = exchange
    const procedure = exchange.procedure as ProcedureName
    const json = outputOf(exchange)
    if (json === undefined) continue
    const [own, other] = [ours, theirs].map((translator) => recordsIn(translator.answer(procedure, input, json, at)))
    for (const [piece, field] of Object.entries(FIELDS[procedure] ?? {})) {
      if (found.pieces?.[piece as Piece] === undefined) continue
      for (const [index, record] of (own ?? []).entries()) {
        const [a, b] = [record[field], other?.[index]?.[field]]
        // A word that nobody has explained is said to be unknown, and means nothing.
        if (piece === 'phase' && !KNOWN_PHASES.has(String(a))) continue
        // Marks say when moves are taken, and nothing of what is before, between and after.
        if (piece === 'phase' && hasFlags && ![a, b].some((phase) => phase === 'commit' || phase === 'reveal')) continue
        if (a !== undefined && b !== undefined && !isAlike(field, a, b))
          wrong.add(`${piece}: ${JSON.stringify(a)} is ${JSON.stringify(b)}, by ${JSON.stringify(found.pieces[piece as Piece])}`)
      }
    }
  }
  return [...wrong].slice(0, 10)
}

function recordsIn(answer: ReturnType<Translator['answer']>): readonly Record<string, unknown>[] {
  if (!answer.ok) return []
  const { items } = answer.json as { readonly items?: unknown }
  const list = Array.isArray(items) ? items : Array.isArray(answer.json) ? answer.json : [answer.json]
  return list as readonly Record<string, unknown>[]
}

function isAlike(field: string, a: unknown, b: unknown): boolean {
  if (TIMES.has(field) && a !== null && b !== null) {
    const [one, other] = [a, b].map((time) => (typeof time === 'number' ? time : Date.parse(String(time)))) as [number, number]
    return Math.abs(one - other) <= MOST_ROUNDED_MS
  }
  const [one, other] = [a, b].map((value) => (Array.isArray(value) ? value.toSorted() : value))
  return isDeepStrictEqual(one, other)
}
