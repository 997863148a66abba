import type { Result } from '../../contract/enums.ts'
import type { Severity } from '../../strategy/alertConfig.ts'

export type { Severity } from '../../strategy/alertConfig.ts'

// What the owner is shown of the bots, as plain JSON: the page, the metrics and the alerts all read these. Amounts are digit strings of
// micro-USDC, negative ones with a minus; times are Unix milliseconds. Nothing secret is in them: no key, no salt, and no price
// of a prediction that is not revealed yet.

export type Micro = string

/** The whole fleet at a glance. */
export interface FleetView {
  readonly at: number
  /** What is played on: `sandbox`, or the address of the service without what could be secret in it. */
  readonly service: string
  readonly isDryRun: boolean
  /** What the operator has stopped for all bots. */
  readonly stopped: Stopped
  readonly bots: readonly BotRow[]
  /** All bots together since the start of this run, from when the equity of each was known; thinned to 2,000 points. */
  readonly curve: readonly CurvePoint[]
}

/**
 * What a bot is worth: USDC that can be spent, stakes in play, and the tokens that it holds at the feed's newest prices. Page, terminal,
 * metrics and `start --json` have these figures and no others.
 */
export interface Worth {
  /** `bankroll`, `inPlay` and `held` together; undefined until the service has said what can be spent. */
  readonly equity: Micro | undefined
  /** What can be spent: as the service said last, and what swaps have moved since. */
  readonly bankroll: Micro | undefined
  readonly inPlay: Micro | undefined
  /** The value of the tokens held that have a price. */
  readonly held: Micro | undefined
  /** Holdings without any price: `equity` is without them, and so it is the least that the bot is worth. */
  readonly unpriced: number
  /** When the oldest of the prices was known that `held` is made of; undefined where no token is held. */
  readonly pricedAt: number | undefined
}

/** What the operator has stopped: `all` is the kill switch. */
export type Stopped = 'nothing' | 'entries' | 'all'

export type Phase = 'starting' | 'running' | 'drained' | 'stopped' | 'elsewhere'

/** Of a bot that another host plays, or nobody. */
export interface Elsewhere {
  /** The host that plays it; undefined: none does. */
  readonly host: string | undefined
  /** The address of that host's page; undefined where it has none, or is not known. */
  readonly page: string | undefined
  /** When that host was last heard of it; undefined: not yet. */
  readonly heardAt: number | undefined
  /** Its word is too old to go by. */
  readonly isSilent: boolean
  /** In words, where that is to be said: why nobody plays it, or that its host says nothing. */
  readonly note: string | undefined
}

/** One line of the fleet. */
export interface BotRow extends Worth {
  readonly name: string
  readonly phase: Phase
  /** Undefined of a bot that this host plays. */
  readonly elsewhere?: Elsewhere
  /** Worst of `troubles`; undefined where all is well. */
  readonly severity: Severity | undefined
  readonly troubles: readonly Trouble[]
  readonly isCaughtUp: boolean
  readonly isDraining: boolean
  /** What holds for this bot: its own word of the operator, or that for all. */
  readonly stopped: Stopped
  /** Of all settled contests and closed swaps of the journal; undefined before it was read. */
  readonly profit: Micro | undefined
  readonly settled: number | undefined
  readonly today: Today
  /** Tickets and contests that are not over, those that end first in front. */
  readonly open: readonly OpenRow[]
  /** Of the newest contests, oldest first; at most 12. */
  readonly lastResults: readonly Result[]
  /** Since the last successful read of the event stream, and what the watchdog makes of it. */
  readonly stream: StreamView
  /** Strategies that threw, events that could not be read and the like, since the start. */
  readonly faults: number
  /** Actions whose answer was lost, and is looked up. */
  readonly unknown: number
}

/**
 * Today's money against both caps. A bar is `(lost + inPlay + reserved) / cap`; the three are undefined while a token that is held has no
 * fresh price, or a stake has not been read.
 */
export interface Today {
  readonly lost: Micro | undefined
  readonly inPlay: Micro | undefined
  /** Held by the guard for actions without an outcome. */
  readonly reserved: Micro | undefined
  /** `guard.dailyLoss` of the config. */
  readonly cap: Micro
  /** The service's own cap and what of it is gone, as `agent.limits` says; undefined until it has. */
  readonly serviceCap: Micro | undefined
  readonly serviceLost: Micro | undefined
}

