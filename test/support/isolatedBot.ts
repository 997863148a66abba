import { createRequire } from 'node:module'
import { setTimeout as passes } from 'node:timers/promises'
import { VirtualClock } from '../../src/core/clock.ts'
import { ProcessIsolation } from '../../src/live/index.ts'
import type { Note, PriceBook } from '../../src/pipeline/index.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { START_MS } from './rawEvents.ts'
import { openTestBot, type TestBot, type TestBotOptions } from './testBot.ts'
import { pathOf, type TestConfigs } from './testConfigs.ts'

/** A process that does not come to an end within this is stuck. Where none is to be, give it longer: a busy machine may keep it waiting. */
const STUCK_MS = 2000
const PATIENCE_MS = 5 * 60_000

export interface IsolatedBot {
  readonly bot: TestBot
  readonly isolation: ProcessIsolation
  /** What its processes wrote to the log. */
  readonly lines: readonly Note[]
  /** Real time passes until it is so; the bot's own stands still. */
  until(isSo: () => boolean, what: string): Promise<void>
  /** The bot's time passes, a second at a turn, each with real time for the processes. */
  seconds(count: number): Promise<void>
  close(): Promise<void>
}

export interface IsolatedBotOptions extends Omit<TestBotOptions, 'config' | 'strategies' | 'isolate' | 'swapper'> {
  readonly configs: TestConfigs
  /** The strategies of the config, as its file has them, after what it declares. */
  readonly strategies: string
  readonly declares?: string
  readonly isolate?: string
  readonly stuckAfterMs?: number
  readonly dataDir?: string
  /** Default: a bot in no contest. */
  readonly openBot?: (options: Omit<TestBotOptions, 'swapper'>) => Promise<TestBot>
}

/** A bot on a virtual clock whose strategies run in processes of their own, from a config file of its own. */
export async function openIsolatedBot(options: IsolatedBotOptions): Promise<IsolatedBot> {
  const {
    configs,
    strategies,
    declares = '',
    isolate = 'true',
    clock = new VirtualClock(START_MS),
    openBot = openTestBot,
    stuckAfterMs = STUCK_MS,
    dataDir = '/nowhere/data',
    ...rest
  } = options
  const file = pathOf(configs.write(configText({ strategies, declares, isolate })))
  // As Node itself loads it: the text of a function that went through the tests' own compiler is another one.
  const module = createRequire(import.meta.url)(file) as { default: unknown }
  const [config] = readConfig(module.default, file).bots
  if (config === undefined) throw new Error('the config has no bot')
  const lines: Note[] = []
  let isolation: ProcessIsolation | undefined
  const bot = await openBot({
    ...rest,
    config,
    clock,
    isolation: (book: PriceBook) => {
      isolation = new ProcessIsolation({ file, dataDir, bot: config, book, clock, stuckAfterMs, log: (note) => lines.push(note) })
      return isolation
    },
  })
  if (isolation === undefined) throw new Error('the bot was opened without its isolation')
  const opened = isolation
  await opened.ready().catch(async (thrown: unknown) => {
    await opened.close()
    throw thrown
  })
  return {
    ...{ bot, isolation: opened, lines },
    async until(isSo, what) {
      const limit = performance.now() + PATIENCE_MS
      while (!isSo()) {
        if (performance.now() > limit)
          throw new Error(`it never came to be so: ${what}\n${JSON.stringify(lines)}\n${bot.notes('error').join('\n')}`)
        await passes(5)
      }
    },
    async seconds(count) {
      for (let second = 0; second < count; second++) {
        await bot.run(1000)
        await passes(20)
      }
    },
    async close() {
      bot.kill()
      await opened.close()
    },
  }
}

function configText({ strategies, declares, isolate }: { strategies: string; declares: string; isolate: string }): string {
  return `import { defineConfig, defineDraftPicker, definePredictor, defineQueuePolicy, defineStrategy, defineTrader } from 'cornerman'
import { commitPrediction, enqueue, sandbox, SOL_MINT, swap, usdc, USDC_MINT } from 'cornerman'
import { EMPTY, filter, interval, map, merge, NEVER, of, range, take, tap } from 'rxjs'
import { z } from 'zod'
const params = z.object({})
const entry = (mode: 'up_down' | 'draft_basket' | 'price_prediction') => enqueue({ mode, stake: usdc('1'), durationSec: 15 })
const loop = (): never => {
  for (;;);
}
${declares}
export default defineConfig({
  service: sandbox(),
  bots: [{ name: 'alice', strategies: [${strategies}], guard: { maxStake: usdc('5'), dailyLoss: usdc('20') }, isolate: ${isolate} }],
})
`
}
