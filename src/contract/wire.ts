import { z } from 'zod'
import type { RefusalMeaning } from './shapes/shapes.ts'

// Part 1, "Wire format", and part 7. A result or an error may carry `meta` beside `json`; it is
// read past, since amounts and dates are text inside `json` already.

export const AGENT_KEY_HEADER = 'x-agent-key'
/** The SHA-256 of the body in hex, with which the project's sandbox says that an answer is its own. */
export const SANDBOX_HEADER = 'x-cornerman-sandbox'

export const successSchema = z.looseObject({ result: z.looseObject({ data: z.looseObject({ json: z.unknown() }) }) })

const text = z.string().min(1).optional().catch(undefined)
const number = z.number().optional().catch(undefined)

const errorSchema = z.looseObject({
  message: z.string().optional().catch(undefined),
  code: number,
  data: z.looseObject({ appCode: text, code: text, httpStatus: number, details: z.unknown().optional() }).optional().catch(undefined),
})

/** The form of part 7, and that of a tRPC without its transformer: the same without `json` around it. */
const failureSchema = z.looseObject({
  error: z.union([
    z.looseObject({ json: errorSchema }).transform(({ json }) => json),
    errorSchema.refine(({ message, data }) => message !== undefined || data !== undefined),
  ]),
})

/** A refusal by the service: `code` is its `appCode`, else its `code`, else `HTTP_<status>`. */
export interface ServiceRefusal {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly details?: unknown
  /** What the mapping of the service says of the code: it comes before the table of `refusals.ts`. */
  readonly meaning?: RefusalMeaning
}

/** Whether a body is an error's, whatever the HTTP status: which one a failure has is not shown (part 7). */
export const isFailure = (body: unknown): boolean => failureSchema.safeParse(body).success

/** Reads an error answer; a body of another form still gives a code and the status. */
export function readRefusal(status: number, body: unknown): ServiceRefusal {
  const parsed = failureSchema.safeParse(body)
  const { message, data } = parsed.success ? parsed.data.error : {}
  return {
    code: data?.appCode ?? data?.code ?? `HTTP_${status}`,
    message: message ?? `the service answered HTTP ${status}`,
    status,
    ...(data?.details === undefined ? {} : { details: data.details }),
  }
}

/** Who gave up waiting says nothing of what was done: request timeout, and client closed request (tRPC's `CLIENT_CLOSED_REQUEST`). */
const TIMED_OUT = new Set([408, 499])
/** The same in the codes of a service that gives failures no HTTP status of their own. */
const FAILED_INSIDE = /^(INTERNAL|TIMEOUT|CLIENT_CLOSED|BAD_GATEWAY|SERVICE_UNAVAILABLE|GATEWAY_TIMEOUT)/
/** The same in tRPC's numbers: server errors, `TIMEOUT`, `CLIENT_CLOSED_REQUEST`. */
const FAILED_NUMBERS = new Set([-32_603, -32_008, -32_099])

/** Whether an answer leaves open what became of an action: it can fail after the change was made, whatever `appCode` it fails with. */
export function leavesOpen(status: number, body: unknown): boolean {
  // Who sends elsewhere says nothing of what was done here.
  if (isServersFault(status) || (status >= 300 && status < 400)) return true
  const parsed = failureSchema.safeParse(body)
  if (!parsed.success) return false
  const { code: number, data } = parsed.data.error
  const { appCode = '', code = '', httpStatus = status } = data ?? {}
  return FAILED_INSIDE.test(appCode) || FAILED_INSIDE.test(code) || isServersFault(httpStatus) || FAILED_NUMBERS.has(number ?? 0)
}

const isServersFault = (status: number): boolean => status >= 500 || TIMED_OUT.has(status)
