import type { z } from 'zod'
import { tokenOfMint } from '../../core/tokens.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { BotStatus } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { saysUsdc } from '../../strategy/parameterSchema.ts'
import type { StrategyRow } from './views.ts'

/** The strategies of a bot, and how they fare. */
export function strategyRowsOf(
  { strategies }: Pick<BotConfig, 'strategies'>,
  status: BotStatus | undefined,
  faults: ReadonlyMap<string, number>,
): readonly StrategyRow[] {
  return strategies.map(({ name, kind, params, paramsSchema: { shape } }) => ({
    name,
    kind,
    params: Object.fromEntries(
      Object.entries(params as object).map(([param, value]) => {
        const field = shape[param] as z.ZodType | undefined
        return [param, valueText(value, field !== undefined && saysUsdc(field))]
      }),
    ),
    faults: faults.get(name) ?? 0,
    suspendedIn: (status?.suspended ?? []).filter(({ strategy }) => strategy === name).map(({ contestId }) => contestId),
  }))
}

function valueText(value: unknown, isOfUsdc: boolean): string {
  if (typeof value === 'bigint') return isOfUsdc ? `${formatUsdc(value)} USDC` : `${value}`
  if (Array.isArray(value)) return value.map((part) => valueText(part, isOfUsdc)).join(', ')
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${name}: ${valueText(part, isOfUsdc)}`)
        .join(', ')
    : // A token's address says nothing to a reader.
      (tokenOfMint(String(value))?.symbol ?? String(value))
}
