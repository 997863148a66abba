import { Subject } from 'rxjs'
import type { FleetFact, FleetSight, LongTransaction } from '../../../live/fleet/index.ts'
import type { Occurrence } from '../../../pipeline/index.ts'

/** In place of a bot: it is of none, or of many. */
const OF_FLEET = 'fleet'
/** For what a bot stands still that is wrong; for others a person is at work. */
const WRONG: Readonly<Record<string, string>> = {
  rolledBack: 'has lost some of the journal it had answered for',
  altered: 'holds another journal than was written',
}

export interface HostAlertsOptions {
  readonly run: string
  readonly host: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Whether this host is to do what is done once for all; nobody is where the other one is given and was done by none. */
  readonly once: (chore: string, after?: string) => Promise<boolean>
  /** Whether commits hang since no standby says that it has them. */
  readonly waitsForStandby: () => Promise<boolean>
}

/** What the owner is told of the fleet itself, by one of its hosts: by the one that is the first to claim a bot of a host that was lost, and the one that is the first to see what all can see. */
export class HostAlerts {
  readonly occurrence$ = new Subject<Occurrence>()
  readonly #options: HostAlertsOptions
  #sight: FleetSight | undefined
  /** By run, whoever was silent when this host last saw it, and the beat of it. */
  readonly #silent = new Map<string, { readonly host: string; readonly beat: number }>()
  /** By run, as the newest look had it. */
  #beats: ReadonlyMap<string, number> = new Map()
  /** Bots that stand still, and the turn in which they do. */
  readonly #held = new Map<string, number>()
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
    this.#seeBack(sight)
    for (const { bot, epoch, held } of sight.bots) {
      if (WRONG[held ?? ''] !== undefined) {
        this.#held.set(bot, epoch)
        void this.#tellHeld(bot, epoch, held ?? '')
      } else if (held === null && this.#held.has(bot)) void this.#tellMended(bot)
    }
  }

  /** Every host sees it, whichever of them told of the loss: that one may be gone by now. A host is back once it makes beats, also as another run. */
  #seeBack({ hosts }: FleetSight): void {
    const beating = hosts.filter(({ run, beat }) => this.#beats.has(run) && this.#beats.get(run) !== beat)
    this.#beats = new Map(hosts.map(({ run, beat }) => [run, beat]))
    for (const { run, host, beat, isAlive } of hosts) if (!isAlive) this.#silent.set(run, { host, beat })
    for (const [run, { host, beat }] of this.#silent) {
      if (!beating.some((one) => one.run === run || one.host === host)) continue
      this.#silent.delete(run)
      void this.#tellBack(run, host, beat)
    }
  }

  /** Transactions of others that are open for long, as the host sees them that looks at the database for all. */
  seeTransactions(transactions: readonly LongTransaction[]): void {
    const open = new Map(transactions.map((one) => [`${one.pid}:${one.id}`, one]))
    for (const [name, { pid }] of this.#long)
      if (!open.has(name))
        this.#tell({ kind: 'over', severity: 'info', message: `the transaction of process ${pid} of the database has ended` })
    this.#long = new Map([...this.#long].filter(([name]) => open.has(name)))
    for (const [name, one] of open) void this.#tellLong(name, one)
  }

  close(): void {
    this.occurrence$.complete()
  }

  async #tellLost({ bot, from }: Extract<FleetFact, { type: 'takenOver' }>): Promise<void> {
    const { host: lost, beat } = this.#sight?.hosts.find(({ run }) => run === from) ?? {}
    if (lost === undefined || !(await this.#isFirstTo(`hostLost:${from}:${beat}`))) return
    const message = `host ${lost} has fallen silent: ${this.#options.host} plays ${bot} from now on, and the others take over the rest. See whether ${lost} runs, and reaches the database`
    this.#tell({ kind: 'hostLost', about: lost, severity: 'alarm', message })
  }

  async #tellBack(run: string, host: string, beat: number): Promise<void> {
    if (await this.#isFirstTo(`hostBack:${run}:${beat}`, `hostLost:${run}:${beat}`))
      this.#tell({ kind: 'hostBack', about: host, severity: 'info', message: `host ${host} is back` })
  }

  async #tellMended(bot: string): Promise<void> {
    const epoch = this.#held.get(bot)
    if (!this.#held.delete(bot) || !(await this.#isFirstTo(`mended:${bot}:${epoch}`, `held:${bot}:${epoch}`))) return
    this.#tell({ bot, kind: 'over', severity: 'info', message: 'its journal is mended: it may be played again' })
  }

  async #tellHeld(bot: string, epoch: number, held: string): Promise<void> {
    if (!(await this.#isFirstTo(`held:${bot}:${epoch}`))) return
    const message = `the database of the fleet ${WRONG[held]}: nobody plays ${bot} until cornerman fleet mend ${bot} was run, on the host with the longest copy`
    this.#tell({ bot, kind: 'rolledBack', severity: 'alarm', message })
  }

  /** The database knows it of all hosts; of what this one has asked before it need not be asked again. */
  async #isFirstTo(chore: string, after?: string): Promise<boolean> {
    if (this.#asked.has(chore)) return false
    this.#asked.add(chore)
    try {
      return await this.#options.once(chore, after)
    } catch {
      // A trouble rather twice than not at all; that it is over, where it is known that it was told of.
      return after === undefined
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
