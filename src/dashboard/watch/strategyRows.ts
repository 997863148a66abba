import { formatUsdc } from '../../core/usdc.ts'
import type { BotStatus } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { StrategyRow } from './views.ts'

/** The strategies of a bot, and how they fare. */
export function strategyRowsOf(
  { strategies }: BotConfig,
  status: BotStatus | undefined,
  faults: ReadonlyMap<string, number>,
): readonly StrategyRow[] {
  return strategies.map(({ name, kind, params }) => ({
    name,
    kind,
    params: Object.fromEntries(Object.entries(params as object).map(([param, value]) => [param, valueText(value)])),
    faults: faults.get(name) ?? 0,
    suspendedIn: (status?.suspended ?? []).filter(({ strategy }) => strategy === name).map(({ contestId }) => contestId),
  }))
}

/** Amounts are the parameters that are integers of any size. */
function valueText(value: unknown): string {
  if (typeof value === 'bigint') return `${formatUsdc(value)} USDC`
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${name}: ${valueText(part)}`)
        .join(', ')
    : String(value)
}
