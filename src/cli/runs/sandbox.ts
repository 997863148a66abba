import { messageOf } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import { parseFaults, startSandbox } from '../../sandbox/index.ts'
import { EXIT } from '../exit.ts'
import { endSignals, sayHangupsTo } from '../hangup.ts'
import { createLog } from '../log.ts'

export interface SandboxRunOptions {
  readonly port: number
  readonly host: string
  readonly seed: number
  readonly db: string
  readonly agents: readonly string[]
  readonly balance?: Usdc
  readonly maxStake?: Usdc
  readonly dailyLossCap?: Usdc
  readonly rakeBps?: number
  readonly matchDelay?: number
  readonly prices?: string
  /** JSON, as `parseFaults` reads it. */
  readonly faults?: string
  readonly readLimit?: number
  readonly calls?: string
  readonly webhook?: Readonly<Record<string, string>>
  readonly loopbackWebhooks?: boolean
  readonly json?: boolean
}

export async function runSandbox(options: SandboxRunOptions): Promise<number> {
  const log = createLog({ pretty: process.stderr.isTTY === true })
  const { db, matchDelay, prices, faults, webhook, calls, json, ...rest } = options
  sayHangupsTo(log)
  // Heard from the beginning on: whoever ends it while it opens, or at once when it is ready, has it closed in order all the same.
  const { promise, resolve } = Promise.withResolvers<number>()
  for (const signal of endSignals()) process.once(signal, () => resolve(EXIT.done))
  const sandbox = await startSandbox({
    ...rest,
    dbFile: db,
    matchDelayMs: matchDelay,
    pricesFile: prices,
    faults: faults === undefined ? undefined : parseFaults(faults),
    webhooks: webhook,
    callsFile: calls,
    onFault: (fault) => log.error({ err: fault }, `the sandbox failed: ${messageOf(fault)}`),
  })
  const { url, agents, ownerToken } = sandbox
  if (json === true) process.stdout.write(`${JSON.stringify({ url, agents, ownerToken })}\n`)
  else {
    process.stdout.write(`the sandbox answers at ${url}\n`)
    process.stdout.write(`  owner token ${ownerToken} (shown once)\n`)
    for (const { name, key, agentId, webhookSecret } of agents) {
      const secret = webhookSecret === undefined ? '' : `, webhook secret ${webhookSecret}`
      process.stdout.write(`  ${name}: agent ${agentId}, key ${key}${secret} (shown once)\n`)
    }
  }
  const code = await promise
  await sandbox.close()
  return code
}
