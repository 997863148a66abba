import { answerAfter, answerRead, type ContestAction, type ContestRead, commandOf } from '../../../src/contests/procedures.ts'
import { commitmentOf } from '../../../src/contract/commitment.ts'
import type { Mode } from '../../../src/contract/enums.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { usdc } from '../../../src/core/usdc.ts'
import type { Exchange } from '../../../src/probe/exchange.ts'
import type { FactMove, Facts } from '../../../src/probe/facts.ts'
import { openTestService, START_MS, type TestService } from '../sandbox/openTestService.ts'

// For tests: what a probe would record of the sandbox. One bot plays some minutes of a virtual clock in one process, and reads as the probe
// does; a rival plays beside it, so that there are contests of others.

export interface Recorded {
  readonly exchanges: readonly Exchange[]
  readonly facts: Facts
}

/** What the plain sandbox shows the bot that makes the moves. */
interface Shown {
  readonly contestId: string
  readonly mode: Mode
  readonly status: string
  readonly phase: string
  readonly entryId: string | null
  readonly committed?: boolean
  readonly revealed?: boolean
  readonly yourTurn?: boolean
  readonly available?: readonly string[]
  readonly you?: { readonly ready: boolean } | null
  readonly entries?: readonly { readonly side: string | null; readonly userId: string | null }[]
}

interface Playing {
  readonly world: TestService
  readonly agentId: string
  readonly exchanges: Exchange[]
  readonly moves: FactMove[]
  /** The contests it has or had a seat in. */
  readonly seats: Set<string>
}

const SALT = 'salt-of-the-recorded-bot'
const PRICE = '101.5'
const MODES: readonly Mode[] = ['price_prediction', 'draft_basket', 'same_token', 'pnl_usd']
/** A probe that begins later sees other ids, other turns and other windows. */
const WALLETS = ['7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'] as const

/** The recording of a bot's minutes: every second lists, and records of what is open, live and just over. */
export function recordSandbox({ seed = 7, seconds = 150, skewMs = 0 } = {}): Recorded {
  const world = openTestService({ seed })
  const born = (name: string, index: 0 | 1): Playing => {
    const agentId = keyedUuid('probe', seed, name)
    const caps = { maxStake: usdc('50'), dailyLossCap: usdc('200') }
    const shown = { handle: `${name}-${seed}`, kind: 'AGENT', house: false, walletAddress: WALLETS[index] } as const
    world.obey({ type: 'createAgent', agentId, ...shown, balance: usdc('1000'), gasLamports: 0n, caps })
    return { world, agentId, exchanges: [], moves: [], seats: new Set() }
  }
  const [bot, rival] = [born('prober', 0), born('rival', 1)]
  read(bot, 'agent.me')
  read(bot, 'agent.bankroll')
  for (let second = 0; second < seconds; second += 1) {
    world.advance(1000)
    if (second === 5) enqueue(bot, 'pnl_usd', 1)
    if (second % 30 === 0) for (const mode of MODES) enqueue(bot, mode)
    if (second % 30 === 12) for (const mode of MODES) enqueue(rival, mode)
    if (second % 20 === 3) joinUpDown(bot)
    if (second % 20 === 13) joinUpDown(rival)
    if (second % 10 === 0) read(bot, 'agent.me')
    playOn(bot, second, rival.seats)
    playOn(rival, second, new Set())
  }
  const events = world.service.store.eventsAfter(bot.agentId, null, 10_000)?.events ?? []
  const facts: Facts = {
    version: 1,
    service: 'http://127.0.0.1:8787',
    startedAt: START_MS,
    events: events.map((event) => ({ ...(event as Facts['events'][number]) })),
    moves: bot.moves.map((move) => ({ ...move, at: move.at + skewMs, sentAt: move.at + skewMs })),
  }
  world.service.close()
  return { exchanges: bot.exchanges.map((exchange) => ({ ...exchange, sentAt: exchange.at + skewMs, at: exchange.at + skewMs })), facts }
}

