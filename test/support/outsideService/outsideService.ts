import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../src/core/clock.ts'
import { keyedRandom } from '../../../src/core/random.ts'
import { AgentFile, type Outcome, type Player } from './agentFile.ts'
import { isOver } from './contest.ts'
import { Contests } from './contests.ts'
import { EventStream } from './eventStream.ts'
import { House } from './house.ts'
import { type Asked, errorBody, type Fault, HttpFront, type Told } from './httpFront.ts'
import { Ledger, walletOf } from './ledger.ts'
import type { Market } from './market.ts'
import { PACE, type Pace } from './pace.ts'
import { type Caller, type Core, PROCEDURES } from './procedures.ts'
import { Queue, type Trouble } from './queue.ts'
import { Refusal } from './refusal.ts'
import { Timetable } from './timetable.ts'
import { Trades } from './trades.ts'
import { Webhooks } from './webhooks.ts'

/** Something that happens to the service itself, so long after it was opened. */
export interface ScriptStep {
  readonly afterMs: number
  readonly does: 'closePort' | 'openPort' | Fault
  /** Of a fault: how many calls; one unless said. */
  readonly times?: number | undefined
}

export interface OutsideOptions {
  readonly clock: Clock
  readonly market: Market
  /** Names of the agents, and the ids by which the market knows them; an id of the service's own where there is none. */
  readonly agents: readonly { readonly name: string; readonly agentId?: string }[]
  /** 0, as it is unless said, is any free one. */
  readonly port?: number
  readonly seed?: number
  readonly pace?: Partial<Pace>
  readonly trouble?: Partial<Trouble>
  /** Micro-USDC. */
  readonly balance?: bigint
  readonly maxStake?: bigint
  readonly dailyLossCap?: bigint
  /** Reads a minute. */
  readonly readLimit?: number
  readonly script?: readonly ScriptStep[]
  /** False: nobody but the agents plays. */
  readonly house?: boolean
}

export interface OutsideAgent {
  readonly name: string
  readonly agentId: string
  readonly userId: string
  readonly key: string
}

const HOUSE_NAMES = ['wren', 'finch', 'rook', 'heron', 'swift', 'crane', 'egret', 'robin']
const MINUTE_MS = 60_000

/** A contest service made from the specification alone. Where that is silent, it goes its own way: shapes.ts says which. */
export class OutsideService {
  readonly agents: readonly OutsideAgent[]
  readonly ownerToken = `owner-${randomBytes(18).toString('base64url')}`
  readonly webhooks: Webhooks
  readonly contests: Contests
  readonly #core: Core
  readonly #ledger = new Ledger()
  readonly #timetable: Timetable
  readonly #front: HttpFront
  readonly #files = new Map<Player, AgentFile>()
  readonly #callers = new Map<string, Caller>()
  readonly #reads = new Map<Caller, number[]>()
  readonly #readLimit: number
  readonly #market: Market

