import type { Usdc } from '../../core/usdc.ts'
import type { AlertKind, Severity } from '../../strategy/alertConfig.ts'

// How the owner is told. The desk decides what and when; the adapters are in `live/alerts`.

/** Something that happened to a bot and that its owner may want to be told. */
export interface Occurrence {
  /** Unix milliseconds. */
  readonly at: number
  readonly bot: string
  readonly kind: AlertKind
  /** What of its kind it is, where one kind has several: the code of a refusal. */
  readonly about?: string
  readonly severity: Severity
  /** One sentence for a person. */
  readonly message: string
  /** Contest that it is about. Absent, like the next two, where it is about none. */
  readonly contestId?: string
  readonly mode?: string | undefined
  /** Money at stake there, in micro-USDC. */
  readonly stake?: Usdc | undefined
}

/** How a message fared. */
export type Delivery =
  | {
      readonly ok: true
      /** How many it told of, the oldest first: at least one, and no more than a message has room for. */
      readonly taken: number
    }
  | {
      readonly ok: false
      /** In words, without the token or the address. */
      readonly reason: string
      /** Milliseconds the receiver asked to wait; undefined where it did not. */
      readonly retryAfterMs: number | undefined
      /** The receiver will never take this message; whether it takes others is open. */
      readonly isFinal: boolean
    }

/** Where alerts go. */
export interface AlertChannel {
  /** For log and metrics: `telegram`, or `telegram 2` where there are two. */
  readonly name: string
  /** Sends one message that tells of these, oldest first, as far as there is room. Never fails: what goes wrong is an answer. */
  send(occurrences: readonly Occurrence[]): Promise<Delivery>
  close(): Promise<void>
}
