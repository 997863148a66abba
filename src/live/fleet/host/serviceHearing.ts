/** Without an answer of the service for so long, a host lets its bots go to one that has answers, in milliseconds. */
export const UNHEARD_MS = 30_000
/** An answer says for so long that the host hears the service: bots ask every few seconds. */
const HEARD_MS = 20_000
/** From then on hosts that ask nothing of the service find out whether it answers them. Less than an answer counts. */
const ASK_EVERY_MS = 15_000

/** A request has left, or the service has answered one. */
export type ServiceTraffic = 'asked' | 'answered'

export interface ServiceHearingOptions {
  /** Of the fleet: those whose keys this host has. */
  readonly bots: readonly string[]
  /** Asks the service who the agent of a bot is; what comes of it is noted. Never rejects. */
  readonly ask: (bot: string) => Promise<void>
  /** Monotonic milliseconds. Default: those of the process. */
  readonly now?: () => number
}

/** A host, as a beat has shown it. */
interface Hearer {
  readonly isAlive: boolean
  readonly unheard: number | null
}

/** Whether the service answers this host, whichever of its bots asks. */
export class ServiceHearing {
  readonly #options: ServiceHearingOptions
  readonly #now: () => number
  #answeredAt = Number.NEGATIVE_INFINITY
  #unansweredSince: number | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(options: ServiceHearingOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  note(traffic: ServiceTraffic): void {
    if (traffic === 'asked') this.#unansweredSince ??= this.#now()
    else {
      this.#answeredAt = this.#now()
      this.#unansweredSince = undefined
    }
  }

  /** How long it has asked in vain, in milliseconds; 0 where it had an answer lately, undefined where it has not asked. */
  get unheardMs(): number | undefined {
    const now = this.#now()
    if (now - this.#answeredAt < HEARD_MS) return 0
    return this.#unansweredSince === undefined ? undefined : Math.round(now - this.#unansweredSince)
  }

  /**
   * What a beat has shown. A host that plays nothing asks nothing of the service: while any host asks in vain, it finds out whether it would be answered.
   *
   * @param plays whether a bot is played here, and asks by itself
   */
  see({ hosts }: { readonly hosts: readonly Hearer[] }, plays: boolean): void {
    const { bots, ask } = this.#options
    const bot = bots[Math.floor(Math.random() * bots.length)]
    const isWanted = hosts.some(({ isAlive, unheard }) => isAlive && unheard !== null && unheard > 0)
    if (plays || bot === undefined || !isWanted || this.#now() - this.#askedAt < ASK_EVERY_MS) return
    this.#askedAt = this.#now()
    void ask(bot)
  }
}
