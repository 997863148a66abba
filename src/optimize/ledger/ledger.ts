import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { RealmSpan } from '../../backtest/index.ts'
import type { Clock } from '../../core/clock.ts'
import { CornermanError } from '../../core/error.ts'
import { ChainedFile } from './chainedFile.ts'
import { type LedgerLine, type LookLine, readLedgerLine, type SealLine, type SweepLine, type TrialLine } from './ledgerLines.ts'
import { looksAt, type Seal, sealOver, spentUntil } from './seals.ts'
import { anyOverlaps, isSameSpan } from './spans.ts'

export interface LedgerOptions {
  readonly dataDir: string
  readonly clock: Pick<Clock, 'now'>
  /**
   * Told once that the ledger is damaged, or cannot be written: it then goes on by what could be read of it, and writes nothing. Without it the
   * error is thrown.
   */
  readonly onDamage?: (error: CornermanError) => void
}

/** Contests that are to be sealed. */
export interface NewSeal {
  /** The sealed time, realm by realm, all of it from one moment on. */
  readonly spans: readonly RealmSpan[]
  readonly trainUntil: number
  /** The key of the bot whose entries the boundary was found from. */
  readonly incumbent: string
  /** A sketch of its prices (`priceSketch`). */
  readonly prices: readonly string[]
}

/** Who looks at a seal, and with what. */
export interface NewLook extends Pick<LookLine, 'by' | 'candidate' | 'incumbent'> {
  readonly seal: Seal
}

export interface Look {
  readonly id: string
  /** Of all looks at this seal, from 1. */
  readonly number: number
  /** What the same look has shown before: it costs nothing, and need not be played again. Undefined of a new one. */
  readonly answer: unknown
}

/** A bot that was played. */
export interface NewTrial extends Pick<TrialLine, 'fingerprint' | 'key' | 'seed' | 'contests' | 'edge' | 'sweep'> {
  /** The time that it was played on, realm by realm (`spansWithin`). */
  readonly spans: readonly RealmSpan[]
}

/**
 * What was tried on which time, and what was seen of sealed contests: `<data-dir>/trials/ledger.ndjson`. It guards its owner against self-deception,
 * and against nobody else: whoever deletes it begins anew.
 *
 * Every method throws CornermanError `LEDGER_DAMAGED`, unless the ledger was opened with `onDamage`.
 */
export interface Ledger {
  /** Trials that share a moment with these logs, in the order in which they were written. */
  trials(spans: readonly RealmSpan[]): readonly TrialLine[]
  /** The seals that were written, in their order. */
  seals(): readonly SealLine[]
  /** The seal that meets these logs; undefined where nothing of them is sealed, or each seal of them is spent. */
  sealOf(spans: readonly RealmSpan[]): Seal | undefined
  /** Up to when seals of these logs are spent, Unix milliseconds; undefined where none is. */
  spentUntil(spans: readonly RealmSpan[]): number | undefined
  /**
   * Seals contests, or extends what is sealed already.
   *
   * @returns the seal as it stands then: a boundary that was there before counts, also where another process made it a moment ago
   */
  seal(seal: NewSeal): Seal
  /**
   * Takes a look, on the disk before this returns: play the sealed contests only then. The same candidate against the same incumbent on the
   * same seal has its stored answer; where a crash left none, it is a new look.
   */
  look(look: NewLook): Look
  /** The same look as it was answered before; undefined where it would be a new one. Nothing is taken by asking. */
  stored(look: NewLook): Look | undefined
  /** Stores what a look has shown. @param answer plain JSON */
  answer(look: Look, answer: unknown): void
  trial(trial: NewTrial): void
  sweep(sweep: Omit<SweepLine, 'kind' | 'at'>): void
}

/**
 * Opens the ledger of a data directory; it is made with its first line.
 *
 * @throws CornermanError `LEDGER_DAMAGED` where a line is not what was written, or the file cannot be read. A last line that was cut off is none.
 */
export function openLedger(options: LedgerOptions): Ledger {
  const ledger = new FileLedger(options)
  ledger.seals()
  return ledger
}

const ID_DIGITS = 16

class FileLedger implements Ledger {
  readonly #file: ChainedFile
  readonly #clock: LedgerOptions['clock']
  readonly #onDamage: LedgerOptions['onDamage']
  #isDamaged = false
  readonly #seals: SealLine[] = []
  readonly #looks: LookLine[] = []
  /** By look. */
  readonly #answers = new Map<string, unknown>()
  readonly #trials: TrialLine[] = []

  constructor({ dataDir, clock, onDamage }: LedgerOptions) {
    this.#file = new ChainedFile(join(dataDir, 'trials', 'ledger.ndjson'))
    this.#clock = clock
    this.#onDamage = onDamage
  }

