import { Subject } from 'rxjs'
import { messageOf } from '../../../core/error.ts'
import { type HostState, type OtherHosts, readShown, type SeenElsewhere, type ShownBots, shownBytes } from '../../../dashboard/index.ts'
import {
  DatabaseWatch,
  FleetChores,
  FleetConnection,
  type FleetFact,
  FleetFrames,
  type FleetJournal,
  type FleetSight,
  firstHostOf,
  RecordSeal,
  type SeenFrame,
  setOf,
} from '../../../live/fleet/index.ts'
import type { Logger } from '../../log.ts'
import { HostAlerts } from './hostAlerts.ts'
import { HostTroubles } from './hostTroubles.ts'

/** One host of a fleet looks at the database so often, in milliseconds. */
const LOOK_EVERY_MS = 60_000
/** What is older is no word to go by. */
const SILENT_MS = 3000

export interface HostViewOptions {
  readonly settings: {
    readonly url: string
    readonly fleet: string
    readonly keys: readonly Uint8Array[]
    readonly run: string
    readonly host: string
  }
  /** Of this host's config. */
  readonly bots: readonly string[]
  readonly isFresh: () => boolean
  readonly log: Logger
}

/** What is asked of this host's own desk, once that is open. */
export interface OwnDesk {
  shown(): ShownBots['bots']
  /** Unix milliseconds, as the desk has them. */
  now(): number
  /** Undefined where there is no dashboard. */
  readonly page: string | undefined
}

/** What one host of a fleet sees of all of it: for its page, its metrics and its alerts. Nothing that plays waits for it. */
export class HostView implements OtherHosts {
  readonly fact$ = new Subject<FleetFact>()
  readonly alerts: HostAlerts
  readonly troubles: HostTroubles
  readonly #options: HostViewOptions
  readonly #frames: FleetFrames
  readonly #connection: FleetConnection
  readonly #chores: FleetChores
  readonly #database: DatabaseWatch
  #lookedAt = Number.NEGATIVE_INFINITY
  readonly #journals = new Map<string, FleetJournal>()
  readonly #read = new WeakMap<SeenFrame, ShownBots | undefined>()
  /** By the monotonic clock. */
  #unheldSince: ReadonlyMap<string, number> = new Map()
  #sight: FleetSight | undefined
  #desk: OwnDesk | undefined

  constructor(options: HostViewOptions) {
    this.#options = options
    const { settings, log } = options
    this.#connection = new FleetConnection(settings)
    this.#chores = new FleetChores(this.#connection, settings.run)
    this.#database = new DatabaseWatch(settings)
    this.alerts = new HostAlerts({
      ...{ run: settings.run, host: settings.host, now: () => this.#desk?.now() ?? Date.now() },
      once: (chore, after) => this.#chores.once(chore, after),
      waitsForStandby: () => this.#database.waitsForStandby(),
    })
    this.troubles = new HostTroubles({ host: settings.host, log, now: () => this.#desk?.now() ?? Date.now() })
    this.#frames = new FleetFrames({
      ...{ url: settings.url, run: settings.run },
      // Of no bot: a bot has a name.
      seal: new RecordSeal({ keys: settings.keys, fleet: settings.fleet, bot: '' }),
      show: (most) => this.#show(most),
      page: () => this.#desk?.page,
      onTrouble: (thrown) =>
        log.warn(`what other hosts show of their bots cannot be read (${messageOf(thrown)}): the page does without it`),
    })
    this.fact$.subscribe((fact) => this.alerts.take(fact))
    void this.#frames.run()
  }

  /** From now on the others are shown what this host plays. */
  show(desk: OwnDesk): void {
    this.#desk = desk
  }

  see(sight: FleetSight): void {
    this.#sight = sight
    const now = performance.now()
    const unheld = this.#unheld(sight)
    this.#unheldSince = new Map(unheld.map(({ bot }) => [bot, this.#unheldSince.get(bot) ?? now]))
    this.alerts.see(sight)
    if (!this.isFirst) this.#database.forget()
    else if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now
      void this.#look()
    }
  }

