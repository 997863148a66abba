import { Subject } from 'rxjs'
import type { Desk } from '../../src/dashboard/watch/desk.ts'
import type {
  BotRow,
  BotView,
  ContestRow,
  ContestView,
  FleetView,
  OpenRow,
  Stopped,
  Trouble,
  Worth,
} from '../../src/dashboard/watch/views.ts'
import type { Operator, Ordered } from '../../src/dashboard/watch/watched.ts'
import type { OperatorOrder } from '../../src/pipeline/index.ts'
import {
  contestOf,
  curveOf,
  holdingsOf,
  idOf,
  modesOf,
  notesOf,
  pastContests,
  RESULTS,
  refusedOf,
  SOL,
  strategiesOf,
  usdc,
  wave,
} from './scriptedFigures.ts'

const NAMES = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']

export interface ScriptedDeskOptions {
  readonly now: () => number
  /** Default 6, of which two are in trouble. */
  readonly bots?: number
}

/** A desk whose bots play by a script. What the operator says, it does. */
export class ScriptedDesk implements Desk, Operator {
  readonly changed$ = new Subject<{ readonly bot: string }>()
  readonly said: { readonly command: string; readonly bot: string | undefined }[] = []
  readonly ordered: { readonly bot: string; readonly order: OperatorOrder }[] = []
  /** To the next orders; those after them are done. */
  readonly answers: Ordered[] = []
  readonly names: readonly string[]
  readonly #now: () => number
  readonly #startedAt: number
  readonly #stopped = new Map<string, Stopped>()
  readonly #ticks = new Map<string, number>()
  #stoppedAll: Stopped = 'nothing'
  /** By bot: what ended while one looked. */
  readonly #settled = new Map<string, ContestRow[]>()
  #hasTroubles = true

  constructor({ now, bots = NAMES.length }: ScriptedDeskOptions) {
    this.#now = now
    this.#startedAt = now()
    this.names = Array.from({ length: bots }, (_, index) => NAMES[index] ?? `bot-${index}`)
  }

  say(command: 'stopEntries' | 'stopAll' | 'resume', bot: string | undefined): string | undefined {
    this.said.push({ command, bot })
    const stopped = ({ stopEntries: 'entries', stopAll: 'all', resume: 'nothing' } as const)[command]
    if (bot === undefined) {
      if (command === 'resume') this.#stopped.clear()
      this.#stoppedAll = stopped
    } else this.#stopped.set(bot, stopped)
    for (const name of this.names) this.changed$.next({ bot: name })
    return bot !== undefined && command === 'resume' && this.#stoppedAll !== 'nothing' ? 'all bots are still stopped' : undefined
  }

  order(bot: string, order: OperatorOrder): Promise<Ordered> {
    this.ordered.push({ bot, order })
    return Promise.resolve(this.answers.shift() ?? { isDone: true, message: undefined })
  }

  #stoppedOf(bot: string): Stopped {
    const own = this.#stopped.get(bot) ?? 'nothing'
    return [own, this.#stoppedAll].find((stopped) => stopped === 'all') ?? (own === 'nothing' ? this.#stoppedAll : own)
  }

  /** Something small has happened to a bot: its stream was read, and a price has moved. */
  tick(bot: string): void {
    this.#ticks.set(bot, (this.#ticks.get(bot) ?? 0) + 1)
    this.changed$.next({ bot })
  }

