import type { ServiceEvent } from '../../contract/events.ts'
import { REMEMBERED_MS } from './books.ts'

/** Which strategy entered what: each ticket and contest that is open, or was settled in the last two days. */
export class Attribution {
  readonly #strategies = new Map<string, string>()
  /** In the order they were settled. */
  readonly #settled: { readonly contestId: string; readonly at: number }[] = []

  /** What was settled before this run, in that order. */
  restore(settled: Iterable<{ readonly contestId: string; readonly at: number; readonly strategy?: string | undefined }>): void {
    for (const { contestId, at, strategy } of settled) {
      this.#settled.push({ contestId, at })
      if (strategy !== undefined) this.learn(contestId, strategy)
    }
  }

  /** The strategy that entered a ticket or a contest. */
  of(id: string): string | undefined {
    return this.#strategies.get(id)
  }

  learn(id: string, strategy: string): void {
    this.#strategies.set(id, strategy)
  }

  forget(id: string): void {
    this.#strategies.delete(id)
  }

  /** A ticket's strategy becomes its contest's; what has ended without a result is forgotten. */
  onEvent({ type, data, createdAt }: ServiceEvent): void {
    switch (type) {
      case 'match.found': {
        const strategy = this.of(data.ticketId)
        this.forget(data.ticketId)
        if (strategy !== undefined) this.learn(data.contestId, strategy)
        return
      }
      case 'ticket.expired':
      case 'ticket.failed':
        this.forget(data.ticketId)
        return
      case 'contest.cancelled':
        this.forget(data.contestId)
        return
      case 'contest.settled':
        this.#settled.push({ contestId: data.contestId, at: createdAt })
        while (this.#settled[0] !== undefined && this.#settled[0].at <= createdAt - REMEMBERED_MS) {
          this.forget(this.#settled[0].contestId)
          this.#settled.shift()
        }
        return
      case 'contest.joined':
      case 'contest.live':
        return
    }
  }
}
