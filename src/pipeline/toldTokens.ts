import { learnTokens } from '../core/learnTokens.ts'
import { countable, type TokenFacts } from '../core/tokenFacts.ts'
import type { Mint } from '../core/tokens.ts'
import type { InputOf } from './protocol/input.ts'
import type { StepDraft } from './stepDraft.ts'

/** What a bot was told of tokens: those beside the table, and more of some that are in it. */
export class ToldTokens {
  #facts: ReadonlyMap<Mint, TokenFacts> = new Map()

  of(mint: Mint): TokenFacts | undefined {
    return this.#facts.get(mint)
  }

  /** Takes in all that is known of tokens now, in place of what was known before; says what is not swapped, once. */
  take({ tokens }: InputOf<'tokens'>, step: StepDraft): void {
    const before = this.#facts
    this.#facts = new Map(tokens.map((facts) => [facts.mint, facts]))
    learnTokens(tokens.flatMap(countable))
    for (const { mint, symbol, trouble } of tokens) {
      if (trouble !== undefined && trouble.message !== before.get(mint)?.trouble?.message)
        step.note('warn', `${symbol} (${mint}) is not swapped: ${trouble.message}`, { token: mint })
    }
  }
}
