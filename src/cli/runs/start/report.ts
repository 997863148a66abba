import type { Result } from '../../../contract/enums.ts'
import { printable } from '../../../core/printable.ts'
import { formatUsdc } from '../../../core/usdc.ts'
import { holdingRowsOf, isClosed, worthOf } from '../../../dashboard/index.ts'
import { type BotStatus, type Equity, type ModeStatus, type SwapPath, statsOf } from '../../../pipeline/index.ts'
import type { KeptBack } from './dryRun.ts'
import type { Fleet, FleetBot } from './fleet.ts'
import { doubtOf, type LeftOpen, leftOpenBy, leftOpenText } from './leftOpen.ts'
import { shapesSummary } from './serviceMapping.ts'

/** `start --json` (design of the command line): figures of the whole life of each bot's journal. */
export interface StartReport {
  readonly bots: readonly BotReport[]
  readonly uptimeMs: number
  readonly recordings: readonly string[]
  /** The mapping that the service was read by; null where it never came to that. */
  readonly shapes: { readonly hash: string; readonly pieces: Readonly<Record<string, unknown>> } | null
}

/** Null where nobody can say: the journal could not be read, or a dry run did not get through to the service. */
type Known<T> = T | null

interface Tally {
  readonly settled: Known<number>
  readonly won: Known<number>
  readonly lost: Known<number>
  readonly drawn: Known<number>
  readonly refunded: Known<number>
}

/** A token that swaps of a contest have brought and that is not sold. */
interface HoldingReport {
  readonly contestId: string
  readonly mint: string
  readonly symbol: string
  /** Base units. */
  readonly amount: string
  /** The feed's newest, in USD, and when it was known. */
  readonly price: Known<string>
  readonly pricedAt: Known<number>
  /** In micro-USDC. */
  readonly value: Known<string>
}

interface Unplayed<Count, Staked> {
  readonly count: Count
  readonly staked: Staked
}

export interface BotReport {
  readonly name: string
  readonly agentId: string | null
  readonly contests: Tally & { readonly cancelled: Known<number> }
  readonly byMode: Readonly<Record<string, Tally>>
  /** Of contests, in micro-USDC. */
  readonly profit: Known<string>
  readonly staked: Known<string>
  /** What the swaps of contests that are over have made or lost, in micro-USDC. */
  readonly swapProfit: Known<string>
  /** What can be spent, stakes in play and tokens held at the newest prices, together and each, in micro-USDC. */
  readonly equity: Known<string>
  readonly bankroll: Known<string>
  readonly inPlay: Known<string>
  readonly held: Known<string>
  /** Holdings without a price, which are not in `equity`. */
  readonly unpriced: Known<number>
  readonly holdings: readonly HoldingReport[]
  readonly actions: { readonly [K in 'sent' | 'refused' | 'failed' | 'unknown']: Known<number> }
  readonly reveals: { readonly due: Known<number>; readonly done: Known<number> }
  /** Answers of this run that were about something else than what was asked for, and were dropped. */
  readonly strayAnswers: Known<number>
  readonly lifecycleBreaks: Known<number>
  /** Contests that were settled without a valid move, and their stakes in micro-USDC. */
  readonly unplayed: Unplayed<Known<number>, Known<string>> & { readonly byMode: Readonly<Record<string, Unplayed<number, string>>> }
  /** How each mode of `guard.modes` stands; none where every mode can be played. */
  readonly modes: Readonly<Record<string, { readonly state: 'open' | 'closed'; readonly why: Known<string> }>>
  readonly trades: { readonly confirmed: Known<number>; readonly failed: Known<number> }
  /** What a dry run would have sent, and how often; absent in any other run. */
  readonly keptBack?: readonly KeptBack[]
  /** What is left to the next run; absent where nothing is open. */
  readonly open?: LeftOpen
  /** Why the bot stopped before its time, or ended in doubt; absent when it did neither. */
  readonly failure?: { readonly code: string; readonly message: string }
}

