import type { Custody, Fill, Intent, Journal, JournalContents, JournalRecord, ModeRecord, SwapRecord } from '../pipeline/index.ts'
import type { ActionOf } from '../strategy/action.ts'

const isRejectedSwap = ({ type, status }: { type: string; status: string }) =>
  (type === 'swap' || type === 'sweep') && status === 'rejected'

/** A journal in memory: it outlives the bot that writes it, and so plays the part of the file across a restart. */
export class MemoryJournal implements Journal {
  readonly records: JournalRecord[] = []
  /** Events before this time are history, if `newsAfter` is undefined. Undefined: every event is news. */
  madeAt: number | undefined
  /** As `JournalContents` has it. */
  newsAfter: string | null | undefined
  /** Whether modes are closed and opened, as live: else all are open. */
  keepsModes = false
  /** Told of every record before it is kept: a test that throws here plays a full disk. */
  onCommit: (record: JournalRecord) => void = () => {}

  commit(record: JournalRecord): void {
    this.onCommit(record)
    this.records.push(record)
  }

  load(): JournalContents {
    const statuses = this.#statuses()
    const count = (...wanted: string[]) => [...statuses.values()].filter((status) => wanted.includes(status)).length
    const isOpen = (key: string) => ['pending', 'unknown'].includes(statuses.get(key) ?? '')
    const swapsFilled = count('filled')
    const missed = count('reverted', 'expired')
    const failed = count('rejected', 'notSent', 'absent')
    const custody = this.#custody()
    const custodyOf = (status: Custody['status']) => custody.filter((item) => item.status === status)
    return {
      cursor: this.records.findLast(({ cursor }) => cursor !== undefined)?.cursor,
      events: this.events,
      ledger: this.records.findLast(({ ledger }) => ledger !== undefined)?.ledger,
      pending: this.intents.filter(({ key }) => isOpen(key)),
      custody: [...custodyOf('made'), ...custodyOf('committed')],
      claimed: this.records.flatMap(({ outcomes }) => outcomes.flatMap(({ made, key }) => (made === undefined ? [] : [{ id: made, key }]))),
      tickets: this.#openTickets(statuses),
      ...this.#seats(statuses),
      picked: [
        ...new Set(
          this.intents.flatMap(({ key, action }) =>
            action.type === 'draftPick' && statuses.get(key) === 'accepted' ? [action.contestId] : [],
          ),
        ),
      ],
      ...(this.keepsModes ? { modes: this.modes } : {}),
      revealed: custodyOf('revealed').map(({ contestId }) => contestId),
      madeAt: this.madeAt,
      ...(this.newsAfter === undefined ? {} : { newsAfter: this.newsAfter }),
      sent: this.swaps.map(({ sentAt: at, transaction }) => ({ at, transaction })),
      swaps: this.swaps.filter(({ key }) => isOpen(key)),
      fills: this.fills,
      counts: {
        sent: count('accepted', 'lostRace') + failed + swapsFilled + missed,
        failed,
        swapsFilled,
        swapsFailed: missed + count('unfilled') + this.outcomes.filter(isRejectedSwap).length,
        refused: this.records.flatMap(({ refusals }) => refusals).length,
        revealed: custodyOf('revealed').length,
        missed: custodyOf('missed').length,
      },
      lastInput: this.records.at(-1)?.n ?? 0,
    }
  }

  get events(): unknown[] {
    return this.records.flatMap(({ event }) => (event === undefined ? [] : [event.raw]))
  }

  /** Of each swap that was sent, the newest record. */
  get swaps(): SwapRecord[] {
    const newest = new Map(this.records.flatMap(({ swaps }) => swaps.map((swap) => [swap.key, swap] as const)))
    return [...newest.values()]
  }

  /** The newest record of each mode. */
  get modes(): ModeRecord[] {
    const newest = new Map(this.records.flatMap(({ modes = [] }) => modes.map((record) => [record.mode, record] as const)))
    return [...newest.values()]
  }

  get fills(): Fill[] {
    return this.records.flatMap(({ fills }) => fills)
  }

  get intents(): Intent[] {
    return this.records.flatMap(({ intents }) => intents)
  }

  /** What became of each intent, by its action's type, in the order of the outcomes. */
  get outcomes(): { readonly type: string; readonly status: string }[] {
    const types = new Map(this.intents.map(({ key, action }) => [key, action.type]))
    return this.records.flatMap(({ outcomes }) => outcomes.map(({ key, status }) => ({ type: types.get(key) ?? '', status })))
  }

  /** Everything that was written of one contest's prediction, oldest first. */
  custodyOf(contestId: string): Custody[] {
    return this.records.flatMap(({ custody }) => custody.filter((item) => item.contestId === contestId))
  }

  #openTickets(statuses: ReadonlyMap<string, string>): string[] {
    const isAccepted = ({ key }: Intent) => statuses.get(key) === 'accepted'
    const takenBack = this.intents.flatMap((intent) =>
      intent.action.type === 'cancelTicket' && isAccepted(intent) ? [intent.action.ticketId] : [],
    )
    const entered = new Set(this.intents.filter(({ action }) => action.type === 'enqueue').map(({ key }) => key))
    const made = this.records.flatMap(({ outcomes }) =>
      outcomes.flatMap(({ key, made: id }) => (id === undefined || !entered.has(key) ? [] : [id])),
    )
    return made.filter((id) => !takenBack.includes(id))
  }

  /** By the newest accepted join or leave of each contest. */
  #seats(statuses: ReadonlyMap<string, string>): Pick<JournalContents, 'left' | 'ownReadies'> {
    const newest = new Map<string, ActionOf<'joinContest' | 'leaveContest'>>()
    for (const { key, action } of this.intents) {
      const isOfSeat = action.type === 'joinContest' || action.type === 'leaveContest'
      if (isOfSeat && statuses.get(key) === 'accepted') newest.set(action.contestId, action)
    }
    const idsOf = (isIt: (action: ActionOf<'joinContest' | 'leaveContest'>) => boolean) =>
      [...newest.values()].filter(isIt).map(({ contestId }) => contestId)
    return {
      left: idsOf(({ type }) => type === 'leaveContest'),
      ownReadies: idsOf((action) => action.type === 'joinContest' && action.readiedBy === 'policy'),
    }
  }

  #statuses(): Map<string, string> {
    const statuses = new Map(this.intents.map(({ key }) => [key, 'pending']))
    for (const { outcomes } of this.records) for (const { key, status } of outcomes) statuses.set(key, status)
    return statuses
  }

  /** The newest of each contest. */
  #custody(): Custody[] {
    const newest = new Map<string, Custody>()
    for (const { custody } of this.records) for (const item of custody) newest.set(item.contestId, item)
    return [...newest.values()]
  }
}
