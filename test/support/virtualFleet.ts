import { channel } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLog } from '../../src/cli/log.ts'
import { Fleet } from '../../src/cli/runs/start/fleet.ts'
import { type BotReport, reportOf } from '../../src/cli/runs/start/report.ts'
import { serviceClock } from '../../src/cli/runs/start/serviceClock.ts'
import type { ServiceAccess } from '../../src/cli/service.ts'
import { VirtualClock } from '../../src/core/clock.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import type { Config } from '../../src/strategy/config.ts'
import { StoppableClock } from './stoppableClock.ts'

// The bots of a config against a sandbox over HTTP, all on one virtual clock: minutes pass in seconds.

export const START_MS = Date.parse('2025-06-01T09:00:00Z')
const STEP_MS = 100
/** Turns of the event loop without a request under way after which nothing more is coming of its own. */
const QUIET_TURNS = 3

export interface VirtualFleet extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly clock: VirtualClock
  readonly fleet: Fleet
  readonly log: string[]
  /** Where journals and recordings are. */
  readonly dataDir: string
  /** The bots' keys by name. */
  readonly keys: ReadonlyMap<string, string>
  reports(): readonly BotReport[]
  /** Lets time pass until it is so. */
  until(isSo: () => boolean, what: string, limitMs?: number): Promise<void>
  /** Drains and waits for the end. */
  drained(): Promise<void>
  /** Stops the process of the bots for so long, as by SIGSTOP: the sandbox goes on. */
  pause(durationMs: number): void
  /** Stops at once, and starts the same bots on the same journals. */
  restart(): Promise<void>
  /** What the service itself holds of one bot, whatever the bot believes. */
  heldOf(name: string): Held
  /** The sum of `agent.history` of one bot, in micro-USDC, over all its pages. */
  historyOf(name: string): Promise<{ profit: bigint; settled: number }>
}

export interface Held {
  /** Tickets and seats that are open. */
  readonly open: number
  /** Settled predictions that were committed and never revealed: lost salts. */
  readonly unrevealed: readonly string[]
}

export interface VirtualFleetOptions {
  readonly config: Config
  readonly sandbox?: Partial<Parameters<typeof startSandbox>[0]>
  /** Puts something between the bots and the sandbox; gives the URL the bots are to use. */
  readonly between?: (url: string, world: { readonly sandbox: Sandbox; readonly clock: VirtualClock }) => Promise<Between>
  /** How the bots swap at the sandbox of this URL. Default: by `jupiterV1`, with an RPC. */
  readonly swaps?: (url: string) => ServiceAccess['swaps']
  /** The price feed beside the sandbox of this URL. Default: the sandbox's. */
  readonly prices?: (url: string) => ServiceAccess['prices']
  /** The service of the config, where that is one by its address. Default: the config's. */
  readonly at?: (url: string) => Config['service']
  /** Where the config is said to be: a mapping stands beside it. */
  readonly configFile?: string
  /** What is done before the bots play, on their clock. */
  readonly before?: (process: Omit<ConstructorParameters<typeof Fleet>[0], 'configFile'>) => Promise<void>
}

interface Between extends AsyncDisposable {
  readonly url: string
  /** Requests that it keeps without an answer: time passes meanwhile. */
  hanging?(): number
}

