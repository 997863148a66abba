import { contestService, defineConfig, secret, usdc } from 'cornerman'
import drift from '../../../strategies/drift.ts'
import holder from '../../../strategies/holder.ts'
import ladder from '../../../strategies/ladder.ts'
import momentum from '../../../strategies/momentum.ts'

// Two bots that play some modes on a service that is named in the environment.

const { SCOUT_URL: url = 'http://127.0.0.1:9' } = process.env

export default defineConfig({
  service: contestService({ url, timeoutMs: 3000 }),
  market: { url: `${url}/jup/price/v3`, swapUrl: `${url}/jup/swap/v1`, rpcUrl: `${url}/rpc` },
  bots: ['alice', 'bob'].map((name, index) => ({
    name,
    agentKey: secret(`${name.toUpperCase()}_KEY`),
    strategies: [
      ladder({ modes: ['price_prediction', 'draft_basket', 'pnl_usd'], durationSec: 15, atOnce: 3 }),
      momentum(),
      drift(),
      holder({ amount: usdc('5') }),
    ],
    guard: { maxStake: usdc('1'), dailyLoss: usdc('200') },
    seed: index,
  })),
})
