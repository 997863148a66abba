import { z } from 'zod'
import { CornermanError } from '../../core/error.ts'

const chance = z.number().min(0).max(1).default(0)
const LONGEST_LATENCY_MS = 30_000
const MOST_REQUESTS = 100_000
const latency = z.number().int().min(0).max(LONGEST_LATENCY_MS)

/** What may go wrong on request; a chance is 0 (never) to 1 (always). Left out: never. */
const faultsSchema = z.strictObject({
  /** The connection is cut and the call has had no effect. */
  dropBefore: chance,
  /** The call has had its effect and the connection is cut instead of an answer. */
  dropAfter: chance,
  /** 500 `INTERNAL`; the call has had no effect. */
  error500: chance,
  /** 429 `RATE_LIMITED`; the call has had no effect. */
  rateLimited: chance,
  /** Real milliseconds a call waits before anything else, evenly from the first to the second. */
  latencyMs: z
    .tuple([latency, latency])
    .refine(([least, most]) => least <= most, 'the first must not be over the second')
    .default([0, 0]),
  /** A webhook that was acknowledged is sent once more. */
  webhookDuplicate: chance,
  /** A webhook is held back, so that later ones overtake it. */
  webhookShuffle: chance,
  /** A page of `agent.events` has one event twice. */
  pollDuplicate: chance,
  /** Requests of a key, or of all without one, that the price, token and swap endpoints take in 60 s; 0: any number. */
  rateLimit: z.number().int().min(0).max(MOST_REQUESTS).default(0),
  /** Transactions of the DEX name accounts by lookup tables, unless a legacy one is asked for. */
  tables: z.boolean().default(false),
  /** A swap of two tokens, neither of them SOL, goes by way of wrapped SOL, in an account opened and closed for it. */
  hops: z.boolean().default(false),
})

export type Faults = z.output<typeof faultsSchema>
/** As a user writes it: every field optional. */
export type FaultsInput = z.input<typeof faultsSchema>

export const NO_FAULTS: Faults = faultsSchema.parse({})

/** @throws CornermanError `SANDBOX_FAULTS`, naming each wrong field */
export function readFaults(value: unknown): Faults {
  const parsed = faultsSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'faults' : `faults.${path.join('.')}`}: ${message}`,
  )
  throw new CornermanError('SANDBOX_FAULTS', `${problems.join('; ')}. Allowed: ${ALLOWED}`, { details: { problems } })
}

/** Reads the JSON of `--faults`. @throws CornermanError `SANDBOX_FAULTS` */
export function parseFaults(text: string): Faults {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new CornermanError('SANDBOX_FAULTS', `faults is no JSON: ${JSON.stringify(text.slice(0, 100))}. Allowed: ${ALLOWED}`)
  }
  return readFaults(value)
}

const ALLOWED = `an object with ${Object.keys(faultsSchema.shape).join(', ')}; latencyMs is [least, most] up to ${LONGEST_LATENCY_MS}, rateLimit a whole number of requests in 60 s up to ${MOST_REQUESTS}, tables and hops are true or false, the others are chances from 0 to 1`
