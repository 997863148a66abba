import type { ExtraPaths } from '../../contract/paths.ts'
import type { ServiceAction } from '../../strategy/action.ts'
import type { OpenContestView } from '../../strategy/view.ts'
import type { Seat } from '../books/books.ts'
import type { InputOf, Intent } from '../protocol/input.ts'
import type { IntentStatus } from '../protocol/journalRecord.ts'
import type { Note } from '../protocol/note.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { SendOrder } from '../protocol/step.ts'
import type { SaidTerms } from './reconciliation.ts'

/** An action that the guard has let out, whatever becomes of it. */
export interface Entry {
  readonly intent: Intent & { readonly action: ServiceAction }
  /** The contest it joins, as it was listed. */
  readonly listed: OpenContestView | undefined
  /** It joins a contest whose seat was given back before. */
  readonly wasLeft: boolean
}

/** An action that was not taken. */
export type InVain = Extract<Outcome, { readonly status: 'notSent' | 'rejected' }>

/** Tries of a reveal that came to nothing: it is the same action until it is taken. */
export interface Tries {
  readonly count: number
  readonly last: InVain
  /** When it is sent again, unless a look brings that forward. Unix milliseconds, as all times here. */
  readonly againAt: number
  /** When it was last refused, if it was: a look from then on is only there to see whether it had been taken before. */
  readonly refusedAt: number | undefined
}

interface Common {
  readonly entry: Entry
  /** The contest that it joins, or the ticket that it made, as the stream has told before its answer: should the answer not say, it was taken. */
  readonly told: string | undefined
  readonly tries: Tries | undefined
  /** Since when the service has failed at every look, while the stream could be read; undefined: it did not at the last. */
  readonly failingSince: number | undefined
  /** When it is looked up, or sent again. */
  readonly dueAt: number | undefined
}

interface Sendable extends Common {
  /** As it was sent. */
  readonly order: SendOrder
  /** Requests of it, more than one where it hung. */
  readonly requests: number
}

/** At least one of its requests has no answer yet. */
export interface Sent extends Sendable {
  readonly is: 'sent'
  readonly unanswered: number
  /** Of answers that do not say that it was taken, the one that counts in the end. */
  readonly heard: Outcome | undefined
}

/** A reveal that was tried in vain is to be tried again. */
export interface Waiting extends Sendable {
  readonly is: 'waiting'
  readonly tries: Tries
}

/**
 * It was not taken, by the service's word, and is looked up before that counts: of an entry, since a refusal may be wrong, and a second stake be
 * the price of it; of a reveal in a contest that is over, since an earlier request may be why it was refused.
 */
export interface Doubted extends Common {
  readonly is: 'doubted'
  readonly doubted: InVain
}

/** Its answer is lost, or does not say what it made: it is looked up until the service shows it, or does not. */
export interface Unknown extends Common {
  readonly is: 'unknown'
  readonly since: number
  /** A read that was begun then or later must show it. */
  readonly lateAt: number
  /** Such reads that did not. */
  readonly absences: number
  /** Of a leave those that missed the seat. */
  readonly gone: number
  /** The service has taken it, and did not say what it made: no absence can prove that it never happened. */
  readonly isTaken: boolean
}

export type EntryState = Sent | Waiting | Doubted | Unknown

export type EntryHappening =
  /** The answer to a request of it, or its loss. */
  | { readonly type: 'answered'; readonly outcome: Outcome }
  | { readonly type: 'due' }
  /** A look came to nothing, or is not sent yet: it is due at `at`. */
  | { readonly type: 'unread'; readonly at: number }
  | { readonly type: 'looked'; readonly begunAt: number; readonly result: InputOf<'answer'>['result'] }
  /** The stream shows the ticket or contest that it made. */
  | { readonly type: 'told'; readonly made: string }
  /** The service has taken a seat back: it had been given, whatever became of the answer that says so. */
  | { readonly type: 'proved' }
  /** A reveal has another time now; undefined: none is known. */
  | { readonly type: 'postponed'; readonly until: number | undefined }
  | { readonly type: 'contestEnded' }
  /** The operator says that it is over. */
  | { readonly type: 'closed' }

export type EntryEffect =
  | { readonly type: 'order'; readonly order: SendOrder }
  | { readonly type: 'lookUp' }
  | ({ readonly type: 'note' } & Note)
  /** Its outcome is not known. */
  | { readonly type: 'lost'; readonly reason: string; readonly isTaken: boolean }
  /** The answer does not say what it made. */
  | { readonly type: 'silent' }
  /** A reveal came to nothing, and is tried again. */
  | { readonly type: 'vain'; readonly outcome: InVain; readonly count: number }
  /** The seat that was given back had been given. */
  | { readonly type: 'provesJoin'; readonly contestId: string }
  /** It has its outcome. `made`: the ticket or contest that it made, or joined. */
  | {
      readonly type: 'settled'
      readonly status: Exclude<IntentStatus, 'unknown' | 'filled'>
      readonly made: string | undefined
      readonly detail: string | undefined
    }
  /** The answer counts, for whoever acts on it. */
  | { readonly type: 'concluded'; readonly outcome: Outcome }

/** The rest of the bot, as an action sees it. */
export interface EntrySeen {
  readonly now: number
  readonly timeoutMs: number
  readonly paths: ExtraPaths
  /** The stream is read to its end. */
  readonly caughtUp: boolean
  /** Ids of tickets and contests that other actions account for. */
  readonly claimed: ReadonlySet<string>
  /** Terms of the tickets that wait, or may. */
  queued(): Iterable<SaidTerms>
  /** Between two looks at one move that hangs. */
  hangingMs(): number
  /** The least time between two tries of a move whose answers are lost: longer each time. */
  pauseMs(action: ServiceAction): number
  /** No other action without an outcome makes a ticket or a contest. */
  isAlone(key: string): boolean
  /** The ticket or contest that the action is about has come to its end. */
  isOver(action: ServiceAction): boolean
  /** The prediction in custody is sealed for the seat that the bot has. */
  isForSeat(contestId: string): boolean
  /** A reveal in the contest was tried, and came to nothing. */
  wasRevealTried(contestId: string): boolean
  phaseOf(contestId: string): Seat['phase'] | undefined
}
