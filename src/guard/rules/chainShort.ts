import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'
import { acknowledgeText } from '../texts.ts'

/** No entry while the wallet has less on the chain than the service says, where the two agreed before. */
export const chainShort = entryRule((_, { missingOnChain }) =>
  missingOnChain === 0n
    ? undefined
    : {
        code: 'CHAIN_SHORT',
        message: `the wallet has ${formatUsdc(missingOnChain)} USDC less on the chain than the service says. ${acknowledgeText(missingOnChain)}`,
        numbers: { missingOnChain },
      },
)
