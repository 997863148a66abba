import { z } from 'zod'
import type { Reply } from './messages.ts'

// Whatever a process says is a strategy's word: it is read as an answer of a stranger is.

const MOST_TEXT = 8000
const text = z.string().transform((said) => said.slice(0, MOST_TEXT))
const whole = z.number().int()
const packed = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), bytes: z.instanceof(Uint8Array) }),
  z.object({ ok: z.literal(false), code: text.optional(), message: text, stack: text.optional() }),
])
const note = z.object({ level: z.enum(['debug', 'info', 'warn']), message: text, fields: z.record(z.string(), z.unknown()).optional() })

const replySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), place: whole }),
  z.object({ type: z.literal('unfit'), place: whole, message: text }),
  z.object({ type: z.literal('done'), seq: whole }),
  z.object({ type: z.literal('fatal'), message: text }),
  z.object({ type: z.literal('weight'), bytes: z.number() }),
  z.object({ type: z.literal('answer'), place: whole, id: whole, result: packed }),
  z.object({ type: z.literal('emission'), place: whole, id: whole, result: packed }),
  z.object({ type: z.literal('wake'), place: whole, id: whole, at: z.number().optional() }),
  z.object({ type: z.literal('log'), place: whole, note }),
])

/** @returns undefined of what is none */
export function readReply(message: unknown): Reply | undefined {
  const read = replySchema.safeParse(message)
  return read.success ? (read.data as Reply) : undefined
}
