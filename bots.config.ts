import { defineConfig, sandbox, usdc } from 'cornerman'
import breakout from './strategies/breakout.ts'
import crossover from './strategies/crossover.ts'
import drift from './strategies/drift.ts'
import holder from './strategies/holder.ts'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
import trend from './strategies/trend.ts'

// Two bots of different temper in the embedded sandbox: play money, real recorded prices. Both play all nine modes.
export default defineConfig({
  service: sandbox({ seed: 7 }),
  bots: [
    {
      name: 'alice',
      // Bold: larger stakes, shorter contests, quick to follow a move. Of two traders for a mode the first one trades.
      strategies: [
        ladder({ stake: usdc('2'), durationSec: 18, atOnce: 4 }),
        momentum({ lookbackSec: 10 }),
        drift({ lookbackSec: 10, share: 0.5 }),
        trend({ lookbackSec: 5 }),
        // The P&L modes: a fast pair of averages, of candles of a second.
        crossover({ fast: 3, slow: 8, amount: usdc('10'), opening: usdc('2') }),
        // best_trade: a short channel breaks soon.
        breakout({ channelSec: 6, stopSec: 5, amount: usdc('10') }),
        // last_bag_standing: of the bags that stand at the end the largest wins.
        holder({ amount: usdc('20') }),
      ],
      guard: {
        maxStake: usdc('2'),
        // Fifty lost duels; what swaps lose counts too.
        dailyLoss: usdc('100'),
        // Stakes of 24 hours less payouts seen: play money may go round for days.
        dailyStaked: usdc('10000'),
        // A wallet makes one swap at a time: with many more contests at once, swaps would wait until theirs is over.
        maxOpenContests: 4,
        // Her largest swap, the bag; a sale of it may be worth a little more.
        maxSwap: usdc('25'),
        // She turns often; more than one in two seconds a wallet hardly gets done.
        maxSwapsPerMinute: 30,
      },
    },
    {
      name: 'bob',
      // Careful: small stakes and swaps, slow to follow a move, and no belief in drift.
      strategies: [
        ladder({ stake: usdc('1'), durationSec: 22, atOnce: 4 }),
        momentum({ lookbackSec: 60 }),
        drift({ lookbackSec: 60, share: 0 }),
        trend({ lookbackSec: 15 }),
        // last_bag_standing and, being the first for it, same_token.
        holder({ amount: usdc('10') }),
        // The other P&L modes: a slow pair of averages turns seldom.
        crossover({ fast: 5, slow: 15, amount: usdc('10'), opening: usdc('1') }),
        // best_trade: a long channel, and a stop far below.
        breakout({ channelSec: 15, stopSec: 12, amount: usdc('5') }),
      ],
      guard: {
        maxStake: usdc('1'),
        // Forty lost duels.
        dailyLoss: usdc('40'),
        dailyStaked: usdc('10000'),
        maxOpenContests: 4,
        // A swap of his is of 10, and may be worth a little more when it is sold.
        maxSwap: usdc('12'),
        // A careful trader has no need of more.
        maxSwapsPerContest: 10,
      },
    },
  ],
})
