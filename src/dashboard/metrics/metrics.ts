import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import type { Usdc } from '../../core/usdc.ts'
import { isPathUp, type ModeStatus, type Step, type SwapPath } from '../../pipeline/index.ts'
import type { Alerts } from '../alerts/index.ts'
import { type BotRow, type Micro, reactionSecondsOf, TROUBLES, type Watch, type WatchedFleet, type WatchedHost } from '../watch/index.ts'
import { hostMetrics } from './hostMetrics.ts'

/** From what a webhook brings at once to a poll that comes late. */
const REACTION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const MICRO_PER_USDC = 1e6

export interface MetricsOptions {
  readonly fleet: WatchedFleet
  readonly watch: Pick<Watch, 'bots'>
  readonly clock: Clock
  readonly version: string
  /** What has become of the alerts, by channel. */
  readonly alerts?: () => ReturnType<Alerts['counts']>
  /** Where this is a host of a fleet. */
  readonly host?: WatchedHost | undefined
}

/**
 * What Prometheus is told, in its text format. Counters count since the start of the process; amounts are in USDC. Names follow
 * https://prometheus.io/docs/practices/naming/.
 */
export class Metrics {
  readonly contentType: string
  readonly #registry = new Registry()
  readonly #open = new Subscription()
  readonly #actions: Counter
  readonly #outcomes: Counter
  readonly #settled: Counter
  readonly #unplayed: Counter
  readonly #reaction: Histogram
  readonly #faults: Counter
  readonly #watch: MetricsOptions['watch']
  #looked: readonly Looked[] = []

  constructor({ fleet, watch, clock, version, alerts = () => [], host }: MetricsOptions) {
    this.contentType = this.#registry.contentType
    collectDefaultMetrics({ register: this.#registry })
    const registers = [this.#registry]
    const info = new Gauge({ name: 'cornerman_info', help: 'What runs; always 1.', labelNames: ['version'], registers })
    info.set({ version }, 1)
    this.#actions = new Counter({
      name: 'cornerman_actions_total',
      help: "Actions that strategies asked for, by the guard's verdict; a refusal with its code.",
      labelNames: ['bot', 'verdict', 'code'],
      registers,
    })
    this.#outcomes = new Counter({
      name: 'cornerman_action_outcomes_total',
      help: 'What became of approved actions.',
      labelNames: ['bot', 'status'],
      registers,
    })
    this.#settled = new Counter({
      name: 'cornerman_contests_settled_total',
      help: 'Contests settled, by mode and result.',
      labelNames: ['bot', 'mode', 'result'],
      registers,
    })
    this.#unplayed = new Counter({
      name: 'cornerman_unplayed_total',
      help: 'Contests settled in which the bot had made no valid move, by mode and reason.',
      labelNames: ['bot', 'mode', 'why'],
      registers,
    })
    this.#reaction = new Histogram({
      name: 'cornerman_reaction_seconds',
      help: "From an event of the service's to the order it led to at once.",
      labelNames: ['bot'],
      buckets: REACTION_BUCKETS,
      registers,
    })
    this.#faults = new Counter({
      name: 'cornerman_faults_total',
      help: 'Strategies that failed, events that could not be read and the like.',
      labelNames: ['bot'],
      registers,
    })
    this.#watch = watch
    gauges(registers, clock, () => this.#looked)
    alertMetrics(registers, alerts)
    if (host !== undefined) this.#open.add(hostMetrics(registers, host))
    this.#open.add(
      fleet.change$.subscribe(({ bot, step }) => {
        if (step !== undefined && (!step.isQuiet || step.input.type === 'event')) this.#count(bot.name, step)
      }),
    )
  }

  /** The metrics as of now. */
  text(): Promise<string> {
    // Whoever plays a bot tells of it: two that did would make one sum of it.
    const played = this.#watch.bots.filter(({ bot }) => bot.phase !== 'elsewhere')
    this.#looked = played.map((one) => {
      const { modes = [], path } = one.bot.status() ?? {}
      return { row: one.row(), readsLeft: one.bot.readsLeft(), modes, path }
    })
    return this.#registry.metrics()
  }

  close(): void {
    this.#open.unsubscribe()
    this.#registry.clear()
  }

  #count(bot: string, step: Step): void {
    const { input, refused, record, notes } = step
    for (const { refusal } of refused) this.#actions.inc({ bot, verdict: 'refused', code: refusal.code })
    for (const _ of record?.intents ?? []) this.#actions.inc({ bot, verdict: 'approved', code: '' })
    for (const { status } of record?.outcomes ?? []) this.#outcomes.inc({ bot, status })
    for (const { level, fields } of notes) {
      if (level === 'error') this.#faults.inc({ bot })
      if (fields.code === 'UNPLAYED') this.#unplayed.inc({ bot, mode: String(fields.mode), why: String(fields.hindrance) })
    }
    const seconds = reactionSecondsOf(step)
    if (seconds !== undefined) this.#reaction.observe({ bot }, seconds)
    if (input.type !== 'event' || input.recorded || !input.read.ok || input.read.event.type !== 'contest.settled') return
    const { mode, result } = input.read.event.data
    this.#settled.inc({ bot, mode, result })
  }
}

