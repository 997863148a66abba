import { EMPTY, firstValueFrom, of, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MODES } from '../contract/enums.ts'
import { cancelTicket, enqueue } from './action.ts'
import {
  type DraftContext,
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineStrategy,
  defineTrader,
  type PredictContext,
  type QueueContext,
  type RunContext,
} from './define.ts'

const params = z.object({
  lookbackSec: z.number().int().min(5).max(3600).default(30),
  modes: z.array(z.enum(MODES)).optional(),
})
const policy = defineQueuePolicy({
  name: 'policy',
  params: z.object({ stake: z.bigint().positive() }),
  everySec: 7,
  browse: ({ stake }) => ({ modes: ['up_down'], maxStake: stake }),
  decide: ({ params: { stake } }) => [enqueue({ mode: 'up_down', stake, durationSec: 20 })],
})
const picker = defineDraftPicker({ name: 'picker', params, pick: ({ params: { lookbackSec }, draft }) => draft.available[lookbackSec] })
const predictor = definePredictor({ name: 'predictor', params, predict: ({ params: { lookbackSec } }) => ({ price: String(lookbackSec) }) })
const custom = defineStrategy({
  name: 'custom',
  params,
  run: ({ params: { lookbackSec } }) => of(cancelTicket({ ticketId: String(lookbackSec) })),
})

// The definitions above read nothing of a context but what a test puts there.
const contextWith = <C>(fields: object): C => ({ params: 'those of the framework, not read', ...fields }) as C

describe('a definition called with parameters', () => {
  test('is a strategy of its kind, with its name and its parameters', () => {
    expect(policy({ stake: 5n })).toMatchObject({ kind: 'queue', name: 'policy', params: { stake: 5n } })
    expect(picker({ lookbackSec: 9 })).toMatchObject({ kind: 'draft', name: 'picker', params: { lookbackSec: 9 } })
    expect(predictor({ lookbackSec: 9 })).toMatchObject({ kind: 'predict', name: 'predictor', params: { lookbackSec: 9 } })
    expect(custom({ lookbackSec: 9 })).toMatchObject({ kind: 'custom', name: 'custom', params: { lookbackSec: 9 } })
  })

  test('shows what it is without being called, for lists and sweeps', () => {
    expect([policy.kind, picker.kind, predictor.kind, custom.kind]).toEqual(['queue', 'draft', 'predict', 'custom'])
    expect(picker.strategyName).toBe('picker')
    expect(picker.paramsSchema).toBe(params)
  })

  test('fills defaults in, with and without an argument', () => {
    expect(picker().params).toEqual({ lookbackSec: 30 })
    expect(picker({}).params).toEqual({ lookbackSec: 30 })
    expect(picker({ modes: ['up_down'] }).params).toEqual({ lookbackSec: 30, modes: ['up_down'] })
  })

  test('is bound to its own parameters, two of one definition each to theirs', async () => {
    const [one, other] = [policy({ stake: 1n }), policy({ stake: 2n })]
    const stakesOf = async (some: typeof one) =>
      (await some.decide(contextWith<QueueContext<unknown>>({})))?.map((action) => 'stake' in action && action.stake)
    expect([await stakesOf(one), await stakesOf(other)]).toEqual([[1n], [2n]])
    expect([one.browse, other.browse]).toEqual([
      { modes: ['up_down'], maxStake: 1n },
      { modes: ['up_down'], maxStake: 2n },
    ])
  })

  test('hands the context on beside them', async () => {
    const draft = { available: Array.from({ length: 10 }, (_, index) => `mint ${index}`) }
    expect(await picker({ lookbackSec: 9 }).pick(contextWith<DraftContext<unknown>>({ draft }))).toBe('mint 9')
    expect(await predictor().predict(contextWith<PredictContext<unknown>>({}))).toEqual({ price: '30' })
    const actions = custom({ lookbackSec: 6 }).run(contextWith<RunContext<unknown>>({ events$: EMPTY }))
    expect(await firstValueFrom(actions.pipe(toArray()))).toEqual([{ type: 'cancelTicket', ticketId: '6' }])
  })

  test('has the period of its definition, or 5 seconds, and the modes of its definition, or both', () => {
    const nothing = { name: 'nothing', params: z.object({}) }
    expect(policy({ stake: 1n }).everySec).toBe(7)
    expect(defineQueuePolicy({ ...nothing, decide: () => [] })()).toMatchObject({ everySec: 5, browse: undefined })
    expect(predictor().modes).toEqual(['price_prediction', 'up_down'])
    expect(definePredictor({ ...nothing, modes: ['up_down'], predict: () => null })().modes).toEqual(['up_down'])
  })
})

