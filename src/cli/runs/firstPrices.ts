import { systemClock } from '../../core/systemClock.ts'
import type { Mint } from '../../core/tokens.ts'
import { PriceFeed, type RequestBudget } from '../../live/index.ts'
import type { PriceBook } from '../../pipeline/index.ts'
import type { ServiceAccess } from '../service.ts'

export interface FirstPrices {
  /** Why there are none. */
  readonly trouble: string | undefined
  readonly isKeyRefused: boolean
  readonly book: PriceBook
}

/** Asks for prices once, as the bots would. */
export async function firstPrices(
  { prices, timeoutMs, budget }: Pick<ServiceAccess, 'prices' | 'timeoutMs'> & { readonly budget?: RequestBudget },
  mints: readonly Mint[],
): Promise<FirstPrices> {
  const { promise, resolve } = Promise.withResolvers<Omit<FirstPrices, 'book'>>()
  const feed = new PriceFeed({
    ...{ ...prices, mints, everyMs: timeoutMs, timeoutMs, clock: systemClock },
    ...(budget === undefined ? {} : { budget }),
    onTrouble: (trouble, isKeyRefused = false) => resolve({ trouble, isKeyRefused }),
  })
  feed.tick$.subscribe(() => resolve({ trouble: undefined, isKeyRefused: false }))
  feed.start()
  const asked = await promise
  await feed.close()
  return { ...asked, book: feed.book }
}
