import type { Occurrence } from '../../pipeline/index.ts'
import { SEVERITIES, type Severity } from '../../strategy/alertConfig.ts'
import { ALERT_OF } from './alertOf.ts'
import type { Trouble, TroubleKind } from './views.ts'

const keyOf = ({ kind, about = '' }: Trouble): string => `${kind}\n${about}`
const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity)

/** Tells when a trouble comes, becomes worse, or is over: not again and again while it lasts. */
export class TroubleFollower {
  readonly #bot: string
  /** By kind and what it is about: a second contest is other money, and a second strategy another fault. */
  #known = new Map<string, Trouble>()

  constructor(bot: string) {
    this.#bot = bot
  }

  /** @param troubles all there are now, the worst first */
  follow(troubles: readonly Trouble[], at: number): readonly Occurrence[] {
    const told: Occurrence[] = []
    const now = new Map<string, Trouble>()
    for (const trouble of troubles) {
      const key = keyOf(trouble)
      if (!now.has(key)) now.set(key, trouble)
    }
    for (const [key, { kind, about, severity, message }] of now) {
      const before = this.#known.get(key)
      if (before === undefined || rankOf(severity) > rankOf(before.severity))
        told.push({ at, bot: this.#bot, kind: ALERT_OF[kind], ...(about === undefined ? {} : { about }), severity, message })
    }
    const over = new Set([...this.#known.values()].map(({ kind }) => kind))
    for (const { kind } of troubles) over.delete(kind)
    for (const kind of over)
      if (OVER[kind] !== undefined) told.push({ at, bot: this.#bot, kind: 'over', severity: 'info', message: OVER[kind] })
    this.#known = now
    return told
  }
}

/** In words, when none of the kind is left; undefined where its end is no news: a day that ends, a contest that is over. */
const OVER: Readonly<Record<TroubleKind, string | undefined>> = {
  streamLate: 'events are read again',
  revealOverdue: 'no reveal is overdue any more',
  stopped: 'the operator lets it play on',
  unknownActions: 'every lost answer has been found',
  botStopped: undefined,
  strategySuspended: undefined,
  dailyLoss: undefined,
}
