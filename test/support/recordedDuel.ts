import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { of } from 'rxjs'
import { z } from 'zod'
import { type BacktestRun, backtest } from '../../src/backtest/index.ts'
import type { PlayedContest } from '../../src/backtest/result.ts'
import type { TradingMode } from '../../src/contract/enums.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import { USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import { enqueue, swap } from '../../src/strategy/action.ts'
import { type BotConfig, guardConfig } from '../../src/strategy/config.ts'
import { defineTrader, type Strategy } from '../../src/strategy/define.ts'
import { emptyFolder, header, RUN, SOL, START, sealedText } from './logFiles.ts'
import { once } from './testStrategies.ts'

// A log of one duel of the match queue, its times and scores as a test says, and a bot that enters it and buys SOL at once.

/** From the log's first line: the duel is matched, and begins after the usual lead. */
const MATCHED_SEC = 5
export const BEGINS_SEC = MATCHED_SEC + 3
export const DURATION_SEC = 20
const LOG_SEC = 60
const DUEL = '00000000-0000-4000-8000-000000000001'
const TICKET = '00000000-0000-4000-8000-000000000002'
const [OWN, OTHER] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']

export interface RecordedDuel {
  readonly mode: TradingMode
  readonly params?: Readonly<Record<string, unknown>>
  /** Of SOL, in USD, so many seconds after the start. */
  readonly priceAt?: (sec: number) => number
  /** When the recorded contest was settled, seconds after its start. */
  readonly endedSec?: number
  /** Final scores; none: no read of the contest has entries. */
  readonly scores?: { readonly own: string | null; readonly other: string | null }
  /** Fields of its last read that are to be otherwise. */
  readonly read?: Readonly<Record<string, unknown>>
  /** What the recorded bot itself came to. */
  readonly result?: 'WIN' | 'LOSS'
}

const iso = (sec: number): string => new Date(START + sec * 1000).toISOString()

/** Writes the log; returns its folder. */
export function recordedDuel(duel: RecordedDuel): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, `${RUN}-000001.ndjson`), sealedText([header(), ...linesOf(duel)]))
  return folder
}

function linesOf({ priceAt = () => 100, endedSec = DURATION_SEC, ...duel }: RecordedDuel): object[] {
  let n = 0
  const input = (sec: number, type: string, body: object) => ({ kind: 'input', n: ++n, at: START + sec * 1000, type, body })
  const answer = (sec: number, procedure: string, output: unknown) =>
    input(sec, 'answer', {
      request: { procedure, input: null, purpose: 'test' },
      begunAt: START + sec * 1000,
      result: { ok: true, output },
    })
  const event = (sec: number, type: string, data: object) => {
    const id = `019b7c00-0000-7000-8000-${String(n).padStart(12, '0')}`
    return input(sec, 'event', { raw: { id, type, data: { contestId: DUEL, ...data }, createdAt: iso(sec) }, cursor: id, recorded: false })
  }
  const told = (sec: number): object[] => {
    if (sec === 1) return [answer(sec, 'agent.queue.list', [{ ticketId: TICKET, status: 'queued' }])]
    if (sec === MATCHED_SEC) return [event(sec, 'match.found', matched(duel)), event(sec, 'contest.live', live(duel))]
    if (sec !== BEGINS_SEC + endedSec) return []
    return [event(sec, 'contest.settled', settled(duel)), answer(sec, 'agent.contests.get', contest(duel))]
  }
  const lines: object[] = [input(0, 'caughtUp', {})]
  for (let sec = 0; sec < LOG_SEC; sec++) {
    lines.push(...told(sec))
    const prices = [String(priceAt(sec - BEGINS_SEC))]
    lines.push({ kind: 'prices', n: ++n, at: START + sec * 1000 + 500, tick: sec + 1, known: START + sec * 1000, prices })
  }
  return lines
}

type Told = Omit<RecordedDuel, 'priceAt' | 'endedSec'>

const window = { startsAt: iso(BEGINS_SEC), endsAt: iso(BEGINS_SEC + DURATION_SEC) }
const matched = ({ mode }: Told) => ({ ticketId: TICKET, opponents: 'ANY', mode, stake: '1000000' })
const live = ({ mode }: Told) => ({ mode, chain: 'solana', status: 'live', ...window })

function settled({ mode, result = 'LOSS' }: Told) {
  const paid = result === 'WIN' ? { payout: '1900000', profit: '900000' } : { payout: '0', profit: '-1000000' }
  return { mode, result, stake: '1000000', ...paid, versus: 'AGENT', rpDelta: null, rpAfter: null }
}

function contest({ mode, params = {}, scores, read }: Told) {
  const seat = { kind: 'AGENT', side: null, ready: true }
  const entries = scores && [
    { entryId: OWN, userId: null, ...seat, score: scores.own },
    { entryId: OTHER, userId: null, ...seat, score: scores.other },
  ]
  const terms = { mode, params, chain: 'solana', format: 'duel', stake: '1000000', durationSec: DURATION_SEC, capacity: 2 }
  const [startsAt, endsAt] = [START + BEGINS_SEC * 1000, START + (BEGINS_SEC + DURATION_SEC) * 1000]
  return { contestId: DUEL, status: 'settled', ...terms, startsAt, endsAt, entries, you: { entryId: OWN, side: null }, ...read }
}

/** Buys SOL for so much as soon as the contest has begun, and holds it. */
const buyer = (amount: bigint): Strategy =>
  defineTrader({
    name: 'buyer',
    modes: ['target_race', 'last_bag_standing', 'pnl_usd'],
    params: z.object({}),
    trade: () => of(swap({ from: USDC_MINT, to: SOL, amount })),
  })()

/** Plays one bot, which buys for so much, on logs. */
export async function playOn(logs: readonly string[], mode: TradingMode, amount: bigint = usdc('10')): Promise<BacktestRun> {
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('500'), maxSwap: usdc('200'), maxSlippageBps: 100 })
  const enter = once(enqueue({ mode, stake: usdc('1'), durationSec: DURATION_SEC, waitSec: 30 }))
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
