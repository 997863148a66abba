import { Subject } from 'rxjs'

/** A server of the fleet's database, as it says of itself. */
export interface ServerIdentity {
  /** Of its cluster: all servers that follow one another have the same. Undefined where it does not tell. */
  readonly system: string | undefined
  /** Counts promotions. Undefined where it does not tell. */
  readonly timeline: number | undefined
}

/** What this process knows of the servers of one URL. */
export class FleetServers {
  static readonly #known = new Map<string, FleetServers>()
  /** Told once of each server that is left alone, in words. */
  readonly trouble$ = new Subject<string>()
  readonly #told = new Set<string>()
  #system: string | undefined
  #timeline: number | undefined

  static of(url: string): FleetServers {
    const known = FleetServers.#known.get(url) ?? new FleetServers()
    FleetServers.#known.set(url, known)
    return known
  }

  /** Whether it is known which of several servers is the newest primary. */
  get knowsTimeline(): boolean {
    return this.#timeline !== undefined
  }

  /** From now on servers of another cluster are left alone. */
  expect(system: string): void {
    this.#system = system
  }

  /**
   * Why a server that takes writes is left alone; undefined where it is not. One that was promoted later is the primary: the one before it,
   * which came back, would answer no commit, or one that nobody else has.
   */
  refusalOf({ system, timeline }: ServerIdentity, name: string): string | undefined {
    const refusal = this.#refusalOf({ system, timeline })
    if (refusal === undefined) {
      if (timeline !== undefined) this.#timeline = Math.max(this.#timeline ?? 0, timeline)
      return undefined
    }
    if (!this.#told.has(name)) {
      this.#told.add(name)
      this.trouble$.next(`${name} is left alone: ${refusal}`)
    }
    return refusal
  }

  #refusalOf({ system, timeline }: ServerIdentity): string | undefined {
    if (system !== undefined && this.#system !== undefined && system !== this.#system)
      return `it is of another cluster (${system}) than the fleet's (${this.#system})`
    if (timeline !== undefined && this.#timeline !== undefined && timeline < this.#timeline)
      return `it is a primary of before (timeline ${timeline}, and another one is at ${this.#timeline}): end it, and let it follow the new one`
    return undefined
  }
}
