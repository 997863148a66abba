import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Whether turns are owed once `work` was done, before anything is awaited. */
async function owedAfter(work: () => void): Promise<boolean> {
  await undefined
  const turns = new Turns()
  try {
    work()
    return turns.areOwed
  } finally {
    turns.stop()
  }
}

const cached = Promise.resolve(1)
const asked = Promise.withResolvers<number>()

test('none are owed for work that promises nothing', async () => {
  expect(await owedAfter(() => {})).toBe(false)
  expect(await owedAfter(() => [3, 1, 2].sort())).toBe(false)
})

test.each<[string, () => void]>([
  ['a microtask is put off', () => queueMicrotask(() => {})],
  ['an asynchronous function is called', () => void (async () => {})()],
  ['a promise is made', () => void Promise.withResolvers<void>()],
  ['something waits for a promise of before', () => void cached.then(() => {})],
  ['a promise of before is settled', () => asked.resolve(1)],
])('they are once %s', async (_, work) => {
  expect(await owedAfter(work)).toBe(true)
})

test('and go on to be: what is resolved with a promise says so to nobody', async () => {
  const turns = new Turns()
  let isDone = false
  void Promise.resolve()
    .then(() => cached)
    .then(() => {
      isDone = true
    })
  for (let turn = 0; turn < 10 && turns.areOwed; turn++) await undefined
  turns.stop()
  expect(isDone).toBe(true)
})
