import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { genesisFor, SANDBOX_GENESIS } from '../core/clusters.ts'
import { CornermanError } from '../core/error.ts'
import { systemClock } from '../core/systemClock.ts'
import { type DexOptions, HttpService } from '../live/index.ts'
import { isAlive } from '../live/isAlive.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Config, ServiceConfig } from '../strategy/config.ts'
import { DEXES, type DexName } from '../strategy/dexes.ts'
import { SANDBOX_TIMEOUT_MS } from '../strategy/timeoutOf.ts'
import { makeDataDir } from './dataDir.ts'
import { revealSecret } from './loadConfig.ts'

/** Where the bots of a config play, and what each is let in with. */
export interface ServiceAccess {
  readonly url: string
  readonly prices: { readonly url: string; readonly apiKey: string | undefined }
  readonly swaps: Pick<DexOptions, 'swapUrl' | 'apiKey' | 'rpcUrl' | 'genesis'> & { readonly dex?: DexName }
  /** Requests a minute that the two may take together, by the config; undefined: by the headers and the key. */
  readonly requestsPerMinute?: number | undefined
  /** Agent keys by bot name. */
  readonly keys: ReadonlyMap<string, string>
  readonly timeoutMs: number
  /** The embedded sandbox, when it is the service. */
  readonly sandbox: Sandbox | undefined
  close(): Promise<void>
}

/** The service as one bot is let in: for a look that plays nothing. */
export const serviceOf = ({ url, timeoutMs, keys }: Pick<ServiceAccess, 'url' | 'keys' | 'timeoutMs'>, bot: string): HttpService =>
  new HttpService({ url, timeoutMs, agentKey: keys.get(bot) ?? '', clock: systemClock })

type SandboxConfig = Extract<ServiceConfig, { kind: 'sandbox' }>

/**
 * Starts the embedded sandbox, or finds the secrets for the service elsewhere.
 *
 * @throws CornermanError `SECRET_MISSING`, `SECRET_INVALID`, `AGENT_KEY_SHARED`, or what `startSandbox` throws
 */
export async function openService(
  config: Config,
  { dataDir, configFile }: { dataDir: string; configFile: string },
): Promise<ServiceAccess> {
  const { service, market, bots } = config
  if (service.kind === 'sandbox')
    return openSandbox(
      service,
      bots.map(({ name }) => name),
      { dataDir, hasWebhooks: config.webhooks !== undefined, dex: market.dex },
    )
  const keys = new Map(
    bots.flatMap(({ name, agentKey }, index) =>
      agentKey === undefined ? [] : [[name, revealSecret(agentKey, `${configFile}: bots[${index}].agentKey`)] as const],
    ),
  )
  expectKeys(keys, config)
  expectOwnKeys(keys)
  const apiKey = market.apiKey === undefined ? undefined : revealSecret(market.apiKey, `${configFile}: market.apiKey`)
  return {
    url: service.url,
    prices: { url: market.url, apiKey },
    swaps: {
      dex: market.dex,
      swapUrl: market.swapUrl ?? DEXES[market.dex].swapUrl,
      apiKey,
      rpcUrl: urlOf(market.rpcUrl, `${configFile}: market.rpcUrl`),
      genesis: genesisFor(market.swapUrl ?? DEXES[market.dex].swapUrl),
    },
    requestsPerMinute: market.requestsPerMinute,
    keys,
    timeoutMs: service.timeoutMs,
    sandbox: undefined,
    close: () => Promise.resolve(),
  }
}

/** One that no header can carry would never leave, and look like a service that does not answer. The value itself stays out of the message. */
function expectKeys(keys: ReadonlyMap<string, string>, { bots }: Config): void {
  for (const { name, agentKey } of bots) {
    if (agentKey === undefined || /^[\x21-\x7e]+$/.test(keys.get(name) ?? '')) continue
    const problem = `${name}: the environment variable ${agentKey.secret} holds no agent key: there is a space, a line end or a letter in it that no key has`
    throw new CornermanError('SECRET_INVALID', problem)
  }
}