interface GaugeOf {
  readonly name: string
  readonly help: string
  /** Undefined: not known, and left out. */
  readonly value: (row: BotRow, now: number) => number | undefined
}

/** For a chart alone: no amount is worked out with it. */
const usdcOf = (micro: Micro | Usdc): number => Number(micro) / MICRO_PER_USDC
const knownUsdc = (micro: Micro | undefined): number | undefined => (micro === undefined ? undefined : usdcOf(micro))

const GAUGES: readonly GaugeOf[] = [
  { name: 'cornerman_bot_up', help: '1 while the bot plays or drains.', value: ({ phase }) => Number(phase === 'running') },
  {
    name: 'cornerman_stream_lag_seconds',
    help: 'Since the event stream was last read; before that, since the bot began.',
    value: ({ stream: { readAt, startedAt } }, now) => Math.max(0, now - (readAt ?? startedAt)) / 1000,
  },
  {
    name: 'cornerman_equity_usdc',
    help: 'What can be spent, stakes in play, and tokens held at the newest prices; without tokens that have none.',
    value: ({ equity }) => knownUsdc(equity),
  },
  {
    name: 'cornerman_bankroll_usdc',
    help: 'What can be spent: as the service said last, and what swaps have moved since.',
    value: ({ bankroll }) => knownUsdc(bankroll),
  },
  { name: 'cornerman_held_usdc', help: 'Tokens held, at the newest prices.', value: ({ held }) => knownUsdc(held) },
  { name: 'cornerman_unpriced_holdings', help: 'Tokens held that no price is known of.', value: ({ unpriced }) => unpriced },
  {
    name: 'cornerman_in_play_usdc',
    help: 'Stakes in tickets and contests that are not over; none while one of them is not known.',
    value: ({ today }) => knownUsdc(today.inPlay),
  },
  {
    name: 'cornerman_reserved_usdc',
    help: 'The most that actions without an outcome can cost, as the guard holds it back.',
    value: ({ today }) => knownUsdc(today.reserved),
  },
  {
    name: 'cornerman_profit_usdc',
    help: 'Profit of all settled contests and closed swaps of the journal; negative for a loss.',
    value: ({ profit }) => knownUsdc(profit),
  },
  {
    name: 'cornerman_day_loss_usdc',
    help: 'Lost today, as the guard counts it; none while that is not known.',
    value: ({ today }) => knownUsdc(today.lost),
  },
  { name: 'cornerman_day_loss_cap_usdc', help: 'guard.dailyLoss of the config.', value: ({ today }) => usdcOf(today.cap) },
  {
    name: 'cornerman_service_day_loss_usdc',
    help: 'Lost today, as the service counts it.',
    value: ({ today }) => knownUsdc(today.serviceLost),
  },
  {
    name: 'cornerman_service_day_loss_cap_usdc',
    help: "The service's cap of a day's loss.",
    value: ({ today }) => knownUsdc(today.serviceCap),
  },
  { name: 'cornerman_open_contests', help: 'Tickets and contests that are not over.', value: ({ open }) => open.length },
  { name: 'cornerman_unknown_actions', help: 'Actions whose answer was lost, and is looked up.', value: ({ unknown }) => unknown },
]

