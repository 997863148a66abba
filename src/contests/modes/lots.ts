import { ceilDivide } from '../../core/ceilDivide.ts'
import type { Price } from '../../core/price.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { unitValue } from '../money/usdValue.ts'
import { compareRationals, type Rational, rational } from '../rational.ts'
import type { BalanceChange } from '../types.ts'
import type { CountedFill } from './contestMode.ts'

// Values are those of `usdValue.ts`. Where one is divided it is cut at 10⁻²⁷ USD.

/** What one purchase brought, until all of it is sold. */
export interface Lot {
  readonly mint: Mint
  /** Base units not sold yet. */
  units: bigint
  readonly cost: bigint
  /** What the units sold so far brought. */
  proceeds: bigint
}

/** The round trips of a seat: sales take the oldest lot of their token first (FIFO). */
export interface LotBook {
  fills: number
  /** Oldest first. */
  lots: Lot[]
  /** Of the lots sold to the end, the one with the highest return; null before the first. */
  best: Trip | null
}

export interface Trip {
  readonly mint: Mint
  readonly cost: bigint
  /** What it brought, whatever is left of it valued. */
  readonly proceeds: bigint
}

export const emptyLotBook = (): LotBook => ({ fills: 0, lots: [], best: null })

export const tripReturn = ({ cost, proceeds }: Trip): Rational => rational(proceeds - cost, cost)

/**
 * Books a swap: what is given is sold out of its lots, what is received becomes one. What a swap is
 * worth is the USDC in it, else what was given at its price of that moment. What comes from the
 * wallet and not from a lot begins no round trip.
 */
export function bookTrade(book: LotBook, { changes, priceOf }: Pick<CountedFill, 'changes' | 'priceOf'>): void {
  book.fills += 1
  const valued = changes.map(({ mint, delta }) => ({ mint, delta, value: delta * unitValue(mint, priceOf) }))
  const given = valued.filter(({ delta }) => delta < 0n)
  const received = valued.filter(({ delta }) => delta > 0n)
  const givenValue = -sumOf(given)
  const receivedValue = sumOf(received)
  const worth = received.every(({ mint }) => mint === USDC_MINT) ? receivedValue : givenValue
  for (const { mint, delta, value } of given) if (mint !== USDC_MINT) sell(book, { mint, delta, proceeds: (worth * -value) / givenValue })
  for (const { mint, delta, value } of received) {
    // Rounded up, so that nothing was had for nothing.
    if (mint !== USDC_MINT) book.lots.push({ mint, units: delta, cost: ceilDivide(worth * value, receivedValue), proceeds: 0n })
  }
}

function sell(book: LotBook, { mint, delta, proceeds }: BalanceChange & { readonly proceeds: bigint }): void {
  const sold = -delta
  let left = sold
  for (const lot of book.lots) {
    if (lot.mint !== mint || left === 0n) continue
    const isWhole = lot.units <= left
    const part = isWhole ? lot.units : left
    lot.units -= part
    lot.proceeds += (proceeds * part) / sold
    left -= part
    if (isWhole) book.best = better(book.best, { mint, cost: lot.cost, proceeds: lot.proceeds })
  }
  book.lots = book.lots.filter(({ units }) => units > 0n)
}

/** The round trip with the highest return, open lots valued at these prices; null where nothing was bought. */
export function bestTrip({ lots, best }: LotBook, priceOf: (mint: Mint) => Price): Trip | null {
  const open = lots.map(({ mint, cost, units, proceeds }) => ({ mint, cost, proceeds: proceeds + units * unitValue(mint, priceOf) }))
  return open.reduce(better, best)
}

function better(best: Trip | null, trip: Trip): Trip {
  return best === null || compareRationals(tripReturn(trip), tripReturn(best)) > 0 ? trip : best
}

const sumOf = (valued: readonly { readonly value: bigint }[]): bigint => valued.reduce((sum, { value }) => sum + value, 0n)
