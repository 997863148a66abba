import type { Clock } from '../../core/clock.ts'
import type { BuildResult, PathCheck, PathRequest, QuoteRequest, QuoteResult, SwapBudget } from '../../pipeline/index.ts'

interface SharedChecksOptions {
  readonly clock: Clock
  readonly quote: (request: QuoteRequest) => Promise<QuoteResult>
  readonly build: (raw: unknown, wallet: string) => Promise<BuildResult>
  /** The requests that are left for swaps; undefined where there is no limit. */
  readonly budget?: () => SwapBudget | undefined
}

/** Looks at the way of a swap, which is one for all bots of a process: one look at a time, and none where there was one just now. */
export class SharedChecks {
  readonly #options: SharedChecksOptions
  #underWay: Promise<PathCheck> | undefined
  #newest: PathCheck | undefined

  constructor(options: SharedChecksOptions) {
    this.#options = options
  }

  check({ wallet, request, maxAgeMs }: PathRequest): Promise<PathCheck> {
    const ageMs = this.#newest === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() - this.#newest.at
    if (this.#newest !== undefined && ageMs >= 0 && ageMs < maxAgeMs) return Promise.resolve(this.#newest)
    this.#underWay ??= this.#look(wallet, request).finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #look(wallet: string, request: QuoteRequest): Promise<PathCheck> {
    const { clock, quote, build, budget } = this.#options
    const at = clock.now()
    const quoted = await quote({ ...request, wallet })
    const built = quoted.ok ? await build(quoted.raw, wallet) : undefined
    // Nothing is built of it any more.
    const look = { wallet, request, at, quoted: quoted.ok ? { ...quoted, raw: undefined } : quoted, built }
    const left = budget?.()
    this.#newest = left === undefined ? look : { ...look, budget: left }
    return this.#newest
  }
}
