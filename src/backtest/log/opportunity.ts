import type { AgentKind } from '../../contests/index.ts'
import type { Chain, Format, Mode } from '../../contract/enums.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'

/** A contest of a log, as a bot that is tested on the log can enter it. */
export interface Opportunity {
  readonly contestId: string
  readonly mode: Mode
  readonly chain: Chain
  readonly format: Format
  readonly stake: Usdc
  readonly durationSec: number
  readonly capacity: number
  readonly params: Readonly<Record<string, unknown>>
  /** Whether the match queue seats it, or it is listed to be joined. */
  readonly via: 'queue' | 'list'
  /** Unix milliseconds from which it is listed; for one of the queue, from which a ticket waited for it. */
  readonly openAt: number
  /** Until when it can be joined: as the service says, else when it was last seen open; null where the log does not say. */
  readonly joinBy: number | null
  /** When it locked; null where the log does not say. */
  readonly lockedAt: number | null
  /** How long it ran, from its start to its end; null where the log does not say. */
  readonly ranMs: number | null
  /** The recorded bot's own side; null without sides, or where it had no seat. */
  readonly side: string | null
  readonly others: readonly RecordedSeat[]
  /** Prices that decided it, as the service had them. */
  readonly facts: readonly RecordedPrice[]
}

export interface RecordedSeat {
  readonly kind: AgentKind
  readonly side: string | null
  /** Final score, as the service writes it; null: none; undefined: the log does not say. */
  readonly score: string | null | undefined
  /** What it drafted, in order. */
  readonly picks: readonly Mint[]
  /** How long it took over each of its turns to pick, milliseconds; none beyond those that the log shows. */
  readonly pickMs: readonly number[]
  /** What it predicted and revealed. */
  readonly predicted: Price | undefined
}

export interface RecordedPrice {
  readonly mint: Mint
  /** Unix milliseconds. */
  readonly at: number
  readonly price: Price
}
