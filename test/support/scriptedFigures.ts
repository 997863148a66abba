import type { Result } from '../../src/contract/enums.ts'
import type { BotView, ContestRow, ContestView } from '../../src/dashboard/watch/views.ts'

// What the bots of a scripted desk have done: always the same for the same bot.

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
export const SOL = 'So11111111111111111111111111111111111111112'
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'
const MODES = ['draft_basket', 'up_down', 'pnl_race_pct', 'price_prediction', 'best_trade'] as const
export const RESULTS: readonly Result[] = ['WIN', 'LOSS', 'WIN', 'DRAW', 'WIN', 'LOSS', 'REFUND', 'WIN']

export const usdc = (amount: number) => String(Math.round(amount * 1_000_000))
/** Between -1 and 1, the same for the same numbers. */
export const wave = (index: number, phase: number) => Math.sin(index * 1.7 + phase * 0.9) * 0.7 + Math.sin(index * 0.31 + phase) * 0.3

/** A path of many small steps, each the same for the same numbers. */
function walk(steps: number, seed: number): number[] {
  let at = 0
  return Array.from({ length: steps }, (_, step) => {
    const chance = Math.sin((step + 1) * 12.9898 + seed * 78.233) * 43_758.5453
    at += chance - Math.floor(chance) - 0.5
    return at
  })
}

export const idOf = (index: number, step: number) => `00000000-0000-4000-8000-${String(index * 10_000 + step).padStart(12, '0')}`

export function curveOf(index: number, startedAt: number): BotView['curve'] {
  const steps = walk(index === 5 ? 0 : 400, index)
  return steps.map((walked, step) => {
    const profit = walked * 1.6 + step * 0.02
    // Of earlier runs nobody knows the equity.
    const equity = step < 200 ? undefined : usdc(240 + profit + wave(step, index) * 0.8)
    return { at: startedAt - (401 - step) * 7 * MINUTE_MS, profit: usdc(profit), equity }
  })
}

export function holdingsOf(index: number, startedAt: number): BotView['holdings'] {
  const contestId = idOf(index, 0)
  const held = (symbol: string, mint: string, tokens: string, price: string | undefined, value: string | undefined) => ({
    ...{ id: `${contestId} ${mint}`, contestId, mint, symbol, amount: tokens.replace('.', ''), tokens },
    ...{ price, pricedAt: price === undefined ? undefined : startedAt - (index === 1 ? 8 * MINUTE_MS : 600), value },
  })
  if (index % 4 === 3 || index === 5) return []
  const sol = held('SOL', SOL, '0.053412807', '187.2', usdc(9.998877))
  return index === 2 ? [sol, held('8x5V…', '8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn', '120451.5', undefined, undefined)] : [sol]
}

export function pastContests(index: number, startedAt: number): readonly ContestRow[] {
  return Array.from({ length: 40 }, (_, step): ContestRow => {
    const settledAt = startedAt - 2 * MINUTE_MS - step * 7 * MINUTE_MS
    const result = RESULTS[(step + index) % RESULTS.length] ?? 'WIN'
    const profit = { WIN: 1.9, LOSS: -2, DRAW: 0, REFUND: 0 }[result]
    return {
      ...{
        contestId: idOf(index, 1000 + step),
        mode: MODES[step % MODES.length],
        strategy: ['ladder', 'crossover'][step % 2],
        stake: usdc(2),
        token: step % 5 === 1 ? SOL : undefined,
      },
      ...{ side: step % 5 === 1 ? 'UP' : undefined, phase: 'settled', startsAt: settledAt - MINUTE_MS, endsAt: settledAt, settledAt },
      ...{ versus: ['AGENT', 'HUMAN', 'MIXED'][step % 3], result, profit: usdc(profit) },
    }
  })
}

export function refusedOf(name: string, at: number): BotView['refused'] {
  return [
    ...(name === 'bob'
      ? [refusal('OWN_DAILY_LOSS', 14, at - 40_000, 'ladder', 'stake 2.00 USDC would bring today to 20.60 of 20.00 USDC')]
      : []),
    refusal('OPEN_CONTESTS', 112, at - 9000, 'ladder', '3 contests are open, and maxOpenContests is 3'),
    refusal('DUPLICATE', 3, at - 12 * MINUTE_MS, 'ladder', 'the same ticket is already in the queue'),
    refusal('SLIPPAGE', 1, at - HOUR_MS, 'crossover', 'slippage of 80 bps is above maxSlippageBps 50'),
  ]
}