export function reportOf(fleet: Pick<Fleet, 'bots'>, uptimeMs: number): StartReport {
  const recordings = fleet.bots.flatMap(({ recording }) => recording ?? [])
  const shapes = shapesSummary(fleet.bots.find((bot) => bot.shapes !== undefined)?.shapes) ?? null
  return { bots: fleet.bots.map(botReportOf), uptimeMs, recordings, shapes }
}

const nothingSent = { sent: 0, failed: 0, unknown: 0 }
const unknownTally = { settled: null, won: null, lost: null, drawn: null, refunded: null }
const unknownFigures = {
  contests: { ...unknownTally, cancelled: null },
  byMode: {},
  profit: null,
  staked: null,
  swapProfit: null,
  ...{ equity: null, bankroll: null, inPlay: null, held: null, unpriced: null, holdings: [] },
  actions: { sent: null, refused: null, failed: null, unknown: null },
  reveals: { due: null, done: null },
  strayAnswers: null,
  lifecycleBreaks: null,
  unplayed: { count: null, staked: null, byMode: {} },
  modes: {},
  trades: { confirmed: null, failed: null },
}

function botReportOf(bot: FleetBot): BotReport {
  const life = bot.life()
  const figures = life === undefined ? unknownFigures : figuresOf(life)
  // A dry run opens nothing.
  const open = life === undefined || bot.keptBack !== undefined ? undefined : leftOpenBy(life)
  const failure = bot.failure ?? doubtOf(bot)
  return {
    name: bot.name,
    agentId: bot.agentId ?? null,
    ...figures,
    // A dry run sends nothing, whatever its bots would have.
    ...(bot.keptBack === undefined ? {} : { actions: { ...figures.actions, ...nothingSent }, keptBack: bot.keptBack() }),
    ...(open === undefined ? {} : { open }),
    ...(failure === undefined ? {} : { failure: { code: failure.code, message: failure.message } }),
  }
}

function figuresOf(status: BotStatus): Omit<BotReport, 'name' | 'agentId'> {
  const { actions, books, lifecycleBreaks, modes, path, reveals, strayAnswers, swapProfit } = status
  const { byMode, profit, staked } = statsOf(books)
  const { sent, refused, failed, unknown, swapsFilled, swapsFailed } = actions
  return {
    contests: { ...tallyOf(Object.values(byMode)), cancelled: books.cancelled },
    byMode: Object.fromEntries(Object.entries(byMode).map(([mode, results]) => [mode, tallyOf([results])])),
    profit: profit.toString(),
    staked: staked.toString(),
    swapProfit: swapProfit.toString(),
    ...moneyOf(status.equity),
    actions: { sent, refused, failed, unknown },
    reveals,
    strayAnswers,
    lifecycleBreaks,
    unplayed: unplayedOf(modes),
    modes: Object.fromEntries((modes ?? []).map((mode) => [mode.mode, stateOf(mode, path)])),
    trades: { confirmed: swapsFilled, failed: swapsFailed },
  }
}

function moneyOf(known: Equity): Pick<BotReport, 'equity' | 'bankroll' | 'inPlay' | 'held' | 'unpriced' | 'holdings'> {
  const { equity = null, bankroll = null, inPlay = null, held = null, unpriced } = worthOf(known)
  const holdings = holdingRowsOf(known).map(({ contestId, mint, symbol, amount, price = null, pricedAt = null, value = null }) => {
    return { contestId, mint, symbol, amount, price, pricedAt, value }
  })
  return { equity, bankroll, inPlay, held, unpriced, holdings }
}

/** In a world in which every mode can be played nobody counts. */
function unplayedOf(modes: readonly ModeStatus[] | undefined): BotReport['unplayed'] {
  if (modes === undefined) return unknownFigures.unplayed
  const lost = modes.filter(({ unplayed }) => unplayed.count > 0)
  return {
    count: lost.reduce((sum, { unplayed }) => sum + unplayed.count, 0),
    staked: lost.reduce((sum, { unplayed }) => sum + unplayed.staked, 0n).toString(),
    byMode: Object.fromEntries(lost.map(({ mode, unplayed: { count, staked } }) => [mode, { count, staked: staked.toString() }])),
  }
}