describe('a wrong parameter', () => {
  // What a config says is not checked by the compiler when Node runs it: `as never` stands for that.
  test.each<readonly [name: string, given: unknown, parts: readonly string[]]>([
    ['under its range', { lookbackSec: 4 }, ['lookbackSec = 4', 'at least 5']],
    ['over its range', { lookbackSec: 3601 }, ['lookbackSec = 3601', 'at most 3600']],
    ['of another type', { lookbackSec: '30' }, ["lookbackSec = '30'", 'a number']],
    ['no whole number', { lookbackSec: 7.5 }, ['lookbackSec = 7.5', 'a whole number']],
    ['in a list', { modes: ['up_down', 'poker'] }, ["modes[1] = 'poker'", "'pnl_race_pct'"]],
    ['misspelt', { lookbakSec: 300 }, ['lookbakSec: no such parameter', 'lookbackSec, modes']],
    ['no parameters at all', 300, ['its parameters = 300', 'an object, { … }']],
    ['null where text was meant', { modes: null }, ['modes = null', ': a list']],
  ])('%s fails, naming strategy, field, value and what is allowed', (_name, given, parts) => {
    const create = () => picker(given as never)
    expect(create).toThrow(
      expect.objectContaining({ code: 'STRATEGY_PARAMS_INVALID', message: expect.stringMatching(/^strategy picker: /) }),
    )
    for (const part of parts) expect(create).toThrow(part)
  })

  test('that is a secret is named, and not shown', () => {
    const model = defineQueuePolicy({ name: 'model', params: z.object({ apiKey: z.string().min(30) }), decide: () => [] })
    expect(() => model({ apiKey: 'sk-9f2b7c41d8e3' })).toThrow(/^strategy model: apiKey: at least/)
  })

  test('that is missing and has no default is named', () => {
    expect(() => policy()).toThrow('strategy policy: stake is missing: a bigint')
    expect(() => policy({ stake: 0n })).toThrow('stake = 0n: more than 0')
  })

  test('all of them are named at once', () => {
    expect(() => picker({ lookbackSec: 1, modes: ['x'] } as never)).toThrow(/lookbackSec = 1: .*; modes\[0\] = 'x': /)
  })

  test('a schema that says it is loose takes what it does not know; one with a check of its own is closed too', () => {
    const pick = () => undefined
    const loose = defineDraftPicker({ name: 'loose', params: z.looseObject({ a: z.number().default(1) }), pick })
    expect(loose({ b: 2 }).params).toEqual({ a: 1, b: 2 })
    const range = z.object({ low: z.number(), high: z.number() }).refine(({ low, high }) => low < high, 'low must be under high')
    const refined = defineDraftPicker({ name: 'refined', params: range, pick })
    expect(() => refined({ low: 2, high: 1 })).toThrow('strategy refined: its parameters: low must be under high')
    expect(() => refined({ low: 1, high: 2, middle: 1.5 } as never)).toThrow('middle: no such parameter; there is low, high')
  })
})

