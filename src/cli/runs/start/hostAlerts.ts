import { Subject } from 'rxjs'
import type { FleetFact, FleetSight } from '../../../live/fleet/index.ts'
import type { Occurrence } from '../../../pipeline/index.ts'

/** In place of a bot: it is of none, or of many. */
const OF_FLEET = 'fleet'

export interface HostAlertsOptions {
  readonly run: string
  readonly host: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Whether this host is to do what is done once for all. */
  readonly once: (chore: string) => Promise<boolean>
}

/** What the owner is told of the fleet itself, by one of its hosts: by the one that is the first to claim a bot of a host that was lost, and the one that is the first to see that a bot is held. */
export class HostAlerts {
  readonly occurrence$ = new Subject<Occurrence>()
  readonly #options: HostAlertsOptions
  #sight: FleetSight | undefined
  /** Hosts that this one has told the loss of, by run. */
  readonly #lost = new Map<string, string>()
  /** Bots that stand still, of which this host has told. */
  readonly #held = new Set<string>()
  readonly #asked = new Set<string>()
  /** Bots whose commits are late. */
  readonly #waiting = new Set<string>()

  constructor(options: HostAlertsOptions) {
    this.#options = options
  }

  take(fact: FleetFact): void {
    if (fact.type === 'takenOver') void this.#tellLost(fact)
    if (fact.type === 'waits') this.#tellLate(fact)
  }

  see(sight: FleetSight): void {
    this.#sight = sight
    for (const [run, host] of this.#lost) {
      if (!sight.hosts.some((one) => one.isAlive && (one.run === run || one.host === host))) continue
      this.#lost.delete(run)
      this.#tell({ kind: 'hostBack', about: host, severity: 'info', message: `host ${host} is back` })
    }
    for (const { bot, epoch, held } of sight.bots)
      if (held !== null) void this.#tellHeld(bot, epoch, held)
      else if (this.#held.delete(bot))
        this.#tell({ bot, kind: 'over', severity: 'info', message: 'its journal is mended: it may be played again' })
  }

  close(): void {
    this.occurrence$.complete()
  }

  async #tellLost({ bot, from }: Extract<FleetFact, { type: 'takenOver' }>): Promise<void> {
    const lost = this.#sight?.hosts.find(({ run }) => run === from)?.host
    if (lost === undefined || !(await this.#isFirstTo(`hostLost:${from}`))) return
    this.#lost.set(from, lost)
    const message = `host ${lost} has fallen silent: ${this.#options.host} plays ${bot} from now on, and the others take over the rest. See whether ${lost} runs, and reaches the database`
    this.#tell({ kind: 'hostLost', about: lost, severity: 'alarm', message })
  }

  async #tellHeld(bot: string, epoch: number, held: string): Promise<void> {
    if (!(await this.#isFirstTo(`held:${bot}:${epoch}`))) return
    this.#held.add(bot)
    const what = held === 'rolledBack' ? 'has lost some of the journal it had answered for' : 'holds another journal than was written'
    const message = `the database of the fleet ${what}: nobody plays ${bot} until cornerman fleet mend ${bot} was run, on the host with the longest copy`
    this.#tell({ bot, kind: 'rolledBack', severity: 'alarm', message })
  }

  /** The database knows it of all hosts; of what this one has asked before it need not be asked again. */
  async #isFirstTo(chore: string): Promise<boolean> {
    if (this.#asked.has(chore)) return false
    this.#asked.add(chore)
    try {
      return await this.#options.once(chore)
    } catch {
      // Rather twice than not at all.
      return true
    }
  }

  #tellLate({ bot, waits }: Extract<FleetFact, { type: 'waits' }>): void {
    const before = this.#waiting.size
    if (waits) this.#waiting.add(bot)
    else this.#waiting.delete(bot)
    const { host } = this.#options
    const about = { kind: 'fleetLate', about: host } as const
    if (before === 0 && this.#waiting.size > 0)
      this.#tell({
        ...{ ...about, severity: 'alarm' },
        message: `commits of ${host} are late: the database of the fleet, or its standby, does not answer in time. Nothing is sent, and nothing is entered, until it does`,
      })
    if (before > 0 && this.#waiting.size === 0)
      this.#tell({ kind: 'over', about: host, severity: 'info', message: `commits of ${host} are in time again` })
  }

  #tell(told: Omit<Occurrence, 'at' | 'bot'> & { readonly bot?: string }): void {
    this.occurrence$.next({ bot: OF_FLEET, ...told, at: this.#options.now() })
  }
}
