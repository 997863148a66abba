import { backoffMs } from '../../core/backoff.ts'
import { CornermanError } from '../../core/error.ts'
import type { InputOf, ReadRequest } from '../protocol/input.ts'
import type { Present } from '../state/present.ts'
import { idAskedFor, idOfAnother } from './aboutAsked.ts'
import type { KnownSignatures } from './knownSignatures.ts'

/** From the first pause to the longest, doubled with each answer in a row that is about something else. A move may hang on a mode's state. */
const PAUSES = {
  state: { firstMs: 250, longestMs: 2000 },
  other: { firstMs: 1000, longestMs: 60_000 },
} as const
/** Things that were asked for in vain: more at once, the oldest is forgotten, and its next pause is the first again. */
const REMEMBERED = 1000

interface Strayed {
  /** Answers in a row that were about something else. */
  readonly times: number
  /** The same thing is not asked for before. */
  readonly until: number
}

interface StraysOptions {
  readonly signatures: KnownSignatures
  /** Whether an action of the bot made, took or names a ticket or contest of this id. */
  readonly isNamed: (id: string) => boolean
}

/** Answers that are about something else than what was asked for: each is dropped as if it had not come, and counted. */
export class Strays {
  readonly #present: Present
  readonly #signatures: KnownSignatures
  readonly #isNamed: (id: string) => boolean
  readonly #strayed = new Map<string, Strayed>()
  #count = 0

  constructor(present: Present, { signatures, isNamed }: StraysOptions) {
    this.#present = present
    this.#signatures = signatures
    this.#isNamed = isNamed
  }

  /** Answers that were dropped in this run. */
  get count(): number {
    return this.#count
  }

  /** @returns the answer; where it is about something else, one that says nothing */
  sift(answer: InputOf<'answer'>): InputOf<'answer'> {
    const { request, result } = answer
    const id = idAskedFor(request)
    if (id === undefined || !result.ok) return answer
    const isKnown = (other: string) => this.#isKnown(other, id)
    const another = idOfAnother(request, result.output, { isKnown, paths: this.#present.options.paths })
    if (another !== undefined) return { ...answer, result: { ok: false, refusal: undefined, reason: this.#drop(request, id, another) } }
    this.#onRight(request, id)
    return answer
  }

  /** The time before which the same is not asked for again, in Unix milliseconds; undefined where it may be at once. */
  pausedUntil(request: ReadRequest): number | undefined {
    const until = this.#strayed.get(keyOf(request))?.until
    return until === undefined || until <= this.#present.now ? undefined : until
  }

  /** Whether the bot knows something by this id, apart from the ticket that led to the contest asked for. */
  #isKnown(id: string, asked: string): boolean {
    const { books, ended } = this.#present
    const { custody, openContests, seats, siblings, tickets } = books
    if (seats.get(asked)?.ticketId === id) return false
    return (
      seats.has(id) ||
      tickets.has(id) ||
      ended.has(id) ||
      custody.has(id) ||
      this.#signatures.has(id) ||
      this.#isNamed(id) ||
      openContests?.value.some(({ contestId }) => contestId === id) === true ||
      [...siblings.values()].some(({ contestId }) => contestId === id)
    )
  }

  #drop(request: ReadRequest, id: string, another: string): string {
    const { now, step } = this.#present
    const { procedure } = request
    const key = keyOf(request)
    const times = (this.#strayed.get(key)?.times ?? 0) + 1
    const { firstMs, longestMs } = procedure === 'agent.modes.state' ? PAUSES.state : PAUSES.other
    this.#strayed.set(key, { times, until: now + backoffMs(times - 1, firstMs, longestMs) })
    const oldest = this.#strayed.keys().next()
    if (this.#strayed.size > REMEMBERED && !oldest.done) this.#strayed.delete(oldest.value)
    this.#count += 1
    const reason = `the answer is about ${another}, which this bot knows as something else than ${id}`
    if (times === 1) {
      const { code, message } = new CornermanError(
        'ANSWER_ABOUT_ANOTHER',
        `${procedure}: ${reason}. It is dropped, like any more of the kind, and ${id} asked for again with growing pauses`,
      )
      step.note('warn', message, { code })
    }
    return reason
  }

  #onRight(request: ReadRequest, id: string): void {
    const key = keyOf(request)
    const { times } = this.#strayed.get(key) ?? {}
    if (times === undefined) return
    this.#strayed.delete(key)
    this.#present.step.note('info', `${request.procedure}: the answer is about ${id} again, after ${times} about something else`)
  }
}

const keyOf = (request: ReadRequest): string => `${request.procedure} ${idAskedFor(request)}`
