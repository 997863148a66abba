import { Endpoint, type EndpointAnswer, type EndpointOptions, type EndpointRequest, type EndpointTrouble } from '../endpoint.ts'
import { retried } from '../retried.ts'
import type { Asked, RequestBudget } from './requestBudget.ts'

/** Refusals with 429 are answered by other tries for so long: then whoever waits hears of them. */
const REFUSED_MS = 4000
const MOST_TRIES = 4

export interface BudgetedEndpointOptions extends EndpointOptions {
  /** Undefined: nothing is counted, and a refusal is told at once. */
  readonly budget: RequestBudget | undefined
}

/** An address whose requests wait for their turn in a budget. One that was asked too often is no failure at first: it is asked again when it says. */
export class BudgetedEndpoint extends Endpoint {
  readonly #budget: RequestBudget | undefined
  readonly #clock: EndpointOptions['clock']

  constructor({ budget, ...options }: BudgetedEndpointOptions) {
    super(options)
    this.#budget = budget
    this.#clock = options.clock
  }

  /** Answers within the patience and the time of one request; a trouble that is held back says that its turn did not come. */
  async ask(
    request: EndpointRequest,
    { onSend = () => {}, patienceMs, ...asked }: Asked & { readonly onSend?: () => void },
  ): Promise<EndpointAnswer> {
    const budget = this.#budget
    if (budget === undefined) return this.send(request)
    const begunAt = this.#clock.now()
    const once = async (): Promise<EndpointAnswer> => {
      const place = await budget.take({ ...asked, patienceMs: begunAt + patienceMs - this.#clock.now() })
      if (place === undefined) return this.#turnless(budget, patienceMs)
      onSend()
      return this.send(request, (head) => budget.answered(place, head)).finally(() => budget.done(place))
    }
    const bounds = { clock: this.#clock, until: begunAt + Math.min(patienceMs, REFUSED_MS), most: MOST_TRIES }
    return retried(bounds, once, (answer) => (isRefused(answer) ? budget.heldUntil : undefined))
  }

  #turnless(budget: RequestBudget, patienceMs: number): EndpointTrouble {
    const waitMs = budget.heldUntil - this.#clock.now()
    if (waitMs > 0) return { ...this.trouble(`takes no more requests for ${Math.ceil(waitMs / 1000)} s`), isHeldBack: true }
    const what = `was not asked: no request was free within ${patienceMs / 1000} s (market.requestsPerMinute)`
    return { ...this.trouble(what), isHeldBack: true, hadNoTurn: true }
  }
}

const isRefused = (answer: EndpointAnswer): boolean => !answer.ok && answer.isHeldBack === true && answer.hadNoTurn !== true
