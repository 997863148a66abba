import { WorldPrices } from '../../../src/backtest/world/worldPrices.ts'
import { HOUSE_BALANCE, HOUSE_GAS_LAMPORTS, House, type PlayedWorld, type PriceSource, playOn } from '../../../src/contests/house/index.ts'
import { apply, type Command, type CommandBody, commandAt, createContests } from '../../../src/contests/index.ts'
import type { Result } from '../../../src/contract/enums.ts'
import type { Mode } from '../../../src/contract/modes.ts'
import { invariant } from '../../../src/core/error.ts'
import { keyedRandom } from '../../../src/core/random.ts'
import { usdc } from '../../../src/core/usdc.ts'
import type { CompiledPrices } from '../../../src/recording/tables.ts'

const RAKE_BPS = 500
const STAKE = usdc('1')
const MATCH_MS = 1000
const TERMS = {
  type: 'createContest',
  chain: 'solana',
  format: 'duel',
  stake: STAKE,
  capacity: 2,
  teamSize: null,
  opponents: 'ANY',
  visibility: 'public',
  joinWindowSec: 300,
  params: {},
} as const
/** From the match to the settlement beside the contest itself: picks, commitments, reveals. */
const MARGIN_MS = 240_000

export interface Arena {
  readonly prices: CompiledPrices
  /** Between two prices. */
  readonly stepMs: number
}

export interface HouseDuel {
  readonly mode: Mode
  readonly durationSec: number
  /** Who plays, when, on which token, and how. */
  readonly seed: number
  /** Keys the way from one price of the log to the next. */
  readonly bridgeSeed: number
}

export interface HouseDuelResult {
  /** Profit of who came first, as a share of the stake; null: cancelled, or refunded. */
  readonly share: number | null
  readonly result: Result | null
}

const worlds = new WeakMap<CompiledPrices, { readonly bridgeSeed: number; readonly source: PriceSource }>()

function pricesOf({ prices, stepMs }: Arena, bridgeSeed: number): PriceSource {
  const known = worlds.get(prices)
  if (known?.bridgeSeed === bridgeSeed) return known.source
  const source = new WorldPrices(prices, { facts: [], pauses: [], seed: bridgeSeed, stepMs })
  worlds.set(prices, { bridgeSeed, source })
  return source
}

/** A duel of two agents of the house at a time of the log that is drawn, on the prices that a backtest has. */
export function playHouseDuel(arena: Arena, { mode, durationSec, seed, bridgeSeed }: HouseDuel): HouseDuelResult {
  const source = pricesOf(arena, bridgeSeed)
  const random = keyedRandom(seed, 'duel', mode)
  const { at } = arena.prices
  const [firstAt = 0, lastAt = 0] = [at[1], at.at(-1)]
  const spanMs = lastAt - firstAt - durationSec * 1000 - MARGIN_MS
  invariant(spanMs > 0, `the prices are too short for contests of ${durationSec} s`)
  const startMs = firstAt + Math.floor(random.next() * spanMs)
  const state = createContests({ seed, rakeBps: RAKE_BPS, startMs, mints: arena.prices.mints })
  const house = new House(seed, MATCH_MS, source)
  const priceAt: PlayedWorld['priceAt'] = (mint, atMs) => source.at(mint, atMs)
  const run = (command: Command) => {
    const applied = apply(state, command)
    invariant(applied.ok, 'the engine refused the house', { ...applied })
    house.notice(state, command, applied)
    return applied
  }
  for (const [agentId, { handle, kind }] of house.members) {
    const member = { agentId, handle, kind, house: true, walletAddress: agentId, caps: null }
    apply(state, { type: 'createAgent', ...member, balance: HOUSE_BALANCE, gasLamports: HOUSE_GAS_LAMPORTS, now: startMs })
  }
  const ids = [...house.members.keys()]
  const own = random.pick(ids) ?? ''
  const other = random.pick(ids.filter((id) => id !== own)) ?? ''
  const [side, otherSide] = mode === 'up_down' ? (random.next() < 0.5 ? ['UP', 'DOWN'] : ['DOWN', 'UP']) : [null, null]
  const give = (body: CommandBody, now: number) => run(commandAt(state, body, { now, priceAt }))
  const { contestId = '' } = give({ ...TERMS, agentId: own, mode, durationSec, side }, startMs)
  give({ type: 'joinContest', agentId: other, contestId, side: otherSide }, startMs + 1)
  playOn({ state: () => state, house, priceAt, run }, startMs + durationSec * 1000 + MARGIN_MS)
  const contest = state.contests.get(contestId)
  const entry = contest?.entries.find(({ agentId }) => agentId === own)
  invariant(entry !== undefined && contest !== undefined && contest.endedAt !== null, 'the duel is not over', { contestId, mode })
  const { result, payout } = entry
  return result === null || result === 'REFUND' ? { share: null, result } : { share: Number(payout - STAKE) / Number(STAKE), result }
}
