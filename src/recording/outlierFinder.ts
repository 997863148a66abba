import { type Price, scalePrice } from '../core/price.ts'

/** So many times its neighbours, or less than one such part of them, is no move of a market. */
const FACTOR = 10
/** Of prices in a row. More of them are a move that lasts. */
const MOST_IN_A_ROW = 5

/** A price and where it was found. */
export interface PlacedPrice {
  /** Unix milliseconds. */
  readonly at: number
  readonly price: Price
}

export interface Outlier extends PlacedPrice {
  /** The good price nearest to it. */
  readonly beside: Price
}

/**
 * Finds prices of ten times their neighbours on both sides, or a tenth: up to five in a row. At the beginning and the end of a
 * series only one side is there.
 */
export class OutlierFinder {
  readonly #onFound: (outlier: Outlier) => void
  /** The newest that is not doubted. */
  #good: PlacedPrice | undefined
  #goodValue = 0
  /** How many are not doubted, and the first of them while they may turn out to be the odd ones. */
  #goodCount = 0
  #first: PlacedPrice[] = []
  /** They are far from the good one; whether they last is not known yet. */
  #doubted: PlacedPrice[] = []

  constructor(onFound: (outlier: Outlier) => void) {
    this.#onFound = onFound
  }

  /** @param value the price as a number, where that is known */
  add(placed: PlacedPrice, value = Number(placed.price)): void {
    const good = this.#good
    if (good === undefined || !isFar(placed.price, value, good.price, this.#goodValue)) {
      this.#report(this.#doubted, good ?? placed)
      this.#doubted = []
      this.#take(placed, value)
      return
    }
    this.#doubted.push(placed)
    if (this.#doubted.length > MOST_IN_A_ROW) this.#believe(placed, value)
  }

  /** Nothing comes after. */
  finish(): void {
    const good = this.#good
    const newest = this.#doubted.at(-1)
    if (good === undefined || newest === undefined) return
    if (this.#goodCount < this.#doubted.length) this.#report(this.#first, newest)
    else this.#report(this.#doubted, good)
  }

  #take(placed: PlacedPrice, value: number): void {
    this.#good = placed
    this.#goodValue = value
    this.#goodCount += 1
    if (this.#goodCount <= MOST_IN_A_ROW) this.#first.push(placed)
    else if (this.#first.length > 0) this.#first = []
  }

  /** They last: the price has moved, or what came before was odd. */
  #believe(newest: PlacedPrice, value: number): void {
    this.#report(this.#first, newest)
    this.#first = []
    this.#goodCount += this.#doubted.length
    this.#doubted = []
    this.#good = newest
    this.#goodValue = value
  }

  #report(odd: readonly PlacedPrice[], beside: PlacedPrice): void {
    for (const placed of odd) this.#onFound({ ...placed, beside: beside.price })
  }
}

/** The number tells, unless it is next to the factor: then the exact price does. */
function isFar(price: Price, value: number, other: Price, otherValue: number): boolean {
  const ratio = value > otherValue ? value / otherValue : otherValue / value
  if (ratio < FACTOR * 0.999) return false
  if (ratio > FACTOR * 1.001) return true
  const [a, b] = [scalePrice(price), scalePrice(other)]
  return a >= BigInt(FACTOR) * b || b >= BigInt(FACTOR) * a
}