  private constructor(options: OutsideOptions) {
    const { clock, market, seed = 1, balance = 500_000_000n, maxStake = 25_000_000n, dailyLossCap = 100_000_000n } = options
    const pace: Pace = { ...PACE, ...options.pace }
    const timetable = new Timetable(clock)
    const events = new EventStream(clock, keyedRandom(seed, 'event ids'))
    const fileOf = (player: Player): AgentFile => {
      const file = this.#files.get(player) ?? new AgentFile(player, { maxStake, dailyLossCap })
      this.#files.set(player, file)
      return file
    }
    const shared = { timetable, pace, ledger: this.#ledger, events, market, fileOf, newId: () => randomUUID() }
    this.#market = market
    this.#timetable = timetable
    this.#readLimit = options.readLimit ?? 300
    this.webhooks = new Webhooks(timetable, pace)
    events.listen((agentId, event) => this.webhooks.deliver(agentId, event))
    this.contests = new Contests({ ...shared, random: keyedRandom(seed, 'contests') })
    this.agents = options.agents.map(({ name, agentId = randomUUID() }) => {
      const key = `outside-${randomBytes(24).toString('base64url')}`
      const player: Player = { agentId, userId: randomUUID(), handle: name, kind: 'AGENT', isHouse: false }
      events.open(agentId)
      this.#ledger.issue(walletOf(agentId), balance)
      this.#callers.set(digest(key), { file: fileOf(player), keyPrefix: key.slice(0, 12) })
      return { name, agentId, userId: player.userId, key }
    })
    const players = HOUSE_NAMES.map((handle, index): Player => {
      return { agentId: randomUUID(), userId: randomUUID(), handle, kind: index % 2 === 0 ? 'HUMAN' : 'AGENT', isHouse: true }
    })
    const house =
      options.house === false ? undefined : new House({ ...shared, contests: this.contests, random: keyedRandom(seed, 'house'), players })
    const trouble = { failEvery: 7, neglectEvery: 5, ...options.trouble }
    const opponentFor = (ticket: { opponents: 'HUMAN' | 'AGENT' | 'ANY' }) => house?.opponentFor(ticket.opponents)
    const queue = new Queue({ ...shared, contests: this.contests, random: keyedRandom(seed, 'queue'), trouble, opponentFor })
    this.#core = {
      ...{ timetable, pace, ledger: this.#ledger, events, market, contests: this.contests, queue },
      trades: new Trades(timetable, market, this.contests),
      webhookUrl: (agentId) => this.webhooks.urlOf(agentId),
      ranked: () =>
        [...this.#files.values()].filter(({ player }) => player.kind === 'AGENT').toSorted((one, two) => two.points - one.points),
    }
    this.#front = new HttpFront(clock, options.port ?? 0, (asked) => this.#answer(asked))
    house?.open()
    for (const step of options.script ?? []) timetable.after(step.afterMs, () => void this.perform(step))
  }

  /** Listens once it is there. */
  static async open(options: OutsideOptions): Promise<OutsideService> {
    const service = new OutsideService(options)
    await service.openPort()
    return service
  }

  get url(): string {
    return this.#front.url
  }

  openPort(): Promise<void> {
    return this.#front.open()
  }

  /** Time goes on behind it. */
  closePort(): Promise<void> {
    return this.#front.close()
  }

  async perform({ does, times = 1 }: Pick<ScriptStep, 'does' | 'times'>): Promise<void> {
    if (does === 'closePort') await this.closePort()
    else if (does === 'openPort') await this.openPort()
    else this.#front.fail(Array.from({ length: times }, () => does))
  }

  /** What an agent did and what came of it. */
  fileOf(agentId: string): AgentFile {
    const file = [...this.#files.values()].find(({ player }) => player.agentId === agentId)
    if (file === undefined) throw new RangeError(`there is no agent ${agentId}`)
    return file
  }

  /** Settled contests that asked for a move of this agent and got none. */
  withoutMove(agentId: string): readonly Outcome[] {
    return this.fileOf(agentId).withoutMove()
  }

  /** Is all the money there that was ever issued, and nothing left in a pot or a ticket that is over? */
  audit(): {
    readonly agrees: boolean
    readonly issued: string
    readonly byKind: Readonly<Record<string, string>>
    readonly stranded: readonly string[]
  } {
    const { issued, byKind } = this.#ledger.sums()
    const total = Object.values(byKind).reduce((sum, amount) => sum + amount, 0n)
    const { contests, queue } = this.#core
    const openPots = new Set([...contests.all.values()].filter((contest) => !isOver(contest)).map(({ uid }) => uid))
    const waiting = new Set(queue.tickets.filter(({ state }) => state === 'WAITING').map(({ ref }) => ref))
    const stranded = [
      ...this.#ledger.filled('pot').filter((uid) => !openPots.has(uid)),
      ...this.#ledger.filled('ticket').filter((ref) => !waiting.has(ref)),
    ]
    const inPlay = [...this.#files.values()].reduce((sum, file) => sum + (file.player.isHouse ? 0n : file.inPlay), 0n)
    const staked = this.#stakedByAgents()
    const texts = Object.entries(byKind).map(([kind, amount]) => [kind, amount.toString()])
    return {
      agrees: total === issued && stranded.length === 0 && inPlay === staked,
      issued: issued.toString(),
      byKind: Object.fromEntries(texts),
      stranded,
    }
  }

  /** Counted from the contests and tickets themselves. */
  #stakedByAgents(): bigint {
    const { contests, queue } = this.#core
    const seats = [...contests.all.values()]
      .filter((contest) => !isOver(contest))
      .flatMap(({ stake, seats }) => seats.map(({ player }) => ({ player, stake })))
    const tickets = queue.tickets.filter(({ state }) => state === 'WAITING')
    return [...seats, ...tickets].reduce((sum, { player, stake }) => sum + (player.isHouse ? 0n : stake), 0n)
  }

  async close(): Promise<void> {
    this.#timetable.stop()
    await this.#front.close()
    await Promise.all(this.webhooks.underWay)
    this.#market.close()
  }

  async #answer(asked: Asked): Promise<Told> {
    if (asked.path.startsWith('owner/')) return this.#answerOwner(asked)
    const key = asked.headers['x-agent-key']
    const caller = typeof key === 'string' ? this.#callers.get(digest(key)) : undefined
    if (caller === undefined) return { status: 401, body: errorBody(new Refusal('KEY_UNKNOWN', 'that is nobody’s key')) }
    const procedure = Object.hasOwn(PROCEDURES, asked.path) ? PROCEDURES[asked.path] : undefined
    if (procedure === undefined) return { status: 404, body: errorBody(new Refusal('NO_SUCH_CALL', 'nothing has that name')) }
    if (asked.method !== (procedure.kind === 'G' ? 'GET' : 'POST')) {
      return { status: 405, body: errorBody(new Refusal('OTHER_METHOD', 'reads are GET, actions are POST')) }
    }
    if (procedure.kind === 'G' && !this.#mayRead(caller))
      return { status: 429, body: errorBody(new Refusal('SLOW_DOWN', 'too many reads in a minute')) }
    try {
      const output = await procedure.run(
        this.#core,
        caller,
        inputOf(procedure.kind === 'G' ? (asked.query.get('input') ?? '{}') : asked.body),
      )
      return { status: 200, body: { result: { data: { json: output } } } }
    } catch (error) {
      if (error instanceof Refusal) return { status: 200, body: errorBody(error) }
      return { status: 500, body: errorBody(new Refusal('BROKEN', String(error))) }
    }
  }

  #mayRead(caller: Caller): boolean {
    const nowMs = this.#timetable.now()
    const recent = (this.#reads.get(caller) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS)
    this.#reads.set(caller, recent)
    if (recent.length >= this.#readLimit) return false
    recent.push(nowMs)
    return true
  }

  /** For tests that run the service as a process: what they would else call in it. */
  async #answerOwner({ path, headers, query, body }: Asked): Promise<Told> {
    if (headers['x-owner-token'] !== this.ownerToken) return { status: 401, body: { error: 'not the owner' } }
    const agent = this.agents.find(({ name }) => name === query.get('agent'))
    if (path === 'owner/audit') return { status: 200, body: this.audit() }
    if (path === 'owner/script') {
      await this.perform(stepSchema.parse(JSON.parse(body)))
      return { status: 200, body: {} }
    }
    if (agent === undefined) return { status: 404, body: { error: 'no such agent, or no such path' } }
    if (path === 'owner/webhook') {
      const { url } = z.object({ url: z.string().nullable() }).parse(JSON.parse(body))
      if (url === null) this.webhooks.clear(agent.agentId)
      return { status: 200, body: { secret: url === null ? null : this.webhooks.set(agent.agentId, url) } }
    }
    if (path !== 'owner/log') return { status: 404, body: { error: 'no such path' } }
    const file = this.fileOf(agent.agentId)
    const plain = (outcome: Outcome) => ({ ...outcome, stake: outcome.stake.toString(), payout: outcome.payout.toString() })
    return { status: 200, body: { moves: file.moves, outcomes: file.outcomes.map(plain), withoutMove: file.withoutMove().map(plain) } }
  }
}

const stepSchema = z.object({ does: z.enum(['closePort', 'openPort', 'cut', 'crash']), times: z.number().int().positive().optional() })
export const scriptSchema = z.array(stepSchema.extend({ afterMs: z.number().min(0) }))

const digest = (key: string) => createHash('sha256').update(key).digest('hex')

/** `{"json": …}`; what is left out is null. */
function inputOf(text: string): unknown {
  try {
    const wrapper: unknown = JSON.parse(text)
    if (typeof wrapper === 'object' && wrapper !== null) return 'json' in wrapper ? wrapper.json : null
  } catch {
    // Told below.
  }
  throw new Refusal('ASK_ODD', 'an input is {"json": …}')
}
