import { contestService, defineConfig, secret } from 'cornerman'
import shipped from '../../../bots.config.ts'

// Bots of the two tempers of the project's own config, on a service that is named in the environment.

const { FAILOVER_URL: url = '', FAILOVER_BOTS: bots = '', FAILOVER_ALONE: isAlone, FAILOVER_DURABILITY } = process.env
const durability = FAILOVER_DURABILITY === 'standby' ? 'standby' : 'asGiven'

export default defineConfig({
  ...(isAlone === undefined ? { fleet: { durability } } : {}),
  service: contestService({ url, timeoutMs: 3000, sandbox: true }),
  market: { url: `${url}/jup/price/v3`, swapUrl: `${url}/jup/swap/v1`, rpcUrl: `${url}/rpc` },
  bots: bots.split(',').flatMap((name, index) => {
    const temper = shipped.bots[index % shipped.bots.length]
    return temper === undefined
      ? []
      : [{ ...temper, name, agentKey: secret(`${name.toUpperCase().replaceAll('-', '_')}_KEY`), seed: index }]
  }),
})
