import { modesWhere } from '../modes.ts'
import type { ExtraPaths } from '../paths.ts'
import type { ProcedureName } from '../procedures.ts'
import { withMeaning } from '../refusals.ts'
import type { ServiceRefusal } from '../wire.ts'
import { type CompiledShapes, compileShapes, type ReadRecord } from './compile.ts'
import type { OwnIds } from './ownRow.ts'
import type { Departure } from './reading.ts'
import type { Shapes } from './shapes.ts'

/** What an answer comes to by the mapping. */
export type Translation =
  | { readonly ok: true; readonly json: unknown; readonly departures: readonly Departure[] }
  | { readonly ok: false; readonly departures: readonly Departure[]; readonly reason: string }

/** What was read of a contest, for answers that do not say it again. */
interface KnownContest {
  readonly entryId: string | undefined
  /** As the mode's state says it, where it is there. */
  readonly token: string | undefined
  readonly values: ReadonlyMap<string, unknown>
}

/** A mode's state in the sandbox's form, changed. */
type Filled = (state: Record<string, unknown>, contestId: string, now: number) => Record<string, unknown>

/** So many contests are remembered: more than a bot is in. */
const MOST_CONTESTS = 1000

/**
 * Between a service's answers and the form that the pipeline reads: what the mapping has a place for is put where the sandbox has it, and
 * what a request says is put into the service's words. It stands at the wire, so that recordings hold what the pipeline was given (ADR 0039).
 */
export class Translator {
  readonly #extra: ExtraPaths
  readonly #filled: Filled
  #shapes: Shapes
  #compiled: CompiledShapes
  /** The newest `agent.me`, and what it calls the bot. */
  #me: unknown
  #ids: OwnIds = {}
  readonly #contests = new Map<string, KnownContest>()

  /**
   * @param extra places to try besides, of a config of before
   * @param filled what a probe puts where a mode's state says nothing, to find out by a move
   */
  constructor(shapes: Shapes, extra: ExtraPaths = {}, filled: Filled = (state) => state) {
    this.#extra = extra
    this.#filled = filled
    this.#shapes = shapes
    this.#compiled = compileShapes(shapes, extra)
  }

