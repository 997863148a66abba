import { z } from 'zod'
import { invariant } from '../../core/error.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { microUsd } from '../money/usdValue.ts'
import { rationalText } from '../rational.ts'
import { isoOrNull } from '../turn.ts'
import type { ModeParams } from '../types.ts'
import { type ContestMode, USUAL_LEAD_MS } from './contestMode.ts'
import { bestTrip, bookTrade, emptyLotBook, type LotBook, type Trip, tripReturn } from './lots.ts'
import { commonParams, paramsReader } from './readParams.ts'

interface TradePlay {
  phase: 'waiting' | 'running'
  /** By seat. */
  readonly books: readonly LotBook[]
  /** Of the tokens held at `endsAt`. */
  endPrices: Readonly<Record<Mint, Price>> | null
}

const paramsSchema = z.strictObject(commonParams)

/**
 * The highest return of a single round trip wins: a purchase, and the sales of what it brought, the
 * oldest purchase of a token being sold first. What is left at `endsAt` counts at the prices of then.
 * Who bought nothing has made no valid move.
 */
export const bestTrade: ContestMode<ModeParams, TradePlay> = {
  name: 'best_trade',
  chains: ['solana'],
  winner: 'highest',
  sides: null,
  moves: {},
  fills: {
    tokens: () => null,
    count({ play }, fill) {
      const book = play.books[fill.seat]
      invariant(book !== undefined, `seat ${fill.seat} has no book`)
      bookTrade(book, fill)
      return 'goes-on'
    },
  },

  params: paramsReader(paramsSchema),
  leadMs: () => USUAL_LEAD_MS,
  lock: ({ entries }) => ({ phase: 'waiting', books: entries.map(emptyLotBook), endPrices: null }),
  nextDueAt: ({ play, startsAt, endsAt }) => (play.phase === 'waiting' ? startsAt : endsAt),
  mintsAt: ({ play, endsAt }, at) => (at === endsAt ? mintsIn(play) : []),

  due({ play, endsAt }, at, priceOf) {
    play.phase = 'running'
    if (at !== endsAt) return 'goes-on'
    play.endPrices = Object.fromEntries(mintsIn(play).map((mint) => [mint, priceOf(mint)]))
    return 'decided'
  },

  scores: ({ play }) =>
    play.books.map((book) => {
      const trip = bestOf(play, book)
      return trip === null ? null : tripReturn(trip)
    }),

  view({ play, entries, endsAt }, { seat, shown }) {
    const own = seat === null ? undefined : play.books[seat]
    return {
      phase: play.phase,
      positions: (own?.lots ?? []).map(({ mint, units, cost, proceeds }) => ({
        token: mint,
        amount: units.toString(),
        cost: microUsd(cost),
        proceeds: microUsd(proceeds),
      })),
      markedAt: isoOrNull(play.endPrices === null ? null : endsAt),
      traders: entries.map((entry, of) => ({
        entryId: entry.entryId,
        userId: shown(entry),
        fills: play.books[of]?.fills ?? 0,
        best: tripView(play, play.books[of]),
      })),
    }
  },
}

/** The best round trip: before the end, of those that are over. */
function bestOf({ endPrices }: TradePlay, book: LotBook): Trip | null {
  return endPrices === null ? book.best : bestTrip(book, (mint) => endPrices[mint] ?? '0')
}

function tripView(play: TradePlay, book: LotBook | undefined) {
  const trip = book === undefined ? null : bestOf(play, book)
  if (trip === null) return null
  const { mint, cost, proceeds } = trip
  return {
    token: mint,
    cost: microUsd(cost),
    proceeds: microUsd(proceeds),
    pnl: microUsd(proceeds - cost),
    return: rationalText(tripReturn(trip)),
  }
}

function mintsIn({ books }: TradePlay): Mint[] {
  return [...new Set(books.flatMap(({ lots }) => lots.map(({ mint }) => mint)))]
}
