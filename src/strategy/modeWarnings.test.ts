import { NEVER } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MODES, type Mode } from '../contract/enums.ts'
import { usdc } from '../core/usdc.ts'
import { defineDraftPicker, definePredictor, defineQueuePolicy, defineStrategy, defineTrader, type Strategy } from './define.ts'
import { guardConfig } from './guardConfig.ts'
import { modeWarnings } from './modeWarnings.ts'

const none = z.object({})
const policy = (params: object) => defineQueuePolicy({ name: 'ladder', params: z.looseObject({}), decide: () => [] })(params as never)
const picker = defineDraftPicker({ name: 'picker', params: none, pick: () => undefined })()
const predictor = definePredictor({ name: 'predictor', params: none, modes: ['up_down'], predict: () => undefined })()
const trader = defineTrader({ name: 'trader', modes: ['pnl_usd'], params: none, trade: () => NEVER })()
const custom = defineStrategy({ name: 'own', params: none, run: () => NEVER })()

const found = (strategies: Strategy[], modes?: Mode[]) =>
  modeWarnings({ name: 'alice', strategies, guard: guardConfig({ maxStake: usdc('1'), dailyLoss: usdc('10'), ...(modes && { modes }) }) })

describe('the modes of a bot', () => {
  test('that a policy enters and no strategy plays are named, each kind of strategy playing its own', () => {
    const all = [policy({ modes: [...MODES] }), picker, predictor, trader]
    expect(found(all)).toEqual([
      {
        code: 'MODES_NOT_PLAYED',
        message:
          'ladder enters pnl_race_pct, best_trade, price_prediction, target_race, last_bag_standing, same_token, which no strategy of alice plays: add one that does, or leave them out of its modes',
      },
    ])
    expect(found([policy({ modes: ['draft_basket', 'up_down', 'pnl_usd'] }), picker, predictor, trader])).toEqual([])
  })

  test('that the guard refuses are named, and not as unplayed', () => {
    expect(found([policy({ modes: ['draft_basket', 'pnl_usd'] }), picker], ['draft_basket'])).toEqual([
      {
        code: 'MODES_NOT_ALLOWED',
        message: 'ladder asks for pnl_usd, which guard.modes of alice does not allow: allow it, or leave it out of its modes',
      },
    ])
  })

  test('may be one, as the parameter mode; what a policy does not say is not known', () => {
    expect(found([policy({ mode: 'pnl_usd' }), picker])).toMatchObject([{ code: 'MODES_NOT_PLAYED' }])
    expect(found([policy({ mode: 'pnl_usd' }), trader])).toEqual([])
    expect(found([policy({ style: 'pnl_usd', modes: 7 }), picker])).toEqual([])
    // Whatever plays is asked for nothing.
    expect(found([picker, trader])).toEqual([])
  })

  test('may all be played by a custom strategy, and none that the guard refuses', () => {
    expect(found([policy({ modes: [...MODES] }), custom])).toEqual([])
    expect(found([policy({ modes: [...MODES] }), custom], ['pnl_usd'])).toMatchObject([{ code: 'MODES_NOT_ALLOWED' }])
  })
})
