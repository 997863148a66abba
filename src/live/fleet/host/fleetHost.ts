import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { expectKnownTables } from '../database/botTables.ts'
import { FleetConnection, mayPass } from '../database/fleetConnection.ts'
import type { DurabilitySettings } from '../database/fleetFitness.ts'
import type { FleetFact } from '../journal/fleetFact.ts'
import type { SeenOrder } from '../together/fleetOrders.ts'
import type { SeenEntry } from '../together/fleetSiblings.ts'
import type { ControlOrder } from '../together/orderSigner.ts'
import { BeatMemory } from './beatMemory.ts'
import { BEAT, type BeatRow, type BotRow, type HostRow } from './beatStatement.ts'
import { addBots, type ClaimedBot, claimBot, releaseBot } from './botClaims.ts'
import { BEAT_MS, ClaimWatch, type Sight, type WantedClaim } from './claimWatch.ts'
import { UNHEARD_MS } from './serviceHearing.ts'

const REGISTER = `
  WITH old AS (DELETE FROM cornerman_fleet.hosts WHERE run <> $1 AND seen < clock_timestamp() - interval '1 day'
         AND NOT EXISTS (SELECT FROM cornerman_fleet.bots b WHERE b.run = hosts.run))
  INSERT INTO cornerman_fleet.hosts (run, host, version, agents, page) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run) DO NOTHING`

const STATE_VERSION = 'INSERT INTO cornerman_fleet.wanted VALUES (1, 1, $1, $2) ON CONFLICT DO NOTHING'
const NAMESAKES = 'SELECT run, beat::text FROM cornerman_fleet.hosts WHERE host = $1'

/** Without a beat for longer, a host enters nothing. */
const FRESH_MS = 3000
/** How soon it notices that a beat was made. */
const LOOK_MS = 50
/** A host that ends waits so long at most for what it is to take before. */
const TAKES_WITHIN_MS = 6000
/** Of two that live the other one has made beats by then. */
const NAME_MS = 1200

/** What one beat of a host has shown: of a primary that can commit. */
export interface FleetSight {
  /** When the beat was begun, by the monotonic clock. */
  readonly beganMs: number
  readonly hosts: readonly (HostRow & { readonly isAlive: boolean })[]
  readonly bots: readonly BotRow[]
  readonly entries: readonly SeenEntry[]
  /** By bot: how often a webhook has come for it. */
  readonly wakes: ReadonlyMap<string, number>
  /** What was ordered of bots that this host plays, the oldest first. */
  readonly orders: readonly SeenOrder[]
  /** The newest order to all hosts, as the database shows it: whoever obeys it sees who signed it. */
  readonly control: ControlOrder | undefined
  /** The version that is to play. */
  readonly wanted: string | undefined
  readonly durability: DurabilitySettings
}

export interface FleetHostOptions {
  readonly url: string
  /** The id of this process's run, a UUID of its own. */
  readonly run: string
  readonly host: string
  /** Hosts of another version play none of the same bots. */
  readonly version: string
  /** The bots whose keys this host has. */
  readonly bots: readonly string[]
  readonly silenceMs: number
  /** A bot is this host's from now on. */
  readonly onClaimed: (claimed: ClaimedBot) => void
  /** A bot is another host's. */
  readonly onLost: (bot: string) => void
  readonly onSight?: (sight: FleetSight) => void
  /** A beat was not answered. */
  readonly onBeatFailed?: (thrown: unknown) => void
  readonly onFact?: (fact: FleetFact) => void
  /** The number of the operator's word that it obeys. */
  readonly obeys?: () => number
  /** How long it has asked the service in vain, as `ServiceHearing` has it. */
  readonly unheardMs?: () => number | undefined
  /** The address of its page, for the other hosts. */
  readonly page?: string | undefined
}

/** Those of a version that is not wanted, and those that give all away, could play nothing. */
const sightOf = (hosts: readonly HostRow[], bots: readonly BotRow[], wanted: string | null): Sight => ({
  hosts: hosts.map((one) => ({
    ...one,
    bots: one.version === wanted && !one.draining ? setOf(one.agents) : NOBODY,
    isDeaf: one.unheard !== null && one.unheard >= UNHEARD_MS,
  })),
  bots: bots.map(({ bot, epoch, run, movedTo, held }) => ({
    ...{ bot, epoch, isHeld: held !== null },
    ...{ run: run ?? undefined, movedTo: movedTo ?? undefined },
  })),
})

