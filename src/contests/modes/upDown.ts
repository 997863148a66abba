import { z } from 'zod'
import type { Price } from '../../core/price.ts'
import { scalePrice } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { rational } from '../rational.ts'
import type { ModeParams } from '../types.ts'
import { type ContestMode, USUAL_LEAD_MS } from './contestMode.ts'
import { commonParams, paramsReader, tokenParam, withToken } from './readParams.ts'

interface UpDownParams extends ModeParams {
  readonly token: Mint
}

interface UpDownPlay {
  startPrice: Price | null
  endPrice: Price | null
}

const readParams = paramsReader(z.strictObject({ ...commonParams, ...tokenParam }))
const SIDES = ['UP', 'DOWN']

/**
 * The side the price of `params.token` takes from `startsAt` to `endsAt` wins. An unchanged price
 * makes nobody right: every seat ties.
 */
export const upDown: ContestMode<UpDownParams, UpDownPlay> = {
  name: 'up_down',
  chains: ['solana', 'robinhood'],
  winner: 'highest',
  sides: SIDES,
  moves: {},
  fills: null,

  params: (asked, seating) => withToken(readParams(asked), seating),

  leadMs: () => USUAL_LEAD_MS,

  lock: () => ({ startPrice: null, endPrice: null }),

  nextDueAt: ({ play, startsAt, endsAt }) => (play.startPrice === null ? startsAt : endsAt),

  mintsAt: ({ params }) => [params.token],

  due({ params, play }, _at, priceOf) {
    if (play.startPrice === null) {
      play.startPrice = priceOf(params.token)
      return 'goes-on'
    }
    play.endPrice = priceOf(params.token)
    return 'decided'
  },

  scores({ entries, play }) {
    const rise = scalePrice(play.endPrice ?? '0') - scalePrice(play.startPrice ?? '0')
    const rightSide = rise > 0n ? 'UP' : rise < 0n ? 'DOWN' : null
    return entries.map(({ side }) => rational(side === rightSide ? 1n : 0n, 1n))
  },

  view({ params, play }) {
    return {
      phase: play.startPrice === null ? 'waiting' : 'running',
      token: params.token,
      sides: SIDES,
      startPrice: play.startPrice,
      endPrice: play.endPrice,
    }
  },
}
