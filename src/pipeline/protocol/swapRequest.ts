import type { BuildRequest, PathRequest, QuoteRequest, SentSwap } from './swapper.ts'

/** One question to the DEX or the chain, on behalf of a swap, or to see whether one could be made; its answer comes back as an input. */
export type SwapRequest =
  | { readonly kind: 'quote'; readonly key: string; readonly request: QuoteRequest }
  | ({ readonly kind: 'build'; readonly key: string } & BuildRequest)
  | { readonly kind: 'landing'; readonly key: string; readonly sent: SentSwap }
  | ({ readonly kind: 'path' } & PathRequest)
