import { traitsOf } from '../../contract/modes.ts'
import { CornermanError } from '../../core/error.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { EnteringView } from '../../strategy/view.ts'
import type { Books, Seat, WaitingTicket } from '../books/books.ts'
import type { Present } from '../state/present.ts'
import type { Modes } from './modes.ts'

/** Entries over whose entered mode is remembered. */
const MOST_REMEMBERED = 200

/** A ticket or seat that the bot holds in a mode that it does not know. */
export interface UnnamedEntry {
  readonly kind: 'ticket' | 'contest'
  readonly id: string
  /** As the service calls it. */
  readonly mode: string
  readonly stake: Usdc | undefined
  /** As the bot entered it; undefined of one that it did not enter, or not known yet. */
  readonly enteredAs: string | undefined
}

interface UnnamedEntriesOptions {
  readonly modes: Modes
  readonly ledger: { modeOf(id: string): string | undefined }
  /** Entries without an outcome. */
  readonly entering: () => readonly EnteringView[]
}

/** Looks for stakes in modes that the bot cannot name: each is an alarm, and closes the mode through which it was entered. */
export class UnnamedEntries {
  readonly #present: Present
  readonly #options: UnnamedEntriesOptions
  #open: readonly UnnamedEntry[] = []
  #seen: Pick<Books, 'seats' | 'tickets'> | undefined
  readonly #said = new Set<string>()
  /** Mode of the entry for each ticket or contest; undefined while unknown. */
  readonly #enteredAs = new Map<string, string | undefined>()

  constructor(present: Present, options: UnnamedEntriesOptions) {
    this.#present = present
    this.#options = options
  }

  get now(): readonly UnnamedEntry[] {
    return this.#open
  }

  /** Mode under which the bot entered a contest that it cannot name. */
  enteredAs(contestId: string): string | undefined {
    return this.#enteredAs.get(contestId)
  }

  tend(): void {
    const { seats, tickets } = this.#present.books
    const isSame = this.#seen?.seats === seats && this.#seen.tickets === tickets
    if (isSame && this.#open.every(({ enteredAs }) => enteredAs !== undefined)) return
    this.#seen = { seats, tickets }
    this.#open = [
      ...[...seats.values()].flatMap((seat) => this.#look('contest', seat.contestId, seat)),
      ...[...tickets.values()].flatMap((ticket) => this.#look('ticket', ticket.ticketId, ticket)),
    ]
  }

  #look(kind: UnnamedEntry['kind'], id: string, held: Seat | WaitingTicket): readonly UnnamedEntry[] {
    const { mode, stake, ticketId } = held
    if (mode === undefined || traitsOf(mode) !== undefined) return []
    const known = this.#enteredAs.get(id)
    const enteredAs = known ?? this.#sentAs([id, ...(ticketId === undefined ? [] : [ticketId])])
    const entry = { kind, id, mode, stake, enteredAs }
    if (enteredAs !== undefined && known === undefined)
      this.#options.modes.happened(enteredAs, { type: 'unnamed', as: mode }, this.#present.step)
    this.#enteredAs.set(id, enteredAs)
    for (const oldest of this.#enteredAs.keys()) {
      if (this.#enteredAs.size <= MOST_REMEMBERED) break
      this.#enteredAs.delete(oldest)
    }
    if (!this.#said.has(id) && (ticketId === undefined || !this.#said.has(ticketId))) this.#say(entry)
    this.#said.add(id)
    return [entry]
  }

  /** An entry whose answer is not there yet is the one in question where it is the only one. */
  #sentAs(ids: readonly string[]): string | undefined {
    const { ledger, entering } = this.#options
    const [sent] = ids.flatMap((id) => ledger.modeOf(id) ?? [])
    const [first, ...others] = sent === undefined ? entering() : []
    const mode = sent ?? (others.length === 0 ? first?.mode : undefined)
    // An adopted entry has the unknown name itself.
    return traitsOf(mode) === undefined ? undefined : mode
  }

  #say(entry: UnnamedEntry): void {
    const { kind, id, mode, stake, enteredAs } = entry
    const { code, message } = new CornermanError('CONTEST_UNNAMED', unnamedText(entry))
    const of = kind === 'contest' ? { contestId: id } : { ticketId: id }
    this.#present.step.note('error', message, {
      code,
      mode,
      ...of,
      ...(stake === undefined ? {} : { stake }),
      enteredAs: enteredAs ?? null,
    })
  }
}

/** Message about the stake, with the remedy. */
export function unnamedText({ kind, id, mode, stake, enteredAs }: UnnamedEntry): string {
  const money = stake === undefined ? 'a stake of unknown size is' : `${formatUsdc(stake)} USDC are`
  const takeBack = kind === 'ticket' ? `cornerman order cancel ${id}` : `cornerman order leave ${id}`
  const entered =
    enteredAs === undefined
      ? 'Find out who entered it'
      : `It was entered as ${enteredAs}, which is closed until you run cornerman modes open ${enteredAs}`
  return `${money} in ${kind} ${id}, in a mode that the service calls "${mode}" and this bot cannot play. ${entered}. To take the stake back while that is possible: ${takeBack}. Ask the service what it renamed`
}
