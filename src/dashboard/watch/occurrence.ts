import type { Severity, TroubleKind } from './views.ts'

/** Something that happened to a bot and that its owner may want to be told. */
export interface Occurrence {
  /** Unix milliseconds. */
  readonly at: number
  readonly bot: string
  readonly kind: OccurrenceKind
  /** What of its kind it is, where one kind has several: the code of a refusal. */
  readonly about?: string
  readonly severity: Severity
  /** One sentence for a person. */
  readonly message: string
}

export const OCCURRENCES = [
  /** A contest was settled. */
  'settled',
  /** Lost and at stake today have come to 80 % of a cap. */
  'dailyLoss',
  /** The guard stopped the bot for the day, or longer: a daily loss or a drawdown is reached. */
  'guardStop',
  /** The operator stopped the bots, or let them play on. */
  'operator',
  /** A reveal is overdue. */
  'revealOverdue',
  /** A prediction was not shown in its time. */
  'missedReveal',
  /** The event stream cannot be read. */
  'streamStale',
  /** A trouble is over. */
  'over',
  /** The run before ended without a word; what it left was looked up. */
  'recovered',
  /** The bot stopped before its time. */
  'botStopped',
  /** A strategy failed too often and is left alone. */
  'strategySuspended',
  /** Answers that were lost have not been found for a minute. */
  'unknownActions',
] as const
export type OccurrenceKind = (typeof OCCURRENCES)[number]

/** What is told when a trouble comes up. */
export const OCCURRENCE_OF: Readonly<Record<TroubleKind, OccurrenceKind>> = {
  botStopped: 'botStopped',
  streamLate: 'streamStale',
  revealOverdue: 'revealOverdue',
  strategySuspended: 'strategySuspended',
  stopped: 'operator',
  dailyLoss: 'dailyLoss',
  unknownActions: 'unknownActions',
}
