import { EMPTY, map, Observable, of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { predictionEvents, predictionId, servePrediction } from '../../../test/support/predictionContest.ts'
import { emptyFolder, expectIdentical } from '../../../test/support/replaying.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { policy, predictor } from '../../../test/support/testStrategies.ts'
import { usdc } from '../../core/usdc.ts'
import { type Action, enqueue } from '../../strategy/action.ts'
import type { Strategy } from '../../strategy/define.ts'

// A strategy that is asked may answer with an observable: its first value counts, if it comes in time.

const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const queued = ({ service }: TestBot) => service.sent('agent.queue.enqueue')
const committed = ({ service }: TestBot) => service.sent('agent.modes.commitPrediction')

async function inPrediction(strategy: Strategy, recording?: string): Promise<TestBot> {
  const bot = await openTestBot({ strategies: [strategy], ...(recording === undefined ? {} : { recording }) })
  servePrediction(bot.service, () => bot.clock.now())
  await bot.tell(...predictionEvents())
  await bot.run(1000)
  return bot
}

describe('an answer that is an observable', () => {
  test('is its first value, and nothing that comes after it', async () => {
    let isHeard = true
    const values$ = new Observable<{ price: string }>((subscriber) => {
      subscriber.next({ price: '187.25' })
      subscriber.next({ price: '1' })
      return () => {
        isHeard = false
      }
    })
    const bot = await inPrediction(predictor(() => values$))
    expect(bot.journal.custodyOf(predictionId).map(({ price }) => price)).toContain('187.25')
    expect(committed(bot)).toHaveLength(1)
    expect(isHeard).toBe(false)
  })

  test('replays to the same decision', async () => {
    const recording = emptyFolder()
    const bot = await inPrediction(
      predictor(() => of({ price: '187.25' })),
      recording,
    )
    bot.kill()
    await expectIdentical(recording, bot.config)
  })

  test('of a policy is a list of actions', async () => {
    let isFirst = true
    const bot = await openTestBot({
      strategies: [
        policy(() => {
          const answer$ = of<Action[]>(isFirst ? [entry] : [])
          isFirst = false
          return answer$
        }),
      ],
    })
    await bot.run(100)
    expect(queued(bot)).toHaveLength(1)
  })

  test('that ends without a value says nothing', async () => {
    const bot = await inPrediction(predictor(() => EMPTY))
    expect(committed(bot)).toEqual([])
    expect(bot.notes('error')).toEqual([])
  })

  test.each([
    ['fails', throwError(() => new Error('boom')), 'strategy predictor failed: boom'],
    ['says nonsense', of({ price: 187 } as unknown as { price: string }), 'it should return { price'],
  ])('that %s is a fault', async (_what, answer$, fault) => {
    const bot = await inPrediction(predictor(() => answer$))
    expect(committed(bot)).toEqual([])
    expect(bot.notes('error')[0]).toContain(fault)
  })

  test('that says nothing in time is a fault, and is listened to no more; nor is one of a bot that stops', async () => {
    let listeners = 0
    const never$ = new Observable<never>(() => {
      listeners += 1
      return () => {
        listeners -= 1
      }
    })
    const bot = await openTestBot({ strategies: [policy(() => never$, { everySec: 60 })] })
    await bot.run(100)
    expect(listeners).toBe(1)
    await bot.run(10_000)
    expect(listeners).toBe(0)
    expect(bot.notes('error')[0]).toContain('it did not answer within 10000 ms')
    await bot.run(55_000)
    expect(listeners).toBe(1)
    bot.kill()
    expect(listeners).toBe(0)
  })

  test('may follow prices: it is told of them while it is waited for', async () => {
    const sol = 'So11111111111111111111111111111111111111112'
    const bot = await inPrediction(predictor(({ prices }) => prices.price$(sol).pipe(map(({ price }) => ({ price: String(price) })))))
    expect(committed(bot)).toEqual([])
    bot.price({ [sol]: '190.5' })
    await bot.run(100)
    expect(bot.journal.custodyOf(predictionId).map(({ price }) => price)).toContain('190.5')
  })
})
