import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { WEBHOOK_MAX_AGE_MS, WEBHOOK_SIGNATURE_HEADER, WEBHOOK_TIMESTAMP_HEADER, webhookSignature } from '../../contract/webhook.ts'

// Part 6 of the specification, "Webhooks": what makes a delivery the service's own.

const SIGNATURE = /^sha256=[0-9a-f]{64}$/
/** Unix seconds; twelve digits last for thirty thousand years. */
const TIMESTAMP = /^\d{1,12}$/

/** What a delivery shows for itself before its body is read. */
export interface DeliveryProof {
  /** The digits as they were sent: they are signed. */
  readonly timestamp: string
  readonly signature: string
}

/** The proof in the headers; or why nothing in the body can make this delivery a good one. */
export function readProof(headers: IncomingHttpHeaders, nowMs: number): DeliveryProof | 'unsigned' | 'stale' {
  const { [WEBHOOK_TIMESTAMP_HEADER]: timestamp, [WEBHOOK_SIGNATURE_HEADER]: signature } = headers
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return 'unsigned'
  if (!TIMESTAMP.test(timestamp) || !SIGNATURE.test(signature)) return 'unsigned'
  // Both ways: one from the future could be kept, and sent again for as long as it is ahead.
  if (Math.abs(nowMs - Number(timestamp) * 1000) > WEBHOOK_MAX_AGE_MS) return 'stale'
  return { timestamp, signature }
}

/**
 * Whether the proof is over these very bytes, by any of the secrets. It takes as long whichever it is, and however much
 * of a wrong signature is right.
 */
export function isSignedBy(secrets: readonly string[], { timestamp, signature }: DeliveryProof, rawBody: Uint8Array): boolean {
  const given = Buffer.from(signature)
  return secrets.map((secret) => timingSafeEqual(Buffer.from(webhookSignature(secret, timestamp, rawBody)), given)).includes(true)
}
