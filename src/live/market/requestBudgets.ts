import type { Clock } from '../../core/clock.ts'
import { RequestBudget } from './requestBudget.ts'

/** Jupiter's limits in requests a minute, without a key and with a free one (docs of August 2026). */
const [KEYLESS, FREE] = [30, 60]
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface RequestLimit {
  readonly url: string
  readonly apiKey: string | undefined
  /** `market.requestsPerMinute`, where it is set. */
  readonly requestsPerMinute: number | undefined
}

/** The limit that holds until headers state one. What runs on this machine has none of Jupiter's. */
export function limitOf({ url, apiKey, requestsPerMinute }: RequestLimit): number | undefined {
  if (requestsPerMinute !== undefined) return requestsPerMinute
  if (LOOPBACK.has(new URL(url).hostname)) return undefined
  return apiKey === undefined ? KEYLESS : FREE
}

/** One budget for each host and key, whoever of a process asks it. */
export class RequestBudgets {
  readonly #clock: Clock
  readonly #requestsPerMinute: number | undefined
  readonly #budgets = new Map<string, RequestBudget>()
  #among = 1

  /** @param clock time that no answer of the service moves */
  constructor(clock: Clock, requestsPerMinute: number | undefined) {
    this.#clock = clock
    this.#requestsPerMinute = requestsPerMinute
  }

  of({ url, apiKey }: Pick<RequestLimit, 'url' | 'apiKey'>): RequestBudget {
    const key = `${new URL(url).host} ${apiKey ?? ''}`
    const known = this.#budgets.get(key)
    if (known !== undefined) return known
    const perMinute = limitOf({ url, apiKey, requestsPerMinute: this.#requestsPerMinute })
    const budget = new RequestBudget({ clock: this.#clock, perMinute })
    budget.divide(this.#among)
    this.#budgets.set(key, budget)
    return budget
  }

  /** As `RequestBudget.divide`, of all. */
  divide(among: number): void {
    if (among === this.#among) return
    this.#among = among
    for (const budget of this.#budgets.values()) budget.divide(among)
  }

  close(): void {
    for (const budget of this.#budgets.values()) budget.close()
  }
}
