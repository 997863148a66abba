import { contestService, defineConfig, sandbox, secret, telegram, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
const guard = { maxStake: usdc('5'), dailyLoss: usdc('20') }
const strategies = [momentum()]
export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard: { ...guard, maxStake: 5n } }] })