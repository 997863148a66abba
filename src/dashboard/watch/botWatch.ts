import type { Result } from '../../contract/enums.ts'
import { dayText, weekText } from '../../core/calendar.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { BotStatus, Seat, Step } from '../../pipeline/index.ts'
import { botRowOf, lifeProfitOf } from './botRow.ts'
import type { ContestRecord } from './contestRecord.ts'
import { Contests } from './contests.ts'
import { Curve, SAMPLE_MS } from './curve.ts'
import { actionText } from './describe.ts'
import { modeRowsOf } from './modeRows.ts'
import { noteRowOf } from './noteRow.ts'
import { Refusals } from './refusals.ts'
import { Ring } from './ring.ts'
import { scoresOf } from './scores.ts'
import { strategyRowsOf } from './strategyRows.ts'
import { Tallies } from './tally.ts'
import type { Unplayed } from './troubleFacts.ts'
import { troublesOf } from './troubles.ts'
import type { BotRow, BotView, ContestView, CurvePoint, NoteRow, Stopped, Trouble } from './views.ts'
import type { NewestPrices, WatchedBot } from './watched.ts'
import { holdingRowsOf } from './worth.ts'

const MOST_NOTES = 200
const LAST_RESULTS = 12
/** Days, weeks and strategies that results are told apart by. */
const MOST_TRAITS = 60
const LAST_UNPLAYED = 20

export interface BotWatchOptions {
  readonly bot: WatchedBot
  readonly book: NewestPrices
  readonly now: () => number
  /** What the operator has stopped for this bot. */
  readonly stopped: () => Stopped
}

/** What is remembered of one bot, from the steps of its pipeline; bounded, however long it runs. */
export class BotWatch {
  readonly bot: WatchedBot
  readonly #options: BotWatchOptions
  readonly #contests: Contests
  readonly #curve = new Curve()
  readonly #byMode = new Tallies()
  readonly #byOpponents = new Tallies()
  readonly #byStrategy = new Tallies(MOST_TRAITS)
  readonly #byDay = new Tallies(MOST_TRAITS)
  readonly #byWeek = new Tallies(MOST_TRAITS)
  readonly #refusals = new Refusals()
  readonly #notes = new Ring<NoteRow>(MOST_NOTES)
  readonly #lastResults = new Ring<Result>(LAST_RESULTS)
  readonly #unplayed = new Ring<Unplayed>(LAST_UNPLAYED)
  #seats: ReadonlyMap<string, Seat> | undefined
  #faults = new Map<string, number>()
  #faultCount = 0
  #unknownSince: number | undefined
  /** As last known: what a price that is late hides is not over. */
  #today: ReturnType<BotStatus['today']>
  #todayUnknownSince: number | undefined
  #profit: Usdc | undefined
  /** The figures of money that were sampled last, and when. */
  #bankroll: unknown
  #sampledAt = Number.NEGATIVE_INFINITY

  constructor(options: BotWatchOptions) {
    this.#options = options
    this.bot = options.bot
    this.#contests = new Contests(options.book)
  }

  get refusals(): Refusals {
    return this.#refusals
  }

  get curve(): readonly CurvePoint[] {
    return this.#curve.points
  }

  get faults(): number {
    return this.#faultCount
  }

  /** @returns whether the views may have changed */
  take(step: Step): boolean {
    const { input } = step
    // Answers are quiet, and yet the books learn from them.
    if (step.isQuiet && input.type === 'timer') return false
    const status = this.bot.status()
    if (status === undefined) return false
    if (input.type === 'event') this.#takeEvent(input, status)
    if (input.type === 'started') this.#contests.pending(input.pending)
    if (input.type === 'answer' && input.result.ok) this.#takeScores(input.request, input.result.output)
    this.#followProfit(status)
    this.#sampleFigures(status, input.at)
    this.#takeDecisions(step)
    for (const note of step.notes) this.#takeNote(note, input.at)
    this.#followSeats(status)
    this.#unknownSince = status.actions.unknown === 0 ? undefined : (this.#unknownSince ?? input.at)
    return true
  }

