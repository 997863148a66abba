import type { ServiceEvent } from '../../contract/events.ts'
import type { Usdc } from '../../core/usdc.ts'
import { type Account, isOf } from './days.ts'

/** Entries of before are known so long by the contest they were in. */
const MOST_ENDED = 2000
/** Events about ids that no entry has yet. */
const MOST_MISSED = 200

/** An entry as the bot sent it. */
export interface SentEntry extends Account {
  /** Key of the bot's own intent. */
  readonly key: string
  readonly stake: Usdc
}

export interface EntryFact extends SentEntry {
  /** `sent`: no outcome yet; the guard's reservations count it. */
  readonly is: 'sent' | 'open'
  readonly ids: readonly string[]
}

export interface Accepted {
  readonly contradiction: string | undefined
  /** Events about the id that came before the answer. */
  readonly missed: readonly ServiceEvent[]
}

/** Entries that may still cost their stake, by the bot's own keys. Ids of the service are labels. */
export class OpenEntries {
  readonly #byKey = new Map<string, EntryFact>()
  readonly #byId = new Map<string, readonly string[]>()
  readonly #ended = new Map<string, EntryFact>()
  #missed: readonly { readonly id: string; readonly event: ServiceEvent }[] = []

  get facts(): readonly EntryFact[] {
    return [...this.#byKey.values()]
  }

  restore(facts: readonly EntryFact[]): void {
    for (const entry of facts) this.#put(entry)
  }

  add({ key, stake, mode, by }: SentEntry, is: EntryFact['is'], ids: readonly string[] = []): void {
    this.#put({ key, stake, mode, by, is, ids })
  }

  accept(key: string, id: string | undefined): Accepted {
    const entry = this.#byKey.get(key)
    if (entry === undefined) return { contradiction: undefined, missed: [] }
    if (id === undefined || entry.ids.includes(id)) {
      this.#put({ ...entry, is: 'open' })
      return { contradiction: undefined, missed: [] }
    }
    const contradiction = this.has(id) ? `it gave the id ${id} to two entries that are both open` : undefined
    this.#put({ ...entry, is: 'open', ids: [...entry.ids, id] })
    const missed = contradiction === undefined ? this.#missed.filter((each) => each.id === id).map(({ event }) => event) : []
    this.#missed = this.#missed.filter((each) => each.id !== id)
    return { contradiction, missed }
  }

  /** An event came before the answer that gives its id. */
  miss(id: string, event: ServiceEvent): void {
    this.#missed = [...this.#missed.slice(1 - MOST_MISSED), { id, event }]
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Mode under which the open entry that has this id was sent. */
  modeOf(id: string): string | undefined {
    const [key = ''] = this.#byId.get(id) ?? []
    return this.#byKey.get(key)?.mode
  }

  /** The entry that was in a contest, after its end. */
  endedIn(contestId: string): EntryFact | undefined {
    return this.#ended.get(contestId)
  }

  /**
   * The service has seated a ticket.
   *
   * @returns by how much the stakes rose; undefined where no entry has the ticket
   */
  seat(ticketId: string, { contestId, stake }: { readonly contestId: string; readonly stake: Usdc }): Usdc | undefined {
    const keys = this.#byId.get(ticketId)
    if (keys === undefined) return undefined
    let raised = 0n
    for (const key of keys) {
      const entry = this.#byKey.get(key)
      if (entry === undefined) continue
      const most = stake > entry.stake ? stake : entry.stake
      raised += most - entry.stake
      this.#put({ ...entry, stake: most, ids: entry.ids.includes(contestId) ? entry.ids : [...entry.ids, contestId] })
    }
    return raised
  }

  end(key: string): EntryFact | undefined {
    const entry = this.#byKey.get(key)
    if (entry === undefined) return undefined
    this.#byKey.delete(key)
    for (const id of entry.ids) {
      const others = this.#byId.get(id)?.filter((other) => other !== key) ?? []
      if (others.length === 0) this.#byId.delete(id)
      else this.#byId.set(id, others)
      this.#ended.delete(id)
      this.#ended.set(id, entry)
    }
    for (const id of this.#ended.keys()) {
      if (this.#ended.size <= MOST_ENDED) break
      this.#ended.delete(id)
    }
    return entry
  }

  /** One word of the service ends one entry. */
  endOldest(id: string): EntryFact | undefined {
    const [key] = this.#byId.get(id) ?? []
    return key === undefined ? undefined : this.end(key)
  }

  endAll(id: string): readonly EntryFact[] {
    return (this.#byId.get(id) ?? []).flatMap((key) => this.end(key) ?? [])
  }

  get size(): number {
    return this.#byKey.size
  }

  get openCount(): number {
    let count = 0
    for (const { is } of this.#byKey.values()) if (is === 'open') count += 1
    return count
  }

  openStake(of: Account): Usdc {
    let sum = 0n
    for (const entry of this.#byKey.values()) if (entry.is === 'open' && isOf(entry, of)) sum += entry.stake
    return sum
  }

  /** Sum over all entries, those without an outcome too. */
  stake(): Usdc {
    let sum = 0n
    for (const { stake } of this.#byKey.values()) sum += stake
    return sum
  }

  #put(entry: EntryFact): void {
    this.#byKey.set(entry.key, entry)
    for (const id of entry.ids) {
      const keys = this.#byId.get(id) ?? []
      if (!keys.includes(entry.key)) this.#byId.set(id, [...keys, entry.key])
    }
  }
}
