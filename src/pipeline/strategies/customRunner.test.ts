import { defer, map, merge, NEVER, Observable, of, repeat, Subject, switchMap, take, takeUntil, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { readEvent } from '../../contract/events.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type Action, cancelTicket } from '../../strategy/action.ts'
import { defineStrategy, type RunContext } from '../../strategy/define.ts'
import { OPEN_MODES } from '../../strategy/openModes.ts'
import { emptyBooks } from '../books/books.ts'
import { viewOf } from '../books/views.ts'
import { Deadlines } from '../deadlines.ts'
import { PriceBook } from '../prices/priceBook.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import { CustomRunner } from './customRunner.ts'
import type { Emission } from './streamRunner.ts'

const SOL = 'So11111111111111111111111111111111111111112'

function open(run: (context: RunContext<unknown>) => Observable<Action>) {
  const deadlines = new Deadlines()
  const late: Emission[] = []
  const prices = new StrategyPrices(new PriceBook())
  const log = { debug: () => {}, info: () => {}, warn: () => {} }
  const world = {
    now: () => 1000,
    prices: () => prices.asOf(0, 1000),
    state: () => viewOf(emptyBooks, { modes: OPEN_MODES, entering: [], hasSwapped: () => false }),
    log,
  }
  const strategy = defineStrategy({ name: 'mine', params: z.object({}), run })()
  const runner = new CustomRunner(strategy, { seed: 7, deadlines, world, onLate: (emission) => late.push(emission) })
  return { runner, deadlines, late }
}

const action = (ticketId: string) => cancelTicket({ ticketId })
const values = (emissions: readonly Emission[]) => emissions.map((emission) => (emission.ok ? emission.value : emission.thrown))
const expired = readEvent(rawEvent('ticket.expired', { ticketId: keyedUuid('t') }))
if (!expired.ok) throw new Error(expired.message)

describe('CustomRunner', () => {
  test('what is emitted during an input belongs to it', () => {
    const { runner, late } = open(({ events$, contests$ }) =>
      merge(
        of(action('start')),
        events$.pipe(map(({ type }) => action(type))),
        contests$.pipe(map((contests) => action(`${contests.length} contests`))),
      ),
    )
    expect(runner.started).toBe(false)
    expect(values(runner.start(1))).toEqual([action('start')])
    expect(runner.started).toBe(true)
    expect(values(runner.tell('events$', expired.event))).toEqual([action('ticket.expired')])
    expect(values(runner.tell('contests$', []))).toEqual([action('0 contests')])
    expect(late).toEqual([])
  })

  test('what is emitted of its own accord is late', () => {
    const own$ = new Subject<Action>()
    const { runner, late } = open(() => own$)
    runner.start(1)
    own$.next(action('later'))
    expect(values(late)).toEqual([action('later')])
  })

  test('an error ends it and is told once, in its place', () => {
    const boom = new Error('boom')
    const { runner } = open(({ events$ }) =>
      merge(
        events$.pipe(
          map((): Action => {
            throw boom
          }),
        ),
      ),
    )
    runner.start(1)
    expect(values(runner.tell('events$', expired.event))).toEqual([boom])
    expect(runner.tell('events$', expired.event)).toEqual([])
    expect(values(open(() => throwError(() => boom)).runner.start(1))).toEqual([boom])
  })

  test('a run that throws leaves no period behind and can be started again', () => {
    let isBroken = true
    const { runner, deadlines } = open(({ every }) => {
      every(5).subscribe()
      if (isBroken) throw new Error('boom')
      return NEVER
    })
    expect(values(runner.start(1))).toEqual([new Error('boom')])
    expect(runner.started).toBe(false)
    expect(deadlines.next()).toBeUndefined()
    isBroken = false
    expect(runner.start(2)).toEqual([])
    expect(deadlines.next()).toBe(6000)
  })

  test('periods run on the deadlines, each on its own', () => {
    const { runner, deadlines } = open(({ every }) => merge(every(5).pipe(map(() => action('5'))), every(7).pipe(map(() => action('7')))))
    runner.start(1)
    const [first = 'every:', second = 'every:'] = deadlines.takeDue(8000)
    expect(values(runner.period(first))).toEqual([action('5')])
    expect(values(runner.period(second))).toEqual([action('7')])
    expect(runner.period('every:other:0:1000')).toEqual([])
    expect([deadlines.takeDue(5999), deadlines.takeDue(6000), deadlines.takeDue(8000)]).toEqual([[], [first], [second]])
  })

  test('a period that is not listened to is none', () => {
    const tick$ = new Subject<number>()
    const { runner, deadlines } = open(({ every }) =>
      tick$.pipe(
        switchMap((seconds) => every(seconds)),
        take(1),
        map(() => action('later')),
      ),
    )
    runner.start(1)
    expect(deadlines.next()).toBeUndefined()
    for (const seconds of [5, 6, 7]) runner.during(() => tick$.next(seconds))
    const [purpose = 'every:', ...others] = deadlines.takeDue(60_000)
    expect(others).toEqual([])
    expect(values(runner.period(purpose))).toEqual([action('later')])
    expect(deadlines.next()).toBeUndefined()
  })

  test('of two that are due at once the one may end the other', () => {
    const { runner, deadlines } = open(({ every }) =>
      every(5).pipe(
        takeUntil(every(5)),
        map(() => action('never')),
      ),
    )
    runner.start(1)
    const due = deadlines.takeDue(60_000)
    expect(due).toHaveLength(2)
    for (const purpose of due) expect(runner.period(purpose)).toEqual([])
    expect(deadlines.next()).toBeUndefined()
  })

  test('who subscribes once more to what has ended with the bot hears nothing, and no end', () => {
    let rounds = 0
    const { runner } = open(({ every }) => {
      defer(() => {
        rounds += 1
        return every(5)
      })
        .pipe(take(1), repeat())
        .subscribe()
      return NEVER
    })
    runner.start(1)
    runner.stop()
    expect(rounds).toBe(2)
  })

  test.each([0, 0.05, -1, Number.NaN, 100_000])('every(%s) is refused: it would never sleep, or never wake', (seconds) => {
    const { runner, deadlines } = open(({ every }) => every(seconds).pipe(map(() => action('ever'))))
    expect(values(runner.start(1))).toEqual([expect.objectContaining({ code: 'STRATEGY_PERIOD_INVALID' })])
    expect(deadlines.next()).toBeUndefined()
  })

  test('its random numbers are those of (seed, strategy, input)', () => {
    const draw = (n: number) => {
      const drawn: number[] = []
      open(({ random }) => {
        drawn.push(random.next())
        return NEVER
      }).runner.start(n)
      return drawn
    }
    expect(draw(3)).toEqual(draw(3))
    expect(draw(3)).not.toEqual(draw(4))
  })

  test('stopped, it is unsubscribed and its streams end', () => {
    const ends: string[] = []
    const { runner } = open(
      ({ events$, every }) =>
        new Observable<Action>(() => {
          events$.subscribe({ complete: () => ends.push('events') })
          every(1).subscribe({ complete: () => ends.push('every') })
          return () => ends.push('unsubscribed')
        }),
    )
    runner.start(1)
    runner.stop()
    expect(ends).toEqual(['unsubscribed', 'events', 'every'])
  })

  test('prices are as of the input being processed', () => {
    const seen: (number | undefined)[] = []
    const { runner } = open(({ prices, events$ }) =>
      events$.pipe(
        map(() => {
          seen.push(prices.now(SOL), prices.change(SOL, 1), prices.history(SOL, 1).length)
          return action(prices.text(SOL) ?? 'none')
        }),
      ),
    )
    runner.start(1)
    expect(values(runner.tell('events$', expired.event))).toEqual([action('none')])
    expect(seen).toEqual([undefined, undefined, 0])
  })
})
