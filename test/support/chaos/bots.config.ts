import { contestService, defineConfig, secret } from 'cornerman'
import shipped from '../../../bots.config.ts'

// Ten bots of the two tempers of the project's own config, on a service that is named in the environment.

const { CHAOS_URL: url = '', CHAOS_BOTS: bots = '', CHAOS_PORT: port = '0' } = process.env

export default defineConfig({
  service: contestService({ url, timeoutMs: 3000, sandbox: true }),
  market: { url: `${url}/jup/price/v3`, swapUrl: `${url}/jup/swap/v1`, rpcUrl: `${url}/rpc` },
  webhooks: { port: Number(port) },
  bots: bots.split(',').flatMap((name) => {
    const temper = shipped.bots[Number(name.slice(-1)) % shipped.bots.length]
    const variable = name.toUpperCase().replace('-', '_')
    return temper === undefined
      ? []
      : [{ ...temper, name, agentKey: secret(`${variable}_KEY`), webhookSecret: secret(`${variable}_HOOK`), seed: Number(name.slice(-1)) }]
  }),
})
