import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { CornermanError } from '../../core/error.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import { readFaults } from '../faults/faults.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { errorBody } from './appError.ts'
import type { JsonAnswer } from './jsonAnswer.ts'
import { readJsonBody } from './readJsonBody.ts'

const OWNER_TOKEN_HEADER = 'x-owner-token'
const TOKEN_BYTES = 32

/** The token of the sandbox's owner: made at every start, shown once, kept nowhere. */
export const issueOwnerToken = (): string => `co_${randomBytes(TOKEN_BYTES).toString('base64url')}`

export interface OwnerApiOptions {
  readonly token: string
  readonly webhooks: Webhooks
  readonly faults: FaultPlan
  /** The id of the agent of that name; `undefined` where there is none. */
  readonly agentIdOf: (name: string) => string | undefined
}

/** The `appCode` and status of what the owner may be told. */
const REFUSALS: Readonly<Record<string, readonly [appCode: string, status: number]>> = {
  OWNER_TOKEN_INVALID: ['OWNER_TOKEN_INVALID', 401],
  NOT_FOUND: ['NOT_FOUND', 404],
  METHOD_NOT_SUPPORTED: ['INVALID_INPUT', 405],
  BODY_TOO_LARGE: ['INVALID_INPUT', 413],
  BODY_NOT_JSON: ['INVALID_INPUT', 400],
  OWNER_INPUT: ['INVALID_INPUT', 400],
  WEBHOOK_URL: ['WEBHOOK_URL', 400],
  SANDBOX_FAULTS: ['INVALID_INPUT', 400],
}

const webhookInput = z.strictObject({ agent: z.string(), url: z.string().nullable() })

interface OwnerCall {
  readonly query: URLSearchParams
  /** The parsed body of a POST. */
  readonly body: unknown
}

type OwnerRoute = (options: OwnerApiOptions, call: OwnerCall) => unknown

/** What the owner of a sandbox may do with it, by method and path. */
const ROUTES: ReadonlyMap<string, OwnerRoute> = new Map<string, OwnerRoute>([
  ['GET /owner/webhook', ({ webhooks, agentIdOf }, { query }) => showWebhook(webhooks, agentOf(query.get('agent'), agentIdOf))],
  ['POST /owner/webhook', setWebhook],
  ['GET /owner/faults', ({ faults }) => faults.faults],
  [
    'POST /owner/faults',
    ({ faults }, { body }) => {
      faults.faults = readFaults(body)
      return faults.faults
    },
  ],
])

export const isOwnerPath = (pathname: string): boolean => pathname.startsWith('/owner/')

/** Answers `/owner/…`: plain JSON in and out, errors in the body of part 7 of the specification. */
export async function answerOwner(options: OwnerApiOptions, request: IncomingMessage, url: URL): Promise<JsonAnswer> {
  try {
    requireToken(options.token, request)
    const { method = '' } = request
    const route = ROUTES.get(`${method} ${url.pathname}`)
    if (route === undefined) throw noRoute(method, url.pathname)
    const body = method === 'POST' ? await readJsonBody(request) : undefined
    return { status: 200, body: await route(options, { query: url.searchParams, body }) }
  } catch (thrown) {
    if (!(thrown instanceof CornermanError)) throw thrown
    const refusal = REFUSALS[thrown.code]
    if (refusal === undefined) throw thrown
    const [appCode, status] = refusal
    return { status, body: errorBody(appCode, thrown.message, thrown.details) }
  }
}

function requireToken(token: string, { headers }: IncomingMessage): void {
  const given = headers[OWNER_TOKEN_HEADER]
  const digest = (text: string) => hash('sha256', text, 'buffer')
  if (typeof given === 'string' && timingSafeEqual(digest(given), digest(token))) return
  throw new CornermanError(
    'OWNER_TOKEN_INVALID',
    `send the owner's token in the header ${OWNER_TOKEN_HEADER}: the sandbox shows it once, when it starts`,
  )
}

function noRoute(method: string, pathname: string): CornermanError {
  const allowed = [...ROUTES.keys()].filter((route) => route.endsWith(` ${pathname}`))
  if (allowed.length === 0) return new CornermanError('NOT_FOUND', `nothing is at ${pathname}: there are ${[...ROUTES.keys()].join(', ')}`)
  return new CornermanError('METHOD_NOT_SUPPORTED', `${method} is not answered here: ${allowed.join(' and ')} are`)
}

async function setWebhook(options: OwnerApiOptions, { body }: OwnerCall): Promise<unknown> {
  const parsed = webhookInput.safeParse(body)
  if (!parsed.success) {
    throw new CornermanError(
      'OWNER_INPUT',
      `send {"agent": <name>, "url": <https URL, or null to clear it>}: ${z.prettifyError(parsed.error)}`,
    )
  }
  const { agent, url } = parsed.data
  const agentId = agentOf(agent, options.agentIdOf)
  if (url !== null) return { url, webhookSecret: (await options.webhooks.set(agentId, url)).secret }
  options.webhooks.clear(agentId)
  return { url }
}

function showWebhook(webhooks: Webhooks, agentId: string): unknown {
  return webhooks.view(agentId) ?? { url: null }
}

function agentOf(name: string | null, agentIdOf: OwnerApiOptions['agentIdOf']): string {
  const agentId = name === null ? undefined : agentIdOf(name)
  if (agentId === undefined) throw new CornermanError('NOT_FOUND', `agent is ${JSON.stringify(name)}: name an agent of this sandbox`)
  return agentId
}
