import { describe, expect, test } from 'vitest'
import {
  WEBHOOK_MAX_AGE_MS,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
  WEBHOOK_USER_AGENT,
  webhookPayloadSchema,
  webhookSignature,
} from './webhook.ts'

const SECRET = 'whsec_0123456789abcdef'
const BODY =
  '{"id":"0198b5a0-7c1e-7a2b-8c3d-4e5f60718293","type":"contest.live","agentId":"6ba7b810-9dad-41d1-80b4-00c04fd430c8","createdAt":"2025-07-21T12:00:00.000Z","data":{"mode":"up_down"}}'

describe('webhookSignature', () => {
  // Both by `printf … | openssl dgst -sha256 -hmac whsec_0123456789abcdef`, over `<timestamp>.<rawBody>`.
  test.each([
    ['a delivery', BODY, '3a48fb2fa4d35a0c5e6ce9d3bfe760474f8f7e164998562099329f68528de1c5'],
    [
      'a body that a serializer would write otherwise',
      '{ "name": "café" }\n',
      '3d7df492174c380f577fbfb99fa0e51210f52e65e78587f8d76c51ddc6a16423',
    ],
  ])('of %s, as text and as bytes', (_name, body, hex) => {
    expect(webhookSignature(SECRET, '1753099200', body)).toBe(`sha256=${hex}`)
    expect(webhookSignature(SECRET, '1753099200', Buffer.from(body, 'utf8'))).toBe(`sha256=${hex}`)
  })

  test('covers secret, timestamp and every byte of the body', () => {
    const some = [
      webhookSignature(SECRET, '1753099200', BODY),
      webhookSignature(`${SECRET}0`, '1753099200', BODY),
      webhookSignature(SECRET, '1753099201', BODY),
      webhookSignature(SECRET, '1753099200', `${BODY} `),
    ]
    expect(new Set(some).size).toBe(some.length)
  })
})

test('headers, user agent and age are those of the specification, part 6', () => {
  expect([WEBHOOK_TIMESTAMP_HEADER, WEBHOOK_SIGNATURE_HEADER, WEBHOOK_USER_AGENT]).toEqual([
    'x-svc-timestamp',
    'x-svc-signature',
    'svc-webhooks/1',
  ])
  expect(WEBHOOK_MAX_AGE_MS).toBe(300_000)
})

test('a payload is read with what it has besides, and without data', () => {
  const payload = JSON.parse(BODY) as Record<string, unknown>
  expect(webhookPayloadSchema.parse({ ...payload, attempt: 2 })).toEqual({ ...payload, attempt: 2 })
  const { data: _, ...bare } = payload
  expect(webhookPayloadSchema.parse(bare)).toEqual(bare)
  expect(webhookPayloadSchema.safeParse({ ...payload, id: 'x' }).success).toBe(false)
})
