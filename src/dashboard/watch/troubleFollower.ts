import type { Occurrence } from '../../pipeline/index.ts'
import { SEVERITIES, type Severity } from '../../strategy/alertConfig.ts'
import { ALERT_OF } from './alertOf.ts'
import type { Trouble, TroubleKind } from './views.ts'

const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity)

/** Tells when a trouble comes, becomes worse, or is over: not again and again while it lasts. */
export class TroubleFollower {
  readonly #bot: string
  readonly #known = new Map<TroubleKind, Severity>()

  constructor(bot: string) {
    this.#bot = bot
  }

  /** @param troubles all there are now, the worst first */
  follow(troubles: readonly Trouble[], at: number): readonly Occurrence[] {
    const told: Occurrence[] = []
    const now = new Map<TroubleKind, Trouble>()
    for (const trouble of troubles) if (!now.has(trouble.kind)) now.set(trouble.kind, trouble)
    for (const [kind, { severity, message }] of now) {
      const before = this.#known.get(kind)
      this.#known.set(kind, severity)
      if (before === undefined || rankOf(severity) > rankOf(before))
        told.push({ at, bot: this.#bot, kind: ALERT_OF[kind], severity, message })
    }
    for (const kind of this.#known.keys()) {
      if (now.has(kind)) continue
      this.#known.delete(kind)
      if (OVER[kind] !== undefined) told.push({ at, bot: this.#bot, kind: 'over', severity: 'info', message: OVER[kind] })
    }
    return told
  }
}

/** In words; undefined where its end is no news: a day that ends, a contest that is over. */
const OVER: Readonly<Record<TroubleKind, string | undefined>> = {
  streamLate: 'events are read again',
  revealOverdue: 'no reveal is overdue any more',
  stopped: 'the operator lets it play on',
  unknownActions: 'every lost answer has been found',
  botStopped: undefined,
  strategySuspended: undefined,
  dailyLoss: undefined,
}