export function strategiesOf(name: string, index: number): BotView['strategies'] {
  return [
    {
      ...{ name: 'ladder', kind: 'queuePolicy', faults: 0, suspendedIn: [] },
      params: { modes: 'draft_basket, up_down, pnl_race_pct', stake: '2.00 USDC', durationSec: '60', opponents: 'ANY' },
    },
    { name: 'momentum', kind: 'draftPicker', params: { lookbackSec: '300' }, faults: 0, suspendedIn: [] },
    {
      ...{ name: 'crossover', kind: 'trader', params: { fastSec: '10', slowSec: '40' } },
      ...{ faults: name === 'carol' ? 3 : 0, suspendedIn: name === 'carol' ? [idOf(index, 0)] : [] },
    },
  ]
}

export function modesOf(name: string, at: number): BotView['modes'] {
  const open = { code: undefined, why: undefined, unplayed: 0, staked: usdc(0), trialAt: undefined }
  const closed = { code: 'MODE_CLOSED', why: 'its strategy was asked, and wanted nothing', unplayed: 3, staked: usdc(6) }
  const alone = { ...open, code: 'MODE_NOT_PLAYED', why: 'no strategy plays it' }
  return MODES.map((mode) => {
    if (mode === 'price_prediction') return { mode, ...alone }
    return name === 'carol' && mode === 'draft_basket' ? { mode, ...closed, trialAt: at + HOUR_MS } : { mode, ...open }
  })
}

export function notesOf(index: number, at: number, tick: number): BotView['notes'] {
  const notes = Array.from({ length: 30 }, (_, step): BotView['notes'][number] => ({
    at: at - (31 - step) * 20_000,
    level: step % 9 === 4 ? 'warn' : 'info',
    message:
      ['enqueue draft_basket for 2.00 USDC', 'picked SOL, up 1.2 % in 300 s', 'fast average crossed above the slow one'][step % 3] ?? '',
    strategy: ['ladder', 'momentum', 'crossover'][step % 3],
    contestId: step % 3 === 0 ? undefined : idOf(index, 0),
    fields: step % 3 === 1 ? { mint: SOL, change: 0.012 } : {},
  }))
  return [
    ...notes,
    { at: at + tick, level: 'info', message: `events read: ${tick}`, strategy: undefined, contestId: undefined, fields: {} },
  ]
}

interface ScriptedContest {
  readonly bot: string
  readonly row: ContestRow
  readonly index: number
  readonly now: number
  readonly startedAt: number
}

export function contestOf({ bot, row, index, now, startedAt }: ScriptedContest): Omit<ContestView, 'bot' | 'row'> {
  const { contestId } = row
  const startsAt = row.startsAt ?? startedAt
  const endsAt = Math.min(row.endsAt ?? startsAt + 300_000, row.settledAt ?? now)
  const count = Math.max(2, Math.min(600, Math.floor((endsAt - startsAt) / 500)))
  const series = (symbol: string, base: number, phase: number) => ({
    symbol,
    startPrice: String(base),
    points: walk(count, phase + index).map((change, step) => ({
      at: startsAt - 10_000 + step * 500,
      price: (base * (1 + change * 0.0012)).toPrecision(7),
    })),
  })
  const move = (after: number, kind: 'buy' | 'sell', text: string) => ({
    ...{ at: startsAt + after, kind, strategy: 'crossover', mint: SOL, text },
  })
  return {
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
      verdict(startsAt + 20_000, 'crossover', 'swap', 'SWAPS_PER_MINUTE', '3 swaps within a minute, and maxSwapsPerMinute is 3'),
      verdict(startsAt + 30_900, 'crossover', 'swap', undefined, 'impact 3 bps, slippage 50 bps'),
    ],
    scores: [
      { isOwn: true, who: bot, score: '0.0184', isEstimate: row.phase === 'live' },
      { isOwn: false, who: 'agent 7f21', score: '0.0097', isEstimate: false },
      { isOwn: false, who: 'human', score: '-0.0042', isEstimate: false },
    ],
    ...{ place: 1, capacity: 4, filled: 3 },
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

function refusal(code: string, times: number, at: number, strategy: string, message: string): BotView['refused'][number] {
  return { code, times, last: { at, strategy, message } }
}

function verdict(at: number, strategy: string, action: string, code: string | undefined, text: string): ContestView['verdicts'][number] {
  return { at, strategy, action, verdict: code === undefined ? 'approved' : 'refused', code, text }
}
