import { from, lastValueFrom, map, Subject, toArray } from 'rxjs'
import { ADX, EMA, ROC, SMA } from 'trading-signals'
import { describe, expect, test } from 'vitest'
import { CANDLES } from '../../../test/support/tulipSeries.ts'
import { candleIndicator, indicator, type PriceLike } from './indicator.ts'

const smaOf = (inputs: readonly PriceLike[]) =>
  lastValueFrom(
    from(inputs).pipe(
      indicator(() => new SMA(2)),
      toArray(),
    ),
  )

describe('indicator', () => {
  test('takes numbers, points of a price stream, and closes of candles', async () => {
    expect(await smaOf([1, 2, 4])).toEqual([1.5, 3])
    expect(await smaOf([1, 2, 4].map((price, at) => ({ at, price })))).toEqual([1.5, 3])
    expect(await smaOf([1, 2, 4].map((close, at) => ({ at, open: 9, high: 9, low: 0, close })))).toEqual([1.5, 3])
  })

  test('is silent until it is stable, though the library already counts', async () => {
    expect(new EMA(3).add(100)).toBe(100)
    expect(
      await lastValueFrom(
        from([100, 100]).pipe(
          indicator(() => new EMA(3)),
          toArray(),
        ),
      ),
    ).toEqual([])
    expect(
      await lastValueFrom(
        from([100, 100, 100]).pipe(
          indicator(() => new EMA(3)),
          toArray(),
        ),
      ),
    ).toEqual([100])
  })

  test('starts anew at each subscription', async () => {
    const price$ = from([1, 2, 4]).pipe(indicator(() => new SMA(2)))
    expect([await lastValueFrom(price$.pipe(toArray())), await lastValueFrom(price$.pipe(toArray()))]).toEqual([
      [1.5, 3],
      [1.5, 3],
    ])
  })

  test('ends, and fails, with its source', () => {
    const seen: unknown[] = []
    const [ends$, fails$] = [new Subject<number>(), new Subject<number>()]
    ends$.pipe(indicator(() => new SMA(1))).subscribe({ next: (value) => seen.push(value), complete: () => seen.push('ended') })
    fails$.pipe(indicator(() => new SMA(1))).subscribe({ error: (thrown) => seen.push(thrown) })
    ends$.next(5)
    ends$.complete()
    fails$.error('broken')
    expect(seen).toEqual([5, 'ended', 'broken'])
  })

  test('lets go of its source when it is let go of', () => {
    const price$ = new Subject<number>()
    const subscription = price$.pipe(indicator(() => new SMA(1))).subscribe()
    expect(price$.observed).toBe(true)
    subscription.unsubscribe()
    expect(price$.observed).toBe(false)
  })

  test('leaves out inputs that are no number: they would stay in an average', async () => {
    expect(await smaOf([1, Number.NaN, 2, Infinity, 4])).toEqual([1.5, 3])
  })

  test('gives no NaN and no infinity: where the library divides by nothing, nothing is out', async () => {
    expect(new ROC(1).updates([0, 5, 10])).toEqual([null, Infinity, 1])
    const changes = indicator(() => new ROC(1))
    expect(await lastValueFrom(from([0, 5, 10]).pipe(changes, toArray()))).toEqual([1])
    const parts = indicator(() => ({ add: () => {}, getResult: () => ({ up: 1, down: Number.NaN }) }))
    expect(await lastValueFrom(from([0, 5, 10]).pipe(parts, toArray()))).toEqual([])
  })
})

describe('candleIndicator', () => {
  test('hands the library whole candles: ADX as Tulip Indicators has it', async () => {
    const rounded = map((value: number) => Number(value.toFixed(3)))
    const adx = candleIndicator(() => new ADX(5))
    expect((await lastValueFrom(from(CANDLES).pipe(adx, rounded, toArray()))).at(-1)).toBe(67.355)
  })

  test('leaves out a candle of which a part is no number', async () => {
    const broken = CANDLES.toSpliced(7, 0, { at: 0, open: 1, high: 1, low: Number.NaN, close: 1 })
    const adx = candleIndicator(() => new ADX(5))
    const [ofBroken, ofWhole] = [broken, CANDLES].map((candles) => lastValueFrom(from(candles).pipe(adx, toArray())))
    expect(await ofBroken).toEqual(await ofWhole)
  })
})
