import { readFileSync } from 'node:fs'
import { EMPTY, map, mergeMap, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { predictionEvents, servePrediction, TOKEN } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { picker, policy, predictor } from '../../../test/support/testStrategies.ts'
import { buy, openTradingBot } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { defineStrategy, type Strategy } from '../../strategy/define.ts'

// The order of things within one input, on which every recording rests: what comes first stands first in `pipeline.ts`.

const entry = (mode: 'up_down' | 'draft_basket' = 'up_down') => enqueue({ mode, stake: usdc('1'), durationSec: 15 })

/** Who spoke, in the order in which it was approved. */
const spoken = (bot: TestBot): string[] => bot.steps.flatMap(({ orders }) => orders.map(({ key }) => key.split(':')[1] ?? ''))
const intents = (bot: TestBot): string[] =>
  bot.steps.flatMap(({ record }) => record?.intents.map(({ key, action }) => `${key.split(':')[1]} ${action.type}`) ?? [])

/** Two contests that ask for moves at once: a pick in the one, a commitment in the other. */
async function withTwoMoves(first: 'draft' | 'prediction'): Promise<TestBot> {
  const draftId = keyedUuid('draft contest')
  const draft = () => [
    rawEvent('match.found', { ticketId: keyedUuid('draft ticket'), contestId: draftId, mode: 'draft_basket' }),
    rawEvent('contest.live', { contestId: draftId, mode: 'draft_basket', startsAt: iso(0), endsAt: iso(60_000) }),
  ]
  const bot = await openTestBot({
    caughtUp: false,
    strategies: [picker(({ draft: { available } }) => available[0]), predictor(() => ({ price: '1' }))],
  })
  servePrediction(bot.service, () => bot.clock.now())
  bot.service.states.set(draftId, {
    ...{ contestId: draftId, mode: 'draft_basket', phase: 'draft', entryId: keyedUuid('draft entry'), yourTurn: true },
    ...{ available: [TOKEN], mine: [], theirs: [], round: 1, pickBy: iso(20_000) },
  })
  bot.events.tell(...(first === 'draft' ? [...draft(), ...predictionEvents()] : [...predictionEvents(), ...draft()]))
  bot.events.catchUp()
  await bot.run(500)
  return bot
}

const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()

describe('within one input', () => {
  test.each([
    'draft',
    'prediction',
  ] as const)('moves are asked for seat by seat, whatever they are: the %s that was seated first', async (first) => {
    const bot = await withTwoMoves(first)
    const moves = intents(bot).filter((intent) => /draftPick|commitPrediction/.test(intent))
    expect(moves).toHaveLength(2)
    expect(moves[0]).toContain(first === 'draft' ? 'draftPick' : 'commitPrediction')
  })

  test('a custom strategy speaks before policies do, which are not asked while its entry has no outcome', async () => {
    const own = defineStrategy({ name: 'own', params: z.object({}), run: () => of(entry('draft_basket')) })()
    const bot = await openTestBot({
      strategies: [policy(() => [entry()], { everySec: 3600 }), own],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => new Promise(() => {})),
    })
    await bot.run(500)
    expect(spoken(bot)).toEqual(['own'])
  })

  test('a policy sees the entry that the one before it has just been granted, and is not asked while it has no outcome', async () => {
    const seen: number[] = []
    const asking = (name: string): Strategy =>
      policy(
        ({ state }) => {
          seen.push(state.entering.length)
          return [entry()]
        },
        { name, everySec: 3600 },
      )
    const bot = await openTestBot({
      strategies: [asking('one'), asking('two')],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => new Promise(() => {})),
    })
    await bot.run(500)
    expect(spoken(bot)).toEqual(['one'])
    expect(seen).toEqual([0])
  })

  test('what is said in one speech is put before the guard when it has been said: what can be spent is the same for all of it', async () => {
    const spendable: (bigint | undefined)[] = []
    const bot = await openTradingBot({
      trade: ({ prices, available }) =>
        prices.price$(TOKEN).pipe(
          mergeMap(() => [1, 2, 3]),
          map(() => {
            spendable.push(available())
            return buy()
          }),
        ),
    })
    spendable.length = 0
    bot.price({ [TOKEN]: '151' })
    expect(spendable).toHaveLength(3)
    expect(new Set(spendable).size).toBe(1)
    expect(intents(bot).filter((intent) => intent.endsWith(' swap')).length).toBeGreaterThan(0)
  })

  test('what falls due in one millisecond is done in the order in which it was first planned', async () => {
    const periods: string[] = []
    const own = (name: string, seconds: number) =>
      defineStrategy({
        name,
        params: z.object({}),
        run: ({ every }) =>
          every(seconds).pipe(
            mergeMap(() => {
              periods.push(name)
              return EMPTY
            }),
          ),
      })()
    const bot = await openTestBot({ strategies: [own('late', 2), own('early', 1)] })
    await bot.run(4000)
    expect(periods).toEqual(['early', 'late', 'early', 'early', 'late', 'early'])
  })

  test('a journal’s events go in before what siblings have entered is heard of', async () => {
    const bot = await openTestBot({ strategies: [] })
    await bot.run(10)
    expect(bot.steps[0]?.input.type).toBe('started')
  })
})

describe('the picture of the README', () => {
  const source = readFileSync(new URL('../pipeline.ts', import.meta.url), 'utf8')

  test('names the observables of the pipeline, which is short', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
    const [, picture = ''] = /## How it works\s+```\n([^`]+)```/.exec(readme) ?? []
    const names = [...picture.matchAll(/\b\w+\$/g)].map(([name]) => name)
    expect(new Set(names).size).toBeGreaterThanOrEqual(11)
    for (const name of names) expect(source, name).toContain(name)
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(115)
  })
})