  /** A refusal with what the mapping says that its code means. */
  refusal(refusal: ServiceRefusal): ServiceRefusal {
    return withMeaning(refusal, this.#shapes.words?.refusal)
  }

  /**
   * What is to be read of a contest before an answer about it can be: its state may say things of the contest, and the contest things of the state.
   *
   * @param json the answer
   */
  besideOf(procedure: ProcedureName, input: unknown, json: unknown): 'agent.contests.get' | 'agent.modes.state' | undefined {
    const { statesInContest, turnNeedsContest, tokenInState } = this.#compiled
    if (procedure === 'agent.modes.state') {
      const isEntryUnknown = turnNeedsContest && this.#contests.get(contestIn(input))?.entryId === undefined
      return statesInContest || isEntryUnknown ? 'agent.contests.get' : undefined
    }
    if (procedure !== 'agent.contests.get' || !tokenInState || this.#contests.get(contestIn(input))?.token !== undefined) return undefined
    const { mode } = this.#compiled.contest(json, { ids: this.#ids, now: 0, beside: NONE }, false).record
    // Of other modes the state is read for itself, or there is no token.
    return NEEDS_TOKEN.has(mode) ? 'agent.modes.state' : undefined
  }

  /** Reads by another mapping from now on. */
  use(shapes: Shapes): void {
    this.#shapes = shapes
    this.#compiled = compileShapes(shapes, this.#extra)
    this.#ids = this.#compiled.me(this.#me)
    this.#contests.clear()
  }

  /**
   * An answer to a read.
   *
   * @param now when it came, in Unix milliseconds
   */
  answer(procedure: ProcedureName, input: unknown, json: unknown, now: number): Translation {
    const contestId = contestIn(input)
    const read: Partial<Record<ProcedureName, () => Translation>> = {
      'agent.me': () => {
        this.#me = json
        this.#ids = this.#compiled.me(json)
        return { ok: true, json, departures: [] }
      },
      'agent.queue.list': () => this.#list('tickets', json, (item) => this.#ticket(item, now, true)),
      'agent.queue.get': () => translation(this.#ticket(json, now, false)),
      'agent.contests.mine': () => this.#list('mine', json, (item) => this.#contest(item, { now, isItem: true })),
      'agent.contests.list': () => this.#list('open', json, (item) => this.#compiled.listed(item, { ids: this.#ids, now, beside: NONE })),
      'agent.contests.get': () => translation(this.#contest(json, { now, isItem: false, asked: contestId })),
      'agent.modes.state': () => translation(this.#filledState(this.#state(json, now, contestId), contestId, now)),
    }
    return read[procedure]?.() ?? { ok: true, json, departures: [] }
  }

  /** What an action was answered with: of a ticket or a contest its record, where it has an id; else as it came. */
  acted(procedure: ProcedureName, json: unknown, now: number): unknown {
    if (procedure.startsWith('agent.queue.')) {
      // What one read answers with bare may be wrapped here.
      for (const inside of [json, ...valuesIn(json)]) {
        const { record } = this.#ticket(inside, now, false)
        if ('ticketId' in record) return record
      }
      return json
    }
    if (!procedure.startsWith('agent.contests.')) return json
    const { record } = this.#contest(json, { now, isItem: false })
    return 'contestId' in record ? record : json
  }

  /** What a request says, in the service's words. */
  request(procedure: ProcedureName, input: unknown): unknown {
    if (procedure !== 'agent.contests.join') return input
    const { side } = input as { readonly side?: unknown }
    return typeof side === 'string' ? { ...(input as object), side: this.#compiled.sideWord(side) } : input
  }

  #list(which: 'tickets' | 'mine' | 'open', json: unknown, read: (item: unknown) => ReadRecord): Translation {
    const rows = this.#compiled.list(which, json)
    if (rows === undefined) {
      const departure = { piece: `lists.${which}`, place: which, expected: 'a list', got: undefined } as const
      return { ok: false, departures: [departure], reason: `the answer has no list where service.shapes.lists.${which} has it` }
    }
    const items = rows.map(read)
    const { nextCursor } = (json ?? {}) as { readonly nextCursor?: unknown }
    const records = items.map(({ record }) => record)
    return {
      ok: true,
      json: nextCursor === undefined ? records : { items: records, nextCursor },
      departures: lackedByAll(items),
    }
  }

  #ticket(json: unknown, now: number, isItem: boolean): ReadRecord {
    return this.#compiled.ticket(json, { ids: this.#ids, now, beside: NONE }, isItem)
  }

  /** `asked`: the id of the one that was asked for; undefined of one that was not. */
  #contest(json: unknown, { now, isItem, asked }: { readonly now: number; readonly isItem: boolean; readonly asked?: string }): ReadRecord {
    const known = asked === undefined ? undefined : this.#contests.get(asked)
    const ids = { ...this.#ids, entryId: known?.entryId }
    const read = this.#compiled.contest(json, { ids, now, beside: NONE }, isItem)
    if (known?.token !== undefined && read.record.token === undefined) read.record.token = known.token
    const contestId = asked ?? textOf(read.record.contestId)
    if (contestId !== undefined) this.#remember(contestId, read)
    return read
  }

  #state(json: unknown, now: number, contestId: string): ReadRecord {
    const known = this.#contests.get(contestId)
    const read = this.#compiled.state(json, { ids: { ...this.#ids, entryId: known?.entryId }, now, beside: known?.values ?? NONE })
    const entryId = known?.entryId ?? textOf(read.record.entryId)
    const token = this.#compiled.tokenInState ? (textOf(read.record.token) ?? known?.token) : undefined
    if (entryId !== known?.entryId || token !== known?.token)
      this.#contests.set(contestId, { entryId, token, values: known?.values ?? NONE })
    return read
  }

  #filledState({ record, ...read }: ReadRecord, contestId: string, now: number): ReadRecord {
    return { ...read, record: this.#filled(record, contestId, now) }
  }

  #remember(contestId: string, { record, values }: ReadRecord): void {
    const known = this.#contests.get(contestId)
    this.#contests.delete(contestId)
    this.#contests.set(contestId, {
      entryId: textOf(record.entryId) ?? known?.entryId,
      token: known?.token,
      values: new Map([...(known?.values ?? []), ...values]),
    })
    const [oldest] = this.#contests.keys()
    if (this.#contests.size > MOST_CONTESTS && oldest !== undefined) this.#contests.delete(oldest)
  }
}

const NONE: ReadonlyMap<string, unknown> = new Map()
const valuesIn = (json: unknown): readonly unknown[] =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.values(json) : []
/** Those whose swaps count in one token, and a mode that is not known. */
const NEEDS_TOKEN: ReadonlySet<unknown> = new Set([...modesWhere({ playedBy: 'swaps', needsToken: true }), undefined])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const contestIn = (input: unknown): string => (input as { readonly contestId?: string } | null)?.contestId ?? ''
const translation = ({ record, departures }: ReadRecord): Translation => ({ ok: true, json: record, departures })

/** Of a list: what not one of its items has. What one item lacks may come later, as the contest of a ticket that waits does. */
function lackedByAll(items: readonly ReadRecord[]): readonly Departure[] {
  const [first, ...rest] = items
  return (first?.departures ?? []).filter(({ piece }) => rest.every(({ departures }) => departures.some((one) => one.piece === piece)))
}
