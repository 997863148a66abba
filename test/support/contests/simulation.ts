import { modeOf } from '../../../src/contests/modes/index.ts'
import { balanceOf } from '../../../src/contests/money/ledger.ts'
import { agentOf, createContests } from '../../../src/contests/state/state.ts'
import type { BalanceChange, CommandBody, Contest, FillCommand, Ticket } from '../../../src/contests/types.ts'
import { commitmentOf } from '../../../src/contract/commitment.ts'
import { MODES, type Mode } from '../../../src/contract/enums.ts'
import { type Price, scalePrice } from '../../../src/core/price.ts'
import { keyedRandom } from '../../../src/core/random.ts'
import { type Mint, tokenOfMint, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { creating, enqueueing, mintOf, START_MS, TestWorld } from './testWorld.ts'

// Random agents do random things, sensible or not; nothing they do may break an invariant.

const POOL = ['SOL', 'JUP', 'WIF', 'JTO', 'PYTH', 'W', 'IO', 'MEW', 'GOAT', 'BOME'].map(mintOf)
const SALT = 'salt-of-the-simulation'
const ACTS = {
  ...{ enqueue: 5, answer: 3, cancelTicket: 1, create: 4, join: 6, ready: 8, unready: 1, leave: 1 },
  ...{ draftPick: 5, commit: 6, reveal: 6, fill: 10, setCaps: 2, deposit: 1, depositToken: 1, depositLamports: 1 },
}
type Act = keyof typeof ACTS
const NEEDS_CONTEST: ReadonlySet<Act> = new Set(['join', 'ready', 'unready', 'leave', 'draftPick', 'commit', 'reveal', 'fill'])
/** Milliseconds that pass before an act, by how often: mostly none, now and then past every deadline, or back. */
export const DRAWN_PASSES_MS: readonly number[] = Object.entries({
  0: 240,
  1: 12,
  500: 45,
  1000: 30,
  3000: 20,
  15000: 6,
  70000: 2,
  46800000: 1,
  '-5000': 4,
}).flatMap(([ms, weight]) => Array<number>(weight).fill(Number(ms)))

/** What is drawn at random for a step; what it comes to depends on the state it meets. */
export interface Step {
  readonly act: Act
  readonly actor: number
  readonly pick: number
  readonly choice: number
  readonly passMs: number
}

/** Acts, each as often as it is to be drawn. */
export const DRAWN_ACTS: readonly Act[] = Object.entries(ACTS).flatMap(([act, weight]) => Array<Act>(weight).fill(act as Act))

const newContests = () => createContests({ seed: 11, rakeBps: 500, startMs: START_MS, mints: POOL })

/** A world of that many agents of all kinds, the last one of the house. */
export class Simulation extends TestWorld {
  readonly agents: string[]
  /** What a fresh state is made of, for replays of the log. */
  static readonly firstState = newContests

  constructor(agents: number) {
    super(newContests())
    this.priceAt = priceOfSimulation
    const caps = { maxStake: usdc('5'), dailyLossCap: usdc('12') }
    const balance = usdc('40')
    this.agents = Array.from({ length: agents }, (_, index) => {
      const kind = index % 3 === 2 ? 'HUMAN' : 'AGENT'
      return this.agent(`agent ${index}`, index === agents - 1 ? { house: true, caps: null, balance } : { kind, caps, balance })
    })
  }

  /** What a step comes to in the state as it is: mostly something that can be done, at times nonsense. */
  commandOf({ act: wished, actor, pick, choice }: Step): CommandBody {
    const act = this.#doable(wished, choice)
    const agentId = this.agents[actor % this.agents.length] ?? ''
    const stake = [usdc('1'), usdc('1'), usdc('2'), usdc('1.000001'), usdc('6'), 0n][choice % 6] ?? 1n
    const mode = MODES[pick % MODES.length] ?? 'up_down'
    const opponents = (['ANY', 'ANY', 'AGENT', 'HUMAN'] as const)[choice % 4] ?? 'ANY'
    const contest = chosen<Contest>(this.#contestsFor(act, choice), pick)
    const contestId = contest?.contestId ?? 'none'
    const ticket = chosen<Ticket>(choice % 5 === 0 ? [...this.state.tickets.values()].slice(-6) : [...this.state.index.queued.keys()], pick)
    switch (act) {
      case 'enqueue':
        return enqueueing(agentId, { mode, stake, opponents, waitSec: 1 + (choice % 20) })
      case 'answer': {
        const answering = ticket?.ticketId ?? 'none'
        return ticket === undefined
          ? enqueueing(agentId, { answering })
          : enqueueing(agentId, { mode: ticket.mode, stake: ticket.stake, answering })
      }
      case 'cancelTicket':
        return { type: 'cancelTicket', agentId, ticketId: ticket?.ticketId ?? 'none' }
      case 'create':
        return creating(agentId, { mode, stake, opponents, joinWindowSec: 5 + (choice % 40), ...formOf(mode, choice) })
      case 'join':
        return { type: 'joinContest', agentId, contestId, side: sideFor(contest, choice) }
      case 'ready':
      case 'unready':
        return { type: 'readyContest', agentId: seated(contest, choice) ?? agentId, contestId, ready: act === 'ready' }
      case 'leave':
        return { type: 'leaveContest', agentId, contestId }
      case 'setCaps':
        return {
          type: 'setCaps',
          agentId: ticket?.agentId ?? agentId,
          caps: { maxStake: usdc(['0', '2', '5', '5', '5'][choice % 5] ?? '5'), dailyLossCap: usdc('12') },
        }
      case 'deposit':
        return { type: 'deposit', agentId, amount: choice % 2 === 0 ? usdc('20') : BigInt(choice % 9) }
      case 'depositToken':
        return { type: 'depositToken', agentId, mint: chosen([...POOL, USDC_MINT], pick) ?? '', amount: BigInt(choice % 10) }
      case 'depositLamports':
        return { type: 'depositLamports', agentId, amount: BigInt(choice % 10) }
      case 'fill':
        return this.#fillBy(seated(contest, choice) ?? agentId, contest, { pick, choice })
      case 'draftPick':
      case 'commit':
      case 'reveal':
        return { type: 'move', agentId: seated(contest, choice) ?? agentId, contestId, move: moveOf(act, contest, choice) }
    }
  }

  /** The act, or one that makes something to act on where there is nothing; now and then the act all the same. */
  #doable(act: Act, choice: number): Act {
    if (choice % 10 === 0 || !NEEDS_CONTEST.has(act) || this.#fitting(act).length > 0) return act
    return choice % 2 === 0 ? 'create' : 'enqueue'
  }

  #contestsFor(act: Act, choice: number): readonly Contest[] {
    const fitting = NEEDS_CONTEST.has(act) ? this.#fitting(act) : []
    return choice % 10 !== 0 && fitting.length > 0 ? fitting : [...this.state.contests.values()].slice(-6)
  }

  /** Contests the act can do something in. */
  #fitting(act: Act): readonly Contest[] {
    const { open, live } = this.state.index
    if (act === 'join') return [...open].filter(({ entries, capacity }) => entries.length < capacity)
    if (act === 'ready') return [...open].filter(({ entries }) => entries.length > 1)
    if (act === 'unready' || act === 'leave') return [...open]
    if (act === 'fill') return [...live].filter(({ mode }) => modeOf({ mode }).fills !== null)
    return [...live].filter(({ mode }) => mode === (act === 'draftPick' ? 'draft_basket' : 'price_prediction'))
  }

  /** A swap near the price, of what the agent has; at times of more than that, for another contest, or of nothing. */
  #fillBy(agentId: string, contest: Contest | undefined, { pick, choice }: Pick<Step, 'pick' | 'choice'>): FillCommand {
    const agent = agentOf(this.state, agentId)
    const { params } = contest ?? {}
    const named = params !== undefined && 'token' in params && typeof params.token === 'string' ? params.token : undefined
    const token = (choice % 12 === 0 ? undefined : named) ?? chosen(POOL, pick) ?? ''
    const other = choice % 8 === 0 ? (chosen(POOL, pick + 1) ?? '') : USDC_MINT
    const [from, to] = balanceOf(agent, token) > 0n && pick % 2 === 0 ? [token, other] : [other, token]
    const given =
      choice % 50 === 0 ? balanceOf(agent, from) + 1n : (balanceOf(agent, from) * BigInt(1 + (choice % 4))) / (pick % 2 === 0 ? 4n : 40n)
    const value = (given * this.#unitOf(from)) / this.#unitOf(to)
    const changes: BalanceChange[] = [
      { mint: from, delta: -given },
      { mint: to, delta: (value * BigInt(950 + (pick % 51))) / 1000n },
    ]
    const contestId = choice % 6 === 0 ? null : (contest?.contestId ?? null)
    const feeLamports = choice % 60 === 0 ? agent.gasLamports + 1n : 5000n
    return { type: 'fill', agentId, contestId, signature: `${choice}`, changes: choice % 30 === 0 ? [] : changes, feeLamports }
  }

  #unitOf(mint: Mint): bigint {
    const price = mint === USDC_MINT ? '1' : (this.priceAt(mint, this.now) ?? '100')
    return scalePrice(price) * 10n ** BigInt(9 - (tokenOfMint(mint)?.decimals ?? 0))
  }
}

