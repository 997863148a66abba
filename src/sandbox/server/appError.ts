import { TRPCError } from '@trpc/server'
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import { z } from 'zod'
import type { Refusal, RefusalCode } from '../../contests/index.ts'
import { CornermanError } from '../../core/error.ts'
import type { TradeCode } from '../chain/tradeAnswer.ts'

/** Codes of the shell; the others are the engine's. */
type ShellCode = 'AGENT_KEY_MISSING' | 'AGENT_KEY_INVALID' | 'RATE_LIMITED' | 'INTERNAL'

export type AppCode = RefusalCode | TradeCode | ShellCode

/** Every `appCode` there is, with the tRPC code that gives its HTTP status. */
const APP_CODES: Readonly<Record<AppCode, TRPC_ERROR_CODE_KEY>> = {
  AGENT_KEY_MISSING: 'UNAUTHORIZED',
  AGENT_KEY_INVALID: 'UNAUTHORIZED',
  RATE_LIMITED: 'TOO_MANY_REQUESTS',
  INTERNAL: 'INTERNAL_SERVER_ERROR',
  NOT_FOUND: 'NOT_FOUND',
  INVALID_INPUT: 'BAD_REQUEST',
  STAKE_OVER_CAP: 'FORBIDDEN',
  DAILY_LOSS_CAP: 'FORBIDDEN',
  INSUFFICIENT_BANKROLL: 'PRECONDITION_FAILED',
  INSUFFICIENT_BALANCE: 'PRECONDITION_FAILED',
  CONTEST_FULL: 'CONFLICT',
  CONTEST_NOT_OPEN: 'CONFLICT',
  ALREADY_JOINED: 'CONFLICT',
  NOT_IN_CONTEST: 'FORBIDDEN',
  SIDE_TAKEN: 'CONFLICT',
  TICKET_NOT_OPEN: 'CONFLICT',
  NOT_YOUR_TURN: 'CONFLICT',
  TOKEN_TAKEN: 'CONFLICT',
  TOKEN_NOT_ALLOWED: 'BAD_REQUEST',
  COMMIT_CLOSED: 'CONFLICT',
  ALREADY_COMMITTED: 'CONFLICT',
  REVEAL_NOT_OPEN: 'CONFLICT',
  COMMITMENT_MISMATCH: 'BAD_REQUEST',
  SALT_INVALID: 'BAD_REQUEST',
  CHAIN_NOT_TRADABLE: 'PRECONDITION_FAILED',
  TX_MALFORMED: 'BAD_REQUEST',
  TX_TOO_LARGE: 'BAD_REQUEST',
  TX_WRONG_PAYER: 'BAD_REQUEST',
  TX_PROGRAM_NOT_ALLOWED: 'FORBIDDEN',
  TX_SIGNATURE_MISSING: 'BAD_REQUEST',
  TX_BLOCKHASH_EXPIRED: 'PRECONDITION_FAILED',
  TX_DUPLICATE: 'CONFLICT',
  TX_SIMULATION_FAILED: 'PRECONDITION_FAILED',
}

const isAppCode = (code: string): code is AppCode => Object.hasOwn(APP_CODES, code)

/** The `appCode` of what tRPC itself refuses; anything else is a fault of the sandbox. */
const FRAMEWORK_CODES: Readonly<Partial<Record<TRPC_ERROR_CODE_KEY, AppCode>>> = {
  NOT_FOUND: 'NOT_FOUND',
  PARSE_ERROR: 'INVALID_INPUT',
  BAD_REQUEST: 'INVALID_INPUT',
  METHOD_NOT_SUPPORTED: 'INVALID_INPUT',
  UNSUPPORTED_MEDIA_TYPE: 'INVALID_INPUT',
  PAYLOAD_TOO_LARGE: 'INVALID_INPUT',
}

export const LARGEST_BODY_BYTES = 64 * 1024

const LONGEST_MESSAGE = 300
const MOST_ISSUES = 20

/** What an error answer says: the body of part 7 of the specification. */
export interface AppError {
  readonly appCode: AppCode
  readonly message: string
  readonly details: unknown
}

type ShellRefusal = Omit<Refusal, 'code'> & { readonly code: AppCode }

/** A refusal as the error that tRPC sends. */
export function refusalError({ code, message, details }: ShellRefusal): TRPCError {
  return new TRPCError({ code: APP_CODES[code], message, cause: new CornermanError(code, message, { details }) })
}

/** Reads any error that ends a call. What it says of the sandbox's own faults is that they are in its log. */
export function readError(error: TRPCError): AppError {
  const { cause } = error
  if (cause instanceof z.ZodError) {
    const issues = cause.issues
      .flatMap(plainIssues)
      .slice(0, MOST_ISSUES)
      .map(({ path, code, message }) => ({ path: path.join('.'), code, message: cut(message) }))
    const summary = issues.map(({ path, message }) => `${path === '' ? 'input' : path}: ${message}`).join('; ')
    return { appCode: 'INVALID_INPUT', message: cut(summary), details: issues }
  }
  if (cause instanceof CornermanError && isAppCode(cause.code)) {
    return { appCode: cause.code, message: cut(error.message), details: cause.details }
  }
  const appCode = FRAMEWORK_CODES[error.code] ?? 'INTERNAL'
  if (appCode === 'INTERNAL') return { appCode, message: 'the sandbox failed; its log says why', details: null }
  const message = error.code === 'PAYLOAD_TOO_LARGE' ? `a body may have up to ${LARGEST_BODY_BYTES} bytes` : cut(error.message)
  return { appCode, message, details: null }
}

/** The body of part 7 of the specification, for answers that tRPC has no part in. */
export function errorBody(appCode: string, message: string, details: unknown): unknown {
  return { error: { json: { message, data: { appCode, details } } } }
}

/** An input of several forms is none of them: what each of them wants instead. */
function plainIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  return issue.errors.flat().map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function cut(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`
}
