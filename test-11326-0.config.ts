import { contestService, defineConfig, secret } from 'cornerman'
import momentum from './strategies/momentum.ts'
import shipped from './bots.config.ts'
export default defineConfig({
  ...shipped,
  service: contestService({ url: 'http://127.0.0.1:42553' }),
  market: { url: 'http://127.0.0.1:42553/jup/price/v3', swapUrl: 'http://127.0.0.1:42553/jup/swap/v1', rpcUrl: 'http://127.0.0.1:42553/rpc' },
  bots: shipped.bots.map((bot) => ({
    ...bot,
    agentKey: secret(bot.name.toUpperCase() + '_TEST_KEY'),
    strategies: bot.strategies.map((strategy) => (bot.name === 'alice' && strategy.name === 'momentum' ? momentum({ lookbackSec: 10 }) : strategy)),
  })),
})