export async function startVirtualFleet({
  config: given,
  sandbox: options = {},
  between,
  at,
  configFile,
  before,
  prices = (url) => ({ url: `${url}/jup/price/v3`, apiKey: undefined }),
  swaps = (url) => ({ swapUrl: `${url}/jup/swap/v1`, apiKey: undefined, rpcUrl: `${url}/rpc` }),
}: VirtualFleetOptions): Promise<VirtualFleet> {
  const clock = new VirtualClock(START_MS)
  const botsClock = new StoppableClock(clock)
  // Before the first request: what it has not seen begin it must not see end.
  const traffic = new Traffic()
  const dataDir = mkdtempSync(join(tmpdir(), 'fleet-'))
  const sandbox = await startSandbox({ agents: given.bots.map(({ name }) => name), clock, ...options })
  const proxy = await between?.(sandbox.url, { sandbox, clock })
  const config = at === undefined ? given : { ...given, service: at(proxy?.url ?? sandbox.url) }
  const access = {
    url: proxy?.url ?? sandbox.url,
    prices: prices(sandbox.url),
    swaps: swaps(sandbox.url),
    keys: new Map(sandbox.agents.map(({ name, key }) => [name, key])),
    timeoutMs: 5000,
    sandbox,
    close: () => sandbox.close(),
  }
  const lines: string[] = []
  const log = createLog({ pretty: false, sink: { write: (line) => void lines.push(line) } })
  const process = { config, access, dataDir, clock: serviceClock(botsClock, log), log }
  const start = () => new Fleet({ ...process, clock: serviceClock(botsClock, log), ...(configFile === undefined ? {} : { configFile }) })
  const until: VirtualFleet['until'] = async (isSo, what, limitMs = 600_000) => {
    const limit = clock.now() + limitMs
    const settled = () => traffic.settled(proxy?.hanging?.bind(proxy))
    await settled()
    while (!isSo()) {
      if (clock.now() >= limit) throw new Error(`after ${limitMs} ms it is not so: ${what}\n${lines.slice(-20).join('')}`)
      clock.advanceTo(clock.now() + STEP_MS)
      await settled()
    }
  }
  if (before !== undefined) {
    let isDone = false
    const done = before(process).finally(() => {
      isDone = true
    })
    await until(() => isDone, 'what comes before is done', 60 * 60_000)
    await done
  }
  let fleet = start()
  return {
    sandbox,
    clock,
    dataDir,
    keys: access.keys,
    log: lines,
    get fleet() {
      return fleet
    },
    reports: () => reportOf(fleet, 0).bots,
    until,
    pause: (durationMs) => botsClock.stop(durationMs),
    async drained() {
      let isEnded = false
      fleet.drain()
      void fleet.ended().then(() => {
        isEnded = true
      })
      await until(() => isEnded, 'the fleet has drained')
    },
    async restart() {
      await fleet.stop()
      fleet = start()
    },
    heldOf(name) {
      const agentId = sandbox.agents.find((agent) => agent.name === name)?.agentId
      return sandbox.service.read(({ tickets, contests }) => {
        const own = [...contests.values()].flatMap((contest) => {
          const seat = contest.entries.findIndex((entry) => entry.agentId === agentId)
          return seat < 0 ? [] : [{ ...contest, seat }]
        })
        const queued = [...tickets.values()].filter((ticket) => ticket.agentId === agentId && ticket.status === 'queued')
        const active = own.filter(({ status }) => status === 'open' || status === 'live')
        const lost = own.filter(({ mode, status, play, seat }) => {
          if (mode !== 'price_prediction' || status !== 'settled') return false
          // The play of this mode: commitments and revealed values by seat.
          const { commitments, values } = play as { commitments: unknown[]; values: unknown[] }
          return commitments[seat] !== null && values[seat] === null
        })
        return { open: queued.length + active.length, unrevealed: lost.map(({ contestId }) => contestId) }
      })
    },
    async historyOf(name) {
      const key = access.keys.get(name) ?? ''
      let [profit, settled, cursor] = [0n, 0, null as unknown]
      do {
        const input = encodeURIComponent(JSON.stringify({ json: { cursor, limit: 100 } }))
        const response = await fetch(`${sandbox.url}/agent.history?input=${input}`, { headers: { 'x-agent-key': key } })
        const page = ((await response.json()) as { result: { data: { json: { items: { profit: string }[]; nextCursor: unknown } } } })
          .result.data.json
        for (const item of page.items) profit += BigInt(item.profit)
        settled += page.items.length
        cursor = page.nextCursor
      } while (cursor !== null)
      return { profit, settled }
    },
    async [Symbol.asyncDispose]() {
      await fleet.stop()
      await proxy?.[Symbol.asyncDispose]()
      await sandbox.close()
      traffic[Symbol.dispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Counts the requests of this process that are under way. */
class Traffic implements Disposable {
  #underWay = 0
  readonly #begin = () => {
    this.#underWay += 1
  }
  readonly #end = () => {
    this.#underWay -= 1
  }

  constructor() {
    channel('undici:request:create').subscribe(this.#begin)
    for (const name of ['undici:request:trailers', 'undici:request:error']) channel(name).subscribe(this.#end)
  }

  /** @param hanging requests that nobody answers */
  async settled(hanging = () => 0): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await nextTurn()
      quiet = this.#underWay <= hanging() ? quiet + 1 : 0
    }
  }

  [Symbol.dispose](): void {
    channel('undici:request:create').unsubscribe(this.#begin)
    for (const name of ['undici:request:trailers', 'undici:request:error']) channel(name).unsubscribe(this.#end)
  }
}
