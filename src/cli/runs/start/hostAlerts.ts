import { Subject } from 'rxjs'
import type { FleetFact, FleetSight, LongTransaction } from '../../../live/fleet/index.ts'
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
  /** Whether commits hang since no standby says that it has them. */
  readonly waitsForStandby: () => Promise<boolean>
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
  /** Counts the times in which commits are late. */
  #lateness = 0
  #hasToldLate = false
  /** Transactions of others that this host has told of. */
  #long: ReadonlyMap<string, LongTransaction> = new Map()

  constructor(options: HostAlertsOptions) {
    this.#options = options
  }

  take(fact: FleetFact): void {
    if (fact.type === 'takenOver') void this.#tellLost(fact)
    if (fact.type === 'waits') this.#noteWaiting(fact)
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

  /** Transactions of others that are open for long, as the host sees them that looks at the database for all. */
  seeTransactions(transactions: readonly LongTransaction[]): void {
    const open = new Map(transactions.map((one) => [`${one.pid}:${one.id}`, one]))
    for (const [name, { pid }] of this.#long)
      if (!open.has(name)) this.#tell({ kind: 'over', severity: 'info', message: `the transaction of process ${pid} of the database has ended` })
    this.#long = new Map([...this.#long].filter(([name]) => open.has(name)))
    for (const [name, one] of open) void this.#tellLong(name, one)
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

  async #tellLong(name: string, one: LongTransaction): Promise<void> {
    if (!(await this.#isFirstTo(`longTransaction:${name}`))) return
    const { pid, role, application, openMs } = one
    this.#long = new Map(this.#long).set(name, one)
    const whose = application === '' ? role : `${role} (${application})`
    const message = `process ${pid} of the database of the fleet, of ${whose}, has had a transaction open for ${Math.floor(openMs / 60_000)} minutes: dead rows pile up, and commits grow slower. Have it end`
    this.#tell({ kind: 'fleetLongTransaction', severity: 'warn', message })
  }

  #noteWaiting({ bot, waits }: Extract<FleetFact, { type: 'waits' }>): void {
    const before = this.#waiting.size
    if (waits) this.#waiting.add(bot)
    else this.#waiting.delete(bot)
    if (before === 0 && this.#waiting.size > 0) void this.#tellLate(++this.#lateness)
    if (before > 0 && this.#waiting.size === 0) this.#tellInTime()
  }

  /** Told by each host of itself: while nothing is committed they cannot agree on one. */
  async #tellLate(lateness: number): Promise<void> {
    const { host, waitsForStandby } = this.#options
    const hasNoStandby = await waitsForStandby()
    if (this.#waiting.size === 0 || lateness !== this.#lateness) return
    this.#hasToldLate = true
    const kind = hasNoStandby ? 'fleetNoStandby' : 'fleetLate'
    const why = hasNoStandby
      ? 'no standby of the database of the fleet says that it has them. Nothing is sent, and nothing is entered, until one does: see that it runs, and follows the primary'
      : 'the database of the fleet does not answer in time. Nothing is sent, and nothing is entered, until it does'
    this.#tell({ kind, about: host, severity: 'alarm', message: `commits of ${host} are late: ${why}` })
  }

  #tellInTime(): void {
    const { host } = this.#options
    if (this.#hasToldLate) this.#tell({ kind: 'over', about: host, severity: 'info', message: `commits of ${host} are in time again` })
    this.#hasToldLate = false
  }

  #tell(told: Omit<Occurrence, 'at' | 'bot'> & { readonly bot?: string }): void {
    this.occurrence$.next({ bot: OF_FLEET, ...told, at: this.#options.now() })
  }
}
