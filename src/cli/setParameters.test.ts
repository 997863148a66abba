import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { TOKENS } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import type { Assignment } from '../strategy/assignment.ts'
import { defineDraftPicker } from '../strategy/define.ts'
import { loadConfig } from './loadConfig.ts'
import { assignments, withSet } from './setParameters.ts'

const config = await loadConfig(fileURLToPath(new URL('../../bots.config.ts', import.meta.url)))
const parsed = (...texts: string[]) => texts.reduce((before: readonly Assignment[], text) => assignments(text, before), [])
const every = defineDraftPicker({
  name: 'every',
  params: z.object({
    count: z.int().min(1).max(9).default(3),
    bold: z.boolean().default(false),
    kind: z.enum(['fast', 'slow']).default('fast'),
    amount: z.bigint().default(usdc('1')).describe('USDC of each'),
    shares: z.bigint().default(5n).describe('shares'),
    mints: z.array(z.string()).default([]),
    stakes: z.array(z.bigint()).default([]).describe('USDC to choose from'),
  }),
  pick: () => TOKENS[0]?.mint,
})
/** What it comes to in a bot that plays it alone. */
function paramsOf(...texts: string[]): unknown {
  const [alice] = config.bots
  if (alice === undefined) throw new Error('there is a bot')
  const { bots } = withSet({ ...config, bots: [{ ...alice, strategies: [every({ count: 2 })] }] }, parsed(...texts))
  return bots[0]?.strategies[0]?.params
}

describe('--set', () => {
  test.each([
    ['count=7', { count: 7 }],
    ['bold=true', { bold: true }],
    ['kind=slow', { kind: 'slow' }],
    ['amount=2.5', { amount: usdc('2.5') }],
    ['shares=12', { shares: 12n }],
    ['mints=["a","b"]', { mints: ['a', 'b'] }],
    ['stakes=["1","2.5"]', { stakes: [usdc('1'), usdc('2.5')] }],
    ['stakes=[1,2.5]', { stakes: [usdc('1'), usdc('2.5')] }],
  ])('%s is read by the schema, and the rest stays as the config has it', (text, changed) => {
    expect(paramsOf(`every.${text}`)).toMatchObject({ count: 2, ...changed })
  })

  test('several of one strategy are made at once, in every bot that plays it', () => {
    const { bots } = withSet(config, parsed('momentum.lookbackSec=33', 'ladder.durationSec=45'))
    const paramsIn = (name: string) => bots.map(({ strategies }) => strategies.find((strategy) => strategy.name === name)?.params)
    expect(paramsIn('momentum')).toEqual([{ lookbackSec: 33 }, { lookbackSec: 33 }])
    expect(paramsIn('ladder')).toEqual(bots.map(() => expect.objectContaining({ durationSec: 45 })))
    expect(paramsIn('drift')).toEqual(config.bots.map(({ strategies }) => strategies.find(({ name }) => name === 'drift')?.params))
  })

  test.each([
    ['every.count=many', "every: count = 'many'"],
    ['every.count=', "every: count = ''"],
    ['every.count=12', /every: count = 12/],
    ['every.bold=yes', "every: bold = 'yes'"],
    ['every.kind=quick', "every: kind = 'quick'"],
    ['every.amount=lots', "every: amount = 'lots'"],
    ['every.mints=a,b', "every: mints = 'a,b': a list"],
  ])('%s is refused by name, with what is allowed', (text, says) => {
    expect(() => paramsOf(text)).toThrow(says)
  })

  test('what there is not is refused with what there is', () => {
    expect(() => withSet(config, parsed('momentun.lookbackSec=3'))).toThrow(
      /no bot that plays has a strategy momentun; there is ladder, momentum, drift/,
    )
    expect(() => withSet(config, parsed('momentum.lookback=3'))).toThrow('momentum has no such parameter; there is lookbackSec')
    expect(() => parsed('guard.maxStake=5')).toThrow('caps of a guard are not tuned')
    for (const text of ['momentum', 'momentum.lookbackSec', 'lookbackSec=3', '=3', 'a.b.c=1'])
      expect(() => parsed(text)).toThrow('NAME.PARAMETER=VALUE')
  })
})
