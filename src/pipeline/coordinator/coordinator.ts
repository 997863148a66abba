import { EVENT_TYPES } from '../../contract/events.ts'
import { CornermanError } from '../../core/error.ts'
import type { Fact } from '../protocol/facts.ts'
import type { Input } from '../protocol/input.ts'
import { ownerOf, type TaskKey } from '../protocol/taskKey.ts'
import { FACT_TYPES, INPUT_TYPES } from './kinds.ts'
import { inOrder, wrong } from './order.ts'
import type { Handlers, Part } from './part.ts'
import type { StoreName, Stores } from './stores.ts'
import type { World } from './world.ts'

type Run = (about: never) => void

interface Handler {
  readonly run: Run
  /** Place of its part in the order. */
  readonly place: number
}

interface Tended {
  readonly run: () => void
  readonly place: number
  /** Places of the parts whose handlers make it due: its own, and those whose stores it reads. */
  readonly sources: readonly number[]
}

const NO_HANDLERS: readonly Handler[] = []

/**
 * Makes the parts of a bot, and hands each of them what it hears: an input, a fact that another part tells, a task that is due. The order
 * is sorted once from what parts declare; a part that does not hear a kind of input is not called for it.
 */
export class Coordinator {
  readonly stores: Readonly<Stores>
  readonly #names: readonly string[]
  readonly #made: readonly Handlers[]
  readonly #each: readonly Handler[]
  readonly #taken: readonly Handler[]
  readonly #on: ReadonlyMap<string, readonly Handler[]>
  readonly #onFact: ReadonlyMap<string, readonly Handler[]>
  readonly #onEvent: ReadonlyMap<string, readonly Handler[]>
  readonly #owners: ReadonlyMap<string, Handler>
  readonly #tends: readonly Tended[]
  readonly #closes: readonly Handler[]
  /** By place: whether a handler of the part ran since `begin`. */
  readonly #called: Uint8Array
  /** Place of the part that runs now. */
  #place = 0

