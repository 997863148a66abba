import { CornermanError, messageOf } from '../../core/error.ts'
import type { Note } from '../protocol/note.ts'

/** Faults of one strategy in one contest before it is left alone there. */
const MAX_FAULTS = 3
/** How long a strategy that is not about one contest is left alone. */
const SUSPENSION_MS = 60_000

interface FaultCount {
  faults: number
  suspendedUntil: number
}

/** A strategy that is left alone. */
export interface Suspension {
  readonly strategy: string
  /** The contest it is left alone in, for good; undefined: everywhere, for a minute. */
  readonly contestId: string | undefined
}

/**
 * Keeps count of strategies that throw, reject or return nonsense. A strategy that keeps doing so is
 * left alone: for good in the contest it failed in, for a minute where there is none. Everything else goes on.
 */
export class Containment {
  readonly #records = new Map<string, FaultCount>()

  isSuspended(strategy: string, contestId: string | undefined, now: number): boolean {
    // The usual case, asked for on every price: nobody has failed yet.
    if (this.#records.size === 0) return false
    const record = this.#records.get(keyOf(strategy, contestId))
    return record !== undefined && now < record.suspendedUntil
  }

  /** Of a strategy that is left alone everywhere: until when. */
  suspendedUntil(strategy: string, now: number): number | undefined {
    const until = this.#records.get(keyOf(strategy, undefined))?.suspendedUntil
    return until !== undefined && now < until ? until : undefined
  }

  suspended(now: number): readonly Suspension[] {
    return [...this.#records]
      .filter(([, { suspendedUntil }]) => now < suspendedUntil)
      .map(([key]) => {
        const [strategy = '', contestId = ''] = key.split('\n')
        return { strategy, contestId: contestId === '' ? undefined : contestId }
      })
  }

  /**
   * Counts a fault and says what to log of it.
   *
   * @param options.isLast it is left alone at once, and not only after several
   */
  fault(
    strategy: string,
    contestId: string | undefined,
    thrown: unknown,
    at: { n: number; now: number },
    { isLast = false }: { readonly isLast?: boolean } = {},
  ): Note {
    const key = keyOf(strategy, contestId)
    const record = this.#records.get(key) ?? { faults: 0, suspendedUntil: 0 }
    this.#records.set(key, record)
    record.faults += 1
    const suspended = isLast || record.faults % MAX_FAULTS === 0
    if (suspended) record.suspendedUntil = contestId === undefined ? at.now + SUSPENSION_MS : Number.POSITIVE_INFINITY
    const end = !suspended ? '' : contestId === undefined ? '; it is left alone for a minute' : '; it is left alone in this contest'
    return {
      level: 'error',
      message: `strategy ${strategy} failed: ${messageOf(thrown)}${end}`,
      fields: {
        strategy,
        input: at.n,
        faults: record.faults,
        ...(contestId === undefined ? {} : { contestId }),
        ...(thrown instanceof CornermanError ? { code: thrown.code } : {}),
        ...(thrown instanceof Error && !(thrown instanceof CornermanError) ? { stack: thrown.stack } : {}),
      },
    }
  }

  /** Forgets a contest that is over. */
  forget(contestId: string): void {
    for (const key of this.#records.keys()) if (key.endsWith(`\n${contestId}`)) this.#records.delete(key)
  }
}

const keyOf = (strategy: string, contestId: string | undefined) => `${strategy}\n${contestId ?? ''}`
