import type { Clock } from '../core/clock.ts'
import type { Input, InputBody, InputOf } from './input.ts'

/**
 * Gives every input its number and its time, and lets the next one in only when all that this one leads to has been
 * done, even where that feeds back at once.
 */
export class Sequencer {
  readonly #clock: Clock
  readonly #take: Takers
  readonly #waiting: InputBody[] = []
  #n: number
  #lastAt = 0
  #isBusy = false
  #isClosed = false

  /** @param lastInput the number of the last input of an earlier run: this one counts on */
  constructor(clock: Clock, lastInput: number, take: Takers) {
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
      this.#placeWaiting()
    } finally {
      this.#isBusy = false
    }
  }

  /** A tick of the prices: by far the commonest input, it has a way of its own. */
  readonly enterTick = (tick: number): void => {
    if (this.#isBusy) {
      this.#waiting.push({ type: 'prices', tick })
      return
    }
    this.#isBusy = true
    try {
      this.#placeTick(tick)
      if (this.#waiting.length > 0) this.#placeWaiting()
    } finally {
      this.#isBusy = false
    }
  }

  #placeWaiting(): void {
    while (this.#waiting.length > 0) {
      for (const next of this.#waiting.splice(0)) {
        if (next.type === 'prices') this.#placeTick(next.tick)
        else this.#place(next)
      }
    }
  }

  #place(body: InputBody): void {
    if (this.#isClosed) return
    const at = this.#time()
    this.#take.input(placed(body, ++this.#n, at))
  }

  #placeTick(tick: number): void {
    if (this.#isClosed) return
    const at = this.#time()
    this.#take.tick({ type: 'prices', tick, n: ++this.#n, at })
  }

  /** A wall clock can step back; a bot's own time does not. */
  #time(): number {
    const now = this.#clock.now()
    if (now > this.#lastAt) this.#lastAt = now
    return this.#lastAt
  }

  /** Lets nothing more in, what waits included. */
  close(): void {
    this.#isClosed = true
  }
}

/** Who is handed the inputs, each once the one before is done with. */
export interface Takers {
  input(input: Input): void
  tick(input: InputOf<'prices'>): void
}

/** What a swap consists of is put together by name: a copy of just anything takes several times as long. */
function placed(body: InputBody, n: number, at: number): Input {
  if (body.type === 'quoted') return { type: 'quoted', key: body.key, result: body.result, n, at }
  if (body.type === 'landing') return { type: 'landing', key: body.key, result: body.result, n, at }
  return { ...body, n, at }
}
