import type { Journal, JournalContents } from '../../pipeline/index.ts'
import type { ReadLeases } from '../readBudget.ts'

/** How far a journal is folded that has grown for long. */
export interface Folding {
  readonly folded: number
  readonly events: number
}

/** What is under way, and predictions that may have to be shown. */
export type Owed = Pick<JournalContents, 'custody' | 'pending' | 'lastInput'>

/** The journal of one bot, on this host alone or shared by a fleet, as whoever plays the bot needs it. */
export interface BotJournal extends Journal, ReadLeases {
  /**
   * Makes a new journal that of an agent; an older one has to be of this agent.
   *
   * @param now of a new one: when it was made, in Unix milliseconds of the bots' time
   * @param newsAfter of a new one, as `JournalContents` has it
   * @throws CornermanError `JOURNAL_OF_ANOTHER_AGENT`, or as `commit` does
   */
  belongTo(agentId: string, now: number, newsAfter?: string | null): void
  /** True until the journal belongs to an agent. */
  readonly isNew: boolean
  /**
   * Folds what has grown for long, a piece at a time, and says before each how far it is: nothing where there is little, which `load`
   * does in no time.
   *
   * @throws as `load`
   */
  folding(): Iterable<Folding>
  /** All that is needed of a journal that is not folded yet. @throws CornermanError `JOURNAL_CORRUPT` or `JOURNAL_UNREADABLE` */
  owed(): Owed
  /**
   * The id of a known event, for a service that does not know the newest any more.
   *
   * @param back how many events before the newest
   * @returns undefined where there is none so far back that has an id
   * @throws CornermanError `JOURNAL_CORRUPT`
   */
  eventId(back: number): string | undefined
  close(): void | Promise<void>
}
