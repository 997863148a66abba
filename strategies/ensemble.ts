import { definePredictor, type PredictContext, type Predictor, type PricePoint, type Prices, priceFromNumber } from 'cornerman'
import { NEVER } from 'rxjs'
import { z } from 'zod'
import drift from './drift.ts'
import ewma from './ewma.ts'

/** Who is asked: that nothing changes, that the move goes on, and that it goes back to its average. */
const MEMBERS: readonly Predictor[] = [drift({ share: 0 }), drift({ lookbackSec: 20, share: 0.5 }), ewma({ share: 1 })]
/** Of a perfect record there is always too little: no member's error counts as less than this share of the price. */
const LEAST_ERROR = 1e-6

/**
 * Asks several predictors, and weighs what they say by how wrong each would have been lately: it has them predict the past, from
 * what was known then, as far ahead as now. What each is worth is so known from the first contest on, and after a restart.
 */
export default definePredictor({
  name: 'ensemble',
  params: z.object({
    rehearsals: z.number().int().min(1).max(60).default(12).describe('predictions of the past that each is judged by'),
    memorySec: z.number().int().min(30).max(3600).default(300).describe('seconds of the past that they are spread over'),
  }),
  modes: ['price_prediction'],

  predict(context) {
    const { params, contest, prices, clock } = context
    const { token, endsAt, durationSec = 0 } = contest
    if (token === undefined) return null
    const aheadMs = Math.max(1000, endsAt === undefined ? durationSec * 1000 : endsAt - clock.now())
    const past = prices.history(token, params.memorySec + aheadMs / 1000)
    const told = MEMBERS.flatMap((member) => {
      const price = predicted(member, context)
      return price === undefined ? [] : [{ price, weight: 1 / errorOf(member, context, { past, aheadMs }) ** 2 }]
    })
    const weights = told.reduce((sum, { weight }) => sum + weight, 0)
    if (weights === 0) return null
    return { price: priceFromNumber(told.reduce((sum, { price, weight }) => sum + price * (weight / weights), 0)) }
  },
})

type Context = PredictContext<{ readonly rehearsals: number; readonly memorySec: number }>

/** The mean error of a member over its rehearsals, as a share of the price; equal for all where there is no past to try. */
function errorOf(
  member: Predictor,
  context: Context,
  { past, aheadMs }: { readonly past: readonly PricePoint[]; readonly aheadMs: number },
): number {
  const { rehearsals, memorySec } = context.params
  const errors = Array.from({ length: rehearsals }, (_, index) => {
    const endsAt = context.clock.now() - (index * memorySec * 1000) / rehearsals
    const at = endsAt - aheadMs
    const [known, truth] = [past.filter((point) => point.at <= at), past.findLast((point) => point.at <= endsAt)]
    if (known.length < 2 || truth === undefined) return undefined
    const then = { ...context, clock: { now: () => at }, prices: asOf(known, at), contest: { ...context.contest, endsAt } }
    const price = predicted(member, then)
    return price === undefined ? undefined : Math.abs(price / truth.price - 1)
  }).filter((error) => error !== undefined)
  if (errors.length === 0) return 1
  return Math.max(LEAST_ERROR, errors.reduce((sum, error) => sum + error, 0) / errors.length)
}

function predicted(member: Predictor, context: PredictContext<unknown>): number | undefined {
  const answer = member.predict(context)
  return answer && 'price' in answer ? Number(answer.price) : undefined
}

/** Prices as they were known at a time: those of one token, which is all that is asked for. */
function asOf(known: readonly PricePoint[], at: number): Prices {
  const newest = known.at(-1)
  const since = (seconds: number) => known.filter((point) => point.at >= at - seconds * 1000)
  return {
    now: () => newest?.price,
    text: () => (newest === undefined ? undefined : priceFromNumber(newest.price)),
    age: () => (newest === undefined ? undefined : at - newest.at),
    change: (_, seconds) => {
      const before = known.findLast((point) => point.at <= at - seconds * 1000)
      return before === undefined || newest === undefined ? undefined : newest.price / before.price - 1
    },
    history: (_, seconds) => since(seconds),
    price$: () => NEVER,
    candles$: () => NEVER,
  }
}