  trials(spans: readonly RealmSpan[]): readonly TrialLine[] {
    this.#catchUp()
    return this.#trials.filter((trial) => anyOverlaps([trial], spans))
  }

  seals(): readonly SealLine[] {
    this.#catchUp()
    return this.#seals
  }

  sealOf(spans: readonly RealmSpan[]): Seal | undefined {
    this.#catchUp()
    return sealOver(spans, this.#seals, this.#looks)
  }

  spentUntil(spans: readonly RealmSpan[]): number | undefined {
    this.#catchUp()
    return spentUntil(spans, this.#seals, this.#looks)
  }

  seal({ spans, trainUntil, incumbent, prices }: NewSeal): Seal {
    const made: SealLine[] = []
    this.#append(
      () => {
        const before = sealOver(spans, this.#seals, this.#looks)
        const boundary = before ?? { from: Number.NEGATIVE_INFINITY, trainUntil }
        for (const span of spans) {
          const from = Math.max(span.from, boundary.from)
          const isThere = before?.spans.some((known) => known.realm === span.realm && known.from <= from && known.to >= span.to)
          if (from > span.to || isThere === true) continue
          made.push({
            ...{ kind: 'seal', at: this.#clock.now(), ...span, from },
            ...{ trainUntil: boundary.trainUntil, incumbent, prices: [...prices] },
          })
        }
        return made
      },
      { isDurable: true },
    )
    const seal = sealOver(spans, this.#seals, this.#looks)
    return seal ?? { spans, from: Math.min(...spans.map(({ from }) => from)), trainUntil, incumbent, looks: 0 }
  }

  stored(look: NewLook): Look | undefined {
    this.#catchUp()
    const found = this.#answered(look)
    return found === undefined ? undefined : this.#lookOf(found)
  }

  look(look: NewLook): Look {
    const { seal, by, candidate, incumbent } = look
    let taken: LookLine | undefined
    this.#append(
      () => {
        if (this.#answered(look) !== undefined) return []
        const number = looksAt(seal.spans, this.#looks) + 1
        const at = this.#clock.now()
        const id = hash('sha256', JSON.stringify([at, number, candidate, incumbent, seal.spans])).slice(0, ID_DIGITS)
        taken = { kind: 'look', at, id, number, by, candidate, incumbent, spans: [...seal.spans] }
        return [taken]
      },
      { isDurable: true },
    )
    return this.#lookOf(taken ?? this.#answered(look) ?? { id: '', number: seal.looks + 1 })
  }

  answer({ id }: Look, answer: unknown): void {
    this.#append(() => [{ kind: 'answer', at: this.#clock.now(), look: id, answer }], { isDurable: true })
  }

  trial({ spans, ...trial }: NewTrial): void {
    const at = this.#clock.now()
    this.#append(() => spans.map((span) => ({ kind: 'trial', at, ...span, ...trial })), { isDurable: false })
  }

  sweep(sweep: Omit<SweepLine, 'kind' | 'at'>): void {
    this.#append(() => [{ kind: 'sweep', at: this.#clock.now(), ...sweep }], { isDurable: false })
  }

  /** The same bots at the same seal, where it is known what they have shown. */
  #answered({ seal, candidate, incumbent }: NewLook): LookLine | undefined {
    const isOfSeal = ({ spans }: LookLine) =>
      spans.length === seal.spans.length && spans.every((span) => seal.spans.some((own) => isSameSpan(own, span)))
    return this.#looks.find(
      (look) => look.candidate === candidate && look.incumbent === incumbent && isOfSeal(look) && this.#answers.has(look.id),
    )
  }

  #lookOf({ id, number }: Pick<LookLine, 'id' | 'number'>): Look {
    return { id, number, answer: this.#answers.get(id) }
  }

  readonly #take = (json: unknown): void => {
    const line = readLedgerLine(json)
    if (line?.kind === 'seal') this.#seals.push(line)
    if (line?.kind === 'look') this.#looks.push(line)
    if (line?.kind === 'answer') this.#answers.set(line.look, line.answer)
    if (line?.kind === 'trial') this.#trials.push(line)
  }

  #catchUp(): void {
    this.#attempt(() => this.#file.read(this.#take))
  }

  #append(linesOf: () => readonly LedgerLine[], durability: { readonly isDurable: boolean }): void {
    this.#attempt(() => this.#file.append(this.#take, linesOf, durability))
  }

  #attempt(work: () => void): void {
    if (this.#isDamaged) return
    try {
      work()
    } catch (thrown) {
      if (this.#onDamage === undefined || !(thrown instanceof CornermanError)) throw thrown
      this.#isDamaged = true
      this.#onDamage(thrown)
    }
  }
}