  /** What nobody can see is said by no one. */
  async #look(): Promise<void> {
    const open = await this.#database.longTransactions().catch(() => undefined)
    if (open !== undefined) this.alerts.seeTransactions(open)
  }

  playing(bot: string, journal: FleetJournal): void {
    this.#journals.set(bot, journal)
  }

  gone(bot: string): void {
    this.#journals.delete(bot)
    this.alerts.take({ type: 'waits', bot, waits: false })
  }

  get bots(): readonly string[] {
    const sight = this.#sight
    return sight === undefined
      ? []
      : sight.bots
          .filter((row) => this.#concerns(sight, row))
          .map(({ bot }) => bot)
          .toSorted()
  }

  /** Whether this host does what only one of a fleet does. */
  get isFirst(): boolean {
    return this.#sight !== undefined && this.#options.isFresh() && firstHostOf(this.#sight) === this.#options.settings.run
  }

  /** Whether this host is to do what one of a fleet does, once. Waits while the database is away. */
  once(chore: string): Promise<boolean> {
    return this.#chores.once(chore)
  }

  state(): HostState {
    const isFresh = this.#options.isFresh()
    const queueBytes = [...this.#journals.values()].reduce((sum, { queuedBytes }) => sum + queuedBytes, 0)
    const sight = this.#sight
    const { problems } = this.troubles
    if (!isFresh || sight === undefined) return { isFresh, queueBytes, seen: undefined, problems }
    const seen = {
      hosts: sight.hosts.filter(({ isAlive }) => isAlive).length,
      unheld: this.#unheld(sight).length,
      rolledBack: sight.bots.filter(({ held }) => held !== null).length,
    }
    return { isFresh, queueBytes, seen, problems }
  }

  of(bot: string): SeenElsewhere | undefined {
    const sight = this.#sight
    const row = sight?.bots.find((one) => one.bot === bot)
    if (sight === undefined || row === undefined) return undefined
    const now = performance.now()
    const wall = (ms: number) => Math.round((this.#desk?.now() ?? Date.now()) - (now - ms))
    const holder = holderOf(sight, row)
    const frame = row.run === null ? undefined : this.#frames.of(row.run)
    const { page, bots = [] } = this.#shownIn(frame) ?? {}
    const shown = bots.find((one) => one.row.name === bot)
    const heardAt = frame === undefined ? undefined : wall(frame.heardAtMs)
    const unheldSince = this.#unheldSince.get(bot)
    if (holder === undefined) {
      const elsewhere = { host: undefined, page: undefined, heardAt, isSilent: true, note: unheldNote(sight, row) }
      return { elsewhere, shown, unheldSince: unheldSince === undefined ? undefined : wall(unheldSince) }
    }
    const isSilent = frame === undefined || now - frame.heardAtMs > SILENT_MS
    const note =
      holder.run === this.#options.settings.run
        ? 'it begins here'
        : shown === undefined
          ? `${holder.host} has shown nothing of it so far`
          : undefined
    return { elsewhere: { host: holder.host, page: webPage(page), heardAt, isSilent, note }, shown, unheldSince: undefined }
  }

  close(): void {
    this.#frames.close()
    this.#chores.close()
    this.#connection.close()
    this.alerts.close()
    this.troubles.close()
  }

  #unheld(sight: FleetSight): readonly SeenBot[] {
    return sight.bots.filter((row) => this.#concerns(sight, row) && holderOf(sight, row) === undefined)
  }

  /** One that stands in the config of no host any more was taken out. */
  #concerns({ hosts }: FleetSight, { bot, run }: SeenBot): boolean {
    return setOf(this.#options.bots).has(bot) || hosts.some((host) => host.isAlive && (host.run === run || setOf(host.agents).has(bot)))
  }

  #show(most: number): Uint8Array | undefined {
    const desk = this.#desk
    return desk === undefined ? undefined : shownBytes({ page: desk.page, bots: desk.shown() }, most)
  }

  #shownIn(frame: SeenFrame | undefined): ShownBots | undefined {
    if (frame === undefined) return undefined
    if (!this.#read.has(frame)) this.#read.set(frame, readShown(frame.bytes))
    return this.#read.get(frame)
  }
}

type SeenBot = FleetSight['bots'][number]

/** The host that plays it; undefined where none does. */
function holderOf({ hosts }: FleetSight, { run, held }: SeenBot): FleetSight['hosts'][number] | undefined {
  return held === null ? hosts.find((host) => host.run === run && host.isAlive) : undefined
}

function unheldNote({ hosts }: FleetSight, { bot, run, held, movedTo }: SeenBot): string {
  if (held !== null) return `nobody plays it: ${HELD[held] ?? held}. cornerman fleet mend ${bot} lets it play again`
  const last = hosts.find((host) => host.run === run)?.host
  if (run !== null) return `nobody plays it: ${last ?? 'its host'} has fallen silent, and another host is to take it over`
  if (movedTo !== null) return `nobody plays it: ${movedTo} is to take it over`
  return `nobody plays it: of the hosts that live none has its key and the version that is to play`
}

const HELD: Readonly<Record<string, string>> = {
  rolledBack: 'the database has lost some of its journal',
  altered: 'its journal in the database was changed by somebody',
}

/** An address that a browser may follow. */
function webPage(page: string | undefined): string | undefined {
  if (page === undefined || !URL.canParse(page)) return undefined
  return ['http:', 'https:'].includes(new URL(page).protocol) ? page : undefined
}
