import type { ServiceEvent } from '../contract/events.ts'
import { isEntryProcedure } from '../contract/procedures.ts'
import type { DatedMoment } from '../core/clockOffset.ts'
import { itemsOf } from '../pipeline/index.ts'
import type { TimedAnswer } from './httpService.ts'

/** Own entries whose events are still awaited: of more, the oldest are forgotten. */
const MOST_ENTRIES = 100

/** When an entry was sent and answered, by the steady clock. */
interface SentEntry {
  readonly sentAt: number
  readonly receivedAt: number
  /** True once the service has told its `createdAt`. */
  isDated: boolean
}

/** Bounds of the service's time from the events and answers of one bot. */
export class TimeWitness {
  readonly #tell: (moment: DatedMoment) => void
  /** Keys: ids of tickets and contests. */
  readonly #entries = new Map<string, SentEntry>()

  constructor(tell: (moment: DatedMoment) => void) {
    this.#tell = tell
  }

  /** Takes in a success: of an own entry, or a later one that says when an own ticket was made. */
  onAnswer({ procedure, input, output, sentAt, receivedAt }: TimedAnswer): void {
    if (isEntryProcedure(procedure)) this.#onEntry({ ...(input as Fields), ...(output as Fields) }, { sentAt, receivedAt, isDated: false })
    if (procedure === 'agent.queue.get') this.#onTicket(output as Fields)
    if (procedure === 'agent.queue.list') for (const ticket of itemsOf(output as readonly Fields[])) this.#onTicket(ticket)
  }

  /**
   * Takes in an event that came after the end of the stream had been read.
   *
   * @param receivedAt by the steady clock
   */
  onEvent({ createdAt, data }: ServiceEvent, receivedAt: number): void {
    const [ticketId, contestId] = [idIn(data, 'ticketId'), idIn(data, 'contestId')]
    const entry = this.#entries.get(ticketId ?? '') ?? this.#entries.get(contestId ?? '')
    // A contest that comes of an entry was made after the entry was sent.
    if (entry !== undefined && contestId !== undefined) this.#keep(contestId, entry)
    this.#tell({ dateMs: createdAt, notBefore: entry?.sentAt, notAfter: receivedAt })
  }

  #onEntry(made: Fields, entry: SentEntry): void {
    for (const id of [idIn(made, 'ticketId'), idIn(made, 'contestId')]) if (id !== undefined) this.#keep(id, entry)
    this.#date(made, entry)
  }

  #onTicket(ticket: Fields): void {
    const entry = this.#entries.get(idIn(ticket, 'ticketId') ?? '')
    if (entry !== undefined) this.#date(ticket, entry)
  }

  #date({ createdAt }: Fields, entry: SentEntry): void {
    if (entry.isDated || typeof createdAt !== 'number') return
    entry.isDated = true
    this.#tell({ dateMs: createdAt, notBefore: entry.sentAt, notAfter: entry.receivedAt })
  }

  #keep(id: string, entry: SentEntry): void {
    this.#entries.set(id, entry)
    for (const oldest of [...this.#entries.keys()].slice(0, this.#entries.size - MOST_ENTRIES)) this.#entries.delete(oldest)
  }
}

type Fields = { readonly [key: string]: unknown }

function idIn(record: Fields, key: 'ticketId' | 'contestId'): string | undefined {
  const id = record[key]
  return typeof id === 'string' ? id : undefined
}