export interface OpenRow {
  readonly kind: 'ticket' | 'contest'
  readonly id: string
  readonly mode: string | undefined
  readonly stake: Micro | undefined
  readonly token: string | undefined
  readonly side: string | undefined
  /** Of a contest. */
  readonly phase: 'open' | 'live' | undefined
  readonly startsAt: number | undefined
  readonly endsAt: number | undefined
}

export interface StreamView {
  readonly state: 'current' | 'late' | 'stalled'
  /** Undefined before the first successful read. */
  readonly readAt: number | undefined
  /** When the bot began: until the first read, silence counts from here. */
  readonly startedAt: number
}

/** Something that is wrong now, and goes away when it is not. */
export interface Trouble {
  readonly kind: TroubleKind
  /** What of its kind it is, where there may be several: a contest, a strategy, a cap, a mode. */
  readonly about?: string
  readonly severity: Severity
  /** A sentence for a person, with what to do where there is something to do. */
  readonly message: string
}

export const TROUBLES = [
  /** The bot has ended before its time; a journal that cannot be written or read ends it so. */
  'botStopped',
  /** No successful read of the stream for 30 s; `alarm` from 2 minutes on. */
  'streamLate',
  /** An answer of the service lacks a field that the bot needs. */
  'answerIncomplete',
  /** A reveal is due and did not work. */
  'revealOverdue',
  'strategySuspended',
  /** The operator's kill switch, or entries stopped. */
  'stopped',
  /** Lost and at stake today are at 80 % of a cap or more, or have not been known for a minute. */
  'dailyLoss',
  /** Money that the bankroll or the chain should have and has not. */
  'moneyMissing',
  /** This machine's clock and the service's are more than an hour apart. */
  'clocksDisagree',
  /** This process, or its machine, stood still for over a second within the last ten minutes. */
  'paused',
  /** Answers that were lost, for longer than a minute. */
  'unknownActions',
  /** No token in play has a price younger than `guard.maxPriceAgeMs`. */
  'pricesStale',
  /** A mode that a strategy plays is closed; `alarm` once no such mode is open. */
  'modeClosed',
  /** Swaps do not come through. */
  'swapPathDown',
  /** A token that a contest left could not be sold so far. */
  'unsold',
  /** A ticket or seat is in a mode that the bot does not know. */
  'contestUnnamed',
  /** A contest was settled without a valid move in the last ten minutes. */
  'unplayed',
] as const
export type TroubleKind = (typeof TROUBLES)[number]

/** Results of some contests together. */
export interface Tally {
  readonly results: Readonly<Record<Result, number>>
  readonly staked: Micro
  readonly profit: Micro
}

/** One bot. */
export interface BotView {
  readonly row: BotRow
  readonly agentId: string | undefined
  /** Profit and equity after each contest and every ten seconds, oldest first; thinned to 2,000 points. Times rise strictly. */
  readonly curve: readonly CurvePoint[]
  /** Tokens that swaps of contests have brought and that are not sold yet. */
  readonly holdings: readonly HoldingRow[]
  /** Of the contests that the journal tells event by event: those of this run, and the newest of earlier ones. */
  readonly byMode: Readonly<Record<string, Tally>>
  /** By `versus` of the event: AGENT, HUMAN, MIXED. */
  readonly byOpponents: Readonly<Record<string, Tally>>
  /** By the strategy that entered; `unknown` where none did, or nobody knows it any more. */
  readonly byStrategy: Readonly<Record<string, Tally>>
  /** By UTC day (`2026-11-27`) and by ISO week (`2026-W48`), the newest 60 of each, oldest first. */
  readonly byDay: Readonly<Record<string, Tally>>
  readonly byWeek: Readonly<Record<string, Tally>>
  /** Newest first; those of this run, and the newest of earlier ones, 100 in all. */
  readonly contests: readonly ContestRow[]
  readonly refused: readonly RefusedRow[]
  readonly strategies: readonly StrategyRow[]
  /** Those that the bot may enter by its config; undefined where every mode can be played. */
  readonly modes: readonly ModeRow[] | undefined
  /** Newest last; the newest 200. */
  readonly notes: readonly NoteRow[]
  readonly actions: { readonly sent: number; readonly refused: number; readonly failed: number; readonly unknown: number }
  readonly reveals: { readonly due: number; readonly done: number }
  readonly swaps: { readonly filled: number; readonly failed: number }
}

export interface CurvePoint {
  readonly at: number
  /** Cumulated: of contests, and of the swaps of those that are over. */
  readonly profit: Micro
  /** Undefined of what earlier runs settled, and until it is known. */
  readonly equity: Micro | undefined
}

