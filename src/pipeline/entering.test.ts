import { map, take } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { START_MS } from '../../test/support/rawEvents.ts'
import { accepted, openContest, rejected, type ScriptedService, unknown, unreadable } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { policy, predictor } from '../../test/support/testStrategies.ts'
import { keyedUuid } from '../core/ids.ts'
import { SOL_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { type Action, createContest, enqueue, joinContest } from '../strategy/action.ts'
import { defineStrategy, type QueueContext } from '../strategy/define.ts'
import type { BotView } from '../strategy/view.ts'

// A policy that wants one thing at a time gets one, however long the service takes: it is asked when all that was entered can be seen.

const MODES = ['draft_basket', 'price_prediction', 'up_down'] as const
type Mode = (typeof MODES)[number]
const entryOf = (mode: Mode) => enqueue({ mode, stake: usdc('1'), durationSec: 15 })

/** Wants one contest at a time, of another mode each time it is asked. */
function oneAtATime({ tickets, contests }: Pick<QueueContext<unknown>, 'tickets' | 'contests'>, asked: number): Action[] {
  return tickets.length + contests.length > 0 ? [] : [entryOf(MODES[asked % MODES.length] ?? 'up_down')]
}

function fickle(name = 'fickle', answer: (actions: Action[]) => Action[] | Promise<Action[]> = (actions) => actions) {
  let asked = 0
  return policy((context) => answer(oneAtATime(context, asked++)), { name, everySec: 1 })
}

const entered = ({ service }: TestBot) => service.sent('agent.queue.enqueue').length

describe('a policy of one at a time', () => {
  test('enters once while the answer takes its time', async () => {
    const bot = await openTestBot({
      strategies: [fickle()],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(4500, accepted({ ticketId: keyedUuid('ticket') }))),
    })
    await bot.run(30_000)
    expect(bot.service.acts).toHaveLength(1)
    expect(bot.status().books.tickets.size).toBe(1)
  })

  test('enters once while nobody knows what became of it, is told so each minute, and is asked again once it is known', async () => {
    const bot = await openTestBot({
      strategies: [fickle()],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => unknown),
    })
    bot.service.onRead('agent.queue.list', () => unreadable())
    await bot.run(125_000)
    expect(bot.service.acts).toHaveLength(1)
    expect(
      bot.notes('warn').filter((message) => /no policy is asked: what became of enqueue for 1\.00 USDC is not known since/.test(message)),
    ).toHaveLength(2)
    bot.service.onRead('agent.queue.list', undefined)
    await bot.run(15_000)
    expect(bot.service.acts.length).toBeGreaterThan(1)
  })

  test('what is refused is not asked for at every answer', async () => {
    const bot = await openTestBot({
      strategies: [fickle('fickle')],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => rejected('QUEUE_CLOSED')),
    })
    await bot.run(5500)
    expect(bot.service.acts.length).toBeGreaterThan(3)
    expect(bot.service.acts.length).toBeLessThan(8)
  })
})

describe('several policies', () => {
  test.each([
    ['at once', (actions: Action[]) => actions],
    ['later', (actions: Action[]) => Promise.resolve(actions)],
  ])('of which each wants one at a time, and answers %s, enter once together', async (_, answer) => {
    const bot = await openTestBot({
      strategies: [fickle('one', answer), fickle('two', answer), fickle('three', answer)],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(300, accepted({ ticketId: keyedUuid('ticket') }))),
    })
    await bot.run(5000)
    expect(bot.service.acts).toHaveLength(1)
    expect(bot.refusals()).toEqual([])
  })

  test('one that always enters leaves the next its turn', async () => {
    let tickets = 0
    const eager = policy(() => [entryOf('draft_basket')], { name: 'eager', everySec: 1 })
    const other = policy(() => [entryOf('up_down')], { name: 'other', everySec: 1 })
    const bot = await openTestBot({
      ...{ strategies: [eager, other], guard: { maxOpenContests: 4 } },
      prepare: (service) =>
        service.onAct('agent.queue.enqueue', () => service.after(100, accepted({ ticketId: keyedUuid('ticket', tickets++) }))),
    })
    await bot.run(3000)
    expect(bot.service.sent('agent.queue.enqueue').map(({ mode }) => mode)).toEqual(['draft_basket', 'up_down', 'draft_basket', 'up_down'])
  })
})

