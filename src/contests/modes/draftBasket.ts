import { z } from 'zod'
import { type Price, scalePrice } from '../../core/price.ts'
import { draw, keyedRandom } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import { type Rational, rational, sumRationals } from '../rational.ts'
import { refuse } from '../refuse.ts'
import { isoOf } from '../turn.ts'
import type { ModeParams } from '../types.ts'
import type { ContestMode, MadeMove, MoveAnswer, PlayedContest } from './contestMode.ts'
import { commonParams, mintSchema, paramsReader, secondsSchema } from './readParams.ts'

interface DraftParams extends ModeParams {
  readonly pool: readonly Mint[]
  /** Tokens each player picks. */
  readonly picks: number
  readonly pickSec: number
}

interface Pick {
  readonly token: Mint
  readonly automatic: boolean
}

interface DraftPlay {
  /** Seats in the order of the first round, seeded. */
  readonly order: readonly number[]
  /** By turn. */
  picked: Pick[]
  /** When the turn under way is picked for. */
  turnBy: number
  /** By turn, once the window opens and once it closes. */
  startPrices: Price[] | null
  endPrices: Price[] | null
}

type Draft = PlayedContest<DraftParams, DraftPlay>

const DEFAULT_POOL = 8
const readParams = paramsReader(
  z.strictObject({
    ...commonParams,
    pool: z
      .array(mintSchema)
      .max(200)
      .refine((pool) => new Set(pool).size === pool.length, 'each token once')
      .exactOptional(),
    picks: z.number().int().min(1).max(10).default(2),
    pickSec: secondsSchema.default(3),
  }),
)

/**
 * Players pick in turn from `params.pool`, in snake order: the order turns round after each round.
 * A turn not taken within `params.pickSec` gets the first token still available, in the pool's order.
 * The highest equal-weight mean return from `startsAt` to `endsAt` wins.
 */
export const draftBasket: ContestMode<DraftParams, DraftPlay> = {
  name: 'draft_basket',
  chains: ['solana', 'robinhood'],
  winner: 'highest',
  sides: null,
  moves: { draftPick: { closed: 'NOT_YOUR_TURN', play: pick } },
  fills: null,

  params(asked, { capacity, mints, random }) {
    const read = readParams(asked)
    if (!read.ok) return read
    const needed = read.params.picks * capacity
    const pool = read.params.pool ?? draw(random, mints, Math.max(DEFAULT_POOL, needed))
    if (pool.length < needed) {
      return {
        ok: false,
        message: `params.pool: ${pool.length} tokens are too few for ${read.params.picks} picks by ${capacity} players, name ${needed} or more`,
      }
    }
    return { ok: true, params: { ...read.params, pool } }
  },

  leadMs: ({ picks, pickSec }, players) => picks * players * pickSec * 1000,

  lock({ contestId, entries, params }, lockedAt) {
    const random = keyedRandom(contestId, 'draft order')
    const left = entries.map((_, seat) => seat)
    const order = entries.flatMap(() => left.splice(random.integer(0, left.length - 1), 1))
    return { order, picked: [], turnBy: lockedAt + params.pickSec * 1000, startPrices: null, endPrices: null }
  },

  nextDueAt(contest) {
    const { play, startsAt, endsAt } = contest
    if (turnSeat(contest, play.picked.length) !== null) return play.turnBy
    return play.startPrices === null ? startsAt : endsAt
  },

  mintsAt(contest, at) {
    const { startsAt, endsAt } = contest
    return at === startsAt || at === endsAt ? pickedBy(contest, at).map(({ token }) => token) : []
  },

  due(contest, at, priceOf) {
    const { play, params, startsAt, endsAt } = contest
    const picked = pickedBy(contest, at)
    play.turnBy += (picked.length - play.picked.length) * params.pickSec * 1000
    play.picked = picked
    const pricesNow = () => picked.map(({ token }) => priceOf(token))
    if (at === startsAt) play.startPrices = pricesNow()
    if (at !== endsAt) return 'goes-on'
    play.endPrices = pricesNow()
    return 'decided'
  },

  scores(contest) {
    const { play, entries } = contest
    if (play.picked.every(({ automatic }) => automatic)) return entries.map(() => null)
    const returns: Rational[][] = entries.map(() => [])
    for (const [turn] of play.picked.entries()) {
      const start = scalePrice(play.startPrices?.[turn] ?? '0')
      const end = scalePrice(play.endPrices?.[turn] ?? '0')
      returns[turnSeat(contest, turn) ?? 0]?.push(rational(end - start, start))
    }
    return returns.map((own) => mean(own))
  },

  view(contest, { seat, shown }) {
    const { play, params, entries } = contest
    const turn = turnSeat(contest, play.picked.length)
    const turnEntry = turn === null ? undefined : entries[turn]
    const taken = new Set(play.picked.map(({ token }) => token))
    const picksOf = (of: number) => play.picked.filter((_, index) => turnSeat(contest, index) === of)
    const tokensOf = (of: number) => picksOf(of).map(({ token }) => token)
    const round = roundOf(contest, play.picked.length)
    const pickBy = turnEntry === undefined ? null : isoOf(play.turnBy)
    return {
      phase: turnEntry !== undefined ? 'draft' : play.startPrices === null ? 'waiting' : 'running',
      round,
      turn: turnEntry === undefined ? null : { entryId: turnEntry.entryId, userId: shown(turnEntry), round, pickBy },
      yourTurn: turn !== null && turn === seat,
      pickBy,
      available: params.pool.filter((token) => !taken.has(token)),
      mine: seat === null ? [] : tokensOf(seat),
      theirs: entries.flatMap((_, of) => (of === seat ? [] : tokensOf(of))),
      picks: entries.map((entry, of) => ({
        entryId: entry.entryId,
        userId: shown(entry),
        tokens: tokensOf(of),
        automatic: picksOf(of).filter(({ automatic }) => automatic).length,
      })),
      startPrices: pricesByToken(play, play.startPrices),
      endPrices: pricesByToken(play, play.endPrices),
    }
  },
}

