import { of } from 'rxjs'
import { expect } from 'vitest'
import { keyedUuid } from '../../src/core/ids.ts'
import { SOL_MINT, tokenOf, USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import type { RefusalCode, SwapQuote } from '../../src/guard/index.ts'
import { ready, type SwapIntent, swap, sweep } from '../../src/strategy/action.ts'
import { rawEvent } from './rawEvents.ts'
import { entry, OTHER, type RefusalBot, type Scenario, type Scenarios } from './refusalWorld.ts'
import { unknown } from './scriptedService.ts'
import { barred, contradicted, feeMoon, HOOK, MOON_MINT, moon } from './tokens/facts.ts'
import { buy, CONTEST, executes, sell, type TradingBotOptions } from './tradingBot.ts'

const A_MINUTE_MS = 60_000
const TEN_USDC_OF_SOL = 50_000_000n
const BONK_MINT = tokenOf('BONK')?.mint ?? ''
const NOBODYS_MINT = 'Nobody1111111111111111111111111111111111111'

/** A swap that is refused for what it is, and one that passes. */
const only = (name: string, refused: SwapIntent, rest: Omit<Scenario, 'name' | 'asks' | 'goesOn'>): Scenario => ({
  name,
  asks: { swap: refused },
  goesOn: { swap: buy() },
  ...rest,
})

/** A swap of a contest that the strategy names, refused. */
const inContest = (name: string, contestId: string, rest: Omit<Scenario, 'name' | 'asks' | 'goesOn'>): Scenario => ({
  name,
  asks: { action: swap({ ...buy(), contestId }) },
  goesOn: { swap: buy() },
  ...rest,
})

/** A quote with something in it changed. */
const quoting = (name: string, change: (quote: SwapQuote) => Partial<SwapQuote>, numbers: Scenario['numbers']): Scenario =>
  only(name, buy(), {
    before: ({ swapper }) => {
      swapper.onQuote = (good) => ({ ...good, quote: { ...good.quote, ...change(good.quote) } })
    },
    numbers,
    after: ({ swapper }) => {
      swapper.onQuote = (good) => good
    },
  })

const alsoIn = (fields: Readonly<Record<string, unknown>>): TradingBotOptions => ({
  prepare: ({ contests }) => {
    contests.push({ contestId: OTHER, stake: '1000000', you: { entryId: keyedUuid('other entry'), ready: true }, ...fields })
  },
})

const settled = (bot: RefusalBot) => bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }, bot.clock.now()))

/** An answer was lost: the chain has not said yet what became of the swap. */
async function lose(bot: RefusalBot): Promise<void> {
  bot.service.onAct('agent.trade.signAndSend', () => unknown)
  await bot.ask(buy())
}

/** It landed, and the service answers again. */
async function land(bot: RefusalBot): Promise<void> {
  const [lost] = bot.service.sent('agent.trade.signAndSend')
  bot.swapper.execute(lost?.transaction ?? '')
  executes(bot.service, bot.swapper)
  await bot.run(2000)
}

/** No quote comes until the test lets it. */
function heldQuotes(): Pick<Scenario, 'before' | 'after'> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  return {
    before: async (bot) => {
      bot.swapper.onQuote = async (good) => {
        await released
        return good
      }
      await bot.ask(...Array.from({ length: 17 }, () => buy({ amount: usdc('1') })))
    },
    after: async (bot) => {
      release()
      await bot.run(1000)
    },
  }
}

/** What the guard keeps back of swaps and sweeps, when they are asked for and on the quote. */
export const SWAP_REFUSALS = {
  KILL_SWITCH: [
    inContest('a swap once the operator has stopped everything', CONTEST, {
      before: ({ operator$ }) => operator$.next('stopAll'),
      numbers: {},
      after: async ({ operator$, run }) => {
        operator$.next('resume')
        // The trader starts anew.
        await run(100)
      },
    }),
    {
      name: 'an entry once the operator has stopped everything',
      before: ({ operator$ }) => operator$.next('stopAll'),
      asks: { action: entry() },
      numbers: {},
      after: ({ operator$ }) => operator$.next('resume'),
      goesOn: { action: entry() },
    },
  ],
  CATCHING_UP: [
    inContest('a swap while the stream cannot be read', CONTEST, {
      before: ({ events }) => events.fallBehind(),
      numbers: {},
      after: ({ events }) => events.catchUp(),
    }),
  ],
  NOT_IN_CONTEST: [
    inContest('a swap in a contest of another bot', OTHER, { numbers: { contestId: OTHER } }),
    {
      name: 'a ready in a contest of another bot',
      asks: { action: ready({ contestId: OTHER, ready: true }) },
      numbers: { contestId: OTHER },
      goesOn: { swap: buy() },
    },
  ],
  SWAP_AMOUNT_INVALID: [
    only('nothing', buy({ amount: 0n }), { numbers: { amount: 0n } }),
    only('less than nothing', buy({ amount: -1n }), { numbers: { amount: -1n } }),
  ],
  SWAP_SAME_TOKEN: [only('a token for itself', buy({ to: USDC_MINT }), { numbers: { token: USDC_MINT } })],
  TOKEN_UNKNOWN: [only('a mint of nobody', buy({ to: NOBODYS_MINT }), { numbers: { token: NOBODYS_MINT } })],
  TOKEN_CONTRADICTED: [
    only('a token whose mint account says another number of decimals', buy({ to: MOON_MINT }), {
      options: { tokens$: of([contradicted]) },
      numbers: { token: MOON_MINT, field: 'decimals', config: 6, chain: 9 },
    }),
  ],
  TOKEN_BARRED: [
    only('a token that its issuer can freeze', buy({ to: MOON_MINT }), {
      options: { tokens$: of([barred]) },
      numbers: { token: MOON_MINT, freeze: HOOK },
    }),
  ],
  TOKEN_TRANSFER_FEE: [
    only('a token that keeps a part of each transfer', buy({ to: MOON_MINT }), {
      options: { tokens$: of([feeMoon()]) },
      numbers: { token: MOON_MINT, feeBps: 100, maximum: 10n ** 18n, maxTransferFeeBps: 0 },
    }),
  ],
  TOKEN_TRANSFER_HOOK: [
    only('a token whose transfers call a program', buy({ to: MOON_MINT }), {
      options: { tokens$: of([moon({ tokenProgram: 'token-2022', transferHook: HOOK })]) },
      numbers: { token: MOON_MINT, hook: HOOK },
    }),
  ],
  MODE_WITHOUT_SWAPS: [
    inContest('a contest that is not played by swaps', OTHER, {
      options: alsoIn({ mode: 'up_down', status: 'live' }),
      numbers: { contestId: OTHER, mode: 'up_down' },
    }),
  ],
  CONTEST_NOT_LIVE: [
    inContest('a contest that has not begun', OTHER, {
      options: alsoIn({ mode: 'pnl_usd', status: 'open' }),
      numbers: { contestId: OTHER, phase: 'open' },
    }),
    {
      name: 'a contest that was settled without any swap',
      before: settled,
      asks: { action: swap({ ...buy(), contestId: CONTEST }) },
      numbers: { contestId: CONTEST, phase: 'settled' },
      goesOn: { action: entry() },
    },
    {
      name: 'a contest that is settled',
      before: async (bot) => {
        await bot.ask(buy())
        await bot.ask(sell(TEN_USDC_OF_SOL))
        await settled(bot)
      },
      asks: { action: swap({ ...buy(), contestId: CONTEST }) },
      numbers: { contestId: CONTEST, phase: 'settled' },
      goesOn: { action: entry() },
    },
  ],
  CONTEST_NOT_OVER: [
    {
      name: 'a sweep of a contest that is live',
      before: (bot) => bot.ask(buy()),
      asks: { action: sweep({ contestId: CONTEST, from: SOL_MINT, to: USDC_MINT, amount: TEN_USDC_OF_SOL }) },
      numbers: { contestId: CONTEST, phase: 'live' },
      goesOn: { swap: sell(TEN_USDC_OF_SOL) },
    },
  ],
  TOKEN_NOT_ALLOWED: [
    only('a token that the config leaves out', buy({ to: BONK_MINT }), {
      options: { guard: { tokens: [SOL_MINT] } },
      numbers: { token: BONK_MINT },
    }),
    only('another token than the contest is about', buy({ to: BONK_MINT }), {
      options: { mode: 'same_token', params: { token: SOL_MINT } },
      numbers: { token: BONK_MINT },
    }),
  ],
  SWAP_QUEUE_FULL: [only('the seventeenth that waits', buy({ amount: usdc('1') }), { ...heldQuotes(), numbers: { waiting: 16 } })],
  SWAP_UNRESOLVED: [
    only('a swap that has waited for one without an outcome', buy(), {
      before: lose,
      waitMs: 10_100,
      numbers: { intent: expect.stringMatching(/^\d+:trader:0$/) },
      after: land,
    }),
  ],
  SWAPS_IN_CONTEST: [
    {
      name: 'a second of one',
      options: { guard: { maxSwapsPerContest: 1 } },
      before: (bot) => bot.ask(buy()),
      asks: { swap: buy() },
      numbers: { contestId: CONTEST, swaps: 1, maxSwapsPerContest: 1 },
      goesOn: { action: entry() },
    },
  ],
  SWAPS_IN_MINUTE: [
    only('a second of one', buy(), {
      options: { guard: { maxSwapsPerMinute: 1 } },
      before: (bot) => bot.ask(buy()),
      numbers: { swaps: 1, unswapped: 0, maxSwapsPerMinute: 1 },
      after: (bot) => bot.run(A_MINUTE_MS),
    }),
  ],
  SLIPPAGE_OVER_CAP: [
    only('a basis point over', buy({ maxSlippageBps: 51 }), { numbers: { slippageBps: 51, maxSlippageBps: 50 } }),
    quoting('a quote that may slip further', () => ({ slippageBps: 51 }), { slippageBps: 51, maxSlippageBps: 50 }),
  ],
  PRICE_UNKNOWN: [only('a token without a price', buy({ to: BONK_MINT }), { numbers: { token: BONK_MINT } })],
  PRICE_STALE: [
    only('a price that is too old', buy(), {
      before: (bot) => bot.run(15_001),
      numbers: { token: SOL_MINT, ageMs: 15_101, maxPriceAgeMs: 15_000 },
    }),
    {
      name: 'an entry while what is held has no fresh price',
      before: async (bot) => {
        await bot.ask(buy())
        await bot.run(15_001)
      },
      asks: { action: entry() },
      numbers: { token: SOL_MINT, ageMs: 15_101, maxPriceAgeMs: 15_000 },
      goesOn: { action: entry() },
    },
  ],
  SWAP_OVER_BALANCE: [
    only('more of a token than the contest has bought', sell(1n), { numbers: { token: SOL_MINT, amount: 1n, held: 0n } }),
    only('more USDC than is free', buy({ amount: usdc('12') }), {
      options: {
        prepare: (service) => {
          service.bankroll = { ...service.bankroll, available: '11000000' }
        },
      },
      numbers: { token: USDC_MINT, amount: usdc('12'), available: usdc('11'), reserved: 0n },
    }),
  ],
  SWAP_TOO_LARGE: [only('a unit over', buy({ amount: usdc('25') + 1n }), { numbers: { value: 25_000_001n, maxSwap: usdc('25') } })],
  QUOTE_STALE: [
    only('a quote that took too long', buy(), {
      before: (bot) => {
        bot.swapper.onQuote = (good) => bot.service.after(5050, good)
      },
      waitMs: 5050,
      numbers: { ageMs: 5050, maxQuoteAgeMs: 5000 },
      after: (bot) => {
        bot.swapper.onQuote = (good) => good
      },
    }),
    only('a quote that is too old once its transaction is there', buy(), {
      before: (bot) => {
        bot.swapper.onBuild = (built) => bot.service.after(5050, { ok: true, built })
      },
      waitMs: 5050,
      isBuilt: true,
      numbers: { ageMs: 5050, maxQuoteAgeMs: 5000 },
      after: (bot) => {
        bot.swapper.onBuild = (built) => ({ ok: true, built })
      },
    }),
  ],
  QUOTE_MISMATCH: [
    quoting('a unit more in', ({ inAmount }) => ({ inAmount: inAmount + 1n }), {
      ...{ field: 'inAmount', quoted: 10_000_001n, asked: 10_000_000n },
    }),
    quoting('another token', () => ({ to: BONK_MINT }), { field: 'to', quoted: BONK_MINT, asked: SOL_MINT }),
  ],
  QUOTE_IMPACT: [quoting('an impact over the cap', () => ({ impactBps: 101 }), { impactBps: 101, maxPriceImpactBps: 100 })],
  QUOTE_BELOW_FEED: [
    // 49,000,000 lamports less half a percent are worth 9.751 USDC.
    quoting('too little for it, by the feed', () => ({ outAmount: 49_000_000n, minOut: 48_755_000n }), {
      ...{ given: usdc('10'), certain: usdc('9.751'), gapBps: 249, maxFeedGapBps: 150 },
    }),
  ],
} satisfies Partial<Record<RefusalCode, Scenarios>>
