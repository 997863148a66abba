import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { of } from 'rxjs'
import { z } from 'zod'
import { type BacktestRun, backtest } from '../../src/backtest/index.ts'
import type { PlayedContest } from '../../src/backtest/result.ts'
import type { TradingMode } from '../../src/contract/enums.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import { USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import { enqueue, swap } from '../../src/strategy/action.ts'
import type { BotConfig } from '../../src/strategy/config.ts'
import { defineTrader, type Strategy } from '../../src/strategy/define.ts'
import { guardConfig } from '../../src/strategy/guardConfig.ts'
import { emptyFolder, header, RUN, SOL, START, sealedText } from './logFiles.ts'
import { policy } from './testStrategies.ts'

// A log of one duel of the match queue, its times and scores as a test says, and a bot that enters whenever it can and buys SOL at once.

/** From the log's first line: the duel is matched, and begins after the usual lead. */
const MATCHED_SEC = 5
const LEAD_SEC = 3
const DURATION_SEC = 20
const LOG_SEC = 60
/** From what happens to the bot's hearing of it. */
const PRICED_MS = 500
const TOLD_MS = 600
const DUEL = 'duel'
const TICKET = 'ticket'
const [OWN, OTHER] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']

export interface RecordedDuel {
  readonly mode: TradingMode
  readonly params?: Readonly<Record<string, unknown>>
  /** Of SOL, in USD, so many seconds after the start. */
  readonly priceAt?: (sec: number) => number
  /** When the ticket met its opponent, seconds after the log's first line. */
  readonly matchedSec?: number
  /** When the recorded contest was settled, seconds after its start. */
  readonly endedSec?: number
  /** Final scores; none: no read of the contest has entries. */
  readonly scores?: { readonly own: string | null; readonly other: string | null }
  /** Fields of its last read that are to be otherwise. */
  readonly read?: Readonly<Record<string, unknown>>
  /** What the recorded bot itself came to. */
  readonly result?: 'WIN' | 'LOSS'
  /** Whose log it is. */
  readonly bot?: string
  /** So much later than other logs. */
  readonly laterMs?: number
}

/** Writes the log; returns its folder. */
export function recordedDuel(duel: RecordedDuel): string {
  const folder = emptyFolder()
  const { bot = 'alice', laterMs = 0 } = duel
  writeFileSync(join(folder, `${RUN}-000001.ndjson`), sealedText([header({ bot, at: START + laterMs }), ...new Duel(duel).lines()]))
  return folder
}

class Duel {
  readonly #duel: RecordedDuel
  readonly #matchedSec: number
  readonly #beginsSec: number
  #n = 0

  constructor(duel: RecordedDuel) {
    this.#duel = duel
    this.#matchedSec = duel.matchedSec ?? MATCHED_SEC
    this.#beginsSec = this.#matchedSec + LEAD_SEC
  }

