import { createHook } from 'node:async_hooks'

/**
 * Turns of the event loop, for what strategies await. A turn takes longer than a price that nobody acts on, so none is owed before anything
 * was promised, settled or put off to a microtask; from then on one is owed between any two prices. What waits for a turn cannot be told
 * more closely: a promise that is resolved with another one says so to nobody.
 */
export class Turns {
  #areOwed = false
  readonly #hook: ReturnType<typeof createHook>

  /** Watches from now on: whoever makes it should have awaited something before, or the wait of its own caller counts. */
  constructor() {
    const owe = () => {
      this.#areOwed = true
      this.#hook.disable()
    }
    this.#hook = createHook({ init: owe, promiseResolve: owe })
    this.#hook.enable()
  }

  get areOwed(): boolean {
    return this.#areOwed
  }

  stop(): void {
    this.#hook.disable()
  }
}
