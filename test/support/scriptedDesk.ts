import { Subject } from 'rxjs'
import type { Result } from '../../src/contract/enums.ts'
import type { Desk } from '../../src/dashboard/watch/desk.ts'
import type { BotRow, BotView, ContestRow, ContestView, FleetView, OpenRow, Stopped, Trouble } from '../../src/dashboard/watch/views.ts'
import type { Operator } from '../../src/dashboard/watch/watched.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SOL = 'So11111111111111111111111111111111111111112'
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'
const NAMES = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']
const MODES = ['draft_basket', 'up_down', 'pnl_race_pct', 'price_prediction', 'best_trade'] as const
const RESULTS: readonly Result[] = ['WIN', 'LOSS', 'WIN', 'DRAW', 'WIN', 'LOSS', 'REFUND', 'WIN']

const usdc = (amount: number) => String(Math.round(amount * 1_000_000))
/** Between -1 and 1, the same for the same numbers. */
const wave = (index: number, phase: number) => Math.sin(index * 1.7 + phase * 0.9) * 0.7 + Math.sin(index * 0.31 + phase) * 0.3

export interface ScriptedDeskOptions {
  readonly now: () => number
  /** Default 6, of which two are in trouble. */
  readonly bots?: number
}

/** A desk whose bots play by a script. What the operator says, it does. */
export class ScriptedDesk implements Desk, Operator {
  readonly changed$ = new Subject<{ readonly bot: string }>()
  readonly said: { readonly command: string; readonly bot: string | undefined }[] = []
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

