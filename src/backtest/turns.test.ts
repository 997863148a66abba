import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/**
 * Runs `work`, then takes the turns that are owed, as a backtest does between two prices.
 *
 * @param isDone asked before anything else is awaited
 */
async function turnsAfter(work: () => void, isDone = () => true): Promise<number> {
  const turns = new Turns()
  try {
    // What the test itself is awaited by.
    for (let turn = 0; turn < 10; turn++) if (turns.isOwed) await turns.next()
    work()
    let taken = 0
    while (turns.isOwed && taken < 100) {
      await turns.next()
      taken += 1
    }
    expect(isDone()).toBe(true)
    return taken
  } finally {
    turns.stop()
  }
}

test('none is owed for work that promises nothing, and none for a turn', async () => {
  expect(await turnsAfter(() => {})).toBe(0)
  expect(await turnsAfter(() => [3, 1, 2].sort())).toBe(0)
})

test.each<[string, (done: () => void) => void]>([
  ['a microtask', (done) => queueMicrotask(done)],
  ['a promise that has resolved', (done) => void Promise.resolve().then(done)],
  [
    'an asynchronous function that waits several times',
    (done) => {
      const wait = async () => {
        for (let time = 0; time < 5; time++) await undefined
        done()
      }
      void wait()
    },
  ],
  [
    'a chain of promises',
    (done) =>
      void Promise.resolve(1)
        .then((value) => Promise.resolve(value))
        .finally(done),
  ],
  ['an asynchronous generator', (done) => void each(done)],
])('as many are owed as it takes: %s', async (_, promise) => {
  let isDone = false
  const done = () => {
    isDone = true
  }
  await turnsAfter(
    () => promise(done),
    () => isDone,
  )
})

async function each(done: () => void): Promise<void> {
  async function* numbers() {
    yield 1
    yield 2
  }
  for await (const _ of numbers());
  done()
}

test('one is owed once what was promised long ago is settled', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isDone = false
  void promise.then(() => {
    isDone = true
  })
  expect(await turnsAfter(() => {})).toBe(0)
  expect(
    await turnsAfter(
      () => resolve(),
      () => isDone,
    ),
  ).toBeGreaterThan(0)
})

test('those of two backtests side by side do not keep each other from ending', async () => {
  const [one, other] = [new Turns(), new Turns()]
  const taken = { one: 0, other: 0 }
  const play = async (turns: Turns, name: keyof typeof taken) => {
    for (let price = 0; price < 200; price++) {
      if (!turns.isOwed) continue
      await turns.next()
      taken[name] += 1
    }
    turns.stop()
  }
  await Promise.all([play(one, 'one'), play(other, 'other')])
  expect(Math.max(taken.one, taken.other)).toBeLessThanOrEqual(200)
})
