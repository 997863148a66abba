import { Endpoint, type EndpointAnswer, type EndpointOptions, type EndpointRequest } from '../endpoint.ts'
import type { Asked, RequestBudget } from './requestBudget.ts'

export interface BudgetedEndpointOptions extends EndpointOptions {
  /** Undefined: nothing is counted, and a refusal is told at once. */
  readonly budget: RequestBudget | undefined
}

/** An address whose requests wait for their turn in a budget. One that was asked too often is no failure: it is asked again when it says. */
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
    const until = this.#clock.now() + patienceMs
    let refused: EndpointAnswer | undefined
    for (;;) {
      const place = await budget.take({ ...asked, patienceMs: until - this.#clock.now() })
      if (place === undefined) return refused ?? this.#turnless(patienceMs)
      onSend()
      const answer = await this.send(request, (head) => budget.answered(place, head)).finally(() => budget.done(place))
      if (answer.ok || answer.isHeldBack !== true) return answer
      refused = answer
    }
  }

  #turnless(patienceMs: number): EndpointAnswer {
    const what = `was not asked: no request was free within ${patienceMs / 1000} s (market.requestsPerMinute)`
    return { ...this.trouble(what), isHeldBack: true }
  }
}
