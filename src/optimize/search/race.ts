import { CornermanError } from '../../core/error.ts'
import { addOutcome, compared, type PlayBlocks, scoreOf, type Trial } from './trial.ts'

/** What is common to all races of a search, and what they have come to. */
export interface Course {
  /** Blocks in the order in which they are played, and how many of them each rung comes to. */
  readonly order: readonly number[]
  readonly rungs: readonly number[]
  /** What a block counts of the budget: the incumbent's contests in it. */
  readonly contests: readonly number[]
  readonly budget: number
  readonly play: PlayBlocks
  readonly onBarrier: (rung: number) => void
  /** All trials so far, those of the race among them. The first is the incumbent. */
  readonly trials: Trial[]
  spent: number
}

/** A point falls whose paired difference to the leader lies further below 0, in standard errors: Student's aside, one in ten does where there is none. */
const FALLS_BELOW = -1.28

/**
 * Races some new trials: at each rung all that are left play the blocks that they lack of it, and some fall. Nothing is decided but at rungs, from
 * what all have played by then, so that the order in which blocks are played does not matter.
 *
 * @param least how many stay at a rung, however they stand
 * @throws CornermanError `STRATEGY_FAILED` where the incumbent, or more than a quarter of all trials, failed
 */
export async function race(course: Course, entrants: readonly Trial[], least: number): Promise<void> {
  let racing = entrants.filter(({ state }) => state === 'playing')
  for (const [index, blocks] of course.rungs.entries()) {
    if (racing.length === 0) return
    await playTo(course, racing, blocks)
    expectMost(course.trials)
    racing = racing.filter(({ state }) => state === 'playing')
    for (const trial of racing) trial.rung = index + 1
    if (index === 0) racing = racing.filter((trial) => !isTwin(course, trial))
    racing = index + 1 < course.rungs.length ? whatStays(course, racing, index, least) : racing
    if (index + 1 === course.rungs.length) for (const trial of racing) trial.state = 'finished'
    course.onBarrier(index + 1)
  }
}

/** Plays what each lacks of so many blocks; the incumbent all of them at once: the others are compared with it. */
async function playTo(course: Course, trials: readonly Trial[], blocks: number): Promise<void> {
  const [incumbent] = course.trials
  const due = incumbent?.state === 'playing' && !trials.includes(incumbent) ? [incumbent, ...trials] : trials
  const jobs = due.flatMap((trial) => {
    const lacking = course.order.slice(trial.outcomes.length, trial === incumbent ? course.order.length : blocks)
    return lacking.map((block) => ({ owner: trial, job: { trial: trial.index, values: trial.values, block } }))
  })
  const outcomes = await course.play(jobs.map(({ job }) => job))
  for (const [index, { owner, job }] of jobs.entries()) {
    const outcome = outcomes[index]
    course.spent += course.contests[job.block] ?? 0
    if (outcome === undefined) owner.state = 'failed'
    else if (owner.state !== 'failed') addOutcome(owner, outcome)
  }
  if (incumbent?.state === 'playing') {
    incumbent.state = 'finished'
    incumbent.rung = course.rungs.length
  }
}

function expectMost(trials: readonly Trial[]): void {
  const played = trials.filter(({ state, outcomes }) => state === 'failed' || outcomes.length > 0)
  const failed = played.filter(({ state }) => state === 'failed')
  const isIncumbent = failed.some(({ index }) => index === 0)
  if (!isIncumbent && 4 * failed.length <= played.length) return
  const [first] = failed
  throw new CornermanError(
    'STRATEGY_FAILED',
    `${isIncumbent ? 'the bot as it is' : `${failed.length} of ${played.length} trials`} did not come to an end: see what the log says of ${JSON.stringify(first?.values ?? {})}, and mend the strategy or narrow the space`,
    { details: { failed: failed.map(({ index }) => index), trials: played.length } },
  )
}

/** Whether it decided as an earlier trial did in the whole first rung: then it is that one, and plays no further. */
function isTwin(course: Course, trial: Trial): boolean {
  const [blocks = 0] = course.rungs
  const printOf = ({ outcomes }: Trial) =>
    outcomes
      .slice(0, blocks)
      .map(({ fingerprint }) => fingerprint)
      .join(' ')
  const own = printOf(trial)
  const other = course.trials.find((known) => known.index < trial.index && known.outcomes.length >= blocks && printOf(known) === own)
  if (other === undefined) return false
  trial.state = 'twin'
  trial.twinOf = other.index
  return true
}

function whatStays(course: Course, racing: readonly Trial[], rung: number, least: number): Trial[] {
  const [blocks = 0, next = 0] = course.rungs.slice(rung)
  const ranked = rankedBy(course, racing, blocks)
  const leader = leaderOf(course, ranked, blocks)
  const isBehind = (trial: Trial) => {
    const found = leader === undefined ? undefined : compared(trial, leader, blocks)
    return found !== undefined && found.difference / found.error < FALLS_BELOW
  }
  const half = ranked.slice(0, Math.ceil(ranked.length / 2)).filter((trial) => !isBehind(trial))
  const stays = half.length < least ? ranked.slice(0, least) : half
  const costOf = (from: number, until?: number) =>
    course.order.slice(from, until).reduce((sum, block) => sum + (course.contests[block] ?? 0), 0)
  // Of what is left of the budget one has to come to the end.
  const affordable = Math.floor((course.budget - course.spent - costOf(next)) / costOf(blocks, next))
  const standing = new Set(stays.slice(0, Math.max(1, affordable)))
  for (const trial of racing) if (!standing.has(trial)) trial.state = 'fell'
  return racing.filter((trial) => standing.has(trial))
}

/** The best first, by what they have come to in the first so many blocks; of equal ones the earlier. */
export function rankedBy(course: Pick<Course, 'trials'>, trials: readonly Trial[], blocks = Infinity): Trial[] {
  const [incumbent] = course.trials
  if (incumbent === undefined) return []
  return trials
    .map((trial) => ({ trial, score: scoreOf(trial, incumbent, blocks) }))
    .toSorted((a, b) => (a.score === b.score ? a.trial.index - b.trial.index : b.score - a.score))
    .map(({ trial }) => trial)
}

/** The best of those that have finished, unless one of the race is better on the same blocks. */
function leaderOf(course: Course, ranked: readonly Trial[], blocks: number): Trial | undefined {
  const [champion] = rankedBy(
    course,
    course.trials.filter(({ state }) => state === 'finished'),
  )
  return rankedBy(course, [...ranked.slice(0, 1), ...(champion === undefined ? [] : [champion])], blocks)[0]
}
