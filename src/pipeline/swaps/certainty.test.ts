import fc from 'fast-check'
import { expect, test } from 'vitest'
import { START_MS } from '../../../test/support/rawEvents.ts'
import { ScriptedSwapper } from '../../../test/support/scriptedSwapper.ts'
import { runsOf, sizeOf } from '../../../test/support/suite/cases.ts'
import { inLong } from '../../../test/support/suite/long.ts'
import { type Fate, fate, SwapFates } from '../../../test/support/swapFates.ts'
import { buy, CONTEST, openTradingBot, sell, type TradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { VirtualClock } from '../../core/clock.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// Whatever becomes of swaps and of their answers, and whenever the bot is restarted: none is sent while another may still
// land, and what has landed is in the books once, to the base unit.

type Act =
  | { readonly type: 'buy'; readonly amount: number }
  | { readonly type: 'sell' }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'restart' }
  /** From now on the DEX and the chain answer so. */
  | {
      readonly type: 'answers'
      readonly quote: 'good' | 'slow' | 'none'
      readonly build: 'good' | 'slow' | 'none'
      readonly isDark: boolean
    }

const answer = fc.constantFrom('good' as const, 'good' as const, 'slow' as const, 'none' as const)
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('buy' as const), amount: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('sell' as const) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.constantFrom(50, 300, 1000, 4000, 9000) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answers' as const), quote: answer, build: answer, isDark: fc.boolean() }) },
)

class World {
  readonly journal = new MemoryJournal()
  readonly clock = new VirtualClock(START_MS)
  readonly swapper = new ScriptedSwapper()
  readonly fates: SwapFates
  readonly broken: string[] = []
  bot: TradingBot | undefined

  constructor(fates: readonly Fate[]) {
    this.fates = new SwapFates(this.clock, this.swapper, fates)
  }

  async open(): Promise<TradingBot> {
    const { journal, clock, swapper, fates, broken } = this
    const prepare: TradingBotOptions['prepare'] = (service) => {
      fates.serve(service, () => {
        if (fates.open.length > 0) broken.push(`${fates.open.length} swaps may still land while another is sent`)
      })
    }
    const contest = { endsAt: new Date(START_MS + 3_600_000).toISOString() }
    this.bot = await openTradingBot({ journal, clock, swapper, contest, prepare, guard: { maxSwapsPerMinute: 600 } })
    return this.bot
  }

  async do(act: Act): Promise<void> {
    const bot = this.bot ?? (await this.open())
    bot.refresh()
    switch (act.type) {
      case 'buy':
        await bot.ask(buy({ amount: usdc(`${act.amount}`) }))
        return
      case 'sell': {
        const held = bot.status().portfolios.get(CONTEST)?.holdings.get(SOL_MINT) ?? 0n
        if (held > 0n) await bot.ask(sell(held / 2n + 1n))
        return
      }
      case 'pass':
        await bot.run(act.ms)
        return
      case 'restart':
        bot.kill()
        await this.open()
        return
      case 'answers':
        this.#answer(bot, act)
    }
  }

  /** Everything answers again, and time passes until nothing can happen any more. */
  async rest(): Promise<TradingBot> {
    const bot = this.bot ?? (await this.open())
    this.#answer(bot, { type: 'answers', quote: 'good', build: 'good', isDark: false })
    for (let round = 0; round < 4; round++) {
      bot.refresh()
      await bot.run(10_000)
    }
    return bot
  }

  #answer(bot: TradingBot, { quote, build, isDark }: Extract<Act, { type: 'answers' }>): void {
    const none = { ok: false, reason: 'HTTP 503', retryable: true } as const
    this.swapper.onQuote = (good) => (quote === 'none' ? none : quote === 'slow' ? bot.service.after(600, good) : good)
    this.swapper.onBuild = (built) => {
      const good = { ok: true, built } as const
      return build === 'none' ? none : build === 'slow' ? bot.service.after(600, good) : good
    }
    if (isDark) this.fates.darken()
  }
}

test('no swap is sent while another may land, and what landed is in the books exactly once', async () => {
  const seen = { sent: 0, landed: 0, lost: 0, restartedOpen: 0, failed: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 5, maxLength: 25 }),
      fc.array(fate, { minLength: 4, maxLength: 12 }),
      async (acts, fates) => {
        const world = new World(fates)
        for (const next of acts) {
          if (next.type === 'restart' && world.fates.open.length > 0) seen.restartedOpen += 1
          await world.do(next)
          if (world.bot?.status().actions.unknown === 1) seen.lost += 1
        }
        const bot = await world.rest()
        const { executed } = world.fates
        expect(world.broken).toEqual([])
        expect(world.journal.fills.map(({ signature }) => signature).toSorted()).toEqual(
          executed.map(({ signature }) => signature).toSorted(),
        )
        const { actions, portfolios } = bot.status()
        expect(actions).toMatchObject({ unknown: 0, swapsFilled: executed.length })
        const moved = (mint: string) =>
          executed.reduce((sum, { changes }) => sum + (changes.find((change) => change.mint === mint)?.delta ?? 0n), 0n)
        const portfolio = portfolios.get(CONTEST)
        expect([portfolio?.cash ?? 0n, portfolio?.holdings.get(SOL_MINT) ?? 0n]).toEqual([moved(USDC_MINT), moved(SOL_MINT)])
        expect(bot.end).toBeUndefined()
        seen.sent += world.fates.sent.length
        seen.landed += executed.length
        seen.failed += actions.swapsFailed
      },
    ),
    { numRuns: runsOf(300) },
  )
  // A world in which little happens would show nothing.
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(sizeOf(inLong(50, 25), 3))
})
