import { contestService, defineConfig, secret, usdc } from 'cornerman'
import holder from '../../../strategies/holder.ts'
import ladder from '../../../strategies/ladder.ts'
import momentum from '../../../strategies/momentum.ts'

// One bot that plays contests of swaps and drafts, on addresses that are named in the environment.

const { PLAY_URL = '', PLAY_DEX = '', PLAY_RPC = '', PLAY_PRICES = '' } = process.env

export default defineConfig({
  service: contestService({ url: PLAY_URL, timeoutMs: 3000, sandbox: true }),
  market: { url: PLAY_PRICES, swapUrl: PLAY_DEX, ...(PLAY_RPC === '' ? {} : { rpcUrl: PLAY_RPC }) },
  bots: [
    {
      name: 'player',
      agentKey: secret('PLAY_KEY'),
      strategies: [
        ladder({ modes: ['same_token', 'last_bag_standing', 'draft_basket'], durationSec: 15, atOnce: 3 }),
        momentum(),
        holder(),
      ],
      guard: { maxStake: usdc('1'), dailyLoss: usdc('100') },
    },
  ],
})
