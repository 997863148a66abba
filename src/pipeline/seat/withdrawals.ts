import { saysNo } from '../../contract/refusals.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import { backoffMs } from '../../core/backoff.ts'
import { CornermanError } from '../../core/error.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { Present } from '../state/present.ts'
import { LEAVE_RETRY_MS } from './polling.ts'

/** A refusal may be of the moment; what was refused so often stays refused. */
const MOST_REFUSED = 5
const LONGEST_RETRY_MS = 30_000

interface Held {
  readonly kind: 'ticket' | 'contest'
  readonly id: string
  readonly stake: Usdc | undefined
}

/** Tickets and seats that the service refuses to give back while the bot ends or is stopped: how often each is asked for. */
export class Withdrawals {
  readonly #present: Present
  /** Number of refusals for each ticket or contest. */
  readonly #refused = new Map<string, number>()

  constructor(present: Present) {
    this.#present = present
  }

  /** Until when nothing is asked for once more, in milliseconds from now; undefined: never again. */
  retryMs(id: string): number | undefined {
    const times = this.#refused.get(id) ?? 0
    return times < MOST_REFUSED ? backoffMs(times, LEAVE_RETRY_MS, LONGEST_RETRY_MS) : undefined
  }

  onRefused(held: Held, refusal: ServiceRefusal): void {
    // A refusal of the key, or of the pace, says nothing of the seat.
    if (!saysNo(refusal)) return
    const { runMode, stopped } = this.#present.books
    // Not a wish of the framework's: a strategy or the operator may ask again.
    if (runMode !== 'draining' && stopped !== 'all') return
    const times = (this.#refused.get(held.id) ?? 0) + 1
    this.#refused.set(held.id, times)
    if (times === MOST_REFUSED) this.#say(held, refusal)
  }

  over(id: string): void {
    this.#refused.delete(id)
  }

  /** The bot plays on: what it is told to give back later is asked for anew. */
  resumed(): void {
    this.#refused.clear()
  }

  #say({ kind, id, stake }: Held, { code: refusal, message: why }: ServiceRefusal): void {
    const money = stake === undefined ? 'A stake of unknown size stays' : `${formatUsdc(stake)} USDC stay`
    const what = kind === 'ticket' ? 'cancel it' : 'give the seat back'
    const { code, message } = new CornermanError(
      'LEAVE_REFUSED',
      `${money} in ${kind} ${id}: the service refused ${MOST_REFUSED} times to ${what} (${refusal}: ${why}). The bot asks no more, and plays it if it starts. To free the stake, ask whoever runs the service; a second Ctrl-C stops the bot at once, and leaves the stake to chance`,
    )
    this.#present.step.note('error', message, {
      code,
      [kind === 'ticket' ? 'ticketId' : 'contestId']: id,
      refusal,
      ...(stake === undefined ? {} : { stake }),
    })
  }
}
