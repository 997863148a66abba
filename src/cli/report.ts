import type { Result } from '../contract/enums.ts'
import { formatUsdc } from '../core/usdc.ts'
import { statsOf } from '../pipeline/index.ts'
import type { KeptBack } from './dryRun.ts'
import type { Fleet, FleetBot } from './fleet.ts'

/** `start --json` (design of the command line): figures of the whole life of each bot's journal. */
export interface StartReport {
  readonly bots: readonly BotReport[]
  readonly uptimeMs: number
  readonly recordings: readonly string[]
}

interface Tally {
  readonly settled: number
  readonly won: number
  readonly lost: number
  readonly drawn: number
  readonly refunded: number
}

export interface BotReport {
  readonly name: string
  readonly agentId: string | null
  readonly contests: Tally & { readonly cancelled: number }
  readonly byMode: Readonly<Record<string, Tally>>
  /** Of contests, in micro-USDC. */
  readonly profit: string
  readonly staked: string
  /** What the swaps of contests that are over have made or lost, in micro-USDC. */
  readonly swapProfit: string
  readonly actions: { readonly sent: number; readonly refused: number; readonly failed: number; readonly unknown: number }
  readonly reveals: { readonly due: number; readonly done: number }
  readonly trades: { readonly confirmed: number; readonly failed: number }
  /** What a dry run would have sent, and how often; absent in any other run. */
  readonly keptBack?: readonly KeptBack[]
  /** Why the bot stopped before its time; absent when it did not. */
  readonly failure?: { readonly code: string; readonly message: string }
}

export function reportOf(fleet: Fleet, uptimeMs: number): StartReport {
  return { bots: fleet.bots.map(botReportOf), uptimeMs, recordings: fleet.bots.flatMap(({ recording }) => recording ?? []) }
}

const nothingSent = { sent: 0, refused: 0, failed: 0, unknown: 0 }
const nothing = { sent: 0, refused: 0, failed: 0, unknown: 0, swapsFilled: 0, swapsFailed: 0 }

function botReportOf(bot: FleetBot): BotReport {
  const status = bot.status()
  const stats = status === undefined ? undefined : statsOf(status.books)
  const byMode = Object.fromEntries(Object.entries(stats?.byMode ?? {}).map(([mode, results]) => [mode, tallyOf([results])]))
  const { sent, refused, failed, unknown, swapsFilled, swapsFailed } = status?.actions ?? nothing
  return {
    name: bot.name,
    agentId: bot.agentId ?? null,
    contests: { ...tallyOf(Object.values(stats?.byMode ?? {})), cancelled: status?.books.cancelled ?? 0 },
    byMode,
    profit: (stats?.profit ?? 0n).toString(),
    staked: (stats?.staked ?? 0n).toString(),
    swapProfit: (status?.swapProfit ?? 0n).toString(),
    // A dry run sends nothing, whatever its bots would have.
    actions: bot.keptBack === undefined ? { sent, refused, failed, unknown } : { ...nothingSent, refused },
    reveals: status?.reveals ?? { due: 0, done: 0 },
    trades: { confirmed: swapsFilled, failed: swapsFailed },
    ...(bot.keptBack === undefined ? {} : { keptBack: bot.keptBack() }),
    ...(bot.failure === undefined ? {} : { failure: { code: bot.failure.code, message: bot.failure.message } }),
  }
}

function tallyOf(results: readonly Readonly<Record<Result, number>>[]): Tally {
  const sum = (result: Result) => results.reduce((total, counts) => total + counts[result], 0)
  const [won, lost, drawn, refunded] = [sum('WIN'), sum('LOSS'), sum('DRAW'), sum('REFUND')]
  return { settled: won + lost + drawn + refunded, won, lost, drawn, refunded }
}

/** The report for a person. */
export function formatReport({ bots }: StartReport): string {
  const lines = bots.map(({ name, contests, profit, staked, swapProfit, actions, reveals, trades, keptBack, failure }) => {
    const { settled, won, lost, drawn, refunded, cancelled } = contests
    const results = `${settled} settled (${won} won, ${lost} lost, ${drawn} drawn, ${refunded} refunded), ${cancelled} cancelled`
    const swapped = swapProfit === '0' ? '' : `, and ${formatUsdc(BigInt(swapProfit))} by their swaps`
    const money = `profit of contests ${formatUsdc(BigInt(profit))} USDC on ${formatUsdc(BigInt(staked))} staked${swapped}`
    const acts = `${actions.sent} actions sent, ${actions.refused} refused by the guard, ${actions.failed} failed, ${actions.unknown} unknown`
    return [
      `${name}: ${results}`,
      `  ${money}`,
      `  ${acts}; ${reveals.done} of ${reveals.due} reveals done; ${trades.confirmed} swaps confirmed, ${trades.failed} failed`,
      ...(keptBack === undefined ? [] : ['  a dry run: nothing was sent, and the contests are all that the agent has ever played']),
      ...(keptBack ?? []).map(
        ({ procedure, input, times }) =>
          `  not sent (dry run): ${procedure} ${JSON.stringify(input)}${times > 1 ? `, ${times} times` : ''}`,
      ),
      ...(failure === undefined ? [] : [`  stopped: ${failure.message}`]),
    ].join('\n')
  })
  return `${lines.join('\n')}\n`
}
