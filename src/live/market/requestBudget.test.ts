import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../core/clock.ts'
import { type Asked, type Place, RequestBudget, type RequestUse } from './requestBudget.ts'
import { limitOf, RequestBudgets } from './requestBudgets.ts'

const START_MS = 1_785_000_000_000
const OK = { statusCode: 200, headers: {} }

function open(perMinute: number | undefined) {
  const clock = new VirtualClock(START_MS)
  const budget = new RequestBudget({ clock, perMinute })
  /** Uses in the order in which they were let go; a turn that did not come has a minus. */
  const went: string[] = []
  const places: Place[] = []
  const ask = (use: RequestUse, asked: Partial<Asked> = {}) =>
    void budget.take({ use, patienceMs: 30_000, ...asked }).then((place) => {
      went.push(place === undefined ? `-${use}` : use)
      if (place !== undefined) places.push(place)
    })
  /** So many requests that were answered at once. */
  const spend = async (use: RequestUse, count: number) => {
    for (let n = 0; n < count; n++) ask(use)
    await setImmediate()
    for (const place of places.splice(0)) budget.done(place)
    went.splice(0)
  }
  const pass = async (ms: number) => {
    clock.advanceTo(clock.now() + ms)
    await setImmediate()
  }
  return { clock, budget, went, places, ask, spend, pass }
}

const limited = (remaining: number, current: number, resetAt: number) => ({
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-current': `${current}`,
  'x-ratelimit-reset': `${Math.ceil(resetAt / 1000)}`,
})

