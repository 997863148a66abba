import { Observable } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import type { Input, InputBody } from '../protocol/input.ts'
import { Listener } from './listener.ts'

/** Whatever can happen to a bot. */
export interface Sources {
  /** What the bot's own doings lead to, perhaps at once. */
  readonly fedBack$: Observable<InputBody>
  readonly command$: Observable<InputBody>
  /** Ticks of the prices: by far the commonest input, they have a door of their own. */
  readonly price$: Observable<number>
  readonly event$: Observable<InputBody>
  /** What siblings have entered already is heard at once: after what the journal holds. */
  readonly sibling$: Observable<InputBody>
}

/**
 * One input after the other: each with its number and its time, and none before all that the one before it leads to is done, even where
 * that feeds back at once. The sources are subscribed to in the order above.
 *
 * @param lastInput the number of the last input of an earlier run: this one counts on
 */
export const inSequence = (clock: Clock, lastInput: number, { price$, ...others }: Sources): Observable<Input> =>
  new Observable((subscriber) => {
    const sequencer = new Sequencer(clock, lastInput, (input) => subscriber.next(input))
    subscriber.add(() => sequencer.close())
    const listenTo = <T>(source$: Observable<T>, enter: (value: T) => void) => {
      if (!subscriber.closed) source$.subscribe(new Listener(subscriber, enter))
    }
    listenTo(others.fedBack$, sequencer.enter)
    listenTo(others.command$, sequencer.enter)
    listenTo(price$, sequencer.enterTick)
    listenTo(others.event$, sequencer.enter)
    listenTo(others.sibling$, sequencer.enter)
  })

/** The queue of `inSequence`. */
export class Sequencer {
  readonly #clock: Clock
  readonly #take: (input: Input) => void
  readonly #waiting: InputBody[] = []
  #n: number
  #lastAt = 0
  #isBusy = false
  #isClosed = false

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
    this.#take(placed(body, ++this.#n, at))
  }

  #placeTick(tick: number): void {
    if (this.#isClosed) return
    const at = this.#time()
    this.#take({ type: 'prices', tick, n: ++this.#n, at })
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

/** What a swap consists of is put together by name: a copy of just anything takes several times as long. */
function placed(body: InputBody, n: number, at: number): Input {
  if (body.type === 'quoted') return { type: 'quoted', key: body.key, result: body.result, n, at }
  if (body.type === 'landing') return { type: 'landing', key: body.key, result: body.result, n, at }
  return { ...body, n, at }
}