const NOBODY: ReadonlySet<string> = new Set()
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()
/** Caches the set of a list, which stays the same from beat to beat. */
export function setOf(names: readonly string[]): ReadonlySet<string> {
  const known = sets.get(names) ?? new Set(names)
  sets.set(names, known)
  return known
}

/** One host of a fleet: beats, and claims the bots that nobody plays. */
export class FleetHost {
  readonly #options: FleetHostOptions
  readonly #beats: FleetConnection
  readonly #claims: FleetConnection
  readonly #watch: ClaimWatch
  readonly #held = new Map<string, ClaimedBot>()
  /** The newest epoch of each bot that was this host's: what an older look shows of it is past. */
  readonly #epochs = new Map<string, number>()
  #beatAt = Number.NEGATIVE_INFINITY
  readonly #memory = new BeatMemory()
  readonly #names: ReadonlySet<string>
  #rests = false
  /** Bots of the newest beat that nobody plays, and nobody else is to. */
  #awaited: readonly string[] = []
  /** Bots that could not be played here. */
  readonly #excluded = new Set<string>()
  #isClaiming = false
  #isClosed = false

  constructor(options: FleetHostOptions) {
    this.#options = options
    this.#names = new Set(options.bots)
    this.#beats = new FleetConnection(options)
    this.#claims = new FleetConnection(options)
    this.#watch = new ClaimWatch(options)
  }