describe('a request budget', () => {
  test('lets everybody go where there is no limit', async () => {
    const { budget, went, ask, pass } = open(undefined)
    for (let n = 0; n < 500; n++) ask('price')
    await pass(0)
    expect(went).toHaveLength(500)
    expect([budget.pricePaceMs, budget.standing()]).toEqual([0, undefined])
  })

  test('takes no more than the limit in any 60 s, counted from when the request was over', async () => {
    const { went, ask, spend, pass } = open(10)
    await spend('first', 10)
    ask('first', { patienceMs: 90_000 })
    await pass(59_999)
    expect(went).toEqual([])
    await pass(1)
    expect(went).toEqual(['first'])
  })

  test('serves builds before quotes, and both before looks and prices', async () => {
    const { went, ask, spend, pass } = open(100)
    await spend('price', 40)
    await spend('first', 60)
    for (const use of ['price', 'look', 'quote', 'first', 'build'] as const) ask(use, { patienceMs: 90_000 })
    await pass(60_000)
    expect(went).toEqual(['build', 'first', 'quote', 'look', 'price'])
  })

  test('keeps a place for the build of a quote', async () => {
    const { went, ask, pass } = open(4)
    ask('first', { keeps: 1 })
    ask('first', { keeps: 1 })
    ask('first', { keeps: 1 })
    await pass(0)
    expect(went).toEqual(['first', 'first'])
    ask('build')
    ask('build')
    await pass(0)
    expect(went).toEqual(['first', 'first', 'build', 'build'])
  })

  test('keeps a third for swaps from prices, and the least pace of prices from swaps', async () => {
    const { budget, went, ask, pass } = open(30)
    budget.expectPrices(1)
    expect(budget.pricePaceMs).toBe(3000)
    for (let n = 0; n < 30; n++) ask('price')
    await pass(0)
    expect(went).toHaveLength(20)
    const swaps = open(30)
    swaps.budget.expectPrices(1)
    for (let n = 0; n < 30; n++) swaps.ask('first')
    await swaps.pass(0)
    expect(swaps.went).toHaveLength(24)
    expect(swaps.budget.pricePaceMs).toBe(10_000)
  })

  test('believes the headers before the config, and counts what others have asked', async () => {
    const { budget, clock, went, places, ask, pass } = open(60)
    ask('first')
    await pass(0)
    budget.answered(places[0] as Place, { statusCode: 200, headers: limited(5, 25, clock.now() + 20_000) })
    budget.done(places[0] as Place)
    expect(budget.standing()).toEqual({ perMinute: 30, free: 5, prices: 0, others: 24 })
    for (let n = 0; n < 10; n++) ask('first', { patienceMs: 0 })
    await pass(0)
    expect(went.filter((use) => use === 'first')).toHaveLength(6)
  })

  test('knows a limit that was passed: what remains is negative', async () => {
    const { budget, places, ask, pass } = open(60)
    ask('first')
    await pass(0)
    budget.answered(places[0] as Place, { statusCode: 200, headers: limited(-3, 33, START_MS + 5000) })
    expect(budget.standing()?.perMinute).toBe(30)
  })

  test('waits after a 429 for the time that it names, and a refused request does not count', async () => {
    const { budget, went, places, ask, pass } = open(30)
    ask('first')
    await pass(0)
    budget.answered(places[0] as Place, { statusCode: 429, headers: limited(0, 30, START_MS + 20_000) })
    budget.done(places[0] as Place)
    ask('first')
    await pass(19_999)
    expect(went).toEqual(['first'])
    await pass(1)
    expect(went).toEqual(['first', 'first'])
  })

  describe('without headers', () => {
    const answer = async ({ budget, places, ask, pass }: ReturnType<typeof open>, statusCode: number) => {
      ask('first')
      await pass(0)
      const place = places.pop() as Place
      budget.answered(place, { statusCode, headers: {} })
      budget.done(place)
    }
    const refusedTwice = async (world: ReturnType<typeof open>) => {
      await answer(world, 429)
      await world.pass(1000)
      await answer(world, 429)
    }

    test.each([
      ['what was taken by then', 60, 40, 40],
      ['half where that was little', 60, 5, 30],
      ['what was taken where nobody has stated one', undefined, 60, 60],
      ['thirty at the least where nobody has', undefined, 5, 30],
    ])('learns a limit from a refusal that the next try meets too: %s', async (_, configured, taken, learnt) => {
      const world = open(configured)
      await world.spend('first', taken)
      await refusedTwice(world)
      expect(world.budget.standing()?.perMinute).toBe(learnt)
      await world.pass(10 * 60_000)
      expect(world.budget.standing()?.perMinute).toBe(configured)
    })

    test('learns nothing from a refusal that is answered on retry', async () => {
      const world = open(undefined)
      await world.spend('first', 60)
      await answer(world, 429)
      await world.pass(1000)
      await answer(world, 200)
      expect(world.budget.standing()).toBeUndefined()
      await world.spend('first', 20)
      expect(world.went).toEqual([])
    })

    test('tries a learnt limit every ten seconds, and raises it where it was wrong', async () => {
      const world = open(undefined)
      await world.spend('first', 60)
      await refusedTwice(world)
      world.ask('first', { patienceMs: 30_000 })
      await world.pass(9999)
      expect(world.places).toEqual([])
      await world.pass(1)
      const place = world.places.pop() as Place
      world.budget.answered(place, OK)
      world.budget.done(place)
      expect(world.budget.standing()?.perMinute).toBe(75)
    })

    test('forgets what it learnt from a host that refuses half of that as well', async () => {
      const world = open(undefined)
      await world.spend('first', 20)
      await refusedTwice(world)
      await world.pass(20_000)
      await answer(world, 429)
      expect(world.budget.standing()?.perMinute).toBe(30)
      await world.pass(60_000)
      await answer(world, 429)
      expect(world.budget.standing()).toBeUndefined()
    })
  })

  test('says to whom its turn did not come in time, and to everybody once it is closed', async () => {
    const { budget, went, ask, spend, pass } = open(10)
    await spend('first', 10)
    ask('first', { patienceMs: 1000 })
    await pass(999)
    expect(went).toEqual([])
    await pass(1)
    expect(went).toEqual(['-first'])
    ask('price')
    budget.close()
    ask('build')
    await pass(0)
    expect(went).toEqual(['-first', '-price', '-build'])
  })

  test('gives back a place that no build came for', async () => {
    const { budget, went, places, ask, pass } = open(2)
    ask('first', { keeps: 1 })
    await pass(0)
    budget.answered(places[0] as Place, OK)
    ask('first')
    await pass(5999)
    expect(went).toEqual(['first'])
    await pass(1)
    expect(went).toEqual(['first', 'first'])
  })
})

describe('the limit of a host', () => {
  const url = 'https://api.jup.ag/price/v3'

  test.each([
    ['without a key', { url, apiKey: undefined, requestsPerMinute: undefined }, 30],
    ['with one', { url, apiKey: 'k', requestsPerMinute: undefined }, 60],
    ['by the config', { url, apiKey: 'k', requestsPerMinute: 600 }, 600],
    ['on this machine', { url: 'http://127.0.0.1:8080/jup/price/v3', apiKey: undefined, requestsPerMinute: undefined }, undefined],
    ['on this machine, by the config', { url: 'http://[::1]:8080/', apiKey: undefined, requestsPerMinute: 9 }, 9],
  ])('%s', (_name, limit, perMinute) => {
    expect(limitOf(limit)).toBe(perMinute)
  })

  test('is one for prices and swaps with one key, and another for another key or host', () => {
    const budgets = new RequestBudgets(new VirtualClock(START_MS), undefined)
    const own = budgets.of({ url, apiKey: 'k' })
    expect(budgets.of({ url: 'https://api.jup.ag/swap/v1', apiKey: 'k' })).toBe(own)
    expect(budgets.of({ url, apiKey: undefined })).not.toBe(own)
    expect(budgets.of({ url: 'https://other.example/price/v3', apiKey: 'k' })).not.toBe(own)
  })
})