/** Two names of secrets can stand for the same key. */
function expectOwnKeys(keys: ReadonlyMap<string, string>): void {
  const owners = new Map<string, string>()
  for (const [bot, key] of keys) {
    const other = owners.get(key)
    if (other !== undefined)
      throw new CornermanError('AGENT_KEY_SHARED', `${other} and ${bot} have the same agent key: every bot is an agent of its own`)
    owners.set(key, bot)
  }
}

/** A URL that stands in the config, or one in the environment because it carries a key. */
function urlOf(named: Config['market']['rpcUrl'], field: string): string | undefined {
  if (named === undefined || typeof named === 'string') return named
  const url = revealSecret(named, field)
  if (URL.canParse(url) && /^https?:/.test(url)) return url
  // The value itself is a secret, and stays out of the message.
  throw new CornermanError('SECRET_INVALID', `${field}: the environment variable ${named.secret} holds no http or https URL`)
}

async function openSandbox(
  service: SandboxConfig,
  names: readonly string[],
  { dataDir, hasWebhooks, dex }: { dataDir: string; hasWebhooks: boolean; dex: DexName },
): Promise<ServiceAccess> {
  const { seed, port, balance, maxStake, dailyLossCap, rakeBps, matchDelayMs, prices } = service
  // Whoever plays elsewhere needs none.
  const { startSandbox } = await import('../sandbox/index.ts')
  makeDataDir(dataDir)
  const sandbox = await startSandbox({
    agents: names,
    seed,
    port,
    balance,
    maxStake,
    dailyLossCap,
    rakeBps,
    matchDelayMs,
    pricesFile: prices,
    dbFile: join(dataDir, 'sandbox.db'),
    loopbackWebhooks: hasWebhooks,
    // Swaps as Jupiter builds most: whoever changes a bot here meets them before money does.
    faults: { tables: true, hops: true },
  }).catch((thrown: unknown) => {
    throw inUseBy(dataDir, thrown)
  })
  // An endpoint of an earlier run that has no receiver in this one.
  if (!hasWebhooks) for (const { agentId } of sandbox.agents) sandbox.webhooks.clear(agentId)
  const note = writeSandboxNote(dataDir, sandbox)
  return {
    url: sandbox.url,
    prices: { url: `${sandbox.url}/jup/price/v3`, apiKey: undefined },
    // The sandbox has the paths of Jupiter's own APIs below `/jup`.
    swaps: {
      dex,
      swapUrl: `${sandbox.url}/jup${new URL(DEXES[dex].swapUrl).pathname}`,
      apiKey: undefined,
      rpcUrl: `${sandbox.url}/rpc`,
      genesis: [SANDBOX_GENESIS],
    },
    keys: new Map(sandbox.agents.map(({ name, key }) => [name, key])),
    timeoutMs: SANDBOX_TIMEOUT_MS,
    sandbox,
    close: async () => {
      rmSync(note, { force: true })
      await sandbox.close()
    },
  }
}

const noteSchema = z.object({
  pid: z.number().int(),
  url: z.url(),
  agents: z.array(z.object({ name: z.string(), key: z.string() })),
})
/** How `call` finds a sandbox that runs: play money, readable by its owner alone, gone with the run. */
export type SandboxNote = z.infer<typeof noteSchema>

const noteFile = (dataDir: string) => join(dataDir, 'sandbox.run.json')

function writeSandboxNote(dataDir: string, { url, agents }: Sandbox): string {
  const file = noteFile(dataDir)
  const note: SandboxNote = { pid: process.pid, url, agents: agents.map(({ name, key }) => ({ name, key })) }
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

/** Whoever starts bots on a data directory knows nothing of the database in it: told is who runs there already. */
function inUseBy(dataDir: string, thrown: unknown): unknown {
  if (!(thrown instanceof CornermanError) || thrown.code !== 'SANDBOX_DB_IN_USE') return thrown
  const pid = runningSandbox(dataDir)?.pid
  const who = pid === undefined ? 'another process' : `process ${pid}`
  return new CornermanError(thrown.code, `${who} runs on ${dataDir} already: stop that one, or use another --data-dir`, { cause: thrown })
}

/** The sandbox that runs on this data directory; undefined when none does. */
export function runningSandbox(dataDir: string): SandboxNote | undefined {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(noteFile(dataDir), 'utf8')))
    return isAlive(note.pid) ? note : undefined
  } catch {
    return undefined
  }
}