function playOn(player: Playing, second: number, others: ReadonlySet<string>): void {
  read(player, 'agent.queue.list')
  for (const { contestId } of read(player, 'agent.contests.mine') as readonly Shown[]) player.seats.add(contestId)
  if (second % 3 === 0) for (const status of ['open', 'live']) read(player, 'agent.contests.list', { status, limit: 50 })
  const over = player.world.service.read((state, now) =>
    [...player.seats].filter((id) => {
      const contest = state.contests.get(id)
      return contest === undefined || (['settled', 'cancelled'].includes(contest.status) && now > (contest.endsAt ?? now) + 12_000)
    }),
  )
  for (const contestId of [...player.seats].filter((id) => !over.includes(id))) lookAt(player, contestId, second)
  const shown = [...others].filter((id) => !player.seats.has(id)).slice(-4)
  for (const contestId of shown) if (second % 2 === 0) for (const name of READS) read(player, name, { contestId })
}

const READS = ['agent.contests.get', 'agent.modes.state'] as const

function lookAt(player: Playing, contestId: string, second: number): void {
  const contest = second % 2 === 0 ? (read(player, 'agent.contests.get', { contestId }) as Shown) : undefined
  if (contest?.you?.ready === false) act(player, 'agent.contests.ready', { contestId, ready: true })
  const state = read(player, 'agent.modes.state', { contestId }) as Shown
  const about = { mode: state.mode, contestId, entryId: state.entryId ?? '' }
  if (state.phase === 'commit' && state.committed === false) {
    const commitment = commitmentOf(PRICE, SALT, about.entryId)
    act(player, 'agent.modes.commitPrediction', { contestId, commitment }, { ...about, commitment, price: PRICE })
  }
  if (state.phase === 'reveal' && state.revealed === false)
    act(player, 'agent.modes.revealPrediction', { contestId, value: PRICE, salt: SALT }, { ...about, price: PRICE })
  const token = state.available?.[0]
  if (state.yourTurn === true && token !== undefined)
    act(player, 'agent.modes.draftPick', { contestId, token }, { mode: state.mode, contestId, token })
}

function enqueue(player: Playing, mode: Mode, waitSec = 60): void {
  const input = { mode, stake: usdc('1'), durationSec: 15, opponents: 'ANY', waitSec } as const
  act(player, 'agent.queue.enqueue', input, { mode })
}

function joinUpDown(player: Playing): void {
  const listed = read(player, 'agent.contests.list', { status: 'open', modes: ['up_down'], limit: 50 }) as { items: readonly Shown[] }
  const open = listed.items.find(({ entries = [], contestId }) => entries.length === 1 && !player.seats.has(contestId))
  if (open === undefined) return
  const { contestId } = open
  const side = open.entries?.[0]?.side === 'UP' ? 'DOWN' : 'UP'
  act(player, 'agent.contests.join', { contestId, side }, { mode: 'up_down', contestId, side })
}

function read(player: Playing, procedure: ContestRead, input: unknown = null): unknown {
  const { world, agentId } = player
  const answer = world.service.read((state, now) => answerRead(state, procedure, { agentId, now, input: (input ?? {}) as never }))
  if (!answer.ok) return undefined
  return keep(player, procedure, input, answer.value)
}

function act(player: Playing, procedure: ContestAction, input: unknown, about: Partial<FactMove> = {}): void {
  const { world, agentId, moves } = player
  const command = commandOf(procedure, agentId, input as never)
  const applied = world.service.dispatch(command)
  const type = command.type === 'move' ? command.move.type : command.type
  moves.push({
    at: world.clock.now(),
    sentAt: world.clock.now(),
    type,
    ...about,
    accepted: applied.ok,
    began: [],
    ...(applied.ok ? {} : { code: applied.refusal.code }),
  })
  if (!applied.ok) return
  const answer = world.service.read((state) => answerAfter(state, procedure, agentId, applied))
  if (answer.ok) keep(player, procedure, input, plain(answer.value))
}

function keep({ world, exchanges }: Playing, procedure: string, input: unknown, output: unknown): unknown {
  const at = world.clock.now()
  const json = plain(output)
  const headers = { date: new Date(at).toUTCString(), 'content-type': 'application/json' }
  exchanges.push({
    n: exchanges.length + 1,
    sentAt: at,
    at,
    procedure,
    input: plain(input),
    status: 200,
    headers,
    body: { result: { data: { json } } },
  })
  return json
}

/** As it comes over the wire. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item)))
