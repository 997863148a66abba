import { randomInt } from 'node:crypto'
import { filter, from, map, merge, Observable, of, range, scan, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import { TRADING_MODES } from '../../src/contract/enums.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import { type Action, enqueue, leaveContest, type SwapIntent, swap } from '../../src/strategy/action.ts'
import {
  type DraftContext,
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineStrategy,
  defineTrader,
  type PredictContext,
  type Prediction,
  type QueueContext,
  type RunContext,
  type Strategy,
  type TradeContext,
} from '../../src/strategy/define.ts'
import { oneAtATime } from '../../src/strategy/oneAtATime.ts'
import { buy } from '../../src/strategy/orders.ts'
import type { RuleName } from '../../src/testing/conformance/rules.ts'
import { cpuMs } from '../../src/testing/conformance/watchedGlobals.ts'

// Strategies that each break one rule of the kit, for the tests of the kit.

const params = z.object({})
const picker = (pick: (context: DraftContext<unknown>) => string | Promise<string | undefined> | undefined) =>
  defineDraftPicker({ name: 'faulty', params, pick })()
const predictor = (predict: (context: PredictContext<unknown>) => Prediction | null) =>
  definePredictor({ name: 'faulty', params, predict })()
const policy = (decide: (context: QueueContext<unknown>) => Action[]) => defineQueuePolicy({ name: 'faulty', params, decide })()
const trader = (trade: (context: TradeContext<unknown>) => Observable<SwapIntent>) =>
  defineTrader({ name: 'faulty', params, modes: ['pnl_usd'], trade })()
const custom = (run: (context: RunContext<unknown>) => Observable<Action>) => defineStrategy({ name: 'faulty', params, run })()

const first = ({ draft }: DraftContext<unknown>) => draft.available[0]
/** Buys once, as it should. */
const sound = (context: TradeContext<unknown>) =>
  context.prices.price$(SOL_MINT).pipe(
    withLatestFrom(context.positions$),
    map(([, { fills }]) => (fills === 0 ? buy(context, SOL_MINT, usdc('5')) : undefined)),
    oneAtATime(context),
  )
const entry = (stake: bigint) => enqueue({ mode: 'draft_basket', stake, durationSec: 20 })
const think = { once: thinker(60), inStream: thinker(60) }
const isIdle = ({ tickets, contests }: QueueContext<unknown>) => tickets.length + contests.length === 0
const purchase = (amount: bigint) => swap({ from: USDC_MINT, to: SOL_MINT, amount })

/** Keeps this thread busy, whatever else the machine does: the first times, which is enough to be found. */
export function thinker(ms: number): () => void {
  let times = 0
  return () => {
    if (times++ >= 3) return
    for (const until = cpuMs() + ms; cpuMs() < until; );
  }
}

export interface PlantedFault {
  readonly what: string
  readonly rule: RuleName
  readonly strategy: Strategy
}

/** The ten of the kit's promise come first. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    what: 'throws on a missing price',
    rule: 'throws',
    strategy: predictor(({ prices, contest }) => {
      const price = prices.text(contest.token ?? '')
      if (price === undefined) throw new Error('there is always a price')
      return contest.mode === 'up_down' ? { side: 'UP' } : { price }
    }),
  },
  {
    what: 'picks a taken token',
    rule: 'token-not-available',
    strategy: picker(({ draft }) => [...draft.theirs, ...draft.mine, ...draft.available][0]),
  },
  {
    what: 'returns NaN',
    rule: 'not-a-number',
    strategy: predictor(({ prices, contest }) =>
      contest.mode === 'up_down' ? { side: 'UP' } : { price: (Number(prices.now(contest.token ?? '')) * 1.01).toFixed(9) },
    ),
  },
  { what: 'asks for a negative amount', rule: 'amount-not-positive', strategy: policy((context) => (isIdle(context) ? [entry(-1n)] : [])) },
  {
    what: 'swaps at every price',
    rule: 'unbounded',
    strategy: trader(({ prices }) => prices.price$(SOL_MINT).pipe(map(() => purchase(usdc('1'))))),
  },
  {
    what: 'looks at the wall clock',
    rule: 'wall-clock',
    strategy: picker(({ draft }) => draft.available[Date.now() % draft.available.length]),
  },
  {
    what: 'draws random numbers of its own',
    rule: 'own-randomness',
    strategy: picker(({ draft }) => draft.available[Math.floor(Math.random() * draft.available.length)]),
  },
  {
    what: 'is slow',
    rule: 'slow',
    strategy: picker((context) => {
      think.once()
      return first(context)
    }),
  },
  { what: 'sorts what it was handed', rule: 'mutates-input', strategy: picker(({ draft }) => (draft.available as string[]).sort().at(0)) },
  {
    what: 'goes on trading in a settled contest',
    rule: 'acts-after-end',
    strategy: custom(({ contests$, every }) => {
      const first$ = contests$.pipe(
        scan((known, contests) => known ?? contests.find(({ mode }) => mode === 'pnl_usd')?.contestId, undefined as string | undefined),
        filter((contestId) => contestId !== undefined),
      )
      return every(20).pipe(
        withLatestFrom(first$),
        map(([, contestId]) => swap({ contestId, from: USDC_MINT, to: SOL_MINT, amount: usdc('1') })),
      )
    }),
  },

  {
    what: 'throws in a stream',
    rule: 'throws',
    strategy: trader(({ prices }) => prices.price$(SOL_MINT).pipe(map(({ price }) => purchase(BigInt(price / 3))))),
  },
  { what: 'rejects', rule: 'throws', strategy: picker(() => Promise.reject(new Error('no model'))) },
  {
    what: 'throws in a subscriber of its own',
    rule: 'throws',
    strategy: trader((context) => {
      // Taken back at the end, so that nothing is held on to.
      return new Observable((subscriber) => {
        const own = context.outcomes$.subscribe(() => {
          throw new Error('what became of it is not what was thought')
        })
        own.add(sound(context).subscribe(subscriber))
        return own
      })
    }),
  },
  { what: 'picks what is in no draft', rule: 'token-not-available', strategy: picker(() => 'So1') },
  { what: 'picks no mint', rule: 'invalid-answer', strategy: picker(() => 5 as never) },
  { what: 'answers no action', rule: 'invalid-answer', strategy: policy(() => [{ type: 'wait' } as never]) },
  { what: 'returns no stream', rule: 'invalid-answer', strategy: trader(() => [purchase(1n)] as never) },
  { what: 'swaps NaN', rule: 'not-a-number', strategy: trader(() => of(purchase(Number.NaN as never))) },
  { what: 'swaps nothing', rule: 'amount-not-positive', strategy: trader(() => of(purchase(0n))) },
  {
    what: 'never stops swapping',
    rule: 'unbounded',
    strategy: trader(() => range(0, Number.POSITIVE_INFINITY).pipe(map(() => purchase(usdc('1'))))),
  },
  {
    what: 'asks for a hundred at once',
    rule: 'unbounded',
    strategy: policy((context) => (isIdle(context) ? Array.from({ length: 100 }, () => entry(usdc('1'))) : [])),
  },
  {
    what: 'makes a date',
    rule: 'wall-clock',
    strategy: policy((context) => (isIdle(context) && new Date().getUTCHours() === 12 ? [entry(usdc('1'))] : [])),
  },
  {
    what: 'looks at the clock after an await',
    rule: 'wall-clock',
    strategy: picker(async (context) => {
      await Promise.resolve()
      return performance.now() > 0 ? first(context) : undefined
    }),
  },
  {
    what: 'sets a timer',
    rule: 'wall-clock',
    strategy: trader((context) => {
      clearTimeout(setTimeout(() => {}, 1000))
      return sound(context)
    }),
  },
  {
    what: 'draws from the system in a stream',
    rule: 'own-randomness',
    strategy: trader((context) => sound(context).pipe(filter(() => randomInt(10) >= 0))),
  },
  {
    what: 'makes an id',
    rule: 'own-randomness',
    strategy: picker((context) => (crypto.randomUUID().length === 0 ? undefined : first(context))),
  },
  {
    what: 'is slow in a stream',
    rule: 'slow',
    strategy: trader((context) =>
      sound(context).pipe(
        map((wish) => {
          think.inStream()
          return wish
        }),
      ),
    ),
  },
  { what: 'never keeps its promise', rule: 'slow', strategy: picker(() => new Promise<string>(() => {})) },
  {
    what: 'changes its own parameters',
    rule: 'mutates-input',
    strategy: defineQueuePolicy({
      name: 'faulty',
      params: z.object({ modes: z.array(z.enum(TRADING_MODES)).default([...TRADING_MODES]) }),
      decide: (context) => (context.params.modes.reverse().length > 0 && isIdle(context) ? [entry(usdc('1'))] : []),
    })(),
  },
  {
    what: 'sorts what it was handed after an await',
    rule: 'mutates-input',
    strategy: picker(async ({ draft }) => {
      await Promise.resolve()
      return (draft.available as string[]).sort().at(0)
    }),
  },
  {
    what: 'changes a history of prices',
    rule: 'mutates-input',
    strategy: picker((context) => {
      for (const mint of context.draft.available) (context.prices.history(mint, 30) as unknown[]).reverse()
      return first(context)
    }),
  },
  {
    what: 'leaves contests that are over',
    rule: 'acts-after-end',
    strategy: (() => {
      const entered = new Set<string>()
      return policy((context) => {
        for (const { contestId } of context.contests) entered.add(contestId)
        const over = [...entered].filter((contestId) => !context.contests.some((contest) => contest.contestId === contestId))
        return isIdle(context) ? [entry(usdc('1')), ...over.slice(0, 5).map((contestId) => leaveContest({ contestId }))] : []
      })
    })(),
  },
  {
    what: 'listens on after its contest',
    rule: 'holds-on',
    strategy: trader((context) => {
      context.prices.price$(SOL_MINT).subscribe()
      return merge(sound(context), from([]))
    }),
  },
  { what: 'is never asked', rule: 'never-asked', strategy: { ...trader(sound), modes: [] } },
]
