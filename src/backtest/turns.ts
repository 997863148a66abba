import { createHook } from 'node:async_hooks'

/**
 * Turns of the event loop, for what strategies await. A turn takes longer than a price that nobody acts on, so one is owed only where
 * something was promised, settled or put off to a microtask since the last one.
 */
export class Turns {
  #isOwed = true
  readonly #turn: Promise<void>
  readonly #hook: ReturnType<typeof createHook>

  constructor() {
    // Awaiting a turn is a promise itself, made as the wait begins and settled as the next one does: those two are nobody's.
    let turnId = 0
    let newest = 0
    let waiting = 0
    let waited = 0
    this.#hook = createHook({
      init: (asyncId, _type, triggerId) => {
        newest = asyncId
        if (triggerId === turnId) {
          waited = waiting
          waiting = asyncId
        } else this.#isOwed = true
      },
      promiseResolve: (asyncId) => {
        if (asyncId !== waiting && asyncId !== waited) this.#isOwed = true
      },
    })
    this.#hook.enable()
    this.#turn = Promise.resolve()
    turnId = newest
  }

  /** Whether anything may wait for a turn. */
  get isOwed(): boolean {
    return this.#isOwed
  }

  /** To be awaited at once: it has resolved already, and whatever waits for a turn has it first. */
  next(): Promise<void> {
    this.#isOwed = false
    return this.#turn
  }

  stop(): void {
    this.#hook.disable()
  }
}
