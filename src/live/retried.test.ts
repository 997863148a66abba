import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { retried } from './retried.ts'

const START_MS = 1_785_000_000_000

/** Times of the tries, since the beginning, with waits that answers name. */
async function triesOf(waits: readonly (number | undefined)[], bounds: { readonly forMs: number; readonly most: number }) {
  const clock = new VirtualClock(START_MS)
  const tries: number[] = []
  let answered: number | undefined
  const ask = () => Promise.resolve(tries.push(clock.now() - START_MS) - 1)
  void retried({ clock, until: START_MS + bounds.forMs, most: bounds.most }, ask, (n) => {
    const wait = waits[n]
    return wait === undefined ? undefined : clock.now() + wait
  }).then((n) => {
    answered = n
  })
  for (let turn = 0; turn < 2 * waits.length + 4; turn++) {
    await setImmediate()
    if (Number.isFinite(clock.nextAt())) clock.advanceTo(clock.nextAt())
  }
  return { tries, answered }
}

test.each([
  ['stands at once', [undefined], { forMs: 4000, most: 4 }, [0]],
  ['is asked again when it says', [1000, undefined], { forMs: 4000, most: 4 }, [0, 1000]],
  ['has a pause where it names none', [0, 0, undefined], { forMs: 4000, most: 4 }, [0, 100, 200]],
  ['has a last try', [1000, 1000, 1000, 1000], { forMs: 60_000, most: 3 }, [0, 1000, 2000]],
  ['has no try after its time', [1000, 2000, 4000], { forMs: 4000, most: 9 }, [0, 1000, 3000]],
  ['is not waited for where its wait is too long', [60_000], { forMs: 4000, most: 4 }, [0]],
])('a request that is refused %s', async (_, waits, bounds, tries) => {
  expect((await triesOf(waits, bounds)).tries).toEqual(tries)
})

test('whatever answers say, each try but the first has a pause before it, and there is a last one', async () => {
  const wait = fc.option(fc.integer({ min: -5000, max: 5000 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(
      fc.array(wait, { minLength: 8, maxLength: 8 }),
      fc.nat(20_000),
      fc.integer({ min: 1, max: 8 }),
      async (waits, forMs, most) => {
        const { tries, answered } = await triesOf(waits, { forMs, most })
        expect(tries.length).toBeLessThanOrEqual(most)
        expect(answered).toBe(tries.length - 1)
        for (const [n, at] of tries.entries()) {
          if (n === 0) continue
          expect(at - (tries[n - 1] ?? 0)).toBeGreaterThanOrEqual(100)
          expect(at).toBeLessThanOrEqual(forMs)
        }
      },
    ),
    { numRuns: 100 },
  )
})
