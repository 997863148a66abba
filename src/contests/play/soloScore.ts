import { traitsOf } from '../../contract/modes.ts'
import type { Price } from '../../core/price.ts'
import { scalePrice } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { PlayedContest } from '../modes/contestMode.ts'
import { contestModes, modeOf } from '../modes/index.ts'
import { rational, rationalText, sumRationals } from '../rational.ts'
import type { BalanceChange, ModeParams } from '../types.ts'

/** What one seat has done in a contest, and the prices that are known where it sits. */
export interface SoloSeat {
  readonly mode: string | undefined
  readonly token: Mint | undefined
  readonly side: string | undefined
  /** Unix milliseconds. */
  readonly startsAt: number
  readonly endsAt: number
  /** Its swaps, oldest first. */
  readonly fills: readonly { readonly at: number; readonly changes: readonly BalanceChange[] }[]
  readonly picks: readonly Mint[]
  /** Undefined where none is known. */
  priceAtStart(mint: Mint): Price | undefined
  price(mint: Mint): Price | undefined
}

/** A price that a score needs is not known. */
const UNPRICED = Symbol('unpriced')

/**
 * The score that a seat would have by this engine's rules if its contest ended at `now`: how it stands, as far as it can know by itself.
 * Undefined where it has not moved, a price is missing, or the mode has no score before its end.
 */
export function soloScore(seat: SoloSeat, now: number): string | undefined {
  const { mode, token, side, picks, fills } = seat
  const known = (price: Price | undefined): Price => {
    if (price === undefined) throw UNPRICED
    return price
  }
  const riseOf = (mint: Mint) => {
    const start = scalePrice(known(seat.priceAtStart(mint)))
    return rational(scalePrice(known(seat.price(mint))) - start, start)
  }
  if (now <= seat.startsAt) return undefined
  try {
    switch (traitsOf(mode)?.playedBy) {
      case 'swaps':
        return fills.length === 0 ? undefined : swapScore(seat, now, (mint) => known(seat.price(mint)))
      case 'picks': {
        if (picks.length === 0) return undefined
        const { num, den } = sumRationals(picks.map(riseOf))
        return rationalText(rational(num, den * BigInt(picks.length)))
      }
      case 'side': {
        // Of a service with other words for the sides nobody knows which is which.
        if (token === undefined || side === undefined || traitsOf(mode)?.sides.includes(side) !== true) return undefined
        const { num } = riseOf(token)
        return num === 0n ? '0' : Number(num > 0n === (side === 'UP')).toString()
      }
      // How far off it is would say what was predicted.
      case 'sealedPrice':
      case undefined:
        return undefined
    }
  } catch (thrown) {
    if (thrown === UNPRICED) return undefined
    throw thrown
  }
}

/** The mode's own rules, in a contest of this seat alone that ends now. */
function swapScore({ mode, token, startsAt, endsAt, fills }: SoloSeat, now: number, priceOf: (mint: Mint) => Price): string | undefined {
  const name = contestModes.find((one) => one === mode)
  if (name === undefined) return undefined
  const rules = modeOf({ mode: name })
  const params = token === undefined ? {} : { token }
  const durationSec = (endsAt - startsAt) / 1000
  const entry = { entryId: 'own', agentId: 'own', side: null, ready: true, score: null }
  const alone = { mode: name, params, durationSec, startsAt, endsAt: Math.min(now, endsAt), entries: [entry], play: null }
  const contest = alone as unknown as PlayedContest<ModeParams, unknown>
  contest.play = rules.lock(contest, startsAt)
  const until = (at: number) => {
    // Looks only mark, every second, and could end it: here nothing does.
    if (rules.looks !== undefined) return
    for (let next = rules.nextDueAt(contest); next < at; ) {
      rules.due(contest, next, priceOf)
      const after = rules.nextDueAt(contest)
      if (after <= next) return
      next = after
    }
  }
  for (const { at, changes } of fills) {
    until(at)
    rules.fills?.count(contest, { seat: 0, at, changes, priceOf })
  }
  until(contest.endsAt)
  rules.due(contest, contest.endsAt, priceOf)
  const [score] = rules.scores(contest)
  return score == null ? undefined : rationalText(score)
}
