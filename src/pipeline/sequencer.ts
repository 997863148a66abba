import type { Clock } from '../core/clock.ts'
import type { Input, InputBody } from './input.ts'

/**
 * Gives every input its number and its time, and lets the next one in only when all that this one leads to has been
 * done, even where that feeds back at once.
 */
export class Sequencer {
  readonly #clock: Clock
  readonly #take: (input: Input) => void
  readonly #waiting: InputBody[] = []
  #n: number
  #lastAt = 0
  #isBusy = false
  #isClosed = false

  /** @param lastInput the number of the last input of an earlier run: this one counts on */
  constructor(clock: Clock, lastInput: number, take: (input: Input) => void) {
    this.#clock = clock
    this.#n = lastInput
    this.#take = take
  }

  readonly enter = (body: InputBody): void => {
    if (this.#isBusy) {
      this.#waiting.push(body)
      return
    }
    this.#isBusy = true
    try {
      this.#place(body)
      while (this.#waiting.length > 0) for (const next of this.#waiting.splice(0)) this.#place(next)
    } finally {
      this.#isBusy = false
    }
  }

  #place(body: InputBody): void {
    if (this.#isClosed) return
    // A wall clock can step back; a bot's own time does not.
    this.#lastAt = Math.max(this.#lastAt, this.#clock.now())
    this.#n += 1
    this.#take(placed(body, this.#n, this.#lastAt))
  }

  /** Lets nothing more in, what waits included. */
  close(): void {
    this.#isClosed = true
  }
}

/** A price, by far the commonest input, is put together by name: a copy of just anything takes several times as long. */
const placed = (body: InputBody, n: number, at: number): Input =>
  body.type === 'prices' ? { type: 'prices', tick: body.tick, n, at } : { ...body, n, at }
