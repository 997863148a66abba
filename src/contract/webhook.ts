import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { idSchema } from './scalars.ts'

// Part 6 of the specification, "Webhooks".

export const WEBHOOK_TIMESTAMP_HEADER = 'x-svc-timestamp'
export const WEBHOOK_SIGNATURE_HEADER = 'x-svc-signature'
export const WEBHOOK_USER_AGENT = 'svc-webhooks/1'
export const WEBHOOK_MAX_AGE_MS = 5 * 60_000

export const webhookPayloadSchema = z.looseObject({
  id: idSchema,
  type: z.string(),
  /** What form an agent's id has is not shown. */
  agentId: z.string().min(1),
  createdAt: z.string(),
  data: z.unknown().optional(),
})

/**
 * The signature header of a delivery.
 *
 * @param secret the signing secret, `whsec_` prefix included
 * @param timestamp Unix seconds as digits, as sent in the timestamp header
 * @param rawBody the exact bytes of the body, not re-serialized JSON
 */
export function webhookSignature(secret: string, timestamp: string, rawBody: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex')}`
}