function stateOf(mode: ModeStatus, path: SwapPath | undefined): BotReport['modes'][string] {
  if (isClosed(mode, path)) return { state: 'closed', why: mode.code ?? null }
  return { state: 'open', why: mode.code === 'MODE_ON_TRIAL' ? mode.code : null }
}

function tallyOf(results: readonly Readonly<Record<Result, number>>[]): Tally {
  const sum = (result: Result) => results.reduce((total, counts) => total + counts[result], 0)
  const [won, lost, drawn, refunded] = [sum('WIN'), sum('LOSS'), sum('DRAW'), sum('REFUND')]
  return { settled: won + lost + drawn + refunded, won, lost, drawn, refunded }
}

/** The report for a person. */
export function formatReport({ bots }: StartReport): string {
  const lines = bots.map((bot) => {
    const { keptBack, open, failure } = bot
    return [
      ...linesOf(bot),
      ...(keptBack === undefined ? [] : ['  a dry run: nothing was sent, and the contests are all that the agent has ever played']),
      ...(keptBack ?? []).map(
        ({ procedure, input, times }) =>
          `  not sent (dry run): ${procedure} ${JSON.stringify(input)}${times > 1 ? `, ${times} times` : ''}`,
      ),
      ...(open === undefined ? [] : [`  left open, for the next run to take up: ${leftOpenText([open])}`]),
      ...(failure === undefined ? [] : [`  stopped: ${printable(failure.message)}`]),
    ].join('\n')
  })
  return `${lines.join('\n')}\n`
}

function linesOf(bot: BotReport): string[] {
  const { name, contests, profit, staked, swapProfit, actions, reveals, trades, unplayed } = bot
  if (profit === null || staked === null || swapProfit === null) return [`${name}: nothing is known of what it has done`]
  const { settled, won, lost, drawn, refunded, cancelled } = contests
  const results = `${settled} settled (${won} won, ${lost} lost, ${drawn} drawn, ${refunded} refunded), ${cancelled} cancelled`
  const swapped = swapProfit === '0' ? '' : `, and ${formatUsdc(BigInt(swapProfit))} by their swaps`
  const money = `profit of contests ${formatUsdc(BigInt(profit))} USDC on ${formatUsdc(BigInt(staked))} staked${swapped}`
  const acts = `${actions.sent} actions sent, ${actions.refused} refused by the guard, ${actions.failed} failed, ${actions.unknown} unknown`
  return [
    `${name}: ${results}`,
    `  ${money}`,
    ...equityLines(bot),
    `  ${acts}; ${reveals.done} of ${reveals.due} reveals done; ${trades.confirmed} swaps confirmed, ${trades.failed} failed`,
    ...(unplayed.count === null || unplayed.staked === null || unplayed.count === 0
      ? []
      : [
          `  ${unplayed.count === 1 ? 'one contest' : `${unplayed.count} contests`} ended without a valid move, ${formatUsdc(BigInt(unplayed.staked))} USDC staked`,
        ]),
  ]
}

function equityLines({ equity, bankroll, inPlay, held, unpriced }: BotReport): string[] {
  if (equity === null || bankroll === null || inPlay === null || held === null) return []
  const usdc = (micro: string) => formatUsdc(BigInt(micro))
  const without =
    unpriced === 0
      ? ''
      : `; ${unpriced === 1 ? 'one holding has' : `${unpriced} holdings have`} no price, and ${unpriced === 1 ? 'is' : 'are'} not in it`
  return [`  equity ${usdc(equity)} USDC: ${usdc(bankroll)} available, ${usdc(inPlay)} in play, ${usdc(held)} in tokens${without}`]
}
