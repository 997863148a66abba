import type { Shapes } from '../../contract/shapes/shapes.ts'
import { type Candidate, decide, type Finding, nameRank, none, UNNAMED } from './finding.ts'
import type { KnownTicket } from './known.ts'
import { type Cell, columnsOf, groupBy, type Seen } from './seen.ts'
import { isId, isWord, show } from './values.ts'

// The bot's tickets: their ids, the contests they became, and the words of their states by what happened to them.

type TicketWords = NonNullable<NonNullable<Shapes['words']>['ticket']>

export interface TicketsFound {
  readonly findings: readonly Finding[]
  readonly words: TicketWords | undefined
}

export function findTickets({ tickets, known }: Seen): TicketsFound {
  const names = ['ticketId', 'ticketState', 'ticketContest', 'words.ticket']
  if (tickets.length === 0) return { findings: names.map((name) => none(name, 'notSeen')), words: undefined }
  const columns = columnsOf(tickets)
  const ids = decide('ticketId', idsIn(columns, known.tickets), true)
  const path = typeof ids.place === 'string' ? ids.place.slice('ticket:'.length) : undefined
  // From here on each is known by its own id.
  const ticketOf = ({ sample }: Cell): KnownTicket | undefined => {
    const id = path === undefined ? sample.id : sample.values.get(path)
    return typeof id === 'string' ? known.tickets.get(id) : undefined
  }
  const contest = decide('ticketContest', contestsIn(columns, { ticketOf, graceMs: known.graceMs }), true)
  const states = [...columns].flatMap(([at, cells]) => statesIn(at, cells, { ticketOf, graceMs: known.graceMs }))
  const state = decide('ticketState', states, true)
  const words = states.find((one) => one.path === pathOf(state))?.words
  const said: Finding =
    words === undefined
      ? none('words.ticket', 'missing')
      : { ...{ name: 'words.ticket', verdict: state.verdict, place: words, proof: 'what became of the tickets' }, candidates: [] }
  return { findings: [ids, state, contest, said], words }
}

const pathOf = ({ place }: Finding): string | undefined => (typeof place === 'string' ? place.slice('ticket:'.length) : undefined)

type Columns = ReadonlyMap<string, readonly Cell[]>

function idsIn(columns: Columns, tickets: ReadonlyMap<string, KnownTicket>): Candidate[] {
  const candidates = [...columns].flatMap(([path, cells]): (Candidate & { readonly hits: number })[] => {
    const values = cells.map(({ value }) => value)
    if (!values.every((value) => isId(value) || typeof value === 'number')) return []
    const perAnswer = groupBy(cells, ({ sample }) => String(sample.n))
    // Two rows of one list have two ids.
    const isOfEach = [...perAnswer.values()].every((group) => new Set(group.map(({ value }) => value)).size === group.length)
    const hits = cells.filter(({ value }) => typeof value === 'string' && tickets.has(value)).length
    if (!isOfEach || hits === 0) return []
    const says = new Map(cells.map(({ sample, value }, index) => [`${sample.n} ${index}`, show(value)]))
    return [{ ...{ source: 'ticket', path, sample: values[0], says, rank: nameRank('ticketId', path), hits }, proof: 'events name it' }]
  })
  const most = Math.max(0, ...candidates.map(({ hits }) => hits))
  return candidates.filter(({ hits }) => hits === most)
}

interface Told {
  readonly ticketOf: (cell: Cell) => KnownTicket | undefined
  readonly graceMs: number
}

function contestsIn(columns: Columns, { ticketOf, graceMs }: Told): Candidate[] {
  return [...columns].flatMap(([path, cells]): Candidate[] => {
    const says = new Map<string, string>()
    let sample: unknown
    for (const cell of cells) {
      const ticket = ticketOf(cell)
      const { value } = cell
      if (ticket === undefined) continue
      const isAfter = ticket.matchedAt !== undefined && cell.sample.at > ticket.matchedAt + graceMs
      const isRight = typeof value === 'string' && value === ticket.contestId
      if (isAfter && !isRight) return []
      if (!isRight && value !== null && value !== undefined) return []
      if (!isRight) continue
      says.set(ticket.ticketId, show(value))
      sample = value
    }
    if (says.size === 0) return []
    return [{ ...{ source: 'ticket', path, sample, says, rank: nameRank('ticketContest', path) }, proof: 'match.found names it' }]
  })
}

interface StateCandidate extends Candidate {
  readonly words: TicketWords
}

/** A word that is one before the match and another after it. Within the grace it is what its neighbours say. */
function statesIn(path: string, cells: readonly Cell[], { ticketOf, graceMs }: Told): StateCandidate[] {
  if (!Number.isFinite(graceMs) || !cells.every(({ value }) => isWord(value))) return []
  const said = { waiting: new Set<string>(), seated: new Set<string>(), over: new Set<string>() }
  const near: { readonly word: string; readonly isBefore: boolean; readonly then: 'seated' | 'over' }[] = []
  for (const [, series] of groupBy(cells, (cell) => ticketOf(cell)?.ticketId)) {
    for (const cell of series) {
      const { matchedAt, overAt } = ticketOf(cell) ?? {}
      const [changeAt, then] = matchedAt === undefined ? [overAt, 'over' as const] : [matchedAt, 'seated' as const]
      const [word, at] = [String(cell.value), cell.sample.at]
      if (changeAt === undefined) continue
      if (at > changeAt + graceMs) said[then].add(word)
      else if (at < changeAt - graceMs) said.waiting.add(word)
      else near.push({ word, isBefore: at < changeAt, then })
    }
  }
  // An answer close to the change shows the state before it or the one after it, which another answer has told apart.
  for (const { word, then } of near) if (!said[then].has(word) && !said.waiting.has(word)) said.waiting.add(word)
  const { waiting, seated, over } = said
  if ([...waiting].some((word) => seated.has(word) || over.has(word)) || [...over].some((word) => seated.has(word))) return []
  const isChanging = waiting.size > 0 && seated.size > 0
  const isTold = seated.size > 0 || waiting.size > 0
  const rank = nameRank('ticketState', path)
  if (!isTold || (!isChanging && rank === UNNAMED)) return []
  const words = Object.fromEntries(
    Object.entries(said).flatMap(([meaning, of]) => (of.size === 0 ? [] : [[meaning, [...of].sort()]])),
  ) as TicketWords
  const isSteady = waiting.size <= 3 && seated.size <= 3
  if (!isSteady) return []
  return [
    {
      ...{ source: 'ticket', path, sample: cells[0]?.value, words, rank, tier: isChanging ? 0 : 1 },
      ...{ says: new Map(), proof: isChanging ? 'it changed when match.found was' : undefined },
    },
  ]
}