  /** Looks at what time alone changes, which no step tells of. */
  look(): void {
    this.#contests.look(this.#feed())
    const status = this.bot.status()
    if (status !== undefined && this.bot.phase === 'running') this.#sample(status, this.#options.now())
    const today = status?.today()
    this.#today = today ?? this.#today
    this.#todayUnknownSince = status === undefined || today !== undefined ? undefined : (this.#todayUnknownSince ?? this.#options.now())
  }

  troubles(): readonly Trouble[] {
    const { bot } = this
    // Whoever plays it tells of them.
    if (bot.phase === 'elsewhere') return []
    const { book, now, stopped } = this.#options
    const status = bot.status()
    return troublesOf({
      ...{ bot, status, book, stream: bot.stream(), stopped: stopped(), now: now(), unknownSince: this.#unknownSince },
      ...{ today: status?.today() ?? this.#today, todayUnknownSince: this.#todayUnknownSince, unplayed: this.#unplayed.items },
    })
  }

  row(): BotRow {
    const seen = {
      troubles: this.troubles(),
      stopped: this.#options.stopped(),
      faults: this.#faultCount,
      lastResults: this.#lastResults.items,
    }
    return botRowOf(this.bot, seen)
  }

  view(): BotView {
    const status = this.bot.status()
    const { sent = 0, refused = 0, failed = 0, unknown = 0, swapsFilled = 0, swapsFailed = 0 } = status?.actions ?? {}
    return {
      row: this.row(),
      agentId: this.bot.agentId,
      curve: this.#curve.points,
      holdings: holdingRowsOf(status?.equity),
      byMode: this.#byMode.view,
      byOpponents: this.#byOpponents.view,
      byStrategy: this.#byStrategy.view,
      byDay: this.#byDay.view,
      byWeek: this.#byWeek.view,
      contests: this.#contests.rows(),
      refused: this.#refusals.rows(),
      strategies: strategyRowsOf(this.bot.config, status, this.#faults),
      modes: modeRowsOf(status),
      notes: this.#notes.items,
      actions: { sent, refused, failed, unknown },
      reveals: { due: status?.reveals.due ?? 0, done: status?.reveals.done ?? 0 },
      swaps: { filled: swapsFilled, failed: swapsFailed },
    }
  }

  contest(contestId: string): ContestView | undefined {
    const fills = this.bot.status()?.portfolios.get(contestId)?.fills ?? 0
    return this.#contests.find(contestId)?.view(this.bot.name, this.#feed(), fills)
  }

  #feed() {
    return { book: this.#options.book, tick: this.#options.book.tick, now: this.#options.now() }
  }

  #takeEvent({ read, raw, recorded }: Extract<Step['input'], { type: 'event' }>, status: BotStatus): void {
    if (!read.ok) return
    const { event } = read
    const contestId = 'contestId' in event.data ? event.data.contestId : undefined
    if (typeof contestId !== 'string') return
    const contest = this.#contests.of(contestId)
    const strategy = status.strategyOf(contestId) ?? contest.row.strategy
    contest.update({ strategy })
    contest.event({ at: event.createdAt, type: event.type, raw })
    if (event.type === 'contest.live')
      contest.update({ phase: 'live', mode: event.data.mode, startsAt: event.data.startsAt, endsAt: event.data.endsAt })
    if (event.type === 'contest.cancelled') this.#end(contest, { phase: 'cancelled', settledAt: event.createdAt })
    if (event.type !== 'contest.settled') return
    const { mode, result, stake, profit, versus = 'UNKNOWN' } = event.data
    this.#end(contest, { phase: 'settled', settledAt: event.createdAt, mode, result, stake: `${stake}`, profit: `${profit}`, versus })
    this.#byMode.add(mode, event.data)
    this.#byOpponents.add(versus, event.data)
    this.#byStrategy.add(strategy ?? 'unknown', event.data)
    this.#byDay.add(dayText(event.createdAt), event.data)
    this.#byWeek.add(weekText(event.createdAt), event.data)
    this.#lastResults.push(result)
    // What earlier runs settled says nothing of what the bot was worth then.
    this.#curve.settled(event.createdAt, recorded ? { profit: figuresOf(status).profit, equity: undefined } : figuresOf(status))
  }

  /** The last of a contest's tokens are sold after it was settled: what its swaps made belongs to its point. */
  #followProfit(status: BotStatus): void {
    const profit = lifeProfitOf(status)
    if (profit === this.#profit) return
    this.#profit = profit
    this.#curve.follow(figuresOf(status))
  }

  /** What a settlement and a swap have made of the money is known once it is read. */
  #sampleFigures(status: BotStatus, at: number): void {
    if (status.books.bankroll === this.#bankroll) return
    this.#bankroll = status.books.bankroll
    this.#sampledAt = Number.NEGATIVE_INFINITY
    this.#sample(status, at)
  }

  #sample(status: BotStatus, at: number): void {
    if (at < this.#sampledAt + SAMPLE_MS) return
    const figures = figuresOf(status)
    if (figures.equity === undefined) return
    this.#sampledAt = at
    this.#curve.sample(at, figures)
  }

  #end(contest: ContestRecord, fields: Partial<ContestRecord['row']>): void {
    contest.update(fields)
    contest.close(this.#feed())
    this.#contests.closed()
  }

  #takeDecisions({ input, refused, record }: Step): void {
    const { at } = input
    for (const refusal of refused) {
      this.#refusals.add(refusal, at)
      const { strategy, action } = refusal
      const { code, message } = refusal.refusal
      if ('contestId' in action) {
        const verdict = { at, strategy, action: action.type, verdict: 'refused' as const, code, text: `${actionText(action)}: ${message}` }
        this.#contests.find(action.contestId)?.verdict(verdict)
      }
    }
    if (record === undefined) return
    this.#contests.approved(record.intents)
    this.#contests.outcomes(record.outcomes, at)
    for (const fill of record.fills) this.#contests.filled(fill)
  }

  #takeNote(note: Step['notes'][number], at: number): void {
    const row = noteRowOf(note, at)
    this.#notes.push(row)
    if (row.level !== 'error') return
    const { code, contestId } = note.fields
    if (code === 'UNPLAYED' || code === 'UNPLAYED_PART') this.#unplayed.push({ at, contestId: String(contestId), message: note.message })
    this.#faultCount += 1
    if (row.strategy !== undefined) this.#faults.set(row.strategy, (this.#faults.get(row.strategy) ?? 0) + 1)
  }