/** Around 100, and at times missing. */
function priceOfSimulation(mint: Mint, at: number): Price | null {
  const random = keyedRandom(mint, at)
  return random.next() < 0.02 ? null : `${random.integer(98, 102)}.5`
}

function formOf(mode: Mode, choice: number) {
  const form = choice % 4 === 0 ? ({ format: 'lobby', capacity: 4 } as const) : {}
  const teams = choice % 8 === 0 && mode !== 'up_down' ? { teamSize: 2 } : {}
  const payouts = choice % 9 === 0 ? { payouts: [3, 2] } : {}
  const chain = choice % 25 === 0 ? ({ chain: 'robinhood' } as const) : {}
  return { ...form, ...teams, ...chain, params: { ...paramsOf(mode, choice), ...payouts, hidden: choice % 2 === 0 } }
}

function paramsOf(mode: Mode, choice: number) {
  if (mode === 'draft_basket') return { pool: POOL, picks: 1 + (choice % 2) }
  if (mode === 'target_race') return { targetPct: 0.5 }
  return mode === 'pnl_race_pct' || mode === 'pnl_usd' || mode === 'best_trade' ? {} : { token: POOL[choice % 3] ?? '' }
}

/** None, most of the time; else one that the mode has, or does not. */
function sideFor(contest: Contest | undefined, choice: number): string | null {
  if (choice % 3 === 0 || (contest?.mode !== 'up_down' && choice % 9 !== 1)) return null
  return choice % 2 === 0 ? 'UP' : 'DOWN'
}

