import { contestService, defineConfig, secret } from 'cornerman'
import defaults from '../../../bots.config.ts'
import { modesWhere } from '../../../src/contract/modes.ts'
import ladder from '../../../strategies/ladder.ts'

// The traders of the default config on a service that others started, in the modes that are played by swaps.

const { MODES_URL = '', MODES_RPC = '' } = process.env
const modes = modesWhere({ playedBy: 'swaps' })
const [alice] = defaults.bots
if (alice === undefined) throw new Error('the default config has no bot')
const { strategies, guard } = alice

export default defineConfig({
  service: contestService({ url: MODES_URL, sandbox: true }),
  market: {
    url: `${MODES_URL}/jup/price/v3`,
    swapUrl: `${MODES_URL}/jup/swap/v1`,
    ...(MODES_RPC === '' ? {} : { rpcUrl: MODES_RPC }),
  },
  bots: [
    {
      name: 'trader',
      agentKey: secret('MODES_KEY'),
      strategies: [ladder({ modes: [...modes], durationSec: 20, atOnce: modes.length }), ...strategies.slice(1)],
      guard: { ...guard, maxOpenContests: modes.length },
    },
  ],
})
