import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'
import { acknowledgeText } from '../texts.ts'

/** No entry while the bankroll lacks more than the smallest stake, and nothing that the bot did explains it. */
export const unexplainedFall = entryRule(({ stake }, { unexplained, smallestStake = stake }) =>
  unexplained <= smallestStake
    ? undefined
    : {
        code: 'UNEXPLAINED_FALL',
        message: `the bankroll lacks ${formatUsdc(unexplained)} USDC that this bot cannot explain. ${acknowledgeText(unexplained)}`,
        numbers: { unexplained, smallestStake },
      },
)
