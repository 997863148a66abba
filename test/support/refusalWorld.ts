import { firstValueFrom, map, Subject } from 'rxjs'
import { z } from 'zod'
import { keyedUuid } from '../../src/core/ids.ts'
import { usdc } from '../../src/core/usdc.ts'
import type { Refusal } from '../../src/guard/index.ts'
import { type Action, type ActionOf, enqueue, type SwapIntent } from '../../src/strategy/action.ts'
import { defineStrategy } from '../../src/strategy/define.ts'
import { policy } from './testStrategies.ts'
import { openTradingBot, type TradingBot, type TradingBotOptions } from './tradingBot.ts'

export const OTHER = keyedUuid('another contest')

/** A bot in a live contest, with a trader, and a strategy of the bot's own that the test drives. */
export interface RefusalBot extends TradingBot {
  /** The strategy asks. */
  act(...actions: readonly Action[]): Promise<void>
}

export interface RefusalBotOptions extends TradingBotOptions {
  /** Whether the strategy that the test drives is a policy: a custom one may play any mode. */
  readonly isPolicy?: boolean
}

/** One way to be refused, and that the bot goes on. */
export interface Scenario {
  readonly name: string
  readonly options?: RefusalBotOptions
  /** What has happened before. */
  readonly before?: (bot: RefusalBot) => Promise<void> | void
  /** What is refused: an action of the strategy, or a swap of the trader. */
  readonly asks: { readonly action: Action } | { readonly swap: SwapIntent }
  /** How long it takes until it is refused. */
  readonly waitMs?: number
  /** Whether a transaction was built before it was refused. Default: for what the inspection refuses. */
  readonly isBuilt?: boolean
  readonly numbers: Refusal['numbers'] | ((bot: RefusalBot) => Refusal['numbers'])
  /** What stood in the way is gone. */
  readonly after?: (bot: RefusalBot) => Promise<void> | void
  /** What passes then. */
  readonly goesOn: { readonly action: Action } | { readonly swap: SwapIntent }
}

export type Scenarios = readonly [Scenario, ...Scenario[]]

export const entry = (fields: Partial<ActionOf<'enqueue'>> = {}): Action =>
  enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15, ...fields })

/** Opens the bot of a scenario. Its policy asks for nothing, and so that open contests are read. */
export async function openRefusalBot({ strategies = [], isPolicy = false, ...options }: RefusalBotOptions = {}): Promise<RefusalBot> {
  const act$ = new Subject<Action>()
  const own = isPolicy
    ? policy(() => firstValueFrom(act$.pipe(map((action) => [action]))), { name: 'own' })
    : defineStrategy({ name: 'own', params: z.object({}), run: () => act$ })()
  const bot = await openTradingBot({ ...options, strategies: [own, policy(() => [], { browse: {} }), ...strategies] })
  return Object.assign(Object.create(bot) as TradingBot, {
    async act(...actions: readonly Action[]) {
      for (const action of actions) act$.next(action)
      await bot.run(0)
    },
  })
}
