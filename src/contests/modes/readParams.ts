import { z } from 'zod'
import type { Random } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import type { ParamsAnswer } from './contestMode.ts'

/** A Solana address: 32 bytes in base58. */
export const mintSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a token mint address')

/** Seconds a player is given, whole. */
export const secondsSchema = z.number().int().min(1).max(600)

/** Parameters every mode takes (`ModeParams`). */
export const commonParams = {
  hidden: z.boolean().exactOptional(),
  payouts: z.array(z.number().int().min(1).max(1_000_000)).min(1).max(100).exactOptional(),
}

/** Reads parameters, or says in one sentence which field is wrong and what is allowed. */
export function readParams<Params>(schema: z.ZodType<Params>, asked: Readonly<Record<string, unknown>>): ParamsAnswer<Params> {
  const read = schema.safeParse(asked)
  if (read.success) return { ok: true, params: read.data }
  const [issue] = read.error.issues
  return { ok: false, message: `${['params', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not as the mode allows'}` }
}

/** That many different mints, seeded. */
export function drawMints(random: Random, mints: readonly Mint[], count: number): Mint[] {
  const left = [...mints]
  const drawn: Mint[] = []
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(random.integer(0, left.length - 1), 1))
  return drawn
}
