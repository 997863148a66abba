import type { IncomingMessage } from 'node:http'
import { CornermanError } from '../../core/error.ts'
import type { SandboxService } from '../sandboxService.ts'
import { errorBody } from './appError.ts'
import type { JsonAnswer } from './jsonAnswer.ts'
import { answerPrices } from './priceApi.ts'
import { readJsonBody } from './readJsonBody.ts'

const DEX_ROOT = '/jup/'
const TOKENS_ROOT = 'tokens/v2/'
const RPC_PATH = '/rpc'

const notFound: JsonAnswer = { status: 404, body: errorBody('NOT_FOUND', 'there is no such path', null) }

export const isDexPath = (pathname: string): boolean => pathname.startsWith(DEX_ROOT)
export const isChainPath = (pathname: string): boolean => pathname === RPC_PATH || isDexPath(pathname)

/** Answers the DEX's APIs and the chain's RPC: plain JSON, errors as each of them has them. */
export async function answerChain(service: SandboxService, request: IncomingMessage, { pathname, searchParams }: URL): Promise<JsonAnswer> {
  const { method = '' } = request
  if (pathname === RPC_PATH) return method === 'POST' ? await answerRpcBody(service, request) : notAllowed('POST')
  const path = pathname.slice(DEX_ROOT.length)
  if (path === 'price/v3') return method === 'GET' ? answerPrices(service, searchParams) : notAllowed('GET')
  if (path.startsWith(TOKENS_ROOT)) {
    if (method !== 'GET') return notAllowed('GET')
    const { answerTokens } = await import('../dex/tokenApi.ts')
    return answerTokens(service, path.slice(TOKENS_ROOT.length), searchParams) ?? notFound
  }
  const body = method === 'POST' ? await bodyOf(request) : { ok: true as const, body: undefined }
  if (!body.ok) return { status: body.status, body: { error: body.message } }
  const [{ answerDex }, trading] = await Promise.all([import('../dex/answerDex.ts'), service.trading()])
  return answerDex(trading, { method, path, query: searchParams, body: body.body }, service) ?? notFound
}

async function answerRpcBody(service: SandboxService, request: IncomingMessage): Promise<JsonAnswer> {
  const body = await bodyOf(request)
  const [{ answerRpc, failure }, { PARSE_ERROR, RpcError }, trading] = await Promise.all([
    import('../rpc/jsonRpc.ts'),
    import('../rpc/rpcError.ts'),
    service.trading(),
  ])
  if (!body.ok) return { status: body.status, body: failure(null, new RpcError(PARSE_ERROR, `Parse error: ${body.message}`)) }
  return { status: 200, body: answerRpc(trading, service, body.body) }
}

type Body = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly status: number; readonly message: string }

async function bodyOf(request: IncomingMessage): Promise<Body> {
  try {
    return { ok: true, body: await readJsonBody(request) }
  } catch (thrown) {
    if (!(thrown instanceof CornermanError)) throw thrown
    return { ok: false, status: thrown.code === 'BODY_TOO_LARGE' ? 413 : 400, message: thrown.message }
  }
}

const notAllowed = (method: string): JsonAnswer => ({ status: 405, body: { code: 405, message: `only ${method} is answered here` } })