describe('what a policy wants to browse', () => {
  const browsing = (browse: object) => defineQueuePolicy({ name: 'looker', params: z.object({}), browse: () => browse, decide: () => [] })

  test('is kept as it was given', () => {
    const browse = { modes: ['up_down'], minStake: 1n, maxStake: 2n } as const
    expect(browsing(browse)().browse).toEqual(browse)
    expect(browsing({})().browse).toEqual({})
  })

  test.each<readonly [browse: object, says: string]>([
    [{ modes: ['updown'] }, "modes[0] = 'updown': one of"],
    [{ minStake: 5 }, 'minStake = 5: a bigint'],
    [{ mode: 'up_down' }, 'mode: no such filter; there is modes, minStake, maxStake'],
  ])('%j is refused, naming strategy, filter, value and what is allowed', (browse, says) => {
    expect(() => browsing(browse)()).toThrow(
      expect.objectContaining({ code: 'STRATEGY_INVALID', message: expect.stringContaining(`strategy looker: browse: ${says}`) }),
    )
  })
})

describe('a wrong definition', () => {
  const rest = { params: z.object({}), decide: () => [] }

  test.each(['', '1st', 'two words', '-dash', 'x'.repeat(41), 'é', 'a\n'])('the name %j is refused', (name) => {
    expect(() => defineQueuePolicy({ ...rest, name })).toThrow(expect.objectContaining({ code: 'STRATEGY_NAME_INVALID' }))
  })

  test.each([
    0,
    -1,
    0.05,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('everySec %s is refused: it would never sleep, or never wake', (everySec) => {
    const define = () => defineQueuePolicy({ ...rest, name: 'busy', everySec })
    expect(define).toThrow(
      expect.objectContaining({ code: 'STRATEGY_PERIOD_INVALID', message: expect.stringContaining('strategy busy: everySec = ') }),
    )
  })

  const none = z.object({})
  const work = () => EMPTY
  // Node checks no types: `as never` stands for a file that no compiler has seen.
  test.each<readonly [name: string, define: (definition: never) => unknown, definition: object, says: string]>([
    ['a mode there is not', defineTrader, { params: none, modes: ['pnl_usdd'], trade: work }, "modes[0] = 'pnl_usdd': one of"],
    ['a mode of another kind', definePredictor, { params: none, modes: ['pnl_usd'], predict: work }, "modes[0] = 'pnl_usd': one of"],
    ['one mode that is no list', defineTrader, { params: none, modes: 'pnl_usd', trade: work }, "modes = 'pnl_usd': a list"],
    ['no modes', defineTrader, { params: none, trade: work }, 'modes is missing'],
    ['an empty list of modes', defineTrader, { params: none, modes: [], trade: work }, 'modes: at least 1'],
    ['no function', defineTrader, { params: none, modes: ['pnl_usd'] }, 'trade is missing: a function'],
    [
      'a misspelt function',
      defineDraftPicker,
      { params: none, pcik: work },
      'pick is missing: a function; pcik: no such field; there is name, params, external, pick',
    ],
    [
      'a misspelt part',
      defineQueuePolicy,
      { params: none, decide: work, everysec: 3 },
      'everysec: no such field; there is name, params, external, everySec, browse, decide',
    ],
    ['no parameters', defineStrategy, { run: work }, 'params is missing: a zod object'],
    ['parameters that are no schema', defineStrategy, { params: { a: 1 }, run: work }, 'params: a zod object'],
    ['parameters that become something else', defineStrategy, { params: none.transform((one) => one), run: work }, 'params: a zod object'],
    ['text for a flag', defineStrategy, { params: none, external: 'yes', run: work }, "external = 'yes': true or false"],
    ['text for a period', defineQueuePolicy, { params: none, everySec: '5', decide: work }, "everySec = '5': a number"],
  ])('with %s is refused, naming strategy, field and what is allowed', (_name, define, definition, says) => {
    expect(() => define({ name: 'wrong', ...definition } as never)).toThrow(
      expect.objectContaining({ code: 'STRATEGY_INVALID', message: expect.stringContaining(`strategy wrong: ${says}`) }),
    )
  })

  test.each([undefined, {}, { name: 7 }])('that is %j has no name', (definition) => {
    expect(() => defineStrategy(definition as never)).toThrow(expect.objectContaining({ code: 'STRATEGY_NAME_INVALID' }))
    expect(() => defineQueuePolicy(definition as never)).toThrow(expect.objectContaining({ code: 'STRATEGY_NAME_INVALID' }))
  })
})
