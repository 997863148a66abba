import { firstValueFrom } from 'rxjs'
import { isTradingMode } from '../../contract/modes.ts'
import type { ProcedureInput, ReadName } from '../../contract/procedures.ts'
import { systemClock } from '../../core/systemClock.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { type HttpService, openDex, swapFeesOf } from '../../live/index.ts'
import { type PathCheck, pathFailureOf } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { ServiceAccess } from '../service.ts'

// What a bot reads before it stakes anything, and the way of a swap, which is tried and not sent.

/** What was looked at, and how it was. */
export interface Check {
  readonly name: string
  readonly verdict: 'ok' | 'warn' | 'fail'
  /** What was found and, where it is not well, what to do. */
  readonly message: string
}

/** Everything that says what is in play. */
const LISTS: readonly { readonly procedure: ReadName; readonly input: ProcedureInput<ReadName> }[] = [
  { procedure: 'agent.queue.list', input: null },
  { procedure: 'agent.contests.mine', input: null },
  { procedure: 'agent.contests.list', input: { status: 'open', limit: 20 } },
  { procedure: 'agent.history', input: { limit: 20 } },
  { procedure: 'agent.events', input: { after: null, limit: 50 } },
]

/** Whether each list comes as the bots can read it. */
export async function listsOf(bot: BotConfig, service: HttpService): Promise<Check> {
  const name = `${bot.name}: lists`
  const troubles: string[] = []
  for (const { procedure, input } of LISTS) {
    const answer = await service.read({ procedure, input } as Parameters<HttpService['read']>[0])
    if (!answer.ok) troubles.push(answer.reason.startsWith(procedure) ? answer.reason : `${procedure}: ${answer.reason}`)
  }
  const names = LISTS.map(({ procedure }) => procedure.replace('agent.', '')).join(', ')
  if (troubles.length === 0) return { name, verdict: 'ok', message: `${names} are read` }
  return { name, verdict: 'fail', message: `${troubles.join('; ')}: what is in play is not known, and nothing is entered` }
}

/** A swap that is quoted, built, looked into and simulated as the bots do it, and not sent. Nothing is said where no bot trades. */
export async function swapsOf(
  bots: readonly BotConfig[],
  access: Pick<ServiceAccess, 'swaps' | 'timeoutMs'>,
  serviceFor: (bot: BotConfig) => HttpService,
): Promise<Check[]> {
  const trader = bots.find(isTrading)
  if (trader === undefined) return []
  const { swaps, timeoutMs } = access
  const service = serviceFor(trader)
  const dex = openDex({ ...swaps, timeoutMs, clock: systemClock })
  try {
    const wallet = await walletOf(service)
    if (wallet === undefined) {
      const message = 'were not tried: the service does not say the address of the wallet, and no swap can be built for it'
      return [{ name: 'swaps', verdict: 'fail', message }]
    }
    const { maxSlippageBps } = trader.guard
    const swapper = dex.swapperFor(swapFeesOf(trader.guard))
    const request = { from: USDC_MINT, to: SOL_MINT, amount: usdc('1'), slippageBps: maxSlippageBps }
    const check = await firstValueFrom(swapper.check({ wallet, request, maxAgeMs: 0 }))
    const failure = pathFailureOf(check, trader.guard)
    const tables = tablesOf(check, failure?.reason)
    if (failure === undefined)
      return [
        { name: 'swaps', verdict: 'ok', message: '1 USDC for SOL is quoted, built and passes the look inside; nothing was sent' },
        ...tables,
      ]
    const message = `${failure.reason}${remedyOf(failure.reason)}; until swaps come through no contest of swaps is entered`
    return [{ name: 'swaps', verdict: 'fail', message }, ...tables]
  } finally {
    await Promise.all([dex.close(), service.close()])
  }
}

/** Nothing where the reason itself says what to write. */
function remedyOf(reason: string): string {
  if (reason.includes('market.')) return ''
  return reason.startsWith('TX_TABLE_UNRESOLVED') ? ': set market.rpcUrl' : ': check market.swapUrl, market.apiKey and market.rpcUrl'
}

export const isTrading = ({ guard, strategies }: BotConfig): boolean =>
  guard.modes.some(isTradingMode) && strategies.some(({ kind }) => kind === 'trade' || kind === 'custom')

async function walletOf(service: HttpService): Promise<string | undefined> {
  const answer = await service.read({ procedure: 'agent.bankroll', input: null })
  return answer.ok ? answer.output.walletAddress : undefined
}

/** Whether the lookup tables of the route that was tried could be read; nothing is said where it came to none. */
function tablesOf({ built }: PathCheck, trouble: string | undefined): Check[] {
  const name = 'tables'
  if (trouble?.startsWith('TX_TABLE_UNRESOLVED') === true) {
    const message = `${trouble}: a route through lookup tables cannot be looked into, and is refused: set market.rpcUrl`
    return [{ name, verdict: 'fail', message }]
  }
  if (built === undefined || !built.ok) return []
  const count = built.built.tables?.size ?? 0
  const message = count === 0 ? 'the route that was tried goes through none' : `${count} of the route that was tried are read`
  return [{ name, verdict: 'ok', message }]
}