/** One of the contest's own agents, most of the time. */
function seated(contest: Contest | undefined, choice: number): string | undefined {
  return choice % 7 === 0 ? undefined : chosen(contest?.entries ?? [], choice)?.agentId
}

function moveOf(act: 'draftPick' | 'commit' | 'reveal', contest: Contest | undefined, choice: number) {
  const { entryId = '0' } = chosen(contest?.entries ?? [], choice) ?? {}
  const value = `${98 + (entryId.charCodeAt(0) % 5)}.25`
  if (act === 'draftPick') return { type: 'draftPick', token: POOL[choice % POOL.length] ?? '' } as const
  if (act === 'commit') return { type: 'commitPrediction', commitment: commitmentOf(value, SALT, entryId) } as const
  return { type: 'revealPrediction', value: choice % 11 === 0 ? '1' : value, salt: choice % 13 === 0 ? 'x' : SALT } as const
}

function chosen<T>(values: readonly T[], choice: number): T | undefined {
  return values[choice % Math.max(1, values.length)]
}

/** What the runs came to, in all: runs that reach nothing prove nothing. */
export function outcomesOf({ state }: Simulation): string[] {
  const contests = [...state.contests.values()].flatMap(({ mode, status, cancelReason, entries }) => [
    cancelReason ?? `${mode} ${status}`,
    ...entries.flatMap(({ result }) => (result === null ? [] : [result, `${mode} ${result}`])),
  ])
  return [...contests, ...[...state.tickets.values()].map(({ status }) => `ticket ${status}`)]
}
