import { defer, map, startWith, withLatestFrom } from 'rxjs'
import { z } from 'zod'
import { isPlayedBy, type Mode, PREDICTION_MODES, TRADING_MODES } from '../contract/modes.ts'
import { priceFromNumber } from '../core/price.ts'
import { SOL_MINT } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import { type Action, enqueue, joinContest } from '../strategy/action.ts'
import { defineDraftPicker, definePredictor, defineQueuePolicy, defineTrader, type Strategy } from '../strategy/define.ts'
import { oneAtATime } from '../strategy/oneAtATime.ts'
import { buy, sellAll } from '../strategy/orders.ts'

// The plainest that can be done in each mode: a probe is there to find out how moves are made, not to win.

const none = z.object({})

/** Another one each time: where the pool is not known for certain, one that was refused may be taken. */
function drafter(): Strategy {
  let asked = 0
  const pick = ({ available }: { readonly available: readonly string[] }) => available[asked++ % available.length] ?? null
  return defineDraftPicker({ name: 'probe-drafter', params: none, pick: ({ draft }) => pick(draft) })()
}

const predictor = definePredictor({
  name: 'probe-predictor',
  params: none,
  modes: PREDICTION_MODES,
  predict({ contest, prices }) {
    if (isPlayedBy(contest.mode, 'side')) return { side: 'UP' }
    const now = contest.token === undefined ? undefined : prices.now(contest.token)
    return now === undefined ? null : { price: priceFromNumber(now) }
  },
})

/** Buys once for `amount`, and sells what it got. */
const trader = (amount: Usdc) =>
  defineTrader({
    name: 'probe-trader',
    params: none,
    modes: TRADING_MODES,
    trade: (context) =>
      defer(() => {
        const token = context.contest.token ?? SOL_MINT
        return context.prices.price$(token).pipe(
          startWith(undefined),
          withLatestFrom(context.positions$),
          map(([, positions]) =>
            positions.fills === 0 ? buy(context, token, amount) : positions.fills === 1 ? sellAll(positions, token) : undefined,
          ),
          oneAtATime(context),
        )
      }),
  })

/** What the probe wants to be entered next. */
export interface WantedEntry {
  readonly mode: Mode
  readonly stake: Usdc
  readonly durationSec: number
}

/** A listed contest may be taken meanwhile, or its side: so many are tried. */
const MOST_JOINS = 6

/** Says what to enter: nothing until it is told, and each once; a contest that could not be joined is followed by another, and the other side. */
export class ProbePolicy {
  #wanted: WantedEntry | undefined
  #isAsked = false
  /** Of each join that was asked for: its contest and its side. */
  readonly #joins = new Set<string>()

  want(entry: WantedEntry | undefined): void {
    this.#wanted = entry
    this.#isAsked = false
    this.#joins.clear()
  }

  /**
   * What was asked for was refused.
   *
   * @returns whether something else will be asked for
   */
  refused(): boolean {
    const isLeft = isPlayedBy(this.#wanted?.mode, 'side') && this.#joins.size < MOST_JOINS
    if (isLeft) this.#isAsked = false
    return isLeft
  }

  readonly strategy: Strategy = defineQueuePolicy({
    name: 'probe',
    params: none,
    browse: () => ({}),
    decide: ({ openContests }): Action[] => {
      const wanted = this.#wanted
      if (wanted === undefined || this.#isAsked) return []
      const { mode, stake, durationSec } = wanted
      if (!isPlayedBy(mode, 'side')) {
        this.#isAsked = true
        return [enqueue({ mode, stake, durationSec, waitSec: 60 })]
      }
      // A side is taken on joining: the bot's own strategies may want none, and a probe has to have one.
      const seats = openContests
        .filter((contest) => contest.mode === mode && contest.stake <= stake && contest.filled < contest.capacity)
        .flatMap(({ contestId, sidesTaken }) => SIDES.flatMap((side) => (sidesTaken.includes(side) ? [] : [{ contestId, side }])))
        .filter((seat) => !this.#joins.has(seatKey(seat)))
      // Where nobody says which sides are taken, the one that was not tried last is the likelier one.
      const next = SIDES[this.#joins.size % SIDES.length]
      const seat = seats.find(({ side }) => side === next) ?? seats[0]
      if (seat === undefined) return []
      this.#isAsked = true
      this.#joins.add(seatKey(seat))
      return [joinContest(seat)]
    },
  })()
}

const SIDES = ['UP', 'DOWN'] as const
const seatKey = ({ contestId, side }: { readonly contestId: string; readonly side: string }): string => `${contestId} ${side}`

/** Movers for what a bot's own strategies do not play: those come first. `swap`: micro-USDC of a purchase. */
export const plainMovers = (swap: Usdc): readonly Strategy[] => [drafter(), predictor(), trader(swap)()]
