import { Subject, type Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/day.ts'
import type { Occurrence } from '../../pipeline/index.ts'
import { BotWatch } from './botWatch.ts'
import { Curve, SAMPLE_MS } from './curve.ts'
import type { Desk } from './desk.ts'
import { elsewhereRowOf, type OtherHosts } from './elsewhereRow.ts'
import { occurrencesOf } from './occurrencesOf.ts'
import type { ShownBot } from './shownBots.ts'
import { TroubleFollower } from './troubleFollower.ts'
import type { BotRow, BotView, ContestView, CurvePoint, FleetView, Stopped } from './views.ts'
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
  /** Of a host of a fleet: what is known of the bots that it does not play. */
  readonly others?: OtherHosts | undefined
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
    return { at: clock.now(), service, isDryRun, stopped: stopped(), bots: this.#rows(), curve: this.#curve.points }
  }

  bot(name: string): BotView | undefined {
    const watch = this.#byName.get(name)
    if (watch === undefined || watch.bot.phase !== 'elsewhere') return watch?.view()
    return { ...watch.view(), row: this.#rowOf(watch), curve: this.#options.others?.of(name)?.shown?.before ?? [] }
  }

  /** The bots that this host plays, for the pages of the others. */
  shown(): readonly ShownBot[] {
    const now = this.#options.clock.now()
    const played = this.bots.filter(({ bot }) => bot.phase !== 'elsewhere')
    return played.map((watch) => ({ row: watch.row(), before: beforeOf(watch.curve, now) }))
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
      const hasEnded = phase === 'drained' || phase === 'stopped' || phase === 'elsewhere'
      const occurrences = this.#followers.get(name)?.follow(watch.troubles(), now, { hasEnded }) ?? []
      for (const occurrence of occurrences) this.occurrence$.next(occurrence)
      if (occurrences.length > 0) this.changed$.next({ bot: name })
    }
    this.#sample(now)
    // What others have shown has no step that tells of it.
    for (const bot of this.#options.others?.bots ?? []) this.changed$.next({ bot })
  }

  /** In the order of the config, and behind them those of the fleet that are not in it. */
  #rows(): readonly BotRow[] {
    const { others } = this.#options
    const more = (others?.bots ?? []).filter((name) => !this.#byName.has(name))
    return [...this.bots.map((watch) => this.#rowOf(watch)), ...more.map((name) => this.#elsewhere(name))]
  }

  #rowOf(watch: BotWatch): BotRow {
    const { name, phase, config } = watch.bot
    return phase === 'elsewhere' ? this.#elsewhere(name, config.guard.dailyLoss.toString()) : watch.row()
  }

  #elsewhere(name: string, cap = '0'): BotRow {
    const { others, stopped, clock } = this.#options
    return elsewhereRowOf(name, others?.of(name), { cap, stopped: stopped(name), now: clock.now() })
  }

  /** A sum that one bot is missing from would show a loss where there is none: a bot that has never come to play is left out for good. */
  #sample(now: number): void {
    if (now < this.#sampledAt + SAMPLE_MS) return
    const known = this.#rows().filter(
      ({ phase, elsewhere, profit }) => elsewhere !== undefined || phase !== 'stopped' || profit !== undefined,
    )
    const figures = known.flatMap(({ profit, equity, elsewhere }) =>
      profit === undefined || equity === undefined || elsewhere?.isSilent === true ? [] : [{ profit, equity }],
    )
    if (figures.length === 0 || figures.length < known.length) return
    this.#sampledAt = now
    const sumOf = (of: 'profit' | 'equity') => figures.reduce((sum, known) => sum + BigInt(known[of]), 0n).toString()
    this.#curve.sample(now, { profit: sumOf('profit'), equity: sumOf('equity') })
  }
}

/** The newest points that are a day and a week old: by them profit is told of these times. */
function beforeOf(curve: readonly CurvePoint[], now: number): readonly CurvePoint[] {
  const points = [7 * DAY_MS, DAY_MS].flatMap((ms) => curve.findLast(({ at }) => at <= now - ms) ?? [])
  return [...new Set(points)]
}