  /** The bot's live contest is over. */
  settle(bot: string): void {
    const index = this.names.indexOf(bot)
    const live = this.#live(index)
    const settled = { ...live, phase: 'settled', settledAt: this.#now(), result: 'WIN', profit: usdc(1.9), versus: 'AGENT' } as const
    this.#settled.set(bot, [settled, ...(this.#settled.get(bot) ?? [])])
    this.changed$.next({ bot })
  }

  heal(): void {
    this.#hasTroubles = false
    for (const name of this.names) this.changed$.next({ bot: name })
  }

  fleet(): FleetView {
    const bots = this.names.map((_, index) => this.#row(index))
    return { at: this.#now(), service: 'sandbox', isDryRun: false, stopped: this.#stoppedAll, bots, curve: this.#fleetCurve() }
  }

  bot(name: string): BotView | undefined {
    const index = this.names.indexOf(name)
    if (index < 0) return undefined
    const tally = (share: number) => ({
      results: { WIN: Math.round(30 * share), LOSS: Math.round(22 * share), DRAW: Math.round(3 * share), REFUND: 1 },
      staked: usdc(112 * share),
      profit: usdc(10.4 * share - 2),
    })
    const at = this.#startedAt
    return {
      row: this.#row(index),
      agentId: `5c0f3b1e-0000-4000-8000-00000000000${index % 10}`,
      curve: curveOf(index, this.#startedAt),
      holdings: holdingsOf(index, this.#startedAt),
      byMode: { draft_basket: tally(1), up_down: tally(0.5), pnl_race_pct: tally(0.2), price_prediction: tally(0.1) },
      byOpponents: { AGENT: tally(0.9), HUMAN: tally(0.4), MIXED: tally(0.12) },
      byStrategy: { ladder: tally(1.2), crossover: tally(0.3) },
      byDay: { '2026-11-25': tally(0.4), '2026-11-26': tally(0.7), '2026-11-27': tally(0.3) },
      byWeek: { '2026-W47': tally(0.2), '2026-W48': tally(1.3) },
      contests: this.#contests(index),
      refused: refusedOf(name, at),
      strategies: strategiesOf(name, index),
      modes: modesOf(name, at),
      notes: notesOf(index, this.#startedAt, this.#ticks.get(name) ?? 0),
      actions: { sent: 164, refused: 130, failed: 1, unknown: 0 },
      reveals: { due: 9, done: 9 },
      swaps: { filled: 41, failed: 1 },
    }
  }

  contest(bot: string, contestId: string): ContestView | undefined {
    const index = this.names.indexOf(bot)
    const row = index < 0 ? undefined : this.#contests(index).find((one) => one.contestId === contestId)
    if (row === undefined) return undefined
    return { bot, row, ...contestOf({ bot, row, index, now: this.#now(), startedAt: this.#startedAt }) }
  }

  #row(index: number): BotRow {
    const name = this.names[index] ?? ''
    const troubles = this.#troubles(index)
    const at = this.#now()
    const tick = this.#ticks.get(name) ?? 0
    const isStarting = index === 5
    const lost = index === 1 ? 14.6 : Math.abs(wave(index, 3)) * 6
    return {
      name,
      phase: isStarting ? 'starting' : 'running',
      severity: troubles[0]?.severity,
      troubles,
      isCaughtUp: !isStarting,
      isDraining: false,
      stopped: this.#stoppedOf(name),
      ...this.#worth(index, tick),
      profit: isStarting ? undefined : usdc(14 * wave(index, 2) + (this.#settled.get(name)?.length ?? 0) * 1.9),
      settled: isStarting ? undefined : 56 + (this.#settled.get(name)?.length ?? 0),
      today: {
        ...{
          lost: isStarting ? undefined : usdc(lost),
          inPlay: isStarting ? undefined : usdc(index % 4 === 3 ? 0 : 4),
          reserved: isStarting ? undefined : usdc(0),
          cap: usdc(20),
        },
        ...(isStarting ? { serviceCap: undefined, serviceLost: undefined } : { serviceCap: usdc(100), serviceLost: usdc(lost) }),
      },
      open: isStarting || index % 4 === 3 ? [] : this.#open(index),
      lastResults: isStarting ? [] : RESULTS.map((_, step) => RESULTS[(step + index) % RESULTS.length] ?? 'WIN'),
      stream:
        index === 2 && this.#hasTroubles
          ? { state: 'stalled', readAt: this.#startedAt - 184_000, startedAt: this.#startedAt }
          : { state: 'current', readAt: isStarting ? undefined : at - 400, startedAt: this.#startedAt },
      faults: index === 2 ? 3 : 0,
      unknown: index === 4 ? 1 : 0,
    }
  }

  #worth(index: number, tick: number): Worth {
    const nothing = { equity: undefined, bankroll: undefined, inPlay: undefined, held: undefined, unpriced: 0, pricedAt: undefined }
    if (index === 5) return nothing
    const [bankroll, inPlay] = [usdc(240 + 60 * wave(index, 1) + tick / 100), usdc(index % 4 === 3 ? 0 : 4)]
    const holdings = holdingsOf(index, this.#startedAt)
    const held = holdings.reduce((sum, { value }) => sum + BigInt(value ?? 0), 0n)
    const equity = BigInt(bankroll) + BigInt(inPlay) + held
    const unpriced = holdings.filter(({ value }) => value === undefined).length
    const pricedAt = holdings[0]?.pricedAt
    return { equity: `${equity}`, bankroll, inPlay, held: `${held}`, unpriced, pricedAt }
  }

  #fleetCurve(): FleetView['curve'] {
    const first = curveOf(0, this.#startedAt)
    return first.slice(-120).map(({ at, profit, equity }, step) => ({
      ...{ at, profit: usdc(Number(profit) / 200_000 + step * 0.01) },
      equity: equity && usdc((Number(equity) / 1_000_000) * 5),
    }))
  }

  #troubles(index: number): readonly Trouble[] {
    const stopped = this.#stoppedOf(this.names[index] ?? '')
    const said: readonly Trouble[] =
      stopped === 'nothing'
        ? []
        : [
            {
              kind: 'stopped',
              severity: 'warn',
              message:
                stopped === 'all'
                  ? 'The kill switch is on: nothing new is entered, no swap is made.'
                  : 'Entries are stopped: nothing new is entered.',
            },
          ]
    if (!this.#hasTroubles) return said
    if (index === 1)
      return [
        {
          kind: 'dailyLoss',
          severity: 'warn',
          message: 'Lost and at stake today are 18.60 of 20.00 USDC. At the cap it enters nothing until midnight UTC.',
        },
        ...said,
      ]
    if (index !== 2) return said
    return [
      {
        kind: 'streamLate',
        severity: 'alarm',
        message: 'The event stream was not read for 3 min 4 s. Look at the network and at the service.',
      },
      {
        kind: 'strategySuspended',
        severity: 'warn',
        message: 'crossover threw three times and is left alone in one contest. See its log.',
      },
      ...said,
    ]
  }

  #live(index: number): ContestRow {
    const over = this.#settled.get(this.names[index] ?? '')?.length ?? 0
    const startsAt = this.#startedAt - 90_000 + over * 30_000
    return {
      ...{
        contestId: idOf(index, over),
        mode: 'pnl_race_pct',
        strategy: 'ladder',
        stake: usdc(2),
        token: SOL,
        side: undefined,
        phase: 'live',
        startsAt,
      },
      ...{ endsAt: startsAt + 300_000, settledAt: undefined, versus: undefined, result: undefined, profit: undefined },
    }
  }

  #open(index: number): readonly OpenRow[] {
    const { contestId: id, mode, stake, token, side, startsAt, endsAt } = this.#live(index)
    return [
      { kind: 'contest', id, mode, stake, token, side, phase: 'live', startsAt, endsAt },
      {
        ...{ kind: 'ticket', id: `ticket-${index}`, mode: 'draft_basket', stake: usdc(2), token: undefined, side: undefined },
        ...{ phase: undefined, startsAt: undefined, endsAt: undefined },
      },
    ]
  }

  #contests(index: number): readonly ContestRow[] {
    return [this.#live(index), ...(this.#settled.get(this.names[index] ?? '') ?? []), ...pastContests(index, this.#startedAt)]
  }
}
