import { filter, merge, type Observable, Subject } from 'rxjs'
import { decodeExact } from '../../../core/exactJson.ts'
import type { ActionRequest, InputBody, SiblingEntry, Siblings } from '../../../pipeline/index.ts'
import { SiblingBus } from '../../siblingBus.ts'
import type { Holding } from '../journal/fencedCommits.ts'
import type { Entered, FleetEntries } from './fleetEntries.ts'

type Heard = Extract<InputBody, { type: 'siblingEntered' | 'siblingLeft' }>

/** A row of the table of entries. */
export interface SeenEntry {
  readonly bot: string
  readonly key: string
  readonly entry: string
}

/**
 * How the bots of a fleet hear of one another's entries: those of this host at once, those of others with a beat. That no two of them meet does
 * not rest on that: a place is asked for before it is entered.
 */
export class FleetSiblings {
  readonly #bus = new SiblingBus()
  readonly #entries: FleetEntries
  readonly #elsewhere$ = new Subject<Heard>()
  /** Of bots that others play, as the newest look had it. */
  #elsewhere: ReadonlyMap<string, SiblingEntry> = new Map()
  /** By bot that is played here: its entries that stand. */
  readonly #standing = new Map<string, Map<string, SiblingEntry>>()
  /** Bots that know all that they have open. */
  readonly #restored = new Set<string>()

  constructor(entries: FleetEntries) {
    this.#entries = entries
  }

  /** What a beat has shown of all bots. @param isHere whether a bot is played on this host, whose entries are known sooner */
  see(seen: readonly SeenEntry[], isHere: (bot: string) => boolean): void {
    const before = this.#elsewhere
    const others = seen.filter(({ bot }) => !isHere(bot))
    this.#elsewhere = new Map(
      others.map(({ bot, key, entry }) => [nameOf(bot, key), before.get(nameOf(bot, key)) ?? (decodeExact(entry) as SiblingEntry)]),
    )
    for (const [name, entry] of this.#elsewhere) if (!before.has(name)) this.#elsewhere$.next({ type: 'siblingEntered', entry })
    for (const [name, { bot, key }] of before) if (!this.#elsewhere.has(name)) this.#elsewhere$.next({ type: 'siblingLeft', bot, key })
  }

  /** Of one stay of a bot on this host. */
  portOf(holding: Holding): Siblings {
    const { bot } = holding
    const local = this.#bus.portOf(bot)
    const own = new Map<string, SiblingEntry>()
    this.#standing.set(bot, own)
    return {
      heard$: merge(local.heard$, this.#fromElsewhere()).pipe(
        filter((heard) => (heard.type === 'siblingEntered' ? heard.entry.bot : heard.bot) !== bot),
      ),
      entered: (entry) => {
        own.set(entry.key, entry)
        local.entered(entry)
        // What is only meant yet is written as it asks for its place, but for what the bot has taken up: that was sent before.
        if (entry.meant !== true || !this.#restored.has(bot)) this.#entries.publish(holding, entry)
      },
      left: (who, key) => {
        own.delete(key)
        local.left(who, key)
        this.#entries.withdraw(holding, key)
      },
    }
  }

  /** The bot knows all that it has open: what the host before has written beyond that is over. */
  restored(holding: Holding): void {
    this.#restored.add(holding.bot)
    this.#entries.settle(holding, [...(this.#standing.get(holding.bot)?.keys() ?? [])])
  }

  /** The bot is not played here any more; its entries stand, for whoever plays it next. */
  gone(bot: string): void {
    for (const key of this.#standing.get(bot)?.keys() ?? []) this.#bus.portOf(bot).left(bot, key)
    this.#standing.delete(bot)
    this.#restored.delete(bot)
  }

  /** Asks for the place of an entry that is about to be sent; undefined of what is no entry. */
  async enter(holding: Holding, request: ActionRequest): Promise<Entered | undefined> {
    const key = keyOf(request)
    if (key === undefined) return undefined
    const entry = this.#standing.get(holding.bot)?.get(key) ?? entryOf(holding.bot, key, request)
    return await this.#entries.enter(holding, entry)
  }

  #fromElsewhere(): Observable<Heard> {
    const standing = [...this.#elsewhere.values()].map((entry): Heard => ({ type: 'siblingEntered', entry }))
    return merge(standing, this.#elsewhere$)
  }
}

const nameOf = (bot: string, key: string) => `${bot}:${key}`

/** The key of what an action enters, as the pipeline has it; undefined of what is no entry. */
function keyOf({ procedure, input }: ActionRequest): string | undefined {
  if (procedure === 'agent.queue.enqueue') return `ticket:${input.mode}:${input.stake}:${input.durationSec}`
  if (procedure === 'agent.contests.join') return `seat:${input.contestId}`
  return procedure === 'agent.contests.create' ? `create:${input.mode}:${input.stake}:${input.durationSec}` : undefined
}

function entryOf(bot: string, key: string, { procedure, input }: ActionRequest): SiblingEntry {
  if (procedure === 'agent.queue.enqueue')
    return { bot, key, ticket: { mode: input.mode, stake: input.stake, durationSec: input.durationSec } }
  if (procedure === 'agent.contests.create')
    return { bot, key, making: { mode: input.mode, stake: input.stake, durationSec: input.durationSec } }
  return { bot, key, ...(procedure === 'agent.contests.join' ? { contestId: input.contestId } : {}) }
}
