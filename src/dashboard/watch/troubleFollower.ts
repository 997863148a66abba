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

  /**
   * @param troubles all there are now, the worst first
   * @param hasEnded of the bot: troubles that go with it are not over
   */
  follow(troubles: readonly Trouble[], at: number, { hasEnded = false } = {}): readonly Occurrence[] {
    const told: Occurrence[] = []
    const now = new Map<string, Trouble>()
    for (const trouble of troubles) {
      const key = keyOf(trouble)
      if (!now.has(key)) now.set(key, trouble)
    }
    for (const [key, { kind, about, severity, message }] of now) {
      const before = this.#known.get(key)
      const alert = ALERT_OF[kind]
      if (alert !== undefined && (before === undefined || rankOf(severity) > rankOf(before.severity)))
        told.push({ at, bot: this.#bot, kind: alert, ...(about === undefined ? {} : { about }), severity, message })
    }
    if (!hasEnded) for (const message of this.#over(now)) told.push({ at, bot: this.#bot, kind: 'over', severity: 'info', message })
    this.#known = now
    return told
  }

  #over(now: ReadonlyMap<string, Trouble>): ReadonlySet<string> {
    const left = new Set([...now.values()].map(({ kind }) => kind))
    const messages = new Set<string>()
    for (const [key, { kind, about = '' }] of this.#known) {
      const over = OVER[kind]
      if (typeof over === 'function' && !now.has(key)) messages.add(over(about))
      if (typeof over === 'string' && !left.has(kind)) messages.add(over)
    }
    return messages
  }
}

/**
 * In words, when none of the kind is left, or by what it was about when that one is gone; undefined where its end is no news: a day that
 * ends, a contest that is over.
 */
const OVER: Readonly<Record<TroubleKind, string | ((about: string) => string) | undefined>> = {
  streamLate: 'events are read again',
  revealOverdue: 'no reveal is overdue any more',
  stopped: 'the operator lets it play on',
  unknownActions: 'every lost answer has been found',
  botStopped: undefined,
  strategySuspended: undefined,
  dailyLoss: undefined,
  clocksDisagree: 'the clocks agree again: entries go on',
  paused: undefined,
  moneyMissing: 'no USDC is missing any more: entries may go on',
  pricesStale: 'no token in play is without a fresh price any more',
  modeClosed: (mode) => `${mode} is open again`,
  swapPathDown: 'swaps come through again: contests of swaps may be entered',
  unsold: (about) => `${about} is sold: nothing of it is left`,
  unplayed: undefined,
  contestUnnamed: undefined,
  answerIncomplete: (procedure) => `the service answers ${procedure} in full again`,
}
