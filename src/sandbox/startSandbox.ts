import type { Clock } from '../core/clock.ts'
import { CornermanError, invariant } from '../core/error.ts'
import { keyedUuid } from '../core/ids.ts'
import { systemClock } from '../core/systemClock.ts'
import { type Usdc, usdc } from '../core/usdc.ts'
import { issueAgentKey } from './agentKey.ts'
import type { LandingShares } from './chain/fate.ts'
import { walletFor } from './createWallet.ts'
import { FaultPlan } from './faults/faultPlan.ts'
import { type FaultsInput, readFaults } from './faults/faults.ts'
import { createPriceReplay } from './prices/priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from './prices/readPriceFile.ts'
import { GAS_LAMPORTS, SandboxService } from './sandboxService.ts'
import { CallLog } from './server/callLog.ts'
import { startHttpServer } from './server/httpServer.ts'
import { issueOwnerToken } from './server/ownerApi.ts'
import { SandboxStore } from './store/sandboxStore.ts'
import { type Resolve, resolveByDns } from './webhooks/endpointUrl.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export interface SandboxOptions {
  /** The agents to have: letters, digits, `-` and `_`, at most 32. Those that exist keep what they have and get a new key. */
  readonly agents: readonly string[]
  /** Decides prices between recorded minutes, opponents and matching. Default 7. */
  readonly seed?: number | undefined
  /** Where everything is kept: a path, or `:memory:`, the default. */
  readonly dbFile?: string | undefined
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined
  /** 0, the default: any free port. */
  readonly port?: number | undefined
  /** micro-USDC a new agent starts with. Default 1,000 USDC. */
  readonly balance?: Usdc | undefined
  /** The largest stake; an agent that exists gets it too, where it is given. Default 50 USDC. */
  readonly maxStake?: Usdc | undefined
  /** The most an agent may lose in a UTC day; likewise. Default 200 USDC. */
  readonly dailyLossCap?: Usdc | undefined
  /** The service's share of a decided pot, in basis points. Default 500. */
  readonly rakeBps?: number | undefined
  /** The longest a ticket waits for its opponent. Default 3,000. */
  readonly matchDelayMs?: number | undefined
  /** A price file instead of the one that comes with the project. */
  readonly pricesFile?: string | undefined
  /** Reads a minute a key. Default 300. */
  readonly readLimit?: number | undefined
  /** Webhook endpoints by agent name; each gets a new signing secret. An agent not named here keeps the endpoint it has. */
  readonly webhooks?: Readonly<Record<string, string>> | undefined
  /** A file to which a line is added for every call of an agent: time, agent, procedure. Default: none. */
  readonly callsFile?: string | undefined
  /** Lets webhooks go to loopback, and over http there. Default false. */
  readonly loopbackWebhooks?: boolean | undefined
  /** Where the names of webhook endpoints lead. Default: what the system's resolver says. */
  readonly resolve?: Resolve | undefined
  /** Faults on request. Default: none. */
  readonly faults?: FaultsInput | undefined
  /** What becomes of agents' transactions: how many are `submitted` before they land, and how many of those fail. Default 15 % and 2 %. */
  readonly landing?: LandingShares | undefined
  /** Whether the house plays. Default true. */
  readonly house?: boolean | undefined
  /** Default: the machine's. */
  readonly clock?: Clock | undefined
  /** Hears of every fault of the sandbox that a caller was told nothing about. Default: a warning of the process. */
  readonly onFault?: ((fault: unknown) => void) | undefined
}

export interface SandboxAgent {
  readonly name: string
  readonly agentId: string
  /** Shown here and never again. */
  readonly key: string
  /** The wallet's address, base58. */
  readonly wallet: string
  /** Signs the agent's webhooks, where an endpoint was set at this start. Shown here and never again. */
  readonly webhookSecret?: string
}

export interface Sandbox {
  /** Where the service answers: procedures at `<url>/<procedure>`, prices at `<url>/jup/price/v3`. */
  readonly url: string
  readonly agents: readonly SandboxAgent[]
  /** Opens `<url>/owner/…`. Shown here and never again. */
  readonly ownerToken: string
  readonly service: SandboxService
  readonly webhooks: Webhooks
  /**
   * Puts other faults on request in place of those there are; `{}` ends them all.
   *
   * @throws CornermanError `SANDBOX_FAULTS`
   */
  setFaults(faults: FaultsInput): void
  /** Stops, keeping what is stored. Ends within a second, whoever is connected. */
  close(): Promise<void>
}

const DEFAULT_SEED = 7
const DEFAULT_BALANCE = usdc('1000')
const DEFAULT_MAX_STAKE = usdc('50')
/** A token account counts in 64 bits, and what an agent has is the sum of what others had. */
const MOST_USDC = usdc('1000000000')
const DEFAULT_DAILY_LOSS_CAP = usdc('200')
const DEFAULT_RAKE_BPS = 500
const DEFAULT_MATCH_DELAY_MS = 3000
const AGENT_NAME = /^[A-Za-z0-9_-]{1,32}$/

