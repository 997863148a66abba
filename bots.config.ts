import { defineConfig, sandbox, usdc } from 'cornerman'
import drift from './strategies/drift.ts'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
import trend from './strategies/trend.ts'

// Two bots of different temper in the embedded sandbox: play money, real recorded prices.
export default defineConfig({
  service: sandbox({ seed: 7 }),
  bots: [
    {
      name: 'alice',
      // Bold: larger stakes, shorter contests, quick to follow a move.
      strategies: [
        ladder({ stake: usdc('5'), durationSec: 15, atOnce: 3 }),
        momentum({ lookbackSec: 10 }),
        drift({ lookbackSec: 10, share: 0.5 }),
        trend({ lookbackSec: 5 }),
      ],
      guard: { maxStake: usdc('5'), dailyLoss: usdc('100'), maxOpenContests: 3 },
    },
    {
      name: 'bob',
      // Careful: small stakes, and no belief in drift.
      strategies: [
        ladder({ stake: usdc('1'), durationSec: 20, atOnce: 3 }),
        momentum({ lookbackSec: 60 }),
        drift({ lookbackSec: 60, share: 0 }),
        trend({ lookbackSec: 15 }),
      ],
      guard: { maxStake: usdc('1'), dailyLoss: usdc('20'), maxOpenContests: 3 },
    },
  ],
})
