import type { Shapes } from '../../src/contract/shapes/shapes.ts'

// What the sandbox says in a word, what each means, and what other services may say instead.

export type WordsOf<M extends string> = Readonly<Record<M, readonly string[]>>

export type TicketMeaning = 'waiting' | 'seated' | 'over'
export type ContestMeaning = 'open' | 'live' | 'settled' | 'cancelled'
export type PhaseMeaning = 'before' | 'commit' | 'draft' | 'running' | 'reveal' | 'over'
type RefusalWords = NonNullable<NonNullable<Shapes['words']>['refusal']>

export const TICKET_WORDS: WordsOf<TicketMeaning> = {
  waiting: ['queued'],
  seated: ['matched'],
  over: ['expired', 'failed', 'cancelled'],
}
export const CONTEST_WORDS: WordsOf<ContestMeaning> = { open: ['open'], live: ['live'], settled: ['settled'], cancelled: ['cancelled'] }
export const PHASE_WORDS: WordsOf<PhaseMeaning> = {
  before: ['open', 'waiting'],
  commit: ['commit'],
  draft: ['draft'],
  running: ['running', 'filling', 'holding'],
  reveal: ['reveal'],
  over: ['settled', 'cancelled'],
}
export const REFUSAL_WORDS = {
  raceLost: ['CONTEST_FULL', 'CONTEST_NOT_OPEN', 'SIDE_TAKEN', 'TICKET_NOT_OPEN'],
  notYet: ['NOT_YOUR_TURN', 'REVEAL_NOT_OPEN'],
  tooLate: ['COMMIT_CLOSED'],
  done: ['ALREADY_REVEALED'],
  taken: ['TOKEN_TAKEN'],
  cap: ['STAKE_OVER_CAP', 'DAILY_LOSS_CAP'],
  broke: ['INSUFFICIENT_BANKROLL'],
  gone: ['NOT_FOUND', 'NOT_IN_CONTEST'],
  key: ['AGENT_KEY_MISSING', 'AGENT_KEY_INVALID'],
  rate: ['RATE_LIMITED'],
  sideWord: ['SIDE_UNKNOWN'],
} as const satisfies RefusalWords

/** Words of a service by the sandbox's; what is not there stays as it is. */
export type Translation = Readonly<Record<string, string>>
export type SidePair = Readonly<{ UP: string; DOWN: string }>

export const wordIn = (translation: Translation, word: string): string =>
  Object.hasOwn(translation, word) ? (translation[word] ?? word) : word

/** The words of a service for each meaning, each once. */
export function translated<M extends string>(words: WordsOf<M>, translation: Translation): Record<M, string[]> {
  const entries = Object.entries<readonly string[]>(words).map(([meaning, each]) => [
    meaning,
    [...new Set(each.map((word) => wordIn(translation, word)))],
  ])
  return Object.fromEntries(entries) as Record<M, string[]>
}

/** What a word of the sandbox means. */
export function meaningOf<M extends string>(words: WordsOf<M>, word: unknown): M | undefined {
  const found = Object.entries<readonly string[]>(words).find(([, each]) => each.some((one) => one === word))
  return found?.[0] as M | undefined
}

const everyWord = (words: WordsOf<string>): readonly string[] => Object.values(words).flat()
const each = (words: WordsOf<string>, change: (word: string) => string): Translation =>
  Object.fromEntries(everyWord(words).map((word) => [word, change(word)]))
const upper = (word: string): string => word.toUpperCase()
const title = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

export const OTHER_TICKET_WORDS: readonly Translation[] = [
  each(TICKET_WORDS, upper),
  each(TICKET_WORDS, title),
  { queued: 'waiting', matched: 'seated', expired: 'timed_out', failed: 'error', cancelled: 'withdrawn' },
  { queued: 'searching', matched: 'found', expired: 'lapsed', failed: 'rejected', cancelled: 'canceled' },
  { queued: 'pending', matched: 'filled', expired: 'closed', failed: 'closed', cancelled: 'closed' },
  { queued: 'Q', matched: 'M', expired: 'X', failed: 'F', cancelled: 'C' },
]