function pick(contest: Draft, { seat, move, now }: MadeMove<'draftPick'>): MoveAnswer {
  const { play, params } = contest
  const { token } = move
  if (turnSeat(contest, play.picked.length) !== seat)
    return refuse('NOT_YOUR_TURN', 'it is not your turn to pick: wait until yourTurn is true')
  if (!params.pool.includes(token))
    return refuse('TOKEN_NOT_ALLOWED', `token ${token} is not in the pool: pick one of available`, { token })
  if (play.picked.some((taken) => taken.token === token))
    return refuse('TOKEN_TAKEN', `token ${token} is taken: pick one of available`, { token })
  play.picked.push({ token, automatic: false })
  play.turnBy = now + params.pickSec * 1000
  return { ok: true, progress: 'goes-on' }
}

/** Counted from 1; the last one once all is picked. */
function roundOf({ entries, params }: Draft, turn: number): number {
  return Math.min(Math.floor(turn / entries.length) + 1, params.picks)
}

/** Whose turn it is in snake order; null once all is picked. */
function turnSeat({ play, entries, params }: Draft, turn: number): number | null {
  const players = entries.length
  const round = Math.floor(turn / players)
  if (round >= params.picks) return null
  const place = turn % players
  return play.order[round % 2 === 0 ? place : players - 1 - place] ?? null
}

/** The picks as they stand at `at`, with an automatic one for every turn whose time has run out by then. */
function pickedBy(contest: Draft, at: number): Pick[] {
  const { play, params } = contest
  const picked = [...play.picked]
  for (let turnBy = play.turnBy; turnBy <= at && turnSeat(contest, picked.length) !== null; turnBy += params.pickSec * 1000) {
    const taken = new Set(picked.map(({ token }) => token))
    const token = params.pool.find((mint) => !taken.has(mint))
    if (token === undefined) break
    picked.push({ token, automatic: true })
  }
  return picked
}

function mean(returns: readonly Rational[]): Rational {
  const sum = sumRationals(returns)
  return rational(sum.num, sum.den * BigInt(returns.length))
}

function pricesByToken({ picked }: DraftPlay, prices: readonly Price[] | null): Record<Mint, Price> | null {
  return prices === null ? null : Object.fromEntries(prices.map((price, turn) => [picked[turn]?.token ?? '', price]))
}