interface Looked {
  readonly row: BotRow
  readonly readsLeft: number | undefined
  readonly modes: readonly ModeStatus[]
  readonly path: SwapPath | undefined
}

/** What stands at the moment is looked at when it is asked for, and costs nothing until then. */
function gauges(registers: Registry[], clock: Clock, looked: () => readonly Looked[]): void {
  const gaugeOf = (name: string, help: string, labels: readonly string[], collect: (gauge: Gauge, one: Looked) => void) => {
    const gauge: Gauge = new Gauge({
      ...{ name, help, labelNames: labels, registers },
      collect() {
        gauge.reset()
        for (const one of looked()) collect(gauge, one)
      },
    })
  }
  for (const { name, help, value } of GAUGES)
    gaugeOf(name, help, ['bot'], (gauge, { row }) => {
      const known = value(row, clock.now())
      if (known !== undefined) gauge.set({ bot: row.name }, known)
    })
  gaugeOf('cornerman_reads_left', 'Reads the service still takes of this key in the current minute.', ['bot'], (gauge, one) => {
    if (one.readsLeft !== undefined) gauge.set({ bot: one.row.name }, one.readsLeft)
  })
  const openHelp = '1 while contests of the mode may be entered; one for each mode of guard.modes.'
  gaugeOf('cornerman_mode_open', openHelp, ['bot', 'mode'], (gauge, { row, modes }) => {
    for (const { mode, code } of modes) gauge.set({ bot: row.name, mode }, Number(code === undefined || code === 'MODE_ON_TRIAL'))
  })
  const pathHelp = '1 while swaps are known to come through, 0 while they do not or nobody has seen it for a while.'
  gaugeOf('cornerman_swap_path_up', pathHelp, ['bot'], (gauge, { row, path }) => {
    if (path !== undefined) gauge.set({ bot: row.name }, Number(isPathUp(path, clock.now())))
  })
  const help = 'What is wrong now, by kind and severity; 0 where nothing of the kind is.'
  gaugeOf('cornerman_troubles', help, ['bot', 'kind', 'severity'], (gauge, { row }) => {
    for (const kind of TROUBLES) {
      const worst = row.troubles.find((trouble) => trouble.kind === kind)
      gauge.set({ bot: row.name, kind, severity: worst?.severity ?? 'none' }, worst === undefined ? 0 : 1)
    }
  })
}

/** The queues of alerts count for themselves; here it is only said. */
function alertMetrics(registers: Registry[], counts: () => ReturnType<Alerts['counts']>): void {
  const told: Counter = new Counter({
    name: 'cornerman_alerts_total',
    help: 'Alerts, by what became of them.',
    labelNames: ['channel', 'outcome'],
    registers,
    collect() {
      told.reset()
      for (const { channel, sent, dropped, refused } of counts()) {
        told.inc({ channel, outcome: 'sent' }, sent)
        told.inc({ channel, outcome: 'dropped' }, dropped)
        told.inc({ channel, outcome: 'refused' }, refused)
      }
    },
  })
  const failures: Counter = new Counter({
    name: 'cornerman_alert_failures_total',
    help: 'Messages a channel did not take; they are tried again, but for an alert that is refused for good.',
    labelNames: ['channel'],
    registers,
    collect() {
      failures.reset()
      for (const { channel, failed } of counts()) failures.inc({ channel }, failed)
    },
  })
  const waiting: Gauge = new Gauge({
    name: 'cornerman_alerts_waiting',
    help: 'Alerts that were not taken yet.',
    labelNames: ['channel'],
    registers,
    collect() {
      waiting.reset()
      for (const one of counts()) waiting.set({ channel: one.channel }, one.waiting)
    },
  })
}
