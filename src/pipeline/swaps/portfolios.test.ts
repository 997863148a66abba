import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { Fill } from '../../strategy/view.ts'
import { Portfolios } from './portfolios.ts'

const SOL = 1_000_000_000n
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A midnight. */
const DAY_BEGAN = 20_000 * DAY_MS

const fillOf = (fields: Partial<Fill>): Fill => ({
  ...{ key: 'k', contestId: 'c', signature: undefined, at: DAY_BEGAN, feeLamports: 5000n, source: 'chain' },
  ...{ from: USDC_MINT, to: SOL_MINT, given: usdc('10'), received: SOL },
  ...fields,
})

/** A contest that bought a SOL for 10 USDC, sold it, and was closed then. */
function sold(portfolios: Portfolios, contestId: string, at: number, received = usdc('9')): void {
  portfolios.fold(fillOf({ contestId, at: at - 1 }))
  portfolios.fold(fillOf({ contestId, at, from: SOL_MINT, to: USDC_MINT, given: SOL, received }))
  portfolios.close(contestId, at)
}

function lossOf(portfolios: Portfolios, price: string | undefined = '10') {
  const priceOf = () => price
  return portfolios.loss(DAY_BEGAN, { openPnl: portfolios.openPnl(priceOf) ?? 0n, priceOf })
}

describe('what swaps have lost today', () => {
  test('is summed over contests, a gain in one against a loss in another', () => {
    const portfolios = new Portfolios()
    sold(portfolios, 'a', DAY_BEGAN)
    sold(portfolios, 'b', DAY_BEGAN + HOUR_MS, usdc('7'))
    expect(lossOf(portfolios)).toBe(usdc('4'))
    sold(portfolios, 'c', DAY_BEGAN + HOUR_MS, usdc('13.4'))
    expect(lossOf(portfolios)).toBe(usdc('0.6'))
  })

  test('is nothing where they have gained', () => {
    const portfolios = new Portfolios()
    expect(lossOf(portfolios)).toBe(0n)
    sold(portfolios, 'a', DAY_BEGAN, usdc('12'))
    expect(lossOf(portfolios)).toBe(0n)
  })

  test('marks what is held, since when ever', () => {
    for (const at of [DAY_BEGAN, DAY_BEGAN - DAY_MS]) {
      const portfolios = new Portfolios()
      portfolios.fold(fillOf({ at }))
      expect(lossOf(portfolios, '7')).toBe(usdc('3'))
      expect(lossOf(portfolios, undefined)).toBe(0n)
      const priceOf = () => undefined
      expect(portfolios.openPnl(priceOf)).toBeUndefined()
    }
  })

  test('is not made less by what was gained before the day began, and is not closed yet', () => {
    const portfolios = new Portfolios()
    portfolios.fold(fillOf({ contestId: 'long', at: DAY_BEGAN - 1 }))
    sold(portfolios, 'a', DAY_BEGAN + HOUR_MS, usdc('4'))
    expect(lossOf(portfolios, '15')).toBe(usdc('6'))
    expect(lossOf(portfolios, '7')).toBe(usdc('9'))
    portfolios.fold(fillOf({ contestId: 'short', at: DAY_BEGAN }))
    expect(lossOf(portfolios, '15')).toBe(usdc('1'))
  })

  test('leaves out what was closed before the day began', () => {
    const portfolios = new Portfolios()
    sold(portfolios, 'a', DAY_BEGAN - 1)
    expect(lossOf(portfolios)).toBe(0n)
  })
})

describe('closing', () => {
  test('keeps the sum of the whole life, and nothing else', () => {
    const portfolios = new Portfolios()
    for (let day = 0; day < 30; day++) {
      for (let contest = 0; contest < 10; contest++) sold(portfolios, `${day} ${contest}`, DAY_BEGAN + day * DAY_MS + contest)
    }
    expect(portfolios.open.size).toBe(0)
    expect(portfolios.closedCash).toBe(usdc('-300'))
    expect(portfolios.closedSince(DAY_BEGAN + 29 * DAY_MS)).toBe(usdc('-10'))
    // Two days and the one under way, at most: the rest is forgotten.
    expect(portfolios.closedSince(0)).toBe(usdc('-30'))
  })

  test('is of the day of the last swap where that came after the end, in whatever order the two are heard of', () => {
    const bought = fillOf({ at: DAY_BEGAN - 60_000 })
    const swept = fillOf({ at: DAY_BEGAN + 300_000, from: SOL_MINT, to: USDC_MINT, given: SOL, received: usdc('4') })
    const endedAt = DAY_BEGAN - 10_000
    const [running, restarted] = [new Portfolios(), new Portfolios()]
    running.fold(bought)
    running.close('c', endedAt)
    running.fold(swept)
    running.close('c', swept.at)
    for (const fill of [bought, swept]) restarted.fold(fill)
    restarted.close('c', endedAt)
    expect([lossOf(running), lossOf(restarted)]).toEqual([usdc('6'), usdc('6')])
  })

  test('waits until nothing is left, and is no matter of a contest that never swapped', () => {
    const portfolios = new Portfolios()
    portfolios.fold(fillOf({}))
    portfolios.close('c', DAY_BEGAN)
    portfolios.close('never', DAY_BEGAN)
    expect([...portfolios.open.keys()]).toEqual(['c'])
    expect(portfolios.closedCash).toBe(0n)
  })
})
