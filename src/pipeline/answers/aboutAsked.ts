import { type ExtraPaths, everyField, idText } from '../../contract/paths.ts'
import type { ReadName } from '../../contract/procedures.ts'
import type { ReadRequest } from '../protocol/input.ts'

/** Reads that ask for one thing, and the field that names it in question and answer. */
const NAMED_BY = {
  'agent.contests.get': 'contestId',
  'agent.modes.state': 'contestId',
  'agent.queue.get': 'ticketId',
  'agent.tx.status': 'signature',
} as const satisfies Partial<Record<ReadName, string>>

type OneRead = keyof typeof NAMED_BY
const asksForOne = (procedure: ReadName): procedure is OneRead => Object.hasOwn(NAMED_BY, procedure)

/** The id of the one thing that a read asks for; undefined of a read that asks for none. */
export function idAskedFor({ procedure, input }: ReadRequest): string | undefined {
  return asksForOne(procedure) ? (input as Readonly<Record<string, string>>)[NAMED_BY[procedure]] : undefined
}

/**
 * The id of the other thing that an answer is about. The service's records may call themselves by a key or an id that is not known here, and
 * are what was asked for all the same: an answer is about something else only where it carries an id that is known to be of something else,
 * and not the one that was asked for beside it.
 *
 * @param isKnown whether the bot knows a ticket, contest or transaction by this id
 */
export function idOfAnother(
  request: ReadRequest,
  output: unknown,
  { isKnown, paths }: { readonly isKnown: (id: string) => boolean; readonly paths: ExtraPaths },
): string | undefined {
  const asked = idAskedFor(request)
  if (asked === undefined || !asksForOne(request.procedure)) return undefined
  const carried = everyField(output, NAMED_BY[request.procedure], idText, paths)
  return carried.includes(asked) ? undefined : carried.find(isKnown)
}
