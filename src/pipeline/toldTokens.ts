import { learnTokens } from '../core/learnTokens.ts'
import { countable } from '../core/tokenFacts.ts'
import type { Bot } from './bot.ts'
import type { InputOf } from './protocol/input.ts'

/** Takes in all that is known of tokens now, in place of what was known before; says what is not swapped, once. */
export function takeTokens(bot: Bot, { tokens }: InputOf<'tokens'>): void {
  const before = bot.tokens
  bot.tokens = new Map(tokens.map((facts) => [facts.mint, facts]))
  learnTokens(tokens.flatMap(countable))
  for (const { mint, symbol, trouble } of tokens) {
    if (trouble !== undefined && trouble.message !== before.get(mint)?.trouble?.message)
      bot.step.note('warn', `${symbol} (${mint}) is not swapped: ${trouble.message}`, { token: mint })
  }
}
