import { from, map, type Observable } from 'rxjs'
import type { InputBody } from '../input.ts'
import type { QuoteRequest, SentSwap, Swapper } from '../swapper.ts'

/** One question to the DEX or the chain, on behalf of a swap; its answer comes back as an input. */
export type Errand =
  | { readonly kind: 'quote'; readonly key: string; readonly request: QuoteRequest }
  | { readonly kind: 'build'; readonly key: string; readonly raw: unknown; readonly wallet: string }
  | { readonly kind: 'landing'; readonly key: string; readonly sent: SentSwap }

/** Runs an errand. Nothing of it moves money: what does is an order, and the guard's to approve. */
export function run(swapper: Swapper, errand: Errand): Observable<InputBody> {
  const { key } = errand
  switch (errand.kind) {
    case 'quote':
      return from(swapper.quote(errand.request)).pipe(map((result) => ({ type: 'quoted', key, result })))
    case 'build':
      return from(swapper.build(errand)).pipe(map((result) => ({ type: 'built', key, result })))
    case 'landing':
      return from(swapper.landing(errand.sent)).pipe(map((result) => ({ type: 'landing', key, result })))
  }
}
