import { type Observable, Subject } from 'rxjs'
import { z } from 'zod'
import { TRADING_MODES, type TradingMode } from '../../src/contract/enums.ts'
import { VirtualClock } from '../../src/core/clock.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import type { SwapIntent } from '../../src/strategy/action.ts'
import { defineTrader, type Strategy, type TradeContext } from '../../src/strategy/define.ts'
import type { Positions, SwapOutcome } from '../../src/strategy/view.ts'
import { START_MS } from './rawEvents.ts'
import { accepted, type ScriptedService } from './scriptedService.ts'
import { ScriptedSwapper, WALLET } from './scriptedSwapper.ts'
import { openTestBot, type TestBot, type TestBotOptions } from './testBot.ts'

export const CONTEST = keyedUuid('traded contest')
const SOL_PRICE = 200
const SIGN_AND_SEND = 'agent.trade.signAndSend'

/** A swap of 10 USDC for SOL. */
export const buy = (fields: Partial<SwapIntent> = {}): SwapIntent => ({
  type: 'swap',
  from: USDC_MINT,
  to: SOL_MINT,
  amount: usdc('10'),
  ...fields,
})

export const sell = (amount: bigint): SwapIntent => ({ type: 'swap', from: SOL_MINT, to: USDC_MINT, amount })

export interface TradingBot extends TestBot {
  readonly swapper: ScriptedSwapper
  /** What became of the trader's swaps, and what it was shown, oldest first. */
  readonly outcomes: readonly SwapOutcome[]
  readonly positions: readonly Positions[]
  /** The trader asks; everything that needs no time happens. */
  ask(...swaps: readonly unknown[]): Promise<void>
  /** The feed says the same again: prices are fresh. */
  refresh(): void
}

export interface TradingBotOptions extends TestBotOptions {
  readonly mode?: TradingMode
  readonly params?: Readonly<Record<string, unknown>>
  readonly swapper?: ScriptedSwapper
  /** Instead of a trader that the test drives. */
  readonly trade?: (context: TradeContext<unknown>) => Observable<SwapIntent>
  readonly isWithoutTrader?: boolean
  /** Whether the trader calls out. */
  readonly external?: boolean
  /** Changes the contest, as the service would show it. */
  readonly contest?: Readonly<Record<string, unknown>>
}

/** A bot in a live contest that is played by swaps, on a DEX and a chain in memory; whatever it sends is executed. */
export async function openTradingBot(options: TradingBotOptions = {}): Promise<TradingBot> {
  const { mode = 'pnl_usd', params = {}, swapper = new ScriptedSwapper(), clock = new VirtualClock(START_MS), contest = {} } = options
  const ask$ = new Subject<SwapIntent>()
  const outcomes: SwapOutcome[] = []
  const positions: Positions[] = []
  const trade =
    options.trade ??
    (({ outcomes$, positions$ }: TradeContext<unknown>) => {
      outcomes$.subscribe((outcome) => outcomes.push(outcome))
      positions$.subscribe((held) => positions.push(held))
      return ask$
    })
  const trader: Strategy = defineTrader({
    name: 'trader',
    modes: TRADING_MODES,
    params: z.object({}),
    external: options.external ?? false,
    trade,
  })()
  swapper.prices.set(SOL_MINT, SOL_PRICE)
  swapper.now = () => clock.now()
  const bot = await openTestBot({
    ...options,
    clock,
    swapper,
    strategies: [...(options.isWithoutTrader ? [] : [trader]), ...(options.strategies ?? [])],
    prepare: (service) => {
      service.bankroll = { available: '1000000000', inPlay: '1000000', gasLamports: '1000000000', walletAddress: WALLET }
      service.contests = [contestOf({ mode, params, ...contest })]
      executes(service, swapper)
      options.prepare?.(service)
    },
  })
  const refresh = () => bot.price({ [SOL_MINT]: `${SOL_PRICE}`, [USDC_MINT]: '1' })
  refresh()
  await bot.run(100)
  // The bot's own getters stay live behind the prototype.
  return Object.assign(Object.create(bot) as TestBot, {
    swapper,
    outcomes,
    positions,
    refresh,
    async ask(...swaps: readonly unknown[]) {
      for (const swap of swaps) ask$.next(swap as SwapIntent)
      await bot.run(0)
    },
  })
}

/** The service signs, sends, and says confirmed. */
export function executes(service: ScriptedService, swapper: ScriptedSwapper): void {
  service.onAct(SIGN_AND_SEND, ({ transaction }) => accepted({ signature: swapper.execute(transaction), status: 'confirmed' }))
}

/** A contest as the service shows it: live from the start, for ten minutes. */
export function contestOf(fields: Readonly<Record<string, unknown>>) {
  return {
    contestId: CONTEST,
    chain: 'solana',
    format: 'duel',
    status: 'live',
    stake: '1000000',
    durationSec: 600,
    startsAt: new Date(START_MS).toISOString(),
    endsAt: new Date(START_MS + 600_000).toISOString(),
    you: { entryId: keyedUuid('entry'), ready: true },
    ...fields,
  }
}
