import { z } from 'zod'
import { show } from '../core/show.ts'
import { type Usdc, usdc } from '../core/usdc.ts'

const SMALLEST_AMOUNT: Usdc = usdc('0.01')

/** Catches `5n` where `usdc('5')` was meant: nobody means a cap of 0.000005 USDC. */
export const amount = z.bigint({ error: "an amount of USDC, such as usdc('5')" }).refine((value) => value >= SMALLEST_AMOUNT, {
  error: (issue) => `${show(issue.input)} micro-USDC is under 0.01 USDC: write usdc('5') for 5 USDC`,
})

/** Basis points. */
export const bps = z.number().int().min(0).max(10_000)
