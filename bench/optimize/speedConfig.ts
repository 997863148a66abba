import { defineConfig, sandbox, usdc } from 'cornerman'
import drift from '../../strategies/drift.ts'
import ladder from '../../strategies/ladder.ts'
import momentum from '../../strategies/momentum.ts'
import trend from '../../strategies/trend.ts'

/** What `bench/optimize.ts speed` searches: three modes, contests of ten minutes, caps out of the way. */
export default defineConfig({
  service: sandbox({ seed: 7 }),
  bots: [
    {
      name: 'alice',
      strategies: [
        ladder({ modes: ['draft_basket', 'price_prediction', 'up_down'], durationSec: 600, atOnce: 3 }),
        momentum({ lookbackSec: 300 }),
        drift({ lookbackSec: 300 }),
        trend({ lookbackSec: 300 }),
      ],
      guard: { maxStake: usdc('2'), dailyLoss: usdc('100000'), maxOpenContests: 4 },
    },
  ],
})
