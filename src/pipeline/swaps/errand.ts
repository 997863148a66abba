import type { InputBody } from '../input.ts'
import type { Answer } from '../ports.ts'
import type { QuoteRequest, SentSwap, Swapper } from '../swapper.ts'

/** One question to the DEX or the chain, on behalf of a swap; its answer comes back as an input. */
export type Errand =
  | { readonly kind: 'quote'; readonly key: string; readonly request: QuoteRequest }
  | { readonly kind: 'build'; readonly key: string; readonly raw: unknown; readonly wallet: string }
  | { readonly kind: 'landing'; readonly key: string; readonly sent: SentSwap }

/**
 * Runs an errand. Nothing of it moves money: what does is an order, and the guard's to approve.
 *
 * @param begin takes what is asked, and what input the answer will be
 */
export function run(errand: Errand, swapper: Swapper, begin: <T>(answer: Answer<T>, inputOf: (value: T) => InputBody) => void): void {
  const { key } = errand
  switch (errand.kind) {
    case 'quote':
      begin(swapper.quote(errand.request), (result) => ({ type: 'quoted', key, result }))
      return
    case 'build':
      begin(swapper.build(errand), (result) => ({ type: 'built', key, result }))
      return
    case 'landing':
      begin(swapper.landing(errand.sent), (result) => ({ type: 'landing', key, result }))
      return
  }
}
