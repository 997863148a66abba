import { expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { SANDBOX_GENESIS, SANDBOX_TRANSFER_FEE } from '../src/core/clusters.ts'
import type { TokenFacts } from '../src/core/tokenFacts.ts'
import { tokenOf } from '../src/core/tokens.ts'
import { TokenDesk } from '../src/live/tokens/tokenDesk.ts'
import { startSandbox } from '../src/sandbox/index.ts'
import { emptyFolder } from './support/replaying.ts'

test('of the sandbox’s chain the desk reads its fee as of any other, and lets it in', async () => {
  const sandbox = await startSandbox({ agents: ['alice'], seed: 7, port: 0, dbFile: `${emptyFolder()}/sandbox.db` })
  const desk = new TokenDesk({
    ...{ tokens: [], priceUrl: `${sandbox.url}/jup/price/v3`, apiKey: undefined, rpcUrl: `${sandbox.url}/rpc`, genesis: [SANDBOX_GENESIS] },
    ...{ timeoutMs: 5000, clock: new VirtualClock(1000), file: undefined, log: () => {} },
  })
  let told: readonly TokenFacts[] = []
  desk.facts$.subscribe((facts) => {
    told = facts
  })
  await desk.start()
  const launchcoin = tokenOf('LAUNCHCOIN')
  expect(told).toEqual([
    {
      ...{ mint: launchcoin?.mint, symbol: 'LAUNCHCOIN', decimals: 9, tokenProgram: 'token-2022', allowTransferHook: false },
      ...{ transferFee: SANDBOX_TRANSFER_FEE, maxTransferFeeBps: SANDBOX_TRANSFER_FEE.feeBps },
    },
  ])
  await desk.close()
  await sandbox.close()
})
