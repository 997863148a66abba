import { NEVER } from 'rxjs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Mode } from '../contract/enums.ts'
import { usdc } from '../core/usdc.ts'
import { defineDraftPicker, defineQueuePolicy, defineStrategy, defineTrader, type Strategy } from './define.ts'
import { guardConfig } from './guardConfig.ts'
import { neverEnters } from './neverEnters.ts'

const none = z.object({})
const policy = (params: object) => defineQueuePolicy({ name: 'ladder', params: z.looseObject({}), decide: () => [] })(params as never)
const picker = defineDraftPicker({ name: 'picker', params: none, pick: () => undefined })()
const trader = defineTrader({ name: 'trader', modes: ['pnl_usd'], params: none, trade: () => NEVER })()
const custom = defineStrategy({ name: 'own', params: none, run: () => NEVER })()

const said = (strategies: Strategy[], modes?: Mode[]) =>
  neverEnters({ name: 'alice', strategies, guard: guardConfig({ maxStake: usdc('1'), dailyLoss: usdc('10'), ...(modes && { modes }) }) })

test('a bot without a policy, or with policies for what it does not play alone, enters nothing', () => {
  expect(said([picker, trader])).toBe('alice enters nothing: none of its strategies is a queue policy. Add one, such as ladder')
  expect(said([policy({ modes: ['up_down'] }), policy({ mode: 'pnl_usd' }), picker])).toBe(
    'alice enters nothing: of the modes that its policies enter its strategies play none (they play draft_basket). Name one of those in the modes of a policy',
  )
  expect(said([policy({ mode: 'draft_basket' }), picker], ['pnl_usd'])).toMatch(/they play none that guard\.modes allows/)
})

test.each([
  ['one of its modes is played', [policy({ modes: ['up_down', 'draft_basket'] }), picker]],
  ['one of its policies fits', [policy({ mode: 'up_down' }), policy({ mode: 'pnl_usd' }), trader]],
  ['a policy does not say', [policy({ mode: 'up_down' }), policy({ style: 1 }), picker]],
  ['a custom strategy may', [custom]],
])('where %s nothing is said', (_what, strategies) => {
  expect(said(strategies)).toBeUndefined()
})
