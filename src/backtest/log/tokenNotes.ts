import type { TokenFacts } from '../../core/tokenFacts.ts'
import type { Mint } from '../../core/tokens.ts'
import { inputOf } from '../../pipeline/index.ts'
import type { InputLine } from '../../recording/index.ts'

/** Collects what bots were told of tokens; of each what was told last. */
export class TokenNotes {
  readonly #newest = new Map<Mint, { readonly at: number; readonly facts: TokenFacts }>()

  hear(line: InputLine): void {
    const input = inputOf(line, line)
    if (input.type !== 'tokens') return
    const { at } = input
    for (const facts of input.tokens) if (at >= (this.#newest.get(facts.mint)?.at ?? 0)) this.#newest.set(facts.mint, { at, facts })
  }

  get facts(): readonly TokenFacts[] {
    return [...this.#newest.values()].map(({ facts }) => facts)
  }
}