  /**
   * Beats until it is closed. The tables have to be there.
   *
   * @throws CornermanError `HOST_NAME_TAKEN`, `FLEET_NEWER` where its tables have become those of a newer Cornerman, or as a connection does, but for what may pass
   */
  async run(): Promise<void> {
    let isAdded = false
    await this.#expectOwnName()
    while (!this.#isClosed) {
      const began = performance.now()
      try {
        if (!isAdded) await addBots(this.#beats, this.#options.bots)
        isAdded = true
        await this.#beat(began)
      } catch (thrown) {
        // Who closes it ends what is under way.
        if (!mayPass(thrown)) throw thrown
        if (!this.#isClosed) this.#options.onBeatFailed?.(thrown)
      }
      await sleep(Math.max(0, began + BEAT_MS - performance.now()))
    }
  }

  get held(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** Whether it has heard of the others lately: who has not knows of no word of the operator. */
  get isFresh(): boolean {
    return performance.now() - this.#beatAt <= FRESH_MS
  }

  /** The other hosts that could take a bot over now, in the order in which they would. */
  heirsOf(bot: string): readonly string[] {
    return this.#watch.heirsOf(bot, performance.now())
  }

  /** A host that ends has first what was let go for it, or what no other host could take: nobody would play that. */
  async takeAwaited(): Promise<void> {
    const since = performance.now()
    const isSeen = () => this.#beatAt >= since && this.#knowsHosts && this.#awaited.length === 0
    while (!isSeen() && !this.#isClosed && performance.now() < since + TAKES_WITHIN_MS) await sleep(LOOK_MS)
  }

  /**
   * Claims nothing any more, and says so to the others.
   *
   * @returns once it has seen who of them rests or is dead, too: what is let go of for one of those would be played by nobody
   * @throws InDoubt
   */
  async rest(): Promise<void> {
    this.#rests = true
    await this.#state()
    const since = performance.now()
    const isSeen = () => this.#beatAt >= since && (this.#knowsHosts || performance.now() >= since + TAKES_WITHIN_MS)
    while (!isSeen() && !this.#isClosed) await sleep(LOOK_MS)
  }

  get #knowsHosts(): boolean {
    return this.#watch.knowsAll(performance.now())
  }

  /** Has to do with a bot no more: it could not be played here. */
  async exclude(bot: string): Promise<void> {
    this.#excluded.add(bot)
    await this.#state()
  }

  /** What kept it from playing a bot is over. */
  async include(bot: string): Promise<void> {
    if (this.#excluded.delete(bot)) await this.#state()
  }

  /** A process that was killed is found to be gone by its beat, which stands still. */
  async #expectOwnName(): Promise<void> {
    const { host, run } = this.#options
    const before = await this.#namesakes()
    if (before.size === 0) return
    await sleep(NAME_MS)
    for (const [other, beat] of await this.#namesakes())
      if (other !== run && before.get(other) !== beat)
        throw new CornermanError(
          'HOST_NAME_TAKEN',
          `another host of this fleet is called ${host}, and is alive: give this one another name with --host-name, or end the other`,
        )
  }

  async #namesakes(): Promise<ReadonlyMap<string, string>> {
    while (!this.#isClosed) {
      try {
        const rows = await this.#beats.ask<{ run: string; beat: string }>(NAMESAKES, [this.#options.host])
        return new Map(rows.map(({ run, beat }) => [run, beat]))
      } catch (thrown) {
        if (!mayPass(thrown)) throw thrown
        await sleep(BEAT_MS)
      }
    }
    return new Map()
  }

  /** Which bots it could play. */
  async #state(): Promise<void> {
    const agents = this.#rests ? [] : this.#options.bots.filter((bot) => !this.#excluded.has(bot))
    await this.#claims.ask('UPDATE cornerman_fleet.hosts SET agents = $2 WHERE run = $1', [this.#options.run, agents])
  }

  /**
   * Lets go of a bot whose journal is written no more.
   *
   * @param movedTo the host that is to have it
   * @throws InDoubt
   */
  async release(bot: string, movedTo?: string): Promise<void> {
    const claimed = this.#held.get(bot)
    if (claimed === undefined) return
    this.#held.delete(bot)
    try {
      await releaseBot(this.#claims, claimed.holding, movedTo)
    } catch (thrown) {
      // Nobody would play it while its row says that this host does: it is let go of once more.
      if (!this.#held.has(bot)) this.#held.set(bot, claimed)
      throw thrown
    }
  }

  /** Without letting go of its bots: as if it had died. */
  close(): void {
    this.#isClosed = true
    this.#beats.close()
    this.#claims.close()
  }

  async #beat(began: number): Promise<void> {
    const { run, host, version, bots, page, obeys, unheardMs } = this.#options
    const [row] = await this.#beats.ask<BeatRow>(BEAT, [run, obeys?.() ?? 0, unheardMs?.() ?? null, ...this.#memory.values])
    if (row === undefined || this.#isClosed) return
    expectKnownTables(row.tables ?? undefined, 'its bots were let go')
    if (!row.registered) {
      await this.#beats.ask(REGISTER, [run, host, version, bots, page ?? null])
      await this.#beats.ask(STATE_VERSION, [version, host])
      return
    }
    this.#beatAt = began
    const hosts = this.#memory.take(row)
    const { bots: rows, entries, wakes } = this.#memory
    const now = performance.now()
    const claims = this.#watch.see(sightOf(hosts, rows, row.wanted), began, now)
    this.#awaited = rows.filter((one) => this.#isAwaited(one)).map((one) => one.bot)
    this.#options.onSight?.({
      ...{ beganMs: began, entries, orders: row.orders, wakes, bots: rows },
      hosts: hosts.map((one) => ({ ...one, isAlive: this.#watch.isAlive(one.run, now) })),
      control: row.control ?? undefined,
      ...{ wanted: row.wanted ?? undefined, durability: row.durability },
    })
    if (this.#isClaiming) return
    this.#compare(rows)
    if (claims.length > 0) void this.#claim(claims, new Map(rows.map((one) => [one.bot, one.run ?? undefined])))
  }

  #isAwaited({ bot, run, movedTo, held }: BotRow): boolean {
    const isFree = run === null && held === null && !this.#excluded.has(bot) && this.#names.has(bot)
    return isFree && (movedTo === this.#options.host || this.heirsOf(bot).length === 0)
  }

  /** A claim that was in doubt may have been taken, and another host may have claimed a bot of this one. */
  #compare(rows: readonly BotRow[]): void {
    for (const { bot, epoch, run, seq, chain } of rows) {
      const known = this.#epochs.get(bot) ?? 0
      if (epoch <= known) continue
      if (run === this.#options.run) this.#take({ holding: { bot, epoch, run }, place: { seq, chain } })
      else if (this.#held.delete(bot)) this.#options.onLost(bot)
    }
  }

  async #claim(wanted: readonly WantedClaim[], holders: ReadonlyMap<string, string | undefined>): Promise<void> {
    this.#isClaiming = true
    const { run, host, version } = this.#options
    try {
      for (const claim of wanted) {
        if (this.#rests || this.#excluded.has(claim.bot)) continue
        const claimed = await claimBot(this.#claims, { ...claim, run, host, version })
        if (claimed === undefined) continue
        const from = holders.get(claim.bot)
        this.#watch.claimed(claim, from, performance.now())
        if (from !== undefined) this.#options.onFact?.({ type: 'takenOver', bot: claim.bot, from })
        if (!this.#isClosed) this.#take(claimed)
      }
    } catch {
      // Whatever became of it, a later beat shows it.
    } finally {
      this.#isClaiming = false
    }
  }

  #take(claimed: ClaimedBot): void {
    const { bot, epoch } = claimed.holding
    this.#epochs.set(bot, epoch)
    this.#held.set(bot, claimed)
    this.#options.onClaimed(claimed)
  }
}