/**
 * Starts the embedded contest service.
 *
 * @throws CornermanError `SANDBOX_OPTION` for an option out of range, `SANDBOX_FAULTS`, `WEBHOOK_URL`, `PRICE_FILE_INVALID`,
 *   `SANDBOX_PORT`, or what `SandboxStore` throws
 * @example const { url, agents, close } = await startSandbox({ agents: ['alice'] })
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  checkOptions(options)
  const { seed = DEFAULT_SEED, dbFile = ':memory:', clock = systemClock, rakeBps = DEFAULT_RAKE_BPS } = options
  const replay = createPriceReplay(readPriceFile(options.pricesFile ?? DEFAULT_PRICE_FILE), seed)
  const faults = new FaultPlan(seed, readFaults(options.faults ?? {}))
  const store = new SandboxStore(dbFile, { seed, rakeBps, prices: replay.fingerprint }, clock.now())
  // What is to be closed, the last opened first.
  const opened: (() => void | Promise<void>)[] = [() => store.close()]
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    for (const end of opened.toReversed()) await end()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  try {
    const { matchDelayMs = DEFAULT_MATCH_DELAY_MS, house = true, host = '127.0.0.1', port = 0, readLimit, onFault = warn } = options
    const { loopbackWebhooks: allowLoopback = false, resolve = resolveByDns } = options
    const webhooks = new Webhooks({ store: store.webhooks, clock, faults, allowLoopback, resolve, onFault })
    const service = new SandboxService({ clock, store, replay, matchDelayMs, house, outbox: webhooks, landing: options.landing, faults })
    opened.push(() => service.close())
    opened.push(() => webhooks.close())
    service.start()
    webhooks.start()
    // What was submitted before a restart lands without being asked for.
    if (store.chain.pending().length > 0) await service.trading()
    const agents: SandboxAgent[] = []
    for (const name of options.agents) {
      const agent = admitAgent(service, seed, name, options)
      const url = options.webhooks?.[name]
      agents.push(url === undefined ? agent : { ...agent, webhookSecret: (await webhooks.set(agent.agentId, url)).secret })
    }
    const ownerToken = issueOwnerToken()
    const agentIdOf = (name: string) => {
      const agentId = agentIdOfName(seed, name)
      return service.read((state) => state.agents.has(agentId)) ? agentId : undefined
    }
    const owner = { token: ownerToken, webhooks, faults, agentIdOf }
    const calls = options.callsFile === undefined ? undefined : new CallLog(options.callsFile)
    opened.push(() => calls?.close())
    const server = await startHttpServer({ service, host, port, readLimit, faults, owner, calls, onFault })
    opened.push(() => server.close())
    const setFaults = (wanted: FaultsInput) => {
      faults.faults = readFaults(wanted)
    }
    return { url: server.url, agents, ownerToken, service, webhooks, setFaults, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

const agentIdOfName = (seed: number, name: string): string => keyedUuid(seed, 'agent', name)

/** Makes the agent, or finds it; either way it gets a new key. */
function admitAgent(service: SandboxService, seed: number, name: string, options: SandboxOptions): SandboxAgent {
  const { store } = service
  const agentId = agentIdOfName(seed, name)
  const wallet = walletFor(store, agentId)
  const caps = service.read((state) => state.agents.get(agentId)?.caps)
  const { maxStake = caps?.maxStake ?? DEFAULT_MAX_STAKE, dailyLossCap = caps?.dailyLossCap ?? DEFAULT_DAILY_LOSS_CAP } = options
  const asked = { maxStake, dailyLossCap }
  const isNew = caps === undefined
  if (isNew || caps?.maxStake !== maxStake || caps.dailyLossCap !== dailyLossCap) {
    const { balance = DEFAULT_BALANCE } = options
    const born = { handle: name, kind: 'AGENT', house: false, walletAddress: wallet.address, balance, gasLamports: GAS_LAMPORTS } as const
    const applied = service.dispatch(
      isNew ? { type: 'createAgent', agentId, ...born, caps: asked } : { type: 'setCaps', agentId, caps: asked },
    )
    invariant(applied.ok, `the agent ${name} was refused`, { name })
  }
  const issued = issueAgentKey()
  store.setKey(agentId, issued)
  return { name, agentId, key: issued.key, wallet: wallet.address }
}

function checkOptions({
  agents,
  seed,
  rakeBps,
  matchDelayMs,
  readLimit,
  balance,
  maxStake,
  dailyLossCap,
  webhooks = {},
}: SandboxOptions): void {
  const refuse = (option: string, value: unknown, allowed: string) => {
    throw new CornermanError('SANDBOX_OPTION', `${option} is ${value}: it must be ${allowed}`, { details: { option } })
  }
  for (const [index, name] of agents.entries()) {
    if (!AGENT_NAME.test(name)) refuse('agents', JSON.stringify(name), 'names of 1 to 32 letters, digits, - and _')
    if (agents.indexOf(name) !== index) refuse('agents', `${JSON.stringify(name)} twice`, 'names that differ')
  }
  for (const name of Object.keys(webhooks)) {
    if (!agents.includes(name)) refuse('webhooks', `for ${JSON.stringify(name)}`, `for one of the agents ${agents.join(', ')}`)
  }
  const wholes = {
    seed: [seed, Number.MIN_SAFE_INTEGER],
    rakeBps: [rakeBps, 0, 10_000],
    matchDelayMs: [matchDelayMs, 0],
    readLimit: [readLimit, 1],
  } as const
  for (const [option, [value, least, most = Number.MAX_SAFE_INTEGER]] of Object.entries(wholes)) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most)) continue
    refuse(option, value, `a whole number from ${least} to ${most}`)
  }
  for (const [option, amount] of Object.entries({ balance, maxStake, dailyLossCap })) {
    if (amount !== undefined && (amount < 0n || amount > MOST_USDC)) refuse(option, `${amount} micro-USDC`, `0 to ${MOST_USDC}`)
  }
}

function warn(fault: unknown): void {
  process.emitWarning(fault instanceof Error ? fault : String(fault))
}
