import { map, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import { isPlayedBy, isTradingMode, MODES, type Mode, TRADING_MODES } from '../../contract/modes.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue, joinContest } from '../../strategy/action.ts'
import { defineDraftPicker, definePredictor, defineQueuePolicy, defineTrader, type Strategy } from '../../strategy/define.ts'
import { oneAtATime } from '../../strategy/oneAtATime.ts'
import { buy } from '../../strategy/orders.ts'

/** Long enough that a trader who asks at every price asks too often. */
const TRADING_SEC = 90
const OTHER_SEC = 20
const CLOSING_MS = 4000
const params = z.object({})

/** The plainest bot there is: what a strategy under test needs beside it to be asked at all. */
export function companionsOf(strategy: Strategy): readonly Strategy[] {
  const players = [picker, predictor, trader]
  switch (strategy.kind) {
    case 'queue':
      return players
    case 'custom':
      return [entrant([...MODES]), ...players]
    case 'draft':
      return [entrant(['draft_basket'])]
    case 'predict':
    case 'trade':
      return [entrant(strategy.modes as readonly Mode[])]
  }
}

/** Enters these modes, one seat of each at a time. */
const entrant = (modes: readonly Mode[]) =>
  defineQueuePolicy({
    name: 'companion-entrant',
    params,
    browse: () => ({ modes }),
    decide({ tickets, contests, openContests, random, clock }) {
      const busy = new Set([...tickets, ...contests].map(({ mode }) => mode))
      return modes
        .filter((mode) => !busy.has(mode))
        .flatMap((mode) => {
          const open = openContests.filter((contest) => contest.mode === mode && (contest.joinBy ?? Infinity) > clock.now() + CLOSING_MS)
          const joined = random.pick(open)
          if (joined !== undefined && (isPlayedBy(mode, 'side') || random.next() < 0.3))
            return [joinContest({ contestId: joined.contestId })]
          const durationSec = isTradingMode(mode) ? TRADING_SEC : OTHER_SEC
          return isPlayedBy(mode, 'side') ? [] : [enqueue({ mode, stake: usdc('1'), durationSec, waitSec: 30 })]
        })
    },
  })()

const picker = defineDraftPicker({ name: 'companion-picker', params, pick: ({ draft }) => draft.available[0] })()

const predictor = definePredictor({
  name: 'companion-predictor',
  params,
  predict({ contest: { token, mode }, prices, random }) {
    if (isPlayedBy(mode, 'side')) return { side: random.pick(['UP', 'DOWN']) ?? 'UP' }
    const price = token === undefined ? undefined : prices.text(token)
    return price === undefined ? null : { price }
  },
})()

const trader = defineTrader({
  name: 'companion-trader',
  modes: TRADING_MODES,
  params,
  trade(context) {
    const token = context.contest.token ?? SOL_MINT
    return context.prices.price$(token).pipe(
      withLatestFrom(context.positions$),
      map(([, { fills }]) => (fills === 0 ? buy(context, token, usdc('5')) : undefined)),
      oneAtATime(context),
    )
  },
})()
