import { show } from './show.ts'

/**
 * The one base of every error Cornerman throws. Expected outcomes (refused, rejected, unknown) are
 * typed values and never thrown; what is thrown is a broken invariant or a wrong use.
 *
 * @example
 * const stakeOf = (text: string) => {
 *   try {
 *     return usdc(text)
 *   } catch (error) {
 *     if (error instanceof CornermanError && error.code === 'USDC_INVALID') return undefined
 *     throw error
 *   }
 * }
 */
export class CornermanError extends Error {
  /** Tells it from other errors in a log. */
  override readonly name = 'CornermanError'
  /** Stable, upper-case identifier: programs branch on it. */
  readonly code: string
  /** The facts behind the message, safe to log: never a key, a secret or a salt. */
  readonly details: Readonly<Record<string, unknown>>
  /** Whether the same call can succeed later without anything being changed. */
  readonly retryable: boolean

  constructor(code: string, message: string, options: CornermanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
    this.retryable = options.retryable ?? false
  }
}

// Whoever catches one could change it for everybody.
Object.freeze(Object.freeze(CornermanError).prototype)

export interface CornermanErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
  readonly retryable?: boolean
}

/** The message of anything that was thrown, for a log line. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  return typeof thrown === 'string' ? thrown : show(thrown)
}

/** Stops on a state that the code around it holds to be impossible. */
export function invariant(condition: unknown, message: string, details?: Readonly<Record<string, unknown>>): asserts condition {
  if (!condition) broken(message, details)
}

/** As `invariant`, for where it is asked so often that its message must not be made each time. */
export function broken(message: string, details?: Readonly<Record<string, unknown>>): never {
  throw new CornermanError('INVARIANT', message, details === undefined ? {} : { details })
}

/** The end of an exhaustive switch: reached only when a case was forgotten. */
export function unreachable(value: never): never {
  throw new CornermanError('INVARIANT', `unhandled case ${show(value)}`)
}
