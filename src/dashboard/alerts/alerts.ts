import type { Observable, Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import type { AlertChannel, Occurrence } from '../../pipeline/index.ts'
import { type AlertConfig, SEVERITIES } from '../../strategy/alertConfig.ts'
import { type AlertCounts, AlertQueue } from './alertQueue.ts'

/** The same again within so long is no news. Settled contests are never the same. */
const REPEAT_MS = 15 * 60_000

export interface AlertsOptions {
  readonly channels: readonly { readonly channel: AlertChannel; readonly config: Pick<AlertConfig, 'least' | 'also' | 'never'> }[]
  readonly occurrence$: Observable<Occurrence>
  readonly clock: Clock
  readonly log: { warn(message: string): void; info(message: string): void }
}

/** Tells the owner what happens to the bots, by severity and kind, on every channel of the config. It never holds a bot up. */
export class Alerts {
  readonly #queues: readonly { readonly queue: AlertQueue; readonly wants: (occurrence: Occurrence) => boolean }[]
  readonly #subscription: Subscription
  readonly #clock: Clock
  /** When something was last told, by what it is. */
  readonly #told = new Map<string, number>()

  constructor({ channels, occurrence$, clock, log }: AlertsOptions) {
    this.#clock = clock
    this.#queues = channels.map(({ channel, config }) => ({
      wants: wantsOf(config),
      queue: new AlertQueue({
        ...{ channel, clock },
        onTrouble: (reason) =>
          reason === undefined
            ? log.info(`alerts by ${channel.name} arrive again`)
            : log.warn(`alerts by ${channel.name} do not arrive (${reason}): they wait, and are tried again`),
        onRefused: ({ bot, message }, reason) =>
          log.warn(`alerts by ${channel.name}: the receiver refuses one for good (${reason}), and it is dropped: ${bot}: ${message}`),
      }),
    }))
    this.#subscription = occurrence$.subscribe((occurrence) => this.tell(occurrence))
  }

  /** What has become of the alerts, by channel. */
  counts(): readonly (AlertCounts & { readonly channel: string })[] {
    return this.#queues.map(({ queue }) => ({ channel: queue.channel.name, ...queue.counts }))
  }

  tell(occurrence: Occurrence): void {
    if (this.#isRepeated(occurrence)) return
    for (const { queue, wants } of this.#queues) if (wants(occurrence)) queue.put(occurrence)
  }

  /** Sends what waits, as long as it is taken, and ends. */
  async close(): Promise<void> {
    this.#subscription.unsubscribe()
    await Promise.all(this.#queues.map(({ queue }) => queue.close()))
  }

  #isRepeated({ kind, bot, about = '', severity }: Occurrence): boolean {
    if (kind === 'settled' || kind === 'missedReveal' || kind === 'unplayed' || kind === 'over') return false
    const now = this.#clock.now()
    for (const [what, at] of this.#told) if (now - at >= REPEAT_MS) this.#told.delete(what)
    const what = `${kind}\n${bot}\n${about}\n${severity}`
    if (this.#told.has(what)) return true
    this.#told.set(what, now)
    return false
  }
}

function wantsOf({ least, also, never }: Pick<AlertConfig, 'least' | 'also' | 'never'>): (occurrence: Occurrence) => boolean {
  const from = SEVERITIES.indexOf(least)
  return ({ kind, severity }) => !never.includes(kind) && (also.includes(kind) || SEVERITIES.indexOf(severity) >= from)
}
