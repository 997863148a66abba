import { fieldsOf } from '../../contract/shapes/remedy.ts'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { InputOf, SiblingEntry } from '../protocol/input.ts'
import { parseTaskKey, type TaskKey, type TaskKind } from '../protocol/taskKey.ts'
import type { Present } from '../state/present.ts'
import { counts, type DriftFacts, modesNeeding, type PinnedPiece, shows } from './drift.ts'
import type { Modes } from './modes.ts'

/** What was not there is looked for once more after so long. */
const AGAIN_MS = 250
/** Reads that can be asked for at any time. */
const REPEATED: ReadonlySet<TaskKind> = new Set(['tickets', 'seats', 'seatsAtStart', 'ticket', 'contest', 'early', 'state', 'browse'])

interface DriftWatchOptions {
  readonly modes: Modes
  /** Plans a read once more, no later than at that time; Unix milliseconds. */
  readonly lookAgain: (purpose: TaskKey, at: number) => void
}

interface Suspect {
  readonly place: string
  readonly since: number
}

/** Watches whether pinned pieces are where the mapping has them: what is gone twice in a row closes the modes that need it. */
export class DriftWatch {
  readonly #present: Present
  readonly #modes: Modes
  readonly #lookAgain: DriftWatchOptions['lookAgain']
  /** Pieces that were not there once. */
  readonly #suspects = new Map<PinnedPiece, Suspect>()
  /** Pieces that this run has seen to drift, and their places: the other bots of the process are told. */
  readonly #seen = new Map<PinnedPiece, string>()
  #revision = 0

  constructor(present: Present, { modes, lookAgain }: DriftWatchOptions) {
    this.#present = present
    this.#modes = modes
    this.#lookAgain = lookAgain
  }

  /** Another one whenever `entries` gives others. */
  get revision(): number {
    return this.#revision
  }

  /** What the other bots of the process are to know. */
  *entries(): Generator<readonly [key: string, entry: SiblingEntry]> {
    const { options } = this.#present
    const { hash } = this.#modes
    if (hash === undefined) return
    for (const [piece, place] of this.#seen) {
      const key = `drift:${piece}`
      yield [key, { bot: options.config.name, key, drifted: { hash, piece, place } }]
    }
  }

  /** An answer, once it is in the books. */
  onAnswer({ request, begunAt, result }: InputOf<'answer'>): void {
    const { books, now } = this.#present
    const modes = this.#modes
    if (modes.hash === undefined) return
    const { departures = [] } = result
    // A list that is not where the mapping has it leaves no answer.
    if (!result.ok && departures.length === 0) return
    const output = result.ok ? result.output : []
    const drifted = modes.drifted
    if (departures.length === 0 && drifted.size === 0 && this.#suspects.size === 0) return
    const facts: DriftFacts = { request, books, now }
    const departed = new Set(departures.map(({ piece }) => piece))
    for (const departure of departures) {
      if (!counts(departure, facts)) continue
      const { piece, place } = departure
      const suspect = this.#suspects.get(piece)
      if (suspect === undefined) {
        this.#suspects.set(piece, { place, since: now })
        if (REPEATED.has(parseTaskKey(request.purpose).kind)) this.#lookAgain(request.purpose, now + AGAIN_MS)
      } else if (begunAt >= suspect.since && !this.#seen.has(piece)) this.#onDrifted(departure)
    }
    for (const [piece, { place }] of this.#suspects)
      if (!departed.has(piece) && shows({ piece, place }, facts, output)) this.#suspects.delete(piece)
    for (const [piece, place] of drifted) if (!departed.has(piece) && shows({ piece, place }, facts, output)) this.#onReadable(piece)
  }

  /** Another bot of the process has seen a piece drift: this one reads by the same mapping. */
  onSibling({ drifted }: SiblingEntry): void {
    if (drifted === undefined || drifted.hash !== this.#modes.hash) return
    this.#close(drifted.piece as PinnedPiece, drifted.place)
  }

  /** It reads it well again, and so does this one. */
  onSiblingLeft({ drifted }: SiblingEntry): void {
    if (drifted !== undefined && drifted.hash === this.#modes.hash) this.#onReadable(drifted.piece as PinnedPiece)
  }

  #onDrifted({ piece, place, expected, got }: { piece: PinnedPiece; place: string; expected: string; got: unknown }): void {
    this.#seen.set(piece, place)
    this.#revision += 1
    const stands = got === undefined ? 'nothing stands there' : `there stands ${show(got)}`
    const { code, message } = new CornermanError(
      'SHAPE_DRIFTED',
      `the service answers otherwise than it did: ${fieldsOf([piece])} has ${expected} at ${place}, and ${stands}. Modes that need it are not entered`,
    )
    this.#present.step.note('error', message, { code, piece, place, expected, ...(got === undefined ? {} : { got }) })
    this.#close(piece, place)
  }

  #close(piece: PinnedPiece, place: string): void {
    const { options, step } = this.#present
    for (const mode of modesNeeding(piece))
      if (options.config.guard.modes.includes(mode)) this.#modes.happened(mode, { type: 'drifted', piece: { piece, place } }, step)
  }

  #onReadable(piece: PinnedPiece): void {
    const { step } = this.#present
    const modes = this.#modes
    if (this.#seen.delete(piece)) this.#revision += 1
    this.#suspects.delete(piece)
    if (!modes.drifted.has(piece)) return
    step.note('info', `${fieldsOf([piece])} can be read again: what it closed is tried`, { piece })
    for (const mode of modesNeeding(piece)) modes.happened(mode, { type: 'readable', piece }, step)
    // Its trial may be due before the one that is planned.
    this.#present.deadlines.drop('trial')
  }
}
