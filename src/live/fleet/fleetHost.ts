import { setTimeout as sleep } from 'node:timers/promises'
import type { SeenJournal } from './botCopies.ts'
import { addBots, type ClaimedBot, claimBot, releaseBot } from './botClaims.ts'
import { BEAT_MS, ClaimWatch, type Sight, type WantedClaim } from './claimWatch.ts'
import { FleetConnection, InDoubt } from './fleetConnection.ts'

const REGISTER = `
  WITH old AS (DELETE FROM cornerman_fleet.hosts WHERE run <> $1 AND seen < clock_timestamp() - interval '1 day'
         AND NOT EXISTS (SELECT FROM cornerman_fleet.bots b WHERE b.run = hosts.run))
  INSERT INTO cornerman_fleet.hosts (run, host, version, agents) VALUES ($1, $2, $3, $4) ON CONFLICT (run) DO NOTHING`

// One statement: what it shows is from a primary that can commit.
const BEAT = `
  WITH mine AS (UPDATE cornerman_fleet.hosts SET beat = beat + 1, seen = clock_timestamp() WHERE run = $1 RETURNING 1)
  SELECT EXISTS (SELECT FROM mine) AS registered,
    (SELECT coalesce(json_agg(json_build_object('run', run, 'host', host, 'beat', beat, 'version', version, 'agents', agents)), '[]')
       FROM cornerman_fleet.hosts) AS hosts,
    (SELECT coalesce(json_agg(json_build_object('bot', bot, 'epoch', epoch, 'run', run, 'seq', seq, 'chain', encode(chain, 'hex'),
       'movedTo', moved_to, 'held', held)), '[]') FROM cornerman_fleet.bots) AS bots`

interface BeatRow {
  readonly registered: boolean
  readonly hosts: readonly {
    readonly run: string
    readonly host: string
    readonly beat: number
    readonly version: string
    readonly agents: readonly string[]
  }[]
  readonly bots: readonly BotRow[]
}

interface BotRow {
  readonly bot: string
  readonly epoch: number
  readonly run: string | null
  readonly seq: number
  readonly chain: string
  readonly movedTo: string | null
  readonly held: string | null
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
  /** What a beat has shown of the journals. */
  readonly onSeen?: (journals: readonly SeenJournal[], beganMs: number) => void
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
  #rests = false
  /** Bots that could not be played here. */
  readonly #excluded = new Set<string>()
  #isClaiming = false
  #isClosed = false

  constructor(options: FleetHostOptions) {
    this.#options = options
    this.#beats = new FleetConnection(options)
    this.#claims = new FleetConnection(options)
    this.#watch = new ClaimWatch(options)
  }

  /**
   * Beats until it is closed. The tables have to be there.
   *
   * @throws CornermanError as a connection does, but for what may pass
   */
  async run(): Promise<void> {
    let isAdded = false
    while (!this.#isClosed) {
      const began = performance.now()
      try {
        if (!isAdded) await addBots(this.#beats, this.#options.bots)
        isAdded = true
        await this.#beat(began)
      } catch (thrown) {
        // Who closes it ends what is under way.
        if (!(thrown instanceof InDoubt)) throw thrown
      }
      await sleep(Math.max(0, began + BEAT_MS - performance.now()))
    }
  }

  get held(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** The other hosts that could take a bot over now, in the order in which they would. */
  heirsOf(bot: string): readonly string[] {
    return this.#watch.heirsOf(bot, performance.now())
  }

  /** Claims nothing any more, and says so to the others. */
  async rest(): Promise<void> {
    this.#rests = true
    await this.#state()
  }

  /** Has to do with a bot no more: it could not be played here. */
  async exclude(bot: string): Promise<void> {
    this.#excluded.add(bot)
    await this.#state()
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
    await releaseBot(this.#claims, claimed.holding, movedTo)
  }

  /** Without letting go of its bots: as if it had died. */
  close(): void {
    this.#isClosed = true
    this.#beats.close()
    this.#claims.close()
  }

  async #beat(began: number): Promise<void> {
    const { run, host, version, bots } = this.#options
    const [row] = await this.#beats.ask<BeatRow>(BEAT, [run])
    if (row === undefined || this.#isClosed) return
    if (!row.registered) {
      await this.#beats.ask(REGISTER, [run, host, version, bots])
      return
    }
    const wanted = this.#watch.see(this.#sightOf(row), began, performance.now())
    this.#options.onSeen?.(row.bots.map(({ bot, seq, chain }) => ({ bot, seq, chain: Buffer.from(chain, 'hex') })), began)
    if (this.#isClaiming) return
    this.#compare(row.bots)
    const holders = new Map(row.bots.map((bot) => [bot.bot, bot.run ?? undefined]))
    if (wanted.length > 0) void this.#claim(wanted, holders)
  }

  #sightOf({ hosts, bots }: BeatRow): Sight {
    const { version } = this.#options
    return {
      hosts: hosts.map((one) => ({ ...one, bots: new Set(one.version === version ? one.agents : []) })),
      bots: bots.map(({ bot, epoch, run, movedTo, held }) => ({
        ...{ bot, epoch, isHeld: held !== null },
        ...{ run: run ?? undefined, movedTo: movedTo ?? undefined },
      })),
    }
  }

  /** A claim that was in doubt may have been taken, and another host may have claimed a bot of this one. */
  #compare(rows: readonly BotRow[]): void {
    for (const { bot, epoch, run, seq, chain } of rows) {
      const known = this.#epochs.get(bot) ?? 0
      if (epoch <= known) continue
      if (run === this.#options.run) this.#take({ holding: { bot, epoch, run }, place: { seq, chain: Buffer.from(chain, 'hex') } })
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
        this.#watch.claimed(claim, holders.get(claim.bot), performance.now())
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