/** One token that swaps of one contest have brought. */
export interface HoldingRow {
  /** Of the contest and the token together. */
  readonly id: string
  readonly contestId: string
  readonly mint: string
  readonly symbol: string
  /** Base units. */
  readonly amount: string
  /** The same in tokens, as decimal text; undefined where nobody says how many base units one has. */
  readonly tokens: string | undefined
  /** In USD, as the feed wrote it last, and when that was known; undefined where there is none. */
  readonly price: string | undefined
  readonly pricedAt: number | undefined
  /** Undefined where it cannot be worked out: it is in no sum then. */
  readonly value: Micro | undefined
}

export interface ContestRow {
  readonly contestId: string
  readonly mode: string | undefined
  /** The one that entered; undefined where none did, or nobody knows it any more. */
  readonly strategy: string | undefined
  readonly stake: Micro | undefined
  readonly token: string | undefined
  readonly side: string | undefined
  readonly phase: 'open' | 'live' | 'settled' | 'cancelled'
  readonly startsAt: number | undefined
  readonly endsAt: number | undefined
  readonly settledAt: number | undefined
  readonly versus: string | undefined
  readonly result: Result | undefined
  readonly profit: Micro | undefined
}

/** Refusals of one code of the guard's, since the start. */
export interface RefusedRow {
  readonly code: string
  readonly times: number
  readonly last: { readonly at: number; readonly strategy: string; readonly message: string }
}

export interface StrategyRow {
  readonly name: string
  readonly kind: string
  /** As text; in USDC what says so in its description. */
  readonly params: Readonly<Record<string, string>>
  readonly faults: number
  /** Contests in which it is left alone; `undefined` in place of an id: everywhere, for a minute. */
  readonly suspendedIn: readonly (string | undefined)[]
}

export interface ModeRow {
  readonly mode: string
  /** The code with which the guard refuses its entries; undefined: it is open. */
  readonly code: string | undefined
  /** The same in words. */
  readonly why: string | undefined
  /** Contests without a valid move over the life of the journal, and their stakes. */
  readonly unplayed: number
  readonly staked: Micro
  /** When the framework tries a closed one next; undefined where it never does. */
  readonly trialAt: number | undefined
}

export interface NoteRow {
  readonly at: number
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** Undefined where the framework speaks. */
  readonly strategy: string | undefined
  readonly contestId: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** One contest, in full. */
export interface ContestView {
  readonly bot: string
  readonly row: ContestRow
  /** Of the tokens that matter to it, thinned to 1,000 points a token, oldest first. */
  readonly prices: Readonly<Record<string, PriceSeriesView>>
  /** What the bot did in it: picks, commitments, reveals, swaps. */
  readonly moves: readonly MoveRow[]
  /** What the guard said, newest last. */
  readonly verdicts: readonly VerdictRow[]
  /** By seat, as last read; the bot's own first. Of a live contest whose service tells no score of the bot's, that is by its own prices. */
  readonly scores: readonly ScoreRow[]
  /** The bot's place among the seats with a score, 1 being the best; undefined while fewer than two have one, and where it says nothing. */
  readonly place: number | undefined
  /** Seats in all, and those that are taken; undefined until the service has said it. */
  readonly capacity: number | undefined
  readonly filled: number | undefined
  /** As they came from the service. */
  readonly events: readonly EventRow[]
}

export interface PriceSeriesView {
  readonly symbol: string
  /** What changes count from: the price at the start of the contest, or the first one known; undefined while there is none. */
  readonly startPrice: string | undefined
  readonly points: readonly PricePoint[]
}

/** Prices are decimal text, in USD. */
export interface PricePoint {
  readonly at: number
  readonly price: string
}

export interface MoveRow {
  readonly at: number
  readonly kind: 'pick' | 'commit' | 'reveal' | 'buy' | 'sell' | 'join' | 'leave' | 'ready'
  readonly strategy: string
  /** The token it was about. */
  readonly mint: string | undefined
  /** For a person: `bought 0.1 SOL for 10.00 USDC`. */
  readonly text: string
}

export interface VerdictRow {
  readonly at: number
  readonly strategy: string
  /** The kind of the action: `enqueue`, `swap`. */
  readonly action: string
  readonly verdict: 'approved' | 'refused'
  /** Of a refusal. */
  readonly code: string | undefined
  readonly text: string
}

export interface ScoreRow {
  readonly isOwn: boolean
  readonly who: string
  readonly score: string | undefined
  /** Worked out by the bot's own prices and the sandbox's rules: the service may say otherwise. */
  readonly isEstimate: boolean
}

export interface EventRow {
  readonly at: number
  readonly type: string
  readonly raw: unknown
}
