import { z } from 'zod'
import type { Price } from '../../core/price.ts'
import { scalePrice } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { rational } from '../rational.ts'
import type { ModeParams } from '../types.ts'
import type { ContestMode } from './contestMode.ts'
import { commonParams, drawMints, mintSchema, readParams } from './readParams.ts'

interface UpDownParams extends ModeParams {
  readonly token: Mint
}

interface UpDownPlay {
  startPrice: Price | null
  endPrice: Price | null
}

const LEAD_MS = 3_000
const paramsSchema = z.strictObject({ ...commonParams, token: mintSchema.exactOptional() })
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

  params(asked, { mints, random }) {
    const read = readParams(paramsSchema, asked)
    if (!read.ok) return read
    const token = read.params.token ?? drawMints(random, mints, 1)[0]
    if (token === undefined) return { ok: false, message: 'params.token: name one, there is none to draw from' }
    return { ok: true, params: { ...read.params, token } }
  },

  leadMs: () => LEAD_MS,

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
