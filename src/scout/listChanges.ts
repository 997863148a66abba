import type { Contest } from '../contract/records.ts'

/** Of each list that is read again and again, what has changed: the rest is recorded by its id and status alone, to say that it is still there. */
export class ListChanges {
  #known = new Map<string, string>()
  #next = new Map<string, string>()

  /** A list is read from its beginning. */
  begin(): void {
    this.#known = this.#next
    this.#next = new Map()
  }

  of(contests: readonly Contest[]): Contest[] {
    return contests.map((contest) => {
      const { contestId = '', status } = contest
      const text = JSON.stringify(contest, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
      const isKnown = this.#known.get(contestId) === text
      this.#next.set(contestId, text)
      return isKnown ? { contestId, ...(status === undefined ? {} : { status }) } : contest
    })
  }
}
