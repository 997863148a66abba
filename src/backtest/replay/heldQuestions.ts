import { CornermanError, unreachable } from '../../core/error.ts'
import type { InputOf, Isolation, PendingCall } from '../../pipeline/index.ts'
import type { Strategy } from '../../strategy/define.ts'
import { playedBack } from './playedBack.ts'

/**
 * Isolated strategies, as a replay runs them. A question is put only when its recorded answer comes up, with all that was known
 * when it was asked: one that was never answered may be an endless loop. What isolated observables have emitted is played
 * back, and so are all answers of a strategy once its worker was lost: what it had in mind by then went with it.
 */
export class HeldQuestions implements Isolation {
  readonly #puts = new WeakMap<Promise<unknown>, () => void>()
  readonly #byCall = new Map<string, () => void>()
  /** Strategies of which the recording is all that is known. */
  readonly #lost = new Set<string>()

  standInFor(strategy: Strategy): Strategy {
    switch (strategy.kind) {
      case 'queue':
        return { ...strategy, decide: (context) => this.#hold(() => strategy.decide(context)) }
      case 'draft':
        return { ...strategy, pick: (context) => this.#hold(() => strategy.pick(context)) }
      case 'predict':
        return { ...strategy, predict: (context) => this.#hold(() => strategy.predict(context)) }
      case 'trade':
      case 'custom':
        return playedBack({ ...strategy, external: true })
      default:
        return unreachable(strategy)
    }
  }

  /** Learns which call a question that is held belongs to. */
  asked(calls: readonly PendingCall[]): void {
    for (const { callId, answer } of calls) {
      const put = this.#puts.get(answer)
      if (put !== undefined) this.#byCall.set(callId, put)
    }
  }

  /**
   * Puts the question that this is the recorded answer to.
   *
   * @returns whether its answer is to be awaited; otherwise the recorded one is all there is
   */
  put(strategy: string, { callId, result }: InputOf<'late'>): boolean {
    const put = this.#byCall.get(callId)
    this.#byCall.delete(callId)
    if (!result.ok && isOfWorker(result.thrown)) this.#lost.add(strategy)
    if (put === undefined || !result.ok || this.#lost.has(strategy)) return false
    put()
    return true
  }

  #hold<T>(ask: () => T | Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>()
    this.#puts.set(promise, () => resolve(new Promise((answer) => answer(ask()))))
    return promise
  }
}

/** An error loses its code in a recording. One of ours that a strategy threw is taken for its worker's: no harm is in it. */
const isOfWorker = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === CornermanError.name