test('a contest whose side a predictor still thinks about counts as entered', async () => {
  let thinking: Promise<{ side: string }> | undefined
  let shelves: ScriptedService | undefined
  const joiner = policy(
    ({ contests, openContests }) =>
      contests.length > 0 ? [] : openContests.slice(0, 1).map(({ contestId }) => joinContest({ contestId })),
    { name: 'joiner', everySec: 1, browse: {} },
  )
  // Enters as soon as the other one can join.
  const other = policy((context) => (context.openContests.length > 0 ? oneAtATime(context, 0) : []), { name: 'other', everySec: 1 })
  const bot = await openTestBot({
    strategies: [joiner, other, predictor(() => (thinking ??= shelves?.after(3000, { side: 'DOWN' })))],
    prepare: (service) => {
      shelves = service
      service.open.push(openContest(keyedUuid('contest'), { mode: 'up_down' }))
    },
  })
  await bot.run(20_000)
  expect(thinking).toBeDefined()
  expect(bot.service.acts.map(({ procedure }) => procedure)).toEqual(['agent.contests.join', 'agent.contests.ready'])
})

test('a strategy of its own sees what is on its way', async () => {
  const seen: BotView['entering'][] = []
  const custom = defineStrategy({
    name: 'custom',
    params: z.object({}),
    run: ({ every, state }) =>
      every(1).pipe(
        map(() => {
          seen.push(state().entering)
          return entryOf('draft_basket')
        }),
        take(3),
      ),
  })
  const bot = await openTestBot({
    strategies: [custom()],
    prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(1500, accepted({ ticketId: keyedUuid('ticket') }))),
  })
  const startedAt = bot.clock.now()
  await bot.run(3500)
  expect(seen).toEqual([
    [],
    [{ type: 'enqueue', mode: 'draft_basket', stake: usdc('1'), contestId: undefined, askedAt: startedAt + 1000 }],
    [],
  ])
  expect(entered(bot)).toBe(2)
})

test('what is played by prices is entered once there are some, and not while the feed is silent', async () => {
  let wanted = 1
  const keepsSome = policy(({ state }) => (state.tickets.length < wanted ? [entryOf('price_prediction')] : []), { everySec: 1 })
  let tickets = 0
  const bot = await openTestBot({
    ...{ strategies: [keepsSome], guard: { maxOpenContests: 9 } },
    prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId: keyedUuid('ticket', tickets++) })),
  })
  const enteredAfter = async (ms: number) => {
    await bot.run(ms)
    return bot.service.sent('agent.queue.enqueue').length
  }
  expect(await enteredAfter(5000)).toBe(0)
  expect(bot.status().actions.refused).toBeGreaterThan(0)
  bot.price({ [SOL_MINT]: '150' })
  expect(await enteredAfter(100_000)).toBe(1)
  wanted = 2
  expect(await enteredAfter(10_000)).toBe(2)
  expect(await enteredAfter(20_000)).toBe(2)
  wanted = 3
  expect(await enteredAfter(60_000)).toBe(2)
  bot.price({ [SOL_MINT]: '151' })
  expect(await enteredAfter(5000)).toBe(3)
})

const DUEL = { mode: 'up_down', chain: 'solana', format: 'duel', durationSec: 15 } as const

test('a stake counts once as soon as figures are there that were asked for when it was taken, in the same millisecond too', async () => {
  const stakes = [usdc('1')]
  const bot = await openTestBot({
    strategies: [policy(() => stakes.splice(0, 1).map((stake) => createContest({ ...DUEL, stake })))],
    prepare(service) {
      const cap = usdc('3')
      const figures = (inPlay: bigint) => ({ ...service.limits, dailyLossCap: `${cap}`, inPlay: `${inPlay}`, remaining: `${cap - inPlay}` })
      service.limits = figures(0n)
      service.onSend = () => {
        service.limits = figures(usdc('1'))
      }
    },
  })
  await bot.run(0)
  expect(bot.service.sent('agent.contests.create')).toHaveLength(1)
  stakes.push(usdc('2'))
  await bot.run(5100)
  expect(bot.refusals(), 'of 3 USDC that may be lost 1 is in play').toEqual([])
  expect(bot.service.sent('agent.contests.create').map(({ stake }) => stake)).toEqual([usdc('1'), usdc('2')])
})

test.each([
  ['the answer was lost', unknown],
  ['the answer does not say what it made', accepted({})],
])('figures are read again when it turns out that an entry was taken: %s', async (_why, answer) => {
  const contest = {
    contestId: keyedUuid('made'),
    ...DUEL,
    status: 'open',
    stake: `${usdc('1')}`,
    createdAt: new Date(START_MS).toISOString(),
  }
  const stakes = [usdc('1')]
  const bot = await openTestBot({
    strategies: [policy(() => stakes.splice(0, 1).map((stake) => createContest({ ...DUEL, stake })))],
    prepare(service) {
      service.figuresHoldMs = Number.POSITIVE_INFINITY
      service.onAct('agent.contests.create', () => {
        service.contests = [{ ...contest, you: { entryId: keyedUuid('entry'), ready: true } }]
        return answer
      })
    },
  })
  expect(bot.journal.outcomes.map(({ status }) => status)).toEqual(['unknown', 'accepted'])
  expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.limits')).toHaveLength(2)
})
