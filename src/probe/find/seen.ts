import { modeSchema } from '../../contract/enums.ts'
import type { PlaceSource } from '../../contract/shapes/shapes.ts'
import type { Exchange } from '../exchange.ts'
import { outputOf } from '../exchange.ts'
import type { Facts } from '../facts.ts'
import { type Known, type KnownContest, knownFrom, type Stage, stageAt } from './known.ts'
import { findList, follow, type ListFound, type ListName, recordPathOf } from './lists.ts'
import { holds, isRow, pathsIn, type Values } from './values.ts'

// Every record that was seen, flat: one sample a record and answer.

export interface Sample {
  readonly n: number
  readonly source: PlaceSource
  readonly procedure: string
  /** Unix milliseconds by the service's clock: when it had arrived. */
  readonly at: number
  /** Of the contest or ticket, where it is known. */
  readonly id: string | undefined
  readonly values: Values
  readonly contest: KnownContest | undefined
  /** Whether the bot sat in it then. */
  readonly isOurs: boolean
  /** Whether it is known that the bot never sat in it. */
  readonly isOthers: boolean
  readonly stage: Stage | undefined
  readonly mode: string | undefined
  /** Of a list: which answer it was in. */
  readonly input: unknown
}

export interface Seen {
  readonly known: Known
  readonly lists: Readonly<Record<ListName, ListFound>>
  readonly records: {
    readonly ticket: string
    readonly contest: string
    readonly state: string
    readonly items: 'bare' | 'wrapped' | undefined
  }
  readonly me: readonly Sample[]
  readonly tickets: readonly Sample[]
  /** Of `agent.contests.get` and of `agent.contests.mine`. */
  readonly contests: readonly Sample[]
  readonly listed: readonly Sample[]
  readonly states: readonly Sample[]
  /** Whether the list of own contests had anything in it. */
  readonly exchanges: readonly Exchange[]
}

const PLACES = new Map([
  ['lists.tickets', 'agent.queue.list'],
  ['lists.mine', 'agent.contests.mine'],
  ['lists.open', 'agent.contests.list'],
] as const)

export function see(exchanges: readonly Exchange[], facts: Facts): Seen {
  const known = knownFrom(exchanges, facts)
  const answered = exchanges.flatMap((exchange) => {
    const output = outputOf(exchange)
    return output === undefined ? [] : [{ exchange, output }]
  })
  const of = (procedure: string) => answered.filter(({ exchange }) => exchange.procedure === procedure)
  const asked = new Set(['agent.contests.get', 'agent.modes.state'].flatMap(of).flatMap(({ exchange }) => idAsked(exchange) ?? []))
  const contestIds = new Set([...known.contests.keys(), ...asked])
  const ids = { 'lists.tickets': new Set(known.tickets.keys()), 'lists.mine': new Set(known.contests.keys()), 'lists.open': contestIds }
  const listAt = (name: ListName) =>
    findList(
      name,
      of(PLACES.get(name) ?? '').map(({ output }) => output),
      ids[name],
    )
  const lists = { 'lists.tickets': listAt('lists.tickets'), 'lists.mine': listAt('lists.mine'), 'lists.open': listAt('lists.open') }
  const itemsOf = (name: ListName): Answered[] =>
    of(PLACES.get(name) ?? '').flatMap(({ exchange, output }) => {
      const { path } = lists[name]
      const rows = path === undefined ? undefined : follow(output, path)
      return Array.isArray(rows) ? rows.map((row: unknown) => ({ exchange, output: row })) : []
    })
  const items = { tickets: itemsOf('lists.tickets'), mine: itemsOf('lists.mine'), open: itemsOf('lists.open') }
  const outputs = (list: readonly Answered[]) => list.map(({ output }) => output)
  const contest = recordPathOf(outputs(of('agent.contests.get')))
  // Before a bot has contests of its own, the listed ones say it.
  const shown = items.mine.length > 0 ? items.mine : items.open
  const isWrapped = contest !== '' && shown.length > 0 && shown.every(({ output }) => isRow(follow(output, contest)))
  const ofTickets = recordPathOf(outputs(items.tickets))
  // One word says of all lists whether their items are wrapped: where own contests are bare, a ticket's path goes through its wrapper.
  const ticketsMayBeWrapped = isWrapped || shown.length === 0 || contest === ''
  const ticket = ticketsMayBeWrapped ? ofTickets : ''
  const records = {
    ...{ ticket, contest, state: recordPathOf(outputs(of('agent.modes.state'))) },
    items: isWrapped || ticket !== '' ? ('wrapped' as const) : shown.length + items.tickets.length > 0 ? ('bare' as const) : undefined,
  }
  const inItems = isWrapped ? contest : ''
  const modes = modesOfOthers(of('agent.contests.get'), known)
  const make = (source: PlaceSource, list: readonly Answered[], { at, ids: wanted }: { at: string; ids?: ReadonlySet<string> }) =>
    list.map((one) => sampleOf(one, { source, at, known, wanted, modes }))
  return {
    ...{ known, lists, records, exchanges },
    me: make('me', of('agent.me'), { at: '' }),
    tickets: make('ticket', [...items.tickets, ...of('agent.queue.get')], { at: ticket, ids: ids['lists.tickets'] }),
    contests: [
      ...make('contest', of('agent.contests.get'), { at: contest }),
      ...make('contest', items.mine, { at: inItems, ids: ids['lists.mine'] }),
    ].sort((a, b) => a.n - b.n),
    listed: make('listed', items.open, { at: inItems, ids: contestIds }),
    states: make('state', of('agent.modes.state'), { at: records.state }),
  }
}

