import type { z } from 'zod'
import { idOf } from './paths.ts'
import { type ProcedureOutput, procedures, type ReadName } from './procedures.ts'

const ID_IN = {
  'agent.queue.get': 'ticketId',
  'agent.contests.get': 'contestId',
} as const satisfies Partial<Record<ReadName, 'ticketId' | 'contestId'>>
const ROW_ID_IN = {
  'agent.queue.list': 'ticketId',
  'agent.contests.list': 'contestId',
  'agent.contests.mine': 'contestId',
} as const satisfies Partial<Record<ReadName, 'ticketId' | 'contestId'>>

export type ReadAnswer<N extends ReadName> =
  | { readonly ok: true; readonly output: ProcedureOutput<N> }
  /** `lacks`: the field that the answer must hold and does not; `words`: what stands there instead. */
  | { readonly ok: false; readonly lacks: string; readonly words: string }

/**
 * Reads the answer to a read, which must hold what the bot cannot do without.
 *
 * @param isMapped a mapping has put the ids where the contract has them, and says itself where one is not there
 */
export function readAnswer<N extends ReadName>(
  procedure: N,
  { input, json, isMapped = false }: { readonly input: unknown; readonly json: unknown; readonly isMapped?: boolean },
): ReadAnswer<N> {
  const output = (procedures[procedure].output as z.ZodType).safeParse(json)
  if (!output.success) return { ok: false, lacks: fieldOf(output.error, json), words: inWords(output.error) }
  const lacks = listLackedBy(procedure, input, json) ?? (isMapped ? undefined : idLackedBy(procedure, json))
  if (lacks !== undefined) return { ok: false, lacks, words: `${lacks} is not there` }
  // The schema is the procedure's own: the caller's type is its output.
  return { ok: true, output: output.data as ProcedureOutput<N> }
}

/** The first of what is wrong: of a list every item is, alike. */
export function inWords({ issues: [first] }: z.ZodError): string {
  if (first === undefined) return 'of another form'
  const { path, message } = first
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

/** The schema leaves the events out for `latest`, which answers with the cursor alone. */
const listLackedBy = (procedure: ReadName, input: unknown, json: unknown): string | undefined =>
  procedure === 'agent.events' && !isLatest(input) && !Array.isArray((json as { readonly events?: unknown }).events) ? 'events' : undefined

const isLatest = (input: unknown): boolean => typeof input === 'object' && input !== null && 'latest' in input

function idLackedBy(procedure: ReadName, json: unknown): string | undefined {
  const id = ID_IN[procedure as keyof typeof ID_IN]
  if (id !== undefined) return idOf(json, id) === undefined ? id : undefined
  const rowId = ROW_ID_IN[procedure as keyof typeof ROW_ID_IN]
  if (rowId === undefined) return undefined
  const rows = Array.isArray(json) ? json : (json as { readonly items: readonly unknown[] }).items
  return rows.length > 0 && rows.every((row) => idOf(row, rowId) === undefined) ? `items[].${rowId}` : undefined
}

/** A union names no path: both its forms are a list. */
function fieldOf({ issues: [first] }: z.ZodError, json: unknown): string {
  const path = first?.path.join('.') ?? ''
  if (path !== '') return path
  return first?.code === 'invalid_union' && typeof json === 'object' && json !== null ? 'items' : 'json'
}
