import type { PricePoint } from '../../watch/views.ts'

/** The price that was known then; undefined before the first. */
export const priceAt = (points: readonly PricePoint[], at: number): string | undefined => points.findLast((point) => point.at <= at)?.price
