import { DAY_MS } from '../../../core/day.ts'
import { printable } from '../../../core/printable.ts'
import { formatUsdc } from '../../../core/usdc.ts'
import type { BotRow, CurvePoint, Desk, Operator } from '../../../dashboard/index.ts'
import type { ChatDesk, ProfitPeriod } from '../../../live/index.ts'
import { stateText } from './stateText.ts'

const PERIODS: Readonly<Record<ProfitPeriod, { readonly ms: number; readonly said: string }>> = {
  day: { ms: DAY_MS, said: 'in the last 24 hours' },
  week: { ms: 7 * DAY_MS, said: 'in the last 7 days' },
}
const UNKNOWN = 'not known yet'
const MOST_TROUBLES = 3

/** What the owner is told in a chat: the figures of the page, in words. */
export function chatDeskOf(desk: Pick<Desk, 'fleet' | 'bot'>, operator: Pick<Operator, 'say'>): ChatDesk {
  const rows = () => desk.fleet().bots
  const profit = (period: ProfitPeriod | undefined): string => {
    const { at, bots } = desk.fleet()
    const profits = bots.map((row) => profitIn(row, desk.bot(row.name)?.curve ?? [], period, at))
    const lines = bots.map(({ name }, index) => `${name}: ${signed(profits[index])}`)
    const known = profits.filter((one) => one !== undefined)
    const isWhole = known.length === profits.length
    const total = `all bots: ${signed(isWhole ? known.reduce((sum, one) => sum + one, 0n) : undefined)}`
    const title = `Profit ${period === undefined ? 'since the data directory was made' : PERIODS[period].said}, in USDC`
    return [title, ...(lines.length === 1 ? lines : [total, ...lines])].join('\n')
  }
  const status = (): string => {
    const { service, isDryRun, bots } = desk.fleet()
    return [`${service}${isDryRun ? ', dry run' : ''}`, ...bots.flatMap(linesOf)].join('\n')
  }
  return {
    get bots() {
      return rows().map(({ name }) => name)
    },
    status,
    profit,
    summary: () => `${profit('day')}\n\n${status()}`,
    say: (command, bot) => operator.say(command, bot),
  }
}

function linesOf(row: BotRow): readonly string[] {
  const { name, equity, unpriced, bankroll, inPlay, open, settled, troubles, elsewhere } = row
  const amount = (micro: string | undefined) => (micro === undefined ? UNKNOWN : `${formatUsdc(BigInt(micro))} USDC`)
  const left = unpriced === 0 ? '' : ` and ${unpriced} without a price`
  const place = elsewhere?.host === undefined ? '' : ` on ${elsewhere.host}`
  const line = `${name}: ${stateText(row)}${place}; equity ${amount(equity)}${left}, available ${amount(bankroll)}, in play ${amount(inPlay)}; open ${open.length}, settled ${settled ?? UNKNOWN}`
  const more = troubles.length - MOST_TROUBLES
  return [
    line,
    ...troubles.slice(0, MOST_TROUBLES).map(({ message }) => `  ! ${printable(message)}`),
    ...(more > 0 ? [`  and ${more} more troubles`] : []),
  ]
}

/** By the curve of the page: what came since the last point before the period began. Undefined while the journal is not read, or its host says nothing. */
function profitIn(
  { profit, elsewhere }: BotRow,
  curve: readonly CurvePoint[],
  period: ProfitPeriod | undefined,
  now: number,
): bigint | undefined {
  if (profit === undefined || (period !== undefined && elsewhere?.isSilent === true)) return undefined
  const since = period === undefined ? undefined : now - PERIODS[period].ms
  const before = since === undefined ? undefined : curve.findLast(({ at }) => at <= since)
  return BigInt(profit) - BigInt(before?.profit ?? 0)
}

const signed = (amount: bigint | undefined): string => (amount === undefined ? UNKNOWN : `${amount > 0n ? '+' : ''}${formatUsdc(amount)}`)
