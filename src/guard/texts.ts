import { formatUsdc, type Usdc } from '../core/usdc.ts'

const HOUR_MS = 3_600_000

/** @param gapMs how far this machine's clock is ahead of the service's */
export const aheadText = (gapMs: number): string =>
  `${(Math.abs(gapMs) / HOUR_MS).toFixed(1)} h ${gapMs > 0 ? 'ahead of' : 'behind'} the service's`

export const acknowledgeText = (missing: Usdc): string => `Once you know the cause: cornerman order acknowledge ${formatUsdc(missing)}`
