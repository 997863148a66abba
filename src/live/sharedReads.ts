import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { diskRemedy } from '../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import type { ReadLease, ReadLeases } from './readBudget.ts'

const leasesSchema = z.array(z.object({ at: z.number(), count: z.number() }))

/** A bot's journal is held by the bot alone: what either of the two reads stands in a file beside it. */
const fileOf = (journal: string, whose: Reader): string => `${journal}.${whose}.reads.json`

/** Two processes may read with one agent key: the bot, and a scout that reads what the bot leaves. */
export type Reader = 'bot' | 'scout'

export interface SharedReadsOptions {
  /** The file of the bot's journal, which need not be there. */
  readonly journal: string
  readonly whose: Reader
  /** Where the leases of this process are kept besides. */
  readonly kept?: ReadLeases
}

/** The read leases of one process, told to the other one that reads with the same key, and that one's. */
export class SharedReads implements ReadLeases {
  readonly #own: string
  readonly #others: string
  readonly #whose: Reader
  readonly #kept: ReadLeases | undefined
  #leases: readonly ReadLease[]
  #seen: { readonly version: string; readonly leases: readonly ReadLease[] } = { version: '', leases: [] }

  constructor({ journal, whose, kept }: SharedReadsOptions) {
    this.#own = fileOf(journal, whose)
    this.#others = fileOf(journal, whose === 'bot' ? 'scout' : 'bot')
    this.#whose = whose
    this.#kept = kept
    this.#leases = readLeases(this.#own)
  }

  leases(sinceMs: number): readonly ReadLease[] {
    return this.#kept?.leases(sinceMs) ?? this.#leases.filter(({ at }) => at > sinceMs)
  }

  lease(lease: ReadLease, sinceMs: number, unspent = 0): void | Promise<void> {
    const kept = this.#kept?.lease(lease, sinceMs, unspent)
    this.#tell(lease, sinceMs, unspent)
    return kept
  }

  #tell(lease: ReadLease, sinceMs: number, unspent: number): void {
    const [newest, ...before] = this.#leases.toReversed()
    const spent = newest === undefined ? [] : [{ ...newest, count: Math.max(0, newest.count - unspent) }]
    this.#leases = [...before.toReversed(), ...spent, lease].filter(({ at }) => at > sinceMs)
    try {
      writeFileSync(`${this.#own}.new`, JSON.stringify(this.#leases), { mode: 0o600 })
      renameSync(`${this.#own}.new`, this.#own)
    } catch (cause) {
      // What is wrong with the disk, the journal itself says to a bot. A scout that nobody knows of would take reads from it.
      if (this.#whose === 'bot') return
      const problem = `${this.#own} cannot be written, by which a bot knows what is read beside it: ${messageOf(cause)}; ${diskRemedy(cause)}`
      throw new CornermanError('RECORDING_WRITE_FAILED', problem, { cause })
    }
  }

  others(sinceMs: number): readonly ReadLease[] {
    const stats = statSync(this.#others, { throwIfNoEntry: false })
    const version = stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
    if (version !== this.#seen.version) this.#seen = { version, leases: readLeases(this.#others) }
    return this.#seen.leases.filter(({ at }) => at > sinceMs)
  }
}

function readLeases(file: string): readonly ReadLease[] {
  try {
    return leasesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