  /** @throws a `CornermanError` that names the part whose declaration is wrong, and says what to change */
  constructor(parts: readonly Part[], world: World) {
    const sorted = inOrder(parts)
    this.#names = sorted.map(({ name }) => name)
    this.#called = new Uint8Array(sorted.length)
    const writers = writersOf(sorted)
    const stores: Partial<Stores> = {}
    this.#made = sorted.map((part) => made(part, stores, world))
    this.stores = stores as Stores
    const places = (handlers: (of: Handlers) => Run | undefined): readonly Handler[] =>
      this.#made.flatMap((of, place) => {
        const run = handlers(of)
        return run === undefined ? [] : [{ run, place }]
      })
    const indexed = (kinds: readonly string[], table: (of: Handlers) => Readonly<Record<string, unknown>> | undefined) =>
      new Map(kinds.map((kind) => [kind, places((of) => table(of)?.[kind] as Run | undefined)]))
    this.#each = places(({ onEach }) => onEach)
    this.#taken = places(({ taken }) => taken)
    this.#on = indexed(INPUT_TYPES, ({ on }) => on)
    this.#onFact = indexed(FACT_TYPES, ({ onFact }) => onFact)
    this.#onEvent = indexed(EVENT_TYPES, ({ onEvent }) => onEvent)
    this.#owners = new Map(
      sorted.flatMap(({ owns = [] }, place) => {
        const run = this.#made[place]?.onDue as Run | undefined
        return run === undefined ? [] : owns.map((owner) => [owner, { run, place }] as const)
      }),
    )
    this.#tends = places(({ tend }) => tend).map(({ run, place }) => {
      const read = (sorted[place]?.reads ?? []).flatMap((store) => writers.get(store) ?? [])
      return { run: run as () => void, place, sources: [...new Set([place, ...read])] }
    })
    const closing = sorted.map(({ name, after, closesAfter = after }, place) => ({ name, after: closesAfter, place }))
    const closes = places(({ close }) => close)
    this.#closes = inOrder(closing).flatMap(({ place }) => closes.filter((handler) => handler.place === place))
  }

  /** Begins an input: nobody was called for it yet. */
  begin(input: Input): void {
    this.#called.fill(0)
    for (const { run, place } of this.#each) this.#call(run, place, input)
  }

  take(input: Input): void {
    for (const { run, place } of this.#on.get(input.type) ?? NO_HANDLERS) this.#run(run, place, input)
  }

  tell(fact: Fact): void {
    for (const { run, place } of this.#onFact.get(fact.type) ?? NO_HANDLERS) this.#run(run, place, fact)
    if (fact.type === 'event' && !fact.isRepeated)
      for (const { run, place } of this.#onEvent.get(fact.event.type) ?? NO_HANDLERS) this.#run(run, place, fact)
  }

  due(tasks: readonly TaskKey[]): void {
    for (const { run, place } of this.#taken) this.#call(run, place, undefined)
    for (const task of tasks) {
      const owner = this.#owners.get(ownerOf(task))
      if (owner !== undefined) this.#run(owner.run, owner.place, task)
    }
  }

  /** @param all of them, whatever has happened */
  tend(all: boolean): void {
    for (const { run, place, sources } of this.#tends) if (all || this.#isOneCalled(sources)) this.#run(run, place, undefined)
  }

  /** Whether a part was called for this input. */
  wasCalled(name: string): boolean {
    return this.#called[this.#names.indexOf(name)] === 1
  }

  close(): void {
    for (const { run, place } of this.#closes) this.#call(run, place, undefined)
  }

  get isIdle(): boolean {
    return this.#made.every(({ isIdle }) => isIdle === undefined || isIdle())
  }

  stop(): void {
    for (const { stop } of this.#made) stop?.()
  }

  /** Runs what a bot does with an input; an invariant that breaks is named with its part. */
  named<T>(run: () => T): T {
    try {
      return run()
    } catch (thrown) {
      if (!(thrown instanceof CornermanError) || thrown.code !== 'INVARIANT' || 'part' in thrown.details) throw thrown
      const part = this.#names[this.#place]
      throw new CornermanError('INVARIANT', `${thrown.message} (in the part ${part})`, {
        cause: thrown,
        details: { ...thrown.details, part },
      })
    }
  }

  #isOneCalled(places: readonly number[]): boolean {
    for (const place of places) if (this.#called[place] === 1) return true
    return false
  }

  #run(run: Run, place: number, about: unknown): void {
    this.#called[place] = 1
    this.#call(run, place, about)
  }

  /** Where it throws, the place stays that of the part that threw. */
  #call(run: Run, place: number, about: unknown): void {
    const before = this.#place
    this.#place = place
    run(about as never)
    this.#place = before
  }
}

/** Places of the parts that write each store. */
function writersOf(sorted: readonly Part[]): ReadonlyMap<StoreName, number> {
  const writers = new Map<StoreName, number>()
  for (const [place, { name, writes }] of sorted.entries())
    for (const store of writes) {
      const other = writers.get(store)
      if (other !== undefined)
        throw wrong(`the parts ${sorted[other]?.name} and ${name} both write the store ${store}: let one of them tell the other a fact`)
      writers.set(store, place)
    }
  for (const { name, reads } of sorted)
    for (const store of reads) if (!writers.has(store)) throw wrong(`the part ${name} reads the store ${store}, which no part writes`)
  return writers
}

function made(part: Part, stores: Partial<Stores>, world: World): Handlers {
  const { name, reads, writes } = part
  const handed = {}
  for (const store of reads) Object.defineProperty(handed, store, { get: () => stores[store] ?? notMade(name, store), enumerable: true })
  const { stores: own, ...handlers } = part.make(handed, world)
  const extra = Object.keys(own).find((store) => !(writes as readonly string[]).includes(store))
  if (extra !== undefined) throw wrong(`the part ${name} writes the store ${extra} and does not declare it: add it to its "writes"`)
  const missing = writes.find((store) => own[store] === undefined)
  if (missing !== undefined) throw wrong(`the part ${name} declares that it writes the store ${missing}, and does not make it`)
  Object.assign(stores, own)
  checkKinds(name, 'an input', Object.keys(handlers.on ?? {}), INPUT_TYPES)
  checkKinds(name, 'an event', Object.keys(handlers.onEvent ?? {}), EVENT_TYPES)
  checkKinds(name, 'a fact', Object.keys(handlers.onFact ?? {}), FACT_TYPES)
  return handlers
}

function notMade(name: string, store: string): never {
  throw wrong(`the part ${name} reads the store ${store} while it is made, and that is made later: read it when it is asked for`)
}

function checkKinds(name: string, what: string, heard: readonly string[], known: readonly string[]): void {
  const unknown = heard.find((kind) => !known.includes(kind))
  if (unknown !== undefined) throw wrong(`the part ${name} hears ${what} that does not exist: ${unknown}`)
}
