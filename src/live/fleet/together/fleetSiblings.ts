import { decodeExact } from '../../../core/exactJson.ts'
import type { ActionRequest, SiblingEntry, Siblings } from '../../../pipeline/index.ts'
import { type NamedEntry, nameOf, SiblingBus } from '../../siblingBus.ts'
import type { Holding } from '../journal/fencedCommits.ts'
import type { Entered, FleetEntries } from './fleetEntries.ts'

/** Where it is told for the other hosts. */
type Told = Pick<FleetEntries, 'enter' | 'publish' | 'withdraw' | 'settle' | 'isTelling'>

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
  readonly #entries: Told
  /** What stands, as the bots of this host have heard of it. */
  readonly #bus = new SiblingBus()
  /** By bot that is played here: its entries that stand. */
  readonly #standing = new Map<string, Map<string, SiblingEntry>>()
  /** Bots that know all that they have open: nobody knows it better. */
  readonly #restored = new Map<string, Holding>()

  constructor(entries: Told) {
    this.#entries = entries
  }

  /** What a beat has shown of all bots. Of one that was just taken over it stands until that one knows all that it has open. */
  see(seen: readonly SeenEntry[]): void {
    const rows = new Set<string>()
    for (const row of seen) {
      const holding = this.#restored.get(row.bot)
      if (holding === undefined) {
        rows.add(nameOf(row))
        if (!this.#bus.has(row)) this.#bus.enter(decodeExact(row.entry) as SiblingEntry)
      } else if (!this.#isOwn(row) && !this.#entries.isTelling(row.bot)) {
        // What was in doubt when its bot left it may stand behind that: nobody would be there, and nobody else could.
        this.#entries.withdraw(holding, row.key)
      }
    }
    for (const entry of this.#bus.standing) if (!rows.has(nameOf(entry)) && !this.#isOwn(entry)) this.#bus.leave(entry)
  }

  /** Of one stay of a bot on this host. */
  portOf(holding: Holding): Siblings {
    const { bot } = holding
    const own = new Map<string, SiblingEntry>()
    this.#standing.set(bot, own)
    const local = this.#bus.portOf(bot)
    return {
      heard$: local.heard$,
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
    this.#restored.set(holding.bot, holding)
    for (const entry of this.#bus.standing) if (entry.bot === holding.bot && !this.#isOwn(entry)) this.#bus.leave(entry)
    this.#entries.settle(holding, [...(this.#standing.get(holding.bot)?.keys() ?? [])])
  }

  /** The bot is not played here any more; its entries stand, for whoever plays it next. */
  gone(bot: string): void {
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

  #isOwn({ bot, key }: NamedEntry): boolean {
    return this.#standing.get(bot)?.has(key) === true
  }
}

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
