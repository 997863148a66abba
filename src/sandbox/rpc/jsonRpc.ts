import { z } from 'zod'
import type { Trading } from '../chain/openTrading.ts'
import type { SandboxService } from '../sandboxService.ts'
import { METHODS } from './methods.ts'
import { INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } from './rpcError.ts'

const MOST_BATCHED = 100

const requestSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})

/** Answers a JSON-RPC 2.0 call, or several in one. */
export function answerRpc(trading: Trading, service: SandboxService, body: unknown): unknown {
  if (!Array.isArray(body)) return answerOne(trading, service, body)
  if (body.length === 0 || body.length > MOST_BATCHED)
    return failure(null, new RpcError(INVALID_REQUEST, `a batch may have 1 to ${MOST_BATCHED} calls, not ${body.length}`))
  return body.map((call) => answerOne(trading, service, call))
}

function answerOne(trading: Trading, service: SandboxService, body: unknown): unknown {
  const read = requestSchema.safeParse(body)
  if (!read.success) return failure(null, new RpcError(INVALID_REQUEST, 'Invalid request'))
  const { id, method, params } = read.data
  try {
    const answer = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (answer === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    return { jsonrpc: '2.0', id, result: answer({ ...trading, service, params }) }
  } catch (thrown) {
    if (thrown instanceof RpcError) return failure(id, thrown)
    throw thrown
  }
}

export function failure(id: string | number | null, { rpcCode: code, message, data }: RpcError): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}
