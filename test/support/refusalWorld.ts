import { Subject } from 'rxjs'
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

/** One way to be refused, and that the bot goes on. */
export interface Scenario {
  readonly name: string
  readonly options?: TradingBotOptions
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
export async function openRefusalBot({ strategies = [], ...options }: TradingBotOptions = {}): Promise<RefusalBot> {
  const act$ = new Subject<Action>()
  const own = defineStrategy({ name: 'own', params: z.object({}), run: () => act$ })()
  const bot = await openTradingBot({ ...options, strategies: [own, policy(() => [], { browse: {} }), ...strategies] })
  return Object.assign(Object.create(bot) as TradingBot, {
    async act(...actions: readonly Action[]) {
      for (const action of actions) act$.next(action)
      await bot.run(0)
    },
  })
}
