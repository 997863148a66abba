import { contestService, defineConfig, secret, usdc } from 'cornerman'
import drift from '../../../strategies/drift.ts'
import ladder from '../../../strategies/ladder.ts'

// Two bots on a service that is named in the environment. They read less than half of the limit: a scout gets no reads beside more.

const { SCOUT_URL: url = 'http://127.0.0.1:9' } = process.env

export default defineConfig({
  service: contestService({ url, timeoutMs: 3000, sandbox: true }),
  market: { url: `${url}/jup/price/v3`, swapUrl: `${url}/jup/swap/v1`, rpcUrl: `${url}/rpc` },
  bots: ['alice', 'bob'].map((name, index) => ({
    name,
    agentKey: secret(`${name.toUpperCase()}_KEY`),
    strategies: [ladder({ modes: ['price_prediction'], durationSec: 15, atOnce: 1 }), drift()],
    guard: { maxStake: usdc('1'), dailyLoss: usdc('200') },
    seed: index,
  })),
})