  #takeScores({ procedure }: { readonly procedure: string }, output: unknown): void {
    if (procedure !== 'agent.contests.get') return
    const found = scoresOf(output, this.bot.name)
    if (found !== undefined) this.#contests.find(found.contestId)?.setScores(found.scores)
  }

  /** What the books learn of a seat between events: its token, its side, its stake. */
  #followSeats({ books: { seats }, strategyOf }: BotStatus): void {
    if (seats === this.#seats) return
    for (const seat of seats.values()) {
      if (seat === this.#seats?.get(seat.contestId)) continue
      const { mode, token, side, phase, startsAt, endsAt } = seat
      const stake = seat.stake?.toString()
      const contest = this.#contests.of(seat.contestId)
      const strategy = strategyOf(seat.contestId) ?? contest.row.strategy
      contest.setSeats(seat)
      contest.update({ mode, strategy, token, side, stake, startsAt, endsAt, ...(phase === 'live' ? { phase } : {}) })
      for (const mint of [...(seat.turn?.mine ?? []), ...(seat.turn?.theirs ?? [])]) contest.concern(mint)
    }
    this.#seats = seats
  }
}

const figuresOf = (status: BotStatus): Pick<CurvePoint, 'profit' | 'equity'> => ({
  profit: lifeProfitOf(status).toString(),
  equity: status.equity.total?.toString(),
})
