import type { ServiceEvent } from '../../contract/events.ts'
import type { Attribution } from '../books/attribution.ts'
import type { Claim } from '../protocol/input.ts'
import { strategyOfKey } from '../protocol/intentKey.ts'

/** Which tickets and contests the bot's own actions account for, and which came to it otherwise. */
export class OwnedIds {
  readonly #attribution: Attribution
  readonly #ended: ReadonlySet<string>
  /** Tickets and contests of which no other action can be the maker. */
  readonly #claimed = new Set<string>()
  /** Contests by the tickets that led to them, where no answered action made the ticket. */
  readonly #unasked = new Map<string, string>()

  constructor(attribution: Attribution, ended: ReadonlySet<string>) {
    this.#attribution = attribution
    this.#ended = ended
  }

  /** What no action that is looked up can have made. */
  get taken(): ReadonlySet<string> {
    return this.#claimed
  }

  /** What an earlier run's actions made. */
  recover(claims: readonly Claim[]): void {
    for (const { id, key } of claims) {
      this.#claimed.add(id)
      this.#attribution.learn(id, strategyOfKey(key))
    }
  }

  /** The action of this key made the ticket or contest, or joined it: its stake counts for the strategy that asked. */
  add(id: string, key: string): void {
    this.#claimed.add(id)
    const matched = this.#unasked.get(id)
    this.#unasked.delete(id)
    for (const own of [id, matched]) if (own !== undefined && !this.#ended.has(own)) this.#attribution.learn(own, strategyOfKey(key))
  }

  /** A ticket has led to a contest: nothing else made that. */
  onMatch({ ticketId, contestId }: Extract<ServiceEvent, { type: 'match.found' }>['data']): void {
    this.#claimed.add(contestId)
    if (!this.#claimed.has(ticketId)) this.#unasked.set(ticketId, contestId)
  }

  /** Whether an action made the ticket, or took the seat. */
  has(id: string): boolean {
    return this.#claimed.has(id) && ![...this.#unasked.values()].includes(id)
  }
}
