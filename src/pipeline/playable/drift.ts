import { isPlayedBy, MODES, type Mode, traitsOf } from '../../contract/modes.ts'
import type { ProcedureInput, ReadName } from '../../contract/procedures.ts'
import { ANSWERS_WITH, type Departure } from '../../contract/shapes/reading.ts'
import { type Need, needsOf, type PlaceSource } from '../../contract/shapes/shapes.ts'
import type { Books, Seat } from '../books/books.ts'
import { itemsOf } from '../books/foldAnswer.ts'
import type { ReadRequest } from '../protocol/input.ts'

// Where a pinned piece has to be, and what depends on it. Elsewhere an answer may leave it out: that is no drift.

/** A pinned piece, as a departure names it. */
export type PinnedPiece = Departure['piece']

/** Needed in every answer of these. */
const IN_EVERY: Partial<Readonly<Record<PinnedPiece, readonly ReadName[]>>> = {
  'lists.tickets': ['agent.queue.list'],
  'lists.mine': ['agent.contests.mine'],
  'lists.open': ['agent.contests.list'],
  ticketId: ['agent.queue.list', 'agent.queue.get'],
  ticketState: ['agent.queue.list', 'agent.queue.get'],
  contestId: ['agent.contests.mine', 'agent.contests.get'],
  contestState: ['agent.contests.mine', 'agent.contests.get'],
  listedContestId: ['agent.contests.list'],
  listedMode: ['agent.contests.list'],
  listedStake: ['agent.contests.list'],
}

const OF_PREDICTION: readonly PinnedPiece[] = ['entryId', 'token', 'commitBy', 'revealFrom', 'phase']
const OF_DRAFT: readonly PinnedPiece[] = ['turn', 'pool']
/** A null says that it is nobody's turn, or that a time is not known yet. */
const MAY_BE_NULL: readonly PinnedPiece[] = [...OF_DRAFT, 'revealFrom']

/** What was asked for, and what is known with its answer. */
export interface DriftFacts {
  readonly request: ReadRequest
  readonly books: Books
  readonly now: number
}

/** Whether the answer has to have the piece. */
export function isNeeded(piece: PinnedPiece, { request, books, now }: DriftFacts): boolean {
  const { procedure, input } = request
  const inEvery = IN_EVERY[piece]
  if (inEvery !== undefined) return inEvery.includes(procedure)
  if (procedure === 'agent.contests.list') return piece === 'listedToken' && asksForSides(request)
  if (procedure !== 'agent.modes.state' && procedure !== 'agent.contests.get') return false
  const { contestId } = input as ProcedureInput<'agent.modes.state'>
  const seat = books.seats.get(contestId)
  if (seat?.phase !== 'live') return false
  const traits = traitsOf(seat.mode)
  switch (traits?.playedBy) {
    case 'sealedPrice':
      return OF_PREDICTION.includes(piece) && mayCommit(seat, books, now)
    case 'picks':
      return OF_DRAFT.includes(piece) && seat.movesAhead !== false
    case 'swaps':
      return piece === 'token' && traits.needsToken
    case 'side':
    case undefined:
      return false
  }
}

/** Once its time is over, nothing of a prediction has to be there. */
function mayCommit({ contestId, committed, commitsUntil }: Seat, { custody }: Books, now: number): boolean {
  const status = custody.get(contestId)?.status
  const hasCommitted = committed === true || (status !== undefined && status !== 'made')
  return !hasCommitted && (commitsUntil === undefined || now < commitsUntil)
}

/** Of other modes an item may be about no token. */
function asksForSides({ input }: ReadRequest): boolean {
  const { modes = [] } = (input ?? {}) as ProcedureInput<'agent.contests.list'>
  return modes.length > 0 && modes.every((mode) => isPlayedBy(mode, 'side'))
}

/** Whether it counts: the piece is needed there, and what stands there is not as good as none. */
export const counts = ({ piece, got }: Departure, facts: DriftFacts): boolean =>
  isNeeded(piece, facts) && !(got === null && MAY_BE_NULL.includes(piece))

/** Whether an answer without a departure of the piece shows that it is where the mapping has it. */
export function shows(
  { piece, place }: { readonly piece: PinnedPiece; readonly place: string },
  facts: DriftFacts,
  output: unknown,
): boolean {
  if (!isNeeded(piece, facts)) return false
  if (piece.startsWith('lists.')) return true
  const answers: readonly ReadName[] | undefined = ANSWERS_WITH[place.split(':')[0] as PlaceSource]
  return answers?.includes(facts.request.procedure) === true && hasRecord(output)
}

/** An empty list shows nothing of its items. */
function hasRecord(output: unknown): boolean {
  const isList =
    Array.isArray(output) || (typeof output === 'object' && output !== null && 'items' in output && Array.isArray(output.items))
  return !isList || itemsOf(output as readonly unknown[]).length > 0
}

/** The modes that cannot be played without the piece. */
export const modesNeeding = (piece: PinnedPiece): readonly Mode[] => MODES.filter((mode) => names(needsOf(mode)).includes(piece))

const names = (needs: readonly Need[]): readonly string[] =>
  needs.flatMap((need) => (typeof need === 'string' ? [need.startsWith('phase.') ? 'phase' : need] : names(need)))
