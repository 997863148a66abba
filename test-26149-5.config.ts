import { contestService, defineConfig, sandbox, secret, telegram, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
const guard = { maxStake: usdc('5'), dailyLoss: usdc('20') }
const strategies = [momentum()]
export default defineConfig({ service: contestService({ url: 'http://127.0.0.1:9' }), bots: [{ name: 'alice', agentKey: secret('NOT_SET_ANYWHERE'), strategies, guard }] })