import { EMPTY, filter, map, merge, type Observable, take, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import { type KnownPrices, SKILLS, type SkillName } from '../../../src/contests/house/skills.ts'
import { isTradingMode, type Mode, TRADING_MODES } from '../../../src/contract/modes.ts'
import { priceFromNumber } from '../../../src/core/price.ts'
import { keyedRandom, type Random } from '../../../src/core/random.ts'
import { type Mint, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { enqueue, type SwapIntent, swap } from '../../../src/strategy/action.ts'
import type { BotConfig } from '../../../src/strategy/config.ts'
import {
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineTrader,
  type Strategy,
  type TradeContext,
} from '../../../src/strategy/define.ts'
import { guardConfig } from '../../../src/strategy/guardConfig.ts'
import { buy } from '../../../src/strategy/orders.ts'
import type { Positions, Prices } from '../../../src/strategy/view.ts'

// A bot that does what the house does: the same skills, as often, at the same shares of a contest, with as much money. It knows what a
// strategy is shown, acts through the whole pipeline, and pays what a bot pays.

const SKILL_NAMES = Object.keys(SKILLS) as SkillName[]
const TEMPERS: Readonly<Record<SkillName, Temper>> = {
  momentum: { looksAgain: 0.2, sells: 0.2 },
  noisy: { looksAgain: 0.5, sells: 0.5 },
  random: { looksAgain: 0.8, sells: 0.8 },
}
interface Temper {
  readonly looksAgain: number
  readonly sells: number
}
/** Where the mode is no matter of one's temper. */
const OF_MODE: Partial<Record<Mode, Temper>> = {
  best_trade: { looksAgain: 1, sells: 0 },
  last_bag_standing: { looksAgain: 0, sells: 0 },
}
const WILDEST = 8
const LOOK_BACK_SEC = 60
const AT_ONCE = 5
/** Share of the time to commit that the house uses at most. */
const COMMIT_LATEST = 0.8

export interface HouseBotOptions {
  readonly mode: Mode
  readonly durationSec: number
  /** Tokens there are, and how lively each is. */
  readonly mints: readonly Mint[]
  readonly volatilityPerSecond: (mint: Mint) => number
  readonly seed: number
}

export function houseBot(options: HouseBotOptions): BotConfig {
  const { mode, durationSec, seed } = options
  const enters = defineQueuePolicy({
    name: 'whenever',
    params: z.object({}),
    everySec: 60,
    decide: ({ tickets, contests }) =>
      tickets.length + contests.length >= AT_ONCE ? [] : [enqueue({ mode, stake: usdc('1'), durationSec, waitSec: 30 })],
  })()
  const guard = guardConfig({
    maxStake: usdc('1'),
    dailyLoss: usdc('100000'),
    // Above each swap, and no more: the guard keeps a loss of so much for each first swap.
    maxSwap: usdc('2000'),
    maxOpenContests: AT_ONCE,
    maxSwapsPerMinute: 600,
  })
  return { name: 'house', strategies: [enters, ...playerOf(options)], guard, sweep: true, seed }
}

function playerOf(options: HouseBotOptions): Strategy[] {
  const { mode } = options
  if (isTradingMode(mode)) return [trader(options)]
  return mode === 'draft_basket' ? [picker(options)] : mode === 'price_prediction' ? [predictor(options)] : []
}

/** Of one contest. */
interface Mind {
  readonly skill: SkillName
  random(purpose: string): Random
}

function mindOf({ seed }: HouseBotOptions, contestId: string): Mind {
  const random = (purpose: string) => keyedRandom(seed, 'mirror', contestId, purpose)
  return { skill: random('skill').pick(SKILL_NAMES) ?? 'random', random }
}

const knownOf = (prices: Prices, { volatilityPerSecond }: HouseBotOptions): KnownPrices => ({
  lookBackSec: LOOK_BACK_SEC,
  volatilityPerSecond,
  ago(mint, agoSec) {
    if (agoSec === 0) return prices.text(mint) ?? null
    const [now, change] = [prices.now(mint), prices.change(mint, agoSec)]
    return now === undefined || change === undefined ? null : String(now / (1 + change))
  },
})

const picker = (options: HouseBotOptions): Strategy =>
  defineDraftPicker({
    name: 'picks',
    params: z.object({}),
    pick({ contest, draft, prices }) {
      const { skill, random } = mindOf(options, contest.contestId)
      const known = knownOf(prices, options)
      const hopeOf = (mint: Mint) => SKILLS[skill]({ mint, aheadSec: options.durationSec, prices: known, random: random(`hope ${mint}`) })
      return draft.available.toSorted((a, b) => hopeOf(b) - hopeOf(a))[0]
    },
  })()

const predictor = (options: HouseBotOptions): Strategy =>
  definePredictor({
    name: 'predicts',
    params: z.object({}),
    modes: ['price_prediction'],
    predict({ contest: { contestId, token, startsAt }, prices, clock }) {
      const now = token === undefined ? undefined : prices.now(token)
      if (token === undefined || now === undefined) return null
      const { skill, random } = mindOf(options, contestId)
      const hope = SKILLS[skill]({
        mint: token,
        // As if it had committed when the house does: who expects a move to go on for a second less is nearer to the price in the end.
        aheadSec: options.durationSec + (Math.max(0, (startsAt ?? 0) - clock.now()) / 1000) * (1 - COMMIT_LATEST * random('commit').next()),
        prices: knownOf(prices, options),
        random: random('predict'),
      })
      return { price: priceFromNumber(now * Math.exp(hope)) }
    },
  })()

const trader = (options: HouseBotOptions): Strategy =>
  defineTrader({ name: 'trades', modes: TRADING_MODES, params: z.object({}), trade: (context) => swapsOf(context, options) })()

function swapsOf(context: TradeContext<unknown>, options: HouseBotOptions): Observable<SwapIntent> {
  const { contest, prices, positions$, clock } = context
  const { startsAt, endsAt } = contest
  if (startsAt === undefined || endsAt === undefined) return EMPTY
  const { skill, random } = mindOf(options, contest.contestId)
  const { looksAgain, sells } = OF_MODE[options.mode] ?? TEMPERS[skill]
  const draws = random('agenda')
  const within = (from: number, until: number) => startsAt + Math.floor((from + (until - from) * draws.next()) * (endsAt - startsAt))
  const [buyAt, lookAt, sellAt] = [within(0.02, 0.2), within(0.35, 0.6), within(0.75, 0.95)]
  const [looks, sellsAtLast] = [draws.next() < looksAgain, draws.next() < sells]
  const known = knownOf(prices, options)
  const wish = (others: readonly Mint[]) => {
    const [stream, aheadSec] = [random(`hope ${clock.now()}`), (endsAt - clock.now()) / 1000]
    const hopeOf = (mint: Mint) => (mint === USDC_MINT ? 0 : SKILLS[skill]({ mint, aheadSec, prices: known, random: stream }))
    const hopes = [...tokensOf(options, contest.token), ...others].map((mint) => ({ mint, hope: hopeOf(mint) }))
    return hopes.toSorted((a, b) => b.hope - a.hope)[0]?.mint
  }
  const spent = usdc(String(random('spend').integer(100, 500)))
  const first = () => {
    const token = wish([])
    return token === undefined ? undefined : buy(context, token, spent)
  }
  const change = ({ holdings: [held] }: Positions, to: Mint | undefined) =>
    held === undefined || to === undefined || to === held.mint ? undefined : swap({ from: held.mint, to, amount: held.amount })
  const at = (atMs: number, decide: (positions: Positions) => SwapIntent | undefined) =>
    context.every(Math.max(0.1, (atMs - clock.now()) / 1000)).pipe(
      take(1),
      withLatestFrom(positions$),
      map(([, positions]) => decide(positions)),
    )
  return merge(
    at(buyAt, first),
    looks ? at(lookAt, (positions) => change(positions, wish([USDC_MINT]))) : EMPTY,
    sellsAtLast ? at(sellAt, (positions) => change(positions, USDC_MINT)) : EMPTY,
  ).pipe(filter((intent) => intent !== undefined))
}

function tokensOf({ mode, mints, volatilityPerSecond }: HouseBotOptions, token: Mint | undefined): readonly Mint[] {
  if (token !== undefined) return [token]
  if (mode !== 'target_race') return mints
  return mints.toSorted((a, b) => volatilityPerSecond(b) - volatilityPerSecond(a)).slice(0, WILDEST)
}