  lines(): object[] {
    const { priceAt = () => 100 } = this.#duel
    const lines: object[] = []
    for (let sec = 0; sec < LOG_SEC; sec++) {
      const [known, prices] = [this.#ms(sec), [String(priceAt(sec - this.#beginsSec))]]
      lines.push({ kind: 'prices', n: ++this.#n, at: known + PRICED_MS, tick: sec + 1, known, prices }, ...this.#told(sec))
    }
    return lines
  }

  /** What the bot was told at a second. */
  #told(sec: number): object[] {
    const { mode, endedSec = DURATION_SEC, result = 'LOSS' } = this.#duel
    const terms = { mode, stake: '1000000' }
    if (sec === 1) return [this.#answer(sec, 'agent.queue.list', [{ ticketId: this.#id(TICKET), status: 'queued' }])]
    if (sec === this.#matchedSec) {
      const window = { startsAt: this.#iso(this.#beginsSec), endsAt: this.#iso(this.#beginsSec + DURATION_SEC) }
      return [
        this.#event(sec, 'match.found', { ticketId: this.#id(TICKET), opponents: 'ANY', ...terms }),
        this.#event(sec, 'contest.live', { mode, chain: 'solana', status: 'live', ...window }),
      ]
    }
    if (sec !== this.#beginsSec + endedSec) return []
    const paid = result === 'WIN' ? { payout: '1900000', profit: '900000' } : { payout: '0', profit: '-1000000' }
    return [
      this.#event(sec, 'contest.settled', { ...terms, result, ...paid, versus: 'AGENT', rpDelta: null, rpAfter: null }),
      this.#answer(sec, 'agent.contests.get', this.#contest()),
    ]
  }

  #contest(): object {
    const { mode, params = {}, scores, read } = this.#duel
    const seat = { userId: null, kind: 'AGENT', side: null, ready: true }
    const entries = scores && [
      { entryId: OWN, ...seat, score: scores.own },
      { entryId: OTHER, ...seat, score: scores.other },
    ]
    const terms = { mode, params, chain: 'solana', format: 'duel', stake: '1000000', durationSec: DURATION_SEC, capacity: 2 }
    const window = { startsAt: this.#ms(this.#beginsSec), endsAt: this.#ms(this.#beginsSec + DURATION_SEC) }
    return { contestId: this.#id(DUEL), status: 'settled', ...terms, ...window, entries, you: { entryId: OWN, side: null }, ...read }
  }

  #event(sec: number, type: string, data: object): object {
    const id = `019b7c00-0000-7000-8000-${String(this.#n).padStart(12, '0')}`
    const raw = { id, type, data: { contestId: this.#id(DUEL), ...data }, createdAt: this.#iso(sec) }
    return this.#input(sec, 'event', { raw, cursor: id, recorded: false })
  }

  #answer(sec: number, procedure: string, output: unknown): object {
    const request = { procedure, input: null, purpose: 'test' }
    return this.#input(sec, 'answer', { request, begunAt: this.#ms(sec), result: { ok: true, output } })
  }

  #input(sec: number, type: string, body: object): object {
    return { kind: 'input', n: ++this.#n, at: this.#ms(sec) + TOLD_MS, type, body }
  }

  /** Of this log alone. */
  #id(id: string): string {
    return keyedUuid(id, this.#duel.bot ?? '')
  }

  #ms(sec: number): number {
    return START + (this.#duel.laterMs ?? 0) + sec * 1000
  }

  #iso(sec: number): string {
    return new Date(this.#ms(sec)).toISOString()
  }
}

/** Buys SOL for so much as soon as the contest has begun, and holds it. */
const buyer = (amount: bigint): Strategy =>
  defineTrader({
    name: 'buyer',
    modes: ['target_race', 'last_bag_standing', 'pnl_usd'],
    params: z.object({}),
    trade: () => of(swap({ from: USDC_MINT, to: SOL, amount })),
  })()

/** A ticket for the duel of a log. */
export const duelTicket = (mode: TradingMode) => enqueue({ mode, stake: usdc('1'), durationSec: DURATION_SEC, waitSec: 30 })

const whenever = (mode: TradingMode): Strategy =>
  policy(({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [duelTicket(mode)]), { everySec: 1 })

/** Plays one bot, which buys for so much, on logs. Default: it enters whenever it can. */
export async function playOn(
  logs: readonly string[],
  mode: TradingMode,
  amount: bigint = usdc('10'),
  enter: Strategy = whenever(mode),
): Promise<BacktestRun> {
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('500'), maxSwap: usdc('200'), maxSlippageBps: 100 })
  const bot: BotConfig = { name: 'alice', strategies: [enter, buyer(amount)], guard, sweep: false, seed: 1 }
  return await backtest({ logs, bots: [bot], seed: 1, withPrices: false, clock: systemClock })
}

/** The contest that a bot comes to on the log of a duel. */
export async function playDuel(duel: RecordedDuel, amount?: bigint): Promise<PlayedContest> {
  const { bots } = await playOn([recordedDuel(duel)], duel.mode, amount)
  const [contest] = bots[0]?.contests ?? []
  if (contest === undefined) throw new Error('the bot entered no contest')
  return contest
}
