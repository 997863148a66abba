import type { InputBody } from '../input.ts'
import type { QuoteRequest, SentSwap, Swapper } from '../swapper.ts'

/** One question to the DEX or the chain, on behalf of a swap; its answer comes back as an input. */
export type Errand =
  | { readonly kind: 'quote'; readonly key: string; readonly request: QuoteRequest }
  | { readonly kind: 'build'; readonly key: string; readonly raw: unknown; readonly wallet: string }
  | { readonly kind: 'landing'; readonly key: string; readonly sent: SentSwap }

/** Runs an errand. Nothing of it moves money: what does is an order, and the guard's to approve. */
export async function run(swapper: Swapper, errand: Errand): Promise<InputBody> {
  const { key } = errand
  switch (errand.kind) {
    case 'quote':
      return { type: 'quoted', key, result: await swapper.quote(errand.request) }
    case 'build':
      return { type: 'built', key, result: await swapper.build(errand) }
    case 'landing':
      return { type: 'landing', key, result: await swapper.landing(errand.sent) }
  }
}
