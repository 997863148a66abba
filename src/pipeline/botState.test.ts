import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAILY_LOSS, freshBot, RandomWorld } from '../../test/support/randomWorld.ts'
import { runsOf, sizeOf } from '../../test/support/suite/cases.ts'
import { inLong } from '../../test/support/suite/long.ts'
import { encodeExact } from '../core/exactJson.ts'
import { identityOf, isEntry } from '../guard/index.ts'
import { inPlay } from './books/books.ts'
import type { Step } from './protocol/step.ts'

// A bot on any inputs at all: the same ones lead to the same steps, and no order breaks the laws that
// money rests on.

const tape = fc.array(fc.nat(100_000), { minLength: 100, maxLength: 600, size: 'max' })
const RUNS = { numRuns: runsOf(100), seed: 20_250_301 }

/** May be sent once more under their key, while they have no answer (ADR 0014). */
const SENT_AGAIN: readonly string[] = ['commitPrediction', 'revealPrediction']

/** What a step says, as text. */
const textOf = ({ orders, refused, reads, calls, siblingsEntered, siblingsLeft, notes, record, wakeAt, drained }: Step) =>
  encodeExact({
    orders: orders.map(({ key, request }) => ({ key, request })),
    calls: calls.map(({ callId }) => callId),
    notes: notes.map(({ level, message }) => ({ level, message })),
    ...{ refused, reads, siblingsEntered, siblingsLeft, record, wakeAt, drained },
  })

/** Watches one world step by step. */
class Laws {
  /** Orders without an outcome: what they would do, and what they stake; when they were sent. */
  readonly #open = new Map<string, { readonly identity: string; readonly stake: bigint; readonly request: unknown; sentAt: number[] }>()
  readonly #salts = new Map<string, string>()

  watch(world: RandomWorld, { input, record, orders }: Step): string[] {
    for (const { key, status } of record?.outcomes ?? []) if (status !== 'unknown') this.#open.delete(key)
    for (const { contestId, salt, status } of record?.custody ?? []) {
      expect(this.#salts.get(contestId) ?? salt, 'a seat has one salt').toBe(salt)
      // Its contest was cancelled, and the service says so: whoever has a seat there after that has another one.
      if (status === 'dropped') this.#salts.delete(contestId)
      else this.#salts.set(contestId, salt)
    }
    for (const { key, action, request } of orders) {
      if (action.type === 'sendSwap' || action.type === 'paperSwap') continue
      const identity = identityOf(action)
      const before = this.#open.get(key)
      if (before !== undefined) {
        expect(SENT_AGAIN, 'what is sent once more can do nothing but what it was to do').toContain(action.type)
        expect(request, 'it says the same').toEqual(before.request)
        // A reveal is sent until it is taken, or its contest is over: it stakes nothing, and is no flood.
        const since = action.type === 'revealPrediction' ? input.at - 1000 : 0
        before.sentAt = [...before.sentAt.filter((at) => at > since), input.at]
        expect(before.sentAt.length, 'it has a bound').toBeLessThanOrEqual(3)
        continue
      }
      expect(
        [...this.#open.values()].map((other) => other.identity),
        'its twin has an outcome',
      ).not.toContain(identity)
      const intent = record?.intents.find((item) => item.key === key)
      expect(intent, 'an order is on record').toBeDefined()
      this.#open.set(key, { identity, stake: intent?.stake ?? 0n, request, sentAt: [input.at] })
      if (request.procedure === 'agent.modes.revealPrediction') {
        expect(request.input.salt, 'a reveal has the salt on record').toBe(this.#salts.get(request.input.contestId))
      }
    }
    if (orders.some(({ action }) => action.type !== 'sendSwap' && action.type !== 'paperSwap' && isEntry(action))) {
      const { books } = world.bot.status()
      const pending = [...this.#open.values()].reduce((sum, { stake }) => sum + stake, 0n)
      const held = inPlay(books)
      expect(held, 'an entry is approved only where every stake is known').toBeDefined()
      expect((world.bot.status().today()?.lost ?? 0n) + (held ?? 0n) + pending, 'the worst the day can end').toBeLessThanOrEqual(DAILY_LOSS)
    }
    return orders.map(({ action }) => action.type)
  }
}

describe('on any inputs', () => {
  test('the same inputs into a fresh bot lead to the same steps, one by one', () => {
    fc.assert(
      fc.property(tape, (numbers) => {
        const world = new RandomWorld()
        for (const number of numbers) world.turn(number)
        const again = freshBot(world.book)
        expect(world.inputs.flatMap((input) => again.step(input) ?? []).map(textOf)).toEqual(world.steps.map(textOf))
      }),
      RUNS,
    )
  })

  test('no order breaks a law', () => {
    const orders: string[] = []
    fc.assert(
      fc.property(tape, (numbers) => {
        const world = new RandomWorld()
        const laws = new Laws()
        let watched = 0
        for (const number of numbers) {
          world.turn(number)
          for (; watched < world.steps.length; watched++) {
            const step = world.steps[watched]
            if (step !== undefined) orders.push(...laws.watch(world, step))
          }
        }
      }),
      RUNS,
    )
    // A world in which little happens would show nothing.
    const all = ['enqueue', 'joinContest', 'cancelTicket', 'leaveContest', 'ready', 'draftPick', 'commitPrediction', 'revealPrediction']
    const count = (type: string) => orders.filter((order) => order === type).length
    expect(all.filter((type) => count(type) < sizeOf(inLong(20, 10), 2))).toEqual([])
  })
})
