import fc from 'fast-check'
import { concat, NEVER, Observable, of, Subject } from 'rxjs'
import { expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, unknown, unreadable } from '../../../test/support/scriptedService.ts'
import { sealWith } from '../../../test/support/sealWith.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { policy } from '../../../test/support/testStrategies.ts'
import { readEvent } from '../../contract/events.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { VirtualClock } from '../../core/clock.ts'
import { encodeExact } from '../../core/exactJson.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { type BotConfig, guardConfig } from '../../strategy/config.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import type { Input, InputBody } from '../input.ts'
import { pipeline } from '../pipeline.ts'
import { type ContestService, inPlace } from '../ports.ts'
import { PriceBook } from '../prices/priceBook.ts'
import type { Step } from '../step.ts'
import { stepwise } from '../stepwise.ts'

// Ports may answer while they are being asked, with prices, events and commands on top: each input waits for the end of the one before it.

const TOKEN = 'So11111111111111111111111111111111111111112'
const MODES = ['up_down', 'draft_basket'] as const

function configOf(): BotConfig {
  const asks = (name: string, mode: (typeof MODES)[number]) =>
    policy(({ tickets }) => (tickets.length < 3 ? [enqueue({ mode, stake: usdc('1'), durationSec: 15 })] : []), { name, everySec: 1 })
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('50'), maxOpenContests: 8 })
  return { name: 'alice', strategies: [asks('one', 'up_down'), asks('two', 'draft_basket')], guard, sweep: true, seed: 1 }
}

const WIRES: Partial<Record<ReadName, unknown>> = {
  'agent.limits': {
    maxStake: '50000000',
    dailyLossCap: '90000000',
    lostToday: '0',
    inPlay: '0',
    remaining: '90000000',
    resetsAt: '2025-03-02T00:00:00Z',
  },
  'agent.bankroll': { available: '900000000', inPlay: '0' },
  'agent.queue.list': [],
  'agent.contests.mine': [],
}

/** Plays a bot in a world that does what the tape says whenever it is asked something. */
function played(tape: readonly number[]): { readonly steps: readonly Step[]; readonly nested: number } {
  const clock = new VirtualClock(START_MS)
  const book = new PriceBook()
  const tick$ = new Subject<number>()
  const event$ = new Subject<Extract<InputBody, { type: 'event' }>>()
  const steps: Step[] = []
  let [place, depth, nested, tickets] = [0, 0, 0, 0]
  const next = () => tape[place++ % tape.length] ?? 0
  const price = () => tick$.next(book.append({ at: clock.now(), prices: new Map([[TOKEN, String(100 + (place % 7))]]) }))
  const tell = () => {
    const raw = rawEvent('ticket.expired', { ticketId: keyedUuid('ticket', tickets) }, clock.now())
    event$.next({
      type: 'event',
      raw: { ...raw, id: keyedUuid('event', place) },
      read: readEvent({ ...raw, id: keyedUuid('event', place) }),
      cursor: undefined,
      recorded: false,
    })
  }
  const answered = <T>(value: () => T): Observable<T> =>
    new Observable((subscriber) => {
      depth += 1
      const way = next()
      if (way % 5 === 1) price()
      if (way % 7 === 2) tell()
      const say = () => {
        subscriber.next(value())
        subscriber.complete()
      }
      if (way % 3 === 0) clock.at(clock.now() + (way % 400), say)
      else {
        nested += 1
        say()
      }
      depth -= 1
      if (way % 4 === 3) price()
    })
  const service: ContestService = {
    timeoutMs: 5000,
    figuresHoldMs: 60_000,
    read: ({ procedure }) =>
      answered(() => (WIRES[procedure] === undefined ? unreadable() : decoded(procedure, WIRES[procedure]))) as never,
    act: () => answered(() => (next() % 6 === 0 ? unknown : { status: 'accepted', output: { ticketId: keyedUuid('ticket', ++tickets) } })),
  }
  const never = () => NEVER
  const play = pipeline(
    {
      ...{ clock, service, market: { book, tick$ }, journal: new MemoryJournal(), isolation: inPlace, operator$: NEVER },
      events: { from: () => concat(of({ type: 'caughtUp' } as const), event$) },
      swapper: { hasChain: false, quote: never, build: never, landing: never },
      recorder: {
        record: (step) => {
          expect(depth, 'no step is closed while another one asks').toBe(0)
          steps.push(step)
        },
        price: () => {},
      },
      siblings: { heard$: NEVER, entered: () => {}, left: () => {} },
      seal: sealWith(() => 'salt'),
    },
    { config: configOf(), paths: {} },
  )
  let failure: { readonly thrown: unknown } | undefined
  play.step$.subscribe({
    error: (thrown: unknown) => {
      failure = { thrown }
    },
  })
  for (let turn = 0; turn < 40; turn++) {
    clock.advanceTo(clock.now() + 100 + (next() % 900))
    price()
  }
  if (failure !== undefined) throw failure.thrown
  return { steps, nested }
}

const textOf = ({ input, orders, reads, record, wakeAt }: Step) =>
  encodeExact({
    n: input.n,
    at: input.at,
    type: input.type,
    orders: orders.map(({ key }) => key),
    reads: reads.map(({ purpose }) => purpose),
    record,
    wakeAt,
  })

/** The same inputs, each once the one before it was done with. */
function oneByOne(inputs: readonly Input[], book: PriceBook): readonly Step[] {
  const options = { config: configOf(), paths: {}, timeoutMs: 5000, figuresHoldMs: 60_000, book, isolation: inPlace }
  const bot = stepwise({ ...options, seal: sealWith(() => 'salt') }, () => {})
  return inputs.flatMap((input) => bot.step(input) ?? [])
}

test('whatever answers at once, inputs are numbered upwards, and lead to what they lead to one by one', () => {
  let nested = 0
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 20, maxLength: 200 }), (tape) => {
      const world = played(tape)
      nested += world.nested
      const numbers = world.steps.map(({ input }) => input.n)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(new Set(numbers).size).toBe(numbers.length)
      // Prices are asked of no strategy here, so that an empty book tells the same.
      expect(
        oneByOne(
          world.steps.map(({ input }) => input),
          new PriceBook(),
        ).map(textOf),
      ).toEqual(world.steps.map(textOf))
    }),
    { numRuns: runsOf(60), seed: 20_250_301 },
  )
  expect(nested).toBeGreaterThan(50)
})
