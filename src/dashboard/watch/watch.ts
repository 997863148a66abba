import { Subject, type Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import type { Occurrence } from '../../pipeline/index.ts'
import { BotWatch } from './botWatch.ts'
import { Curve, SAMPLE_MS } from './curve.ts'
import type { Desk } from './desk.ts'
import { occurrencesOf } from './occurrencesOf.ts'
import { TroubleFollower } from './troubleFollower.ts'
import type { BotView, ContestView, FleetView, Stopped } from './views.ts'
import type { WatchedFleet } from './watched.ts'

/** Troubles that time alone brings are looked for so often. */
const LOOK_MS = 1000

export interface WatchOptions {
  readonly fleet: WatchedFleet
  readonly clock: Clock
  /** What is played on, for a person. */
  readonly service: string
  readonly isDryRun: boolean
  /** What the operator has stopped; of one bot, or of all. */
  readonly stopped: (bot?: string) => Stopped
  /** Process ids of earlier runs that ended without a word. */
  readonly diedBefore?: readonly number[]
}

/** Watches the bots as they play: what the page, the metrics and the alerts know, they know from here. Ask it to change nothing: it cannot. */
export class Watch implements Desk {
  readonly changed$ = new Subject<{ readonly bot: string }>()
  /** What the owner may want to be told. */
  readonly occurrence$ = new Subject<Occurrence>()
  readonly bots: readonly BotWatch[]
  readonly #options: WatchOptions
  readonly #byName: ReadonlyMap<string, BotWatch>
  readonly #followers: ReadonlyMap<string, TroubleFollower>
  readonly #changes: Subscription
  readonly #curve = new Curve()
  #sampledAt = Number.NEGATIVE_INFINITY
  #cancelLook = () => {}

  constructor(options: WatchOptions) {
    const { fleet, clock, stopped, diedBefore = [] } = options
    this.#options = options
    this.bots = fleet.bots.map((bot) => new BotWatch({ bot, book: fleet.book, now: () => clock.now(), stopped: () => stopped(bot.name) }))
    this.#byName = new Map(this.bots.map((watch) => [watch.bot.name, watch]))
    this.#followers = new Map(this.bots.map(({ bot }) => [bot.name, new TroubleFollower(bot.name)]))
    this.#changes = fleet.change$.subscribe(({ bot: { name }, step }) => {
      const watch = this.#byName.get(name)
      if (watch === undefined || (step !== undefined && !watch.take(step))) return
      if (step !== undefined) for (const occurrence of occurrencesOf(name, step, diedBefore)) this.occurrence$.next(occurrence)
      this.changed$.next({ bot: name })
    })
    this.#look()
  }

  fleet(): FleetView {
    const { clock, service, isDryRun, stopped } = this.#options
    const bots = this.bots.map((watch) => watch.row())
    return { at: clock.now(), service, isDryRun, stopped: stopped(), bots, curve: this.#curve.points }
  }

  bot(name: string): BotView | undefined {
    return this.#byName.get(name)?.view()
  }

  contest(bot: string, contestId: string): ContestView | undefined {
    return this.#byName.get(bot)?.contest(contestId)
  }

  /** Looks once more, and ends. */
  close(): void {
    this.#lookNow(this.#options.clock.now())
    this.#cancelLook()
    this.#changes.unsubscribe()
    this.changed$.complete()
    this.occurrence$.complete()
  }

  #look(): void {
    const { clock } = this.#options
    this.#lookNow(clock.now())
    this.#cancelLook = clock.at(clock.now() + LOOK_MS, () => this.#look())
  }

  #lookNow(now: number): void {
    for (const watch of this.bots) {
      watch.look()
      const { name, phase } = watch.bot
      const hasEnded = phase === 'drained' || phase === 'stopped'
      const occurrences = this.#followers.get(name)?.follow(watch.troubles(), now, { hasEnded }) ?? []
      for (const occurrence of occurrences) this.occurrence$.next(occurrence)
      if (occurrences.length > 0) this.changed$.next({ bot: name })
    }
    this.#sample(now)
  }

  /** A sum that one bot is missing from would show a loss where there is none: a bot that has never come to play is left out for good. */
  #sample(now: number): void {
    if (now < this.#sampledAt + SAMPLE_MS) return
    const playing = this.bots.filter(({ bot }) => bot.phase !== 'stopped' || bot.status() !== undefined)
    const figures = playing.map((watch) => watch.figures()).filter((known) => known !== undefined)
    if (figures.length === 0 || figures.length < playing.length) return
    this.#sampledAt = now
    const sumOf = (of: 'profit' | 'equity') => figures.reduce((sum, known) => sum + BigInt(known[of]), 0n).toString()
    this.#curve.sample(now, { profit: sumOf('profit'), equity: sumOf('equity') })
  }
}
