import type { SeenEntry } from '../together/fleetSiblings.ts'
import type { BeatRow, BotRow, HostRow, StatedEntry } from './beatStatement.ts'

/** A transaction is numbered with 32 bits in a row. */
const NUMBERS = 2n ** 32n

/** State of the fleet as the beats have shown it so far: the next beat reads only changes. */
export class BeatMemory {
  readonly #bots = new Map<string, BotRow>()
  /** Keys: bucket, then bot and key. */
  readonly #entries = new Map<number, Map<string, SeenEntry>>()
  #wakes: ReadonlyMap<string, number> = new Map()
  /** Keys: digest of a list of bots. */
  #agents: ReadonlyMap<string, readonly string[]> = new Map()
  #server = ''
  /** Undefined where the next beat is to show all. */
  #mark: string | undefined
  /** Entries of these have gone: all of them are asked for. */
  #doubtful: readonly number[] = []

  /** Values `$4` to `$7` of the statement. */
  get values(): readonly unknown[] {
    const mark = this.#mark === undefined ? '0' : String(BigInt(this.#mark) % NUMBERS)
    return [mark, this.#mark === undefined ? '' : this.#server, [...this.#agents.keys()], this.#doubtful]
  }

  get bots(): readonly BotRow[] {
    return [...this.#bots.values()]
  }

  get entries(): readonly SeenEntry[] {
    return [...this.#entries.values()].flatMap((bucket) => [...bucket.values()])
  }

  /** Number of webhook deliveries for each bot. */
  get wakes(): ReadonlyMap<string, number> {
    return this.#wakes
  }

  /** @returns the hosts, with all of their bots */
  take(row: BeatRow): readonly HostRow[] {
    const { server, mark, bots, botCount, wakes } = row
    const showsAll = this.#mark === undefined || server !== this.#server
    if (showsAll) this.#forget()
    this.#server = server
    this.#mark = mark
    for (const { chain, ...bot } of bots) this.#bots.set(bot.bot, { ...bot, chain: Buffer.from(chain, 'hex') })
    const changed = Object.entries(wakes)
    if (changed.length > 0) this.#wakes = new Map([...this.#wakes, ...changed])
    this.#takeEntries(row)
    // One was taken out: the next beat shows all that are left.
    if (this.#bots.size !== botCount) this.#mark = undefined
    return this.#hostsOf(row)
  }

  #takeEntries({ entries, entryCounts }: BeatRow): void {
    for (const bucket of this.#doubtful) this.#entries.delete(bucket)
    for (const { bucket, ...entry } of entries) this.#bucketOf(bucket).set(nameOf(entry), entry)
    this.#doubtful = [...this.#entries].filter(([bucket, { size }]) => size !== (entryCounts[bucket] ?? 0)).map(([bucket]) => bucket)
  }

  #bucketOf(bucket: number): Map<string, SeenEntry> {
    const known = this.#entries.get(bucket) ?? new Map<string, SeenEntry>()
    this.#entries.set(bucket, known)
    return known
  }

  #hostsOf({ hosts }: BeatRow): readonly HostRow[] {
    const agents = new Map(hosts.map((host) => [host.digest, host.agents ?? this.#agents.get(host.digest) ?? []]))
    this.#agents = agents
    return hosts.map(({ digest, ...host }) => ({ ...host, agents: agents.get(digest) ?? [] }))
  }

  #forget(): void {
    this.#bots.clear()
    this.#entries.clear()
    this.#wakes = new Map()
    this.#doubtful = []
  }
}

const nameOf = ({ bot, key }: Pick<StatedEntry, 'bot' | 'key'>): string => `${bot} ${key}`