export const OTHER_CONTEST_WORDS: readonly Translation[] = [
  each(CONTEST_WORDS, upper),
  each(CONTEST_WORDS, title),
  { open: 'lobby', live: 'active', settled: 'finished', cancelled: 'void' },
  { open: 'pending', live: 'running', settled: 'completed', cancelled: 'refunded' },
  { open: 'joining', live: 'in_progress', settled: 'closed', cancelled: 'aborted' },
  { open: 'STATUS_1', live: 'STATUS_2', settled: 'STATUS_3', cancelled: 'STATUS_9' },
]

export const OTHER_PHASE_WORDS: readonly Translation[] = [
  each(PHASE_WORDS, upper),
  each(PHASE_WORDS, title),
  {
    ...{ open: 'lobby', waiting: 'countdown', commit: 'committing', draft: 'drafting', running: 'in_play', filling: 'in_play' },
    ...{ holding: 'in_play', reveal: 'revealing', settled: 'done', cancelled: 'void' },
  },
  {
    ...{ open: 'pre', waiting: 'pre', commit: 'sealing', draft: 'picking', running: 'live', filling: 'live', holding: 'live' },
    ...{ reveal: 'unsealing', settled: 'final', cancelled: 'final' },
  },
  {
    ...{ open: 'NotStarted', waiting: 'NotStarted', commit: 'AcceptingPredictions', draft: 'PickingTokens', running: 'Trading' },
    ...{ filling: 'Trading', holding: 'Trading', reveal: 'AcceptingReveals', settled: 'Ended', cancelled: 'Ended' },
  },
  {
    ...{ open: 'P0', waiting: 'P0', commit: 'P1', draft: 'P2', running: 'P3', filling: 'P3', holding: 'P3', reveal: 'P4' },
    ...{ settled: 'P5', cancelled: 'P5' },
  },
]

export const USUAL_SIDES: SidePair = { UP: 'UP', DOWN: 'DOWN' }
/** The last ones say to nobody which is which. */
export const OTHER_SIDES: readonly SidePair[] = [
  { UP: 'LONG', DOWN: 'SHORT' },
  { UP: 'up', DOWN: 'down' },
  { UP: 'higher', DOWN: 'lower' },
  { UP: 'OVER', DOWN: 'UNDER' },
  { UP: 'Long', DOWN: 'Short' },
  { UP: 'Above', DOWN: 'Below' },
  { UP: 'A', DOWN: 'B' },
  { UP: 'B', DOWN: 'A' },
]

const REFUSAL_SYNONYMS: Translation = {
  ...{ CONTEST_FULL: 'NO_SEAT_LEFT', CONTEST_NOT_OPEN: 'CONTEST_LOCKED', SIDE_TAKEN: 'SIDE_OCCUPIED', TICKET_NOT_OPEN: 'TICKET_CLOSED' },
  ...{ NOT_YOUR_TURN: 'WAIT_FOR_TURN', REVEAL_NOT_OPEN: 'TOO_EARLY', COMMIT_CLOSED: 'WINDOW_CLOSED', TOKEN_TAKEN: 'ALREADY_DRAFTED' },
  ...{ STAKE_OVER_CAP: 'LIMIT_STAKE', DAILY_LOSS_CAP: 'LIMIT_DAILY', INSUFFICIENT_BANKROLL: 'NO_FUNDS', NOT_FOUND: 'UNKNOWN_RESOURCE' },
  ...{ NOT_IN_CONTEST: 'NOT_A_PLAYER', AGENT_KEY_MISSING: 'UNAUTHENTICATED', AGENT_KEY_INVALID: 'BAD_KEY', RATE_LIMITED: 'SLOW_DOWN' },
  ...{ ALREADY_COMMITTED: 'COMMIT_EXISTS', ALREADY_REVEALED: 'REVEAL_EXISTS', ALREADY_JOINED: 'SEAT_EXISTS', INVALID_INPUT: 'BAD_REQUEST' },
  ...{
    COMMITMENT_MISMATCH: 'HASH_MISMATCH',
    TOKEN_NOT_ALLOWED: 'TOKEN_NOT_LISTED',
    SIDE_UNKNOWN: 'NO_SUCH_SIDE',
    INTERNAL: 'SERVER_ERROR',
  },
}

export const USUAL_CODE = (code: string): string => code
export const OTHER_CODES: readonly ((code: string) => string)[] = [
  (code) => code.toLowerCase(),
  (code) => code.toLowerCase().replaceAll('_', '-'),
  (code) => `E_${code}`,
  (code) => code.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (code) => wordIn(REFUSAL_SYNONYMS, code),
]