const SECOND_MS = 1000

interface Answered {
  readonly exchange: Exchange
  readonly output: unknown
}

function idAsked({ input }: Exchange): string | undefined {
  const id = isRow(input) ? (input.contestId ?? input.ticketId) : undefined
  return typeof id === 'string' ? id : undefined
}

interface Sampling {
  readonly source: PlaceSource
  readonly at: string
  readonly known: Known
  readonly wanted?: ReadonlySet<string> | undefined
  readonly modes: ReadonlyMap<string, string>
}

/** Of contests that no event told of: the one mode that its answers name, under whatever key. */
function modesOfOthers(answers: readonly Answered[], { contests }: Known): ReadonlyMap<string, string> {
  const said = new Map<string, Set<string>>()
  for (const { exchange, output } of answers) {
    const id = idAsked(exchange)
    if (id === undefined || contests.has(id)) continue
    const modes = [...pathsIn(output).values()].filter((value) => modeSchema.safeParse(value).success) as string[]
    said.set(id, new Set([...(said.get(id) ?? []), ...modes]))
  }
  return new Map([...said].flatMap(([id, [mode, ...more]]) => (mode === undefined || more.length > 0 ? [] : [[id, mode] as const])))
}

function sampleOf({ exchange, output }: Answered, { source, at, known, wanted, modes }: Sampling): Sample {
  const values = recordValues(output, at)
  // One that came late is of the second that it says.
  const saidAt = Date.parse(exchange.headers?.date ?? '')
  const when = Math.min(
    known.toService(exchange.at),
    Number.isNaN(saidAt) ? Number.POSITIVE_INFINITY : saidAt + SECOND_MS + known.headerBehindMs,
  )
  const id = idAsked(exchange) ?? (wanted === undefined ? undefined : onlyIdIn(output, wanted))
  const contest = id === undefined ? undefined : known.contests.get(id)
  const seatAt = contest?.seatAt
  return {
    ...{ n: exchange.n, source, procedure: exchange.procedure, at: when, id, values, contest },
    isOurs: seatAt !== undefined && when > seatAt + known.graceMs,
    isOthers: id !== undefined && contest === undefined,
    ...{ stage: stageAt(known, contest, when), mode: contest?.mode ?? modes.get(id ?? ''), input: exchange.input },
  }
}

/** The id of an item whose place is not known yet: the only one of those that are known which it holds. */
function onlyIdIn(item: unknown, wanted: ReadonlySet<string>): string | undefined {
  const held = [...wanted].filter((id) => holds(item, new Set([id])))
  return held.length === 1 ? held[0] : undefined
}

/** A record's values, and, under `^`, those beside it in what wraps it. */
function recordValues(output: unknown, at: string): Values {
  const record = follow(output, at) ?? output
  const found = pathsIn(record)
  if (at === '' || record === output) return found
  const cut = at.lastIndexOf('.')
  const wrapper = follow(output, cut < 0 ? '' : at.slice(0, cut))
  const inner = at.slice(cut + 1)
  for (const [path, value] of pathsIn(wrapper)) if (path !== inner && !path.startsWith(`${inner}.`)) found.set(`^.${path}`, value)
  return found
}

export interface Cell {
  readonly sample: Sample
  readonly value: unknown
}

/** What stands at each path, over all of the samples: absent ones are undefined. */
export function columnsOf(samples: readonly Sample[]): ReadonlyMap<string, readonly Cell[]> {
  const paths = new Set(samples.flatMap(({ values }) => [...values.keys()]))
  return new Map([...paths].sort().map((path) => [path, samples.map((sample) => ({ sample, value: sample.values.get(path) }))]))
}

/** By a key, such as the contest, in the order of the items. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
