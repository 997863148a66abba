import type { Hindrance } from './hindrance.ts'

/** A time in which the process did not run, or its clock did not. Unix milliseconds. */
export interface Pause {
  readonly from: number
  readonly until: number
}

/** A reason why a move was not made, when it was met. */
export interface Obstacle {
  /** Unix milliseconds. */
  readonly at: number
  readonly hindrance: Hindrance
  /** The reason in the words of the party that gave it. */
  readonly words: string | undefined
}

/** A move that a contest asks of the bot. Each fact is written as it happens. Times are Unix milliseconds; undefined: it has not happened. */
export interface OwedMove {
  dueAt: number | undefined
  askedAt: number | undefined
  /** The strategy owes an answer: one that trades may want nothing by saying nothing. */
  awaitsAnswer: boolean
  answer: { readonly at: number; readonly isMove: boolean } | undefined
  /** The first reason that stood in its way. */
  obstacle: Obstacle | undefined
  isMade: boolean
}

/** Why a move was not made, and by which facts. */
export interface Missed extends Omit<Obstacle, 'at'> {
  readonly dueAt: number | undefined
  readonly askedAt: number | undefined
  readonly pause: Pause | undefined
}

export const freshMove = (): OwedMove => ({
  ...{ dueAt: undefined, askedAt: undefined, awaitsAnswer: false, answer: undefined },
  ...{ obstacle: undefined, isMade: false },
})

/**
 * Why a move was not made, by the facts on record.
 *
 * @param span from when to when it could have been made, as far as that is known, in Unix milliseconds
 * @param orElse the reason where nothing was recorded
 */
export function missed(move: OwedMove, span: Pause, pauses: readonly Pause[], orElse: () => Hindrance): Missed {
  const { dueAt, askedAt, answer, awaitsAnswer, obstacle } = move
  const pause = blamedPause(move, span, pauses)
  const facts = { dueAt, askedAt, pause, words: undefined }
  if (pause !== undefined) return { ...facts, hindrance: 'paused' }
  if (obstacle !== undefined) return { ...facts, hindrance: obstacle.hindrance, words: obstacle.words }
  if (answer?.isMove === true) return { ...facts, hindrance: 'unanswered' }
  if (answer?.isMove === false) return { ...facts, hindrance: 'abstained' }
  if (askedAt === undefined) return { ...facts, hindrance: orElse() }
  return awaitsAnswer ? { ...facts, hindrance: 'failed', words: 'it gave no answer' } : { ...facts, hindrance: 'abstained' }
}

/** The pause that has cost the move. Nothing stood in its way before, and afterwards it was late, or too little time was left. */
function blamedPause({ answer, obstacle }: OwedMove, { from, until }: Pause, pauses: readonly Pause[]): Pause | undefined {
  const pause = pauses.find((each) => each.until > from && each.from < until)
  if (pause === undefined || (obstacle !== undefined && obstacle.at < pause.from)) return undefined
  const wasLate = obstacle === undefined ? answer?.isMove !== false : isOfDelay(obstacle.hindrance)
  return wasLate || 2 * (pause.until - pause.from) >= until - pause.from ? pause : undefined
}

/** Length and end of a pause, as a sentence. */
export const pauseText = ({ from, until }: Pause): string =>
  `this process stood still for ${((until - from) / 1000).toFixed(1)} s until ${new Date(until).toISOString()}`

/** True of what a move meets that comes after its time, or is made on old facts. */
const isOfDelay = (hindrance: Hindrance): boolean =>
  ['tooLate', 'unanswered', 'guard:PRICE_STALE', 'guard:QUOTE_STALE'].includes(hindrance) || hindrance.startsWith('refused:')
