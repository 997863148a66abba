import { FAST, RollingMean, SLOW } from '../../support/backtest/crossover.ts'

// Of @backtest/framework, which looks for a file of this name and calls these two.

interface Bth {
  readonly currentCandle: { readonly open: number }
  buy(order: { readonly price: number }): Promise<void>
  sell(order: { readonly price: number }): Promise<void>
}

let means = { fast: new RollingMean(FAST), slow: new RollingMean(SLOW) }
let isLong = false
let isOrdered = false

export async function startCallback(): Promise<void> {
  means = { fast: new RollingMean(FAST), slow: new RollingMean(SLOW) }
  isLong = false
  isOrdered = false
}

/** It fills an order on the candle on which it is called: what is ordered on one is called for on the next. */
export async function runStrategy({ currentCandle: { open }, buy, sell }: Bth): Promise<void> {
  const [fast, slow] = [means.fast.add(open), means.slow.add(open)]
  if (isOrdered) {
    await (isLong ? sell({ price: open }) : buy({ price: open }))
    isOrdered = false
    isLong = !isLong
    return
  }
  isOrdered = isLong ? fast < slow : fast > slow
}