  say(command: 'stopEntries' | 'stopAll' | 'resume', bot: string | undefined): void {
    this.said.push({ command, bot })
    const stopped = ({ stopEntries: 'entries', stopAll: 'all', resume: 'nothing' } as const)[command]
    if (bot === undefined) {
      this.#stopped.clear()
      this.#stoppedAll = stopped
    } else this.#stopped.set(bot, stopped)
    for (const name of this.names) this.changed$.next({ bot: name })
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
    return { at: this.#now(), service: 'sandbox', isDryRun: false, stopped: this.#stoppedAll, bots }
  }

  bot(name: string): BotView | undefined {
    const index = this.names.indexOf(name)
    if (index < 0) return undefined
    const equity = this.#equity(index)
    const tally = (share: number) => ({
      results: { WIN: Math.round(30 * share), LOSS: Math.round(22 * share), DRAW: Math.round(3 * share), REFUND: 1 },
      staked: usdc(112 * share),
      profit: usdc(10.4 * share - 2),
    })
    const at = this.#startedAt
    return {
      row: this.#row(index),
      agentId: `5c0f3b1e-0000-4000-8000-00000000000${index % 10}`,
      equity,
      byMode: { draft_basket: tally(1), up_down: tally(0.5), pnl_race_pct: tally(0.2), price_prediction: tally(0.1) },
      byOpponents: { AGENT: tally(0.9), HUMAN: tally(0.4), MIXED: tally(0.12) },
      contests: this.#contests(index),
      refused: [
        ...(name === 'bob'
          ? [refusal('dailyLoss', 14, at - 40_000, 'ladder', 'stake 2.00 USDC would bring today to 20.60 of 20.00 USDC')]
          : []),
        refusal('openContests', 112, at - 9000, 'ladder', '3 contests are open, and maxOpenContests is 3'),
        refusal('duplicate', 3, at - 12 * MINUTE_MS, 'ladder', 'the same ticket is already in the queue'),
        refusal('slippage', 1, at - HOUR_MS, 'crossover', 'slippage of 80 bps is above maxSlippageBps 50'),
      ],
      strategies: [
        {
          ...{ name: 'ladder', kind: 'queuePolicy', faults: 0, suspendedIn: [] },
          params: { modes: 'draft_basket, up_down, pnl_race_pct', stake: '2.00 USDC', durationSec: '60', opponents: 'ANY' },
        },
        { name: 'momentum', kind: 'draftPicker', params: { lookbackSec: '300' }, faults: 0, suspendedIn: [] },
        {
          ...{ name: 'crossover', kind: 'trader', params: { fastSec: '10', slowSec: '40' } },
          ...{ faults: name === 'carol' ? 3 : 0, suspendedIn: name === 'carol' ? [idOf(index, 0)] : [] },
        },
      ],
      notes: this.#notes(index),
      actions: { sent: 164, refused: 130, failed: 1, unknown: 0 },
      reveals: { due: 9, done: 9 },
      swaps: { filled: 41, failed: 1 },
    }
  }

  contest(bot: string, contestId: string): ContestView | undefined {
    const index = this.names.indexOf(bot)
    const row = index < 0 ? undefined : this.#contests(index).find((one) => one.contestId === contestId)
    if (row === undefined) return undefined
    const startsAt = row.startsAt ?? this.#startedAt
    const endsAt = Math.min(row.endsAt ?? startsAt + 300_000, row.settledAt ?? this.#now())
    const count = Math.max(2, Math.min(600, Math.floor((endsAt - startsAt) / 500)))
    const series = (symbol: string, base: number, phase: number) => ({
      symbol,
      points: Array.from({ length: count }, (_, step) => ({
        at: startsAt - 10_000 + step * 500,
        price: (base * (1 + 0.012 * wave(step / 9, phase + index) + step * 0.00004)).toPrecision(7),
      })),
    })
    const move = (after: number, kind: 'buy' | 'sell', text: string) => ({
      ...{ at: startsAt + after, kind, strategy: 'crossover', mint: SOL, text },
    })
    return {
      bot,
      row,
      prices: { [SOL]: series('SOL', 187.2, 0), [BONK]: series('BONK', 0.0000214, 2), [JUP]: series('JUP', 0.51, 4) },
      moves: [
        { at: startsAt - 8000, kind: 'join', strategy: 'ladder', mint: undefined, text: 'joined for 2.00 USDC' },
        move(12_000, 'buy', 'bought 0.0534 SOL for 10.00 USDC'),
        move(31_000, 'sell', 'sold 0.0534 SOL for 10.08 USDC'),
        move(58_000, 'buy', 'bought 0.0531 SOL for 10.00 USDC'),
      ],
      verdicts: [
        verdict(startsAt - 8500, 'ladder', 'joinContest', undefined, '2.00 USDC of 20.00 USDC a day'),
        verdict(startsAt + 11_800, 'crossover', 'swap', undefined, 'impact 4 bps, slippage 50 bps'),
        verdict(startsAt + 20_000, 'crossover', 'swap', 'perMinute', '3 swaps within a minute, and maxSwapsPerMinute is 3'),
        verdict(startsAt + 30_900, 'crossover', 'swap', undefined, 'impact 3 bps, slippage 50 bps'),
      ],
      scores: [
        { isOwn: true, who: bot, score: '1.84 %' },
        { isOwn: false, who: 'agent 7f21', score: '0.97 %' },
        { isOwn: false, who: 'human', score: '-0.42 %' },
      ],
      events: [
        { at: startsAt - 9000, type: 'match.found', raw: { id: 'a1', type: 'match.found', data: { contestId, mode: row.mode } } },
        { at: startsAt, type: 'contest.live', raw: { id: 'a2', type: 'contest.live', data: { contestId, startsAt } } },
        ...(row.settledAt === undefined
          ? []
          : [
              {
                at: row.settledAt,
                type: 'contest.settled',
                raw: { id: 'a3', type: 'contest.settled', data: { contestId, result: row.result } },
              },
            ]),
      ],
    }
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
      stopped: this.#stopped.get(name) ?? this.#stoppedAll,
      bankroll: isStarting ? undefined : usdc(240 + 60 * wave(index, 1) + tick / 100),
      inPlay: isStarting ? undefined : usdc(index % 4 === 3 ? 0 : 4),
      profit: usdc(isStarting ? 0 : 14 * wave(index, 2) + (this.#settled.get(name)?.length ?? 0) * 1.9),
      settled: isStarting ? 0 : 56 + (this.#settled.get(name)?.length ?? 0),
      today: {
        ...{
          lost: usdc(isStarting ? 0 : lost),
          inPlay: isStarting ? undefined : usdc(index % 4 === 3 ? 0 : 4),
          reserved: usdc(0),
          cap: usdc(20),
        },
        ...(isStarting ? { serviceCap: undefined, serviceLost: undefined } : { serviceCap: usdc(100), serviceLost: usdc(lost) }),
      },
      open: isStarting || index % 4 === 3 ? [] : this.#open(index),
      lastResults: isStarting ? [] : RESULTS.map((_, step) => RESULTS[(step + index) % RESULTS.length] ?? 'WIN'),
      stream:
        index === 2 && this.#hasTroubles
          ? { state: 'stalled', readAt: this.#startedAt - 184_000 }
          : { state: 'current', readAt: isStarting ? undefined : at - 400 },
      faults: index === 2 ? 3 : 0,
      unknown: index === 4 ? 1 : 0,
    }
  }

  #troubles(index: number): readonly Trouble[] {
    const stopped = this.#stopped.get(this.names[index] ?? '') ?? this.#stoppedAll
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
      ...{ contestId: idOf(index, over), mode: 'pnl_race_pct', stake: usdc(2), token: SOL, side: undefined, phase: 'live', startsAt },
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
    const past = Array.from({ length: 40 }, (_, step): ContestRow => {
      const settledAt = this.#startedAt - 2 * MINUTE_MS - step * 7 * MINUTE_MS
      const result = RESULTS[(step + index) % RESULTS.length] ?? 'WIN'
      const profit = { WIN: 1.9, LOSS: -2, DRAW: 0, REFUND: 0 }[result]
      return {
        ...{
          contestId: idOf(index, 1000 + step),
          mode: MODES[step % MODES.length],
          stake: usdc(2),
          token: step % 5 === 1 ? SOL : undefined,
        },
        ...{ side: step % 5 === 1 ? 'UP' : undefined, phase: 'settled', startsAt: settledAt - MINUTE_MS, endsAt: settledAt, settledAt },
        ...{ versus: ['AGENT', 'HUMAN', 'MIXED'][step % 3], result, profit: usdc(profit) },
      }
    })
    return [this.#live(index), ...(this.#settled.get(this.names[index] ?? '') ?? []), ...past]
  }

  #equity(index: number): BotView['equity'] {
    let profit = 0
    return Array.from({ length: index === 5 ? 0 : 400 }, (_, step) => {
      profit += 0.9 * wave(step * 3, index) + 0.03
      return { at: this.#startedAt - (401 - step) * 7 * MINUTE_MS, profit: usdc(profit) }
    })
  }

  #notes(index: number): BotView['notes'] {
    const name = this.names[index] ?? ''
    const at = this.#startedAt
    const notes = Array.from({ length: 30 }, (_, step): BotView['notes'][number] => ({
      at: at - (31 - step) * 20_000,
      level: step % 9 === 4 ? 'warn' : 'info',
      message:
        ['enqueue draft_basket for 2.00 USDC', 'picked SOL, up 1.2 % in 300 s', 'fast average crossed above the slow one'][step % 3] ?? '',
      strategy: ['ladder', 'momentum', 'crossover'][step % 3],
      contestId: step % 3 === 0 ? undefined : idOf(index, 0),
      fields: step % 3 === 1 ? { mint: SOL, change: 0.012 } : {},
    }))
    const tick = this.#ticks.get(name) ?? 0
    return [
      ...notes,
      { at: at + tick, level: 'info', message: `events read: ${tick}`, strategy: undefined, contestId: undefined, fields: {} },
    ]
  }
}

const idOf = (index: number, step: number) => `00000000-0000-4000-8000-${String(index * 10_000 + step).padStart(12, '0')}`

function refusal(code: string, times: number, at: number, strategy: string, message: string): BotView['refused'][number] {
  return { code, times, last: { at, strategy, message } }
}

function verdict(at: number, strategy: string, action: string, code: string | undefined, text: string): ContestView['verdicts'][number] {
  return { at, strategy, action, verdict: code === undefined ? 'approved' : 'refused', code, text }
}
