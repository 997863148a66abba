import { z } from 'zod'
import { type Mint, tokenOfMint } from '../../core/tokens.ts'
import type { ParamsAnswer, Seating } from './contestMode.ts'

/** A Solana address: 32 bytes in base58. */
export const mintSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a token mint address')

/** Seconds a player is given, whole. */
export const secondsSchema = z.number().int().min(1).max(600)

/** Parameters every mode takes (`ModeParams`). */
export const commonParams = {
  hidden: z.boolean().exactOptional(),
  payouts: z.array(z.number().int().min(1).max(1_000_000)).min(1).max(100).exactOptional(),
}

/** What was asked for, by field. */
type Asked = Readonly<Record<string, unknown>>

/**
 * Reads a mode's parameters, or says in one sentence which field is wrong and what is allowed. A ticket asks for
 * nothing: what comes of that is read once, for all of them.
 */
export function paramsReader<Params>(schema: z.ZodType<Params>): (asked: Asked) => ParamsAnswer<Params> {
  const ofNothing = readParams(schema, {})
  return (asked) => (Object.keys(asked).length === 0 ? ofNothing : readParams(schema, asked))
}

function readParams<Params>(schema: z.ZodType<Params>, asked: Asked): ParamsAnswer<Params> {
  const read = schema.safeParse(asked)
  if (read.success) return { ok: true, params: read.data }
  const [issue] = read.error.issues
  return { ok: false, message: `${['params', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not as the mode allows'}` }
}

/** Asked for by modes that are about one token: drawn where none is named. */
export const tokenParam = { token: mintSchema.exactOptional() }

interface TokenAsked {
  readonly token?: Mint
}

/** Parameters with the token that was named, else with one drawn. */
export function withToken<Asked extends TokenAsked>(
  read: ParamsAnswer<Asked>,
  { mints, random }: Seating,
): ParamsAnswer<Asked & { readonly token: Mint }> {
  if (!read.ok) return read
  const token = read.params.token ?? random.pick(mints)
  if (token === undefined) return { ok: false, message: 'params.token: name one, there is none to draw from' }
  return { ok: true, params: { ...read.params, token } }
}

/** As `withToken`, of the tokens that can be swapped alone. */
export function withTradedToken<Asked extends TokenAsked>(
  read: ParamsAnswer<Asked>,
  seating: Seating,
): ParamsAnswer<Asked & { readonly token: Mint }> {
  const answer = withToken(read, seating)
  if (!answer.ok || (seating.mints.includes(answer.params.token) && tokenOfMint(answer.params.token) !== undefined)) return answer
  return { ok: false, message: `params.token: ${answer.params.token} is not traded here, name a token that has a price` }
}
