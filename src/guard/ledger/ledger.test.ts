import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guardView, queue } from '../../../test/support/guard/guardView.ts'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { type EventType, readEvent } from '../../contract/events.ts'
import { DAY_MS } from '../../core/day.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { check } from '../guard.ts'
import { Reservations } from '../reservations.ts'
import { GuardLedger } from './ledger.ts'
import { ledgerFactsSchema } from './ledgerFacts.ts'

const START_MS = Date.UTC(2025, 6, 21, 12)
const STAKE = usdc('1')
const DAILY_LOSS = usdc('5')
const DAILY_STAKED = usdc('12')
const MINUTE_MS = 60_000

/** A bot's guard with its ledger, and a wallet that a test's service takes from. */
class World {
  now = START_MS
  wallet = usdc('1000')
  ledger = new GuardLedger()
  readonly reservations = new Reservations()
  readonly refusals: string[] = []
  sent = 0
  #events = 0

  constructor() {
    this.ledger.move(this.now)
    this.read()
  }

  pass(ms: number): void {
    this.now += ms
    this.ledger.move(this.now)
  }

  read(available = this.wallet, begunAt = this.now): void {
    this.ledger.bankrollRead({ available, begunAt, swapsInFlight: 0n })
  }

  tell(type: EventType, data: Readonly<Record<string, unknown>>, atMs = this.now): void {
    const read = readEvent({ ...rawEvent(type, data, atMs), id: keyedUuid('event', ++this.#events) })
    if (!read.ok) throw new Error(read.message)
    this.ledger.onEvent(read.event)
  }

  /** @returns the entry's key; undefined where the guard refused it */
  enter(stake = STAKE): string | undefined {
    const { ledger, reservations } = this
    const key = `entry-${this.sent}`
    const view = guardView({
      config: { maxStake: usdc('5'), dailyLoss: DAILY_LOSS, dailyStaked: DAILY_STAKED, maxOpenContests: 1000, entriesPerMinute: 10_000 },
      ...{ reservations, lostToday: ledger.lost() + ledger.unexplained, inPlay: ledger.open() },
      ...{ unexplained: ledger.unexplained, smallestStake: ledger.smallestStake, stakedInDay: ledger.stakedNet },
    })
    const verdict = check(key, queue(stake, { durationSec: 20 + this.sent }), view)
    if (!verdict.ok) {
      this.refusals.push(verdict.refusal.code)
      return undefined
    }
    this.sent += 1
    ledger.sent({ key, stake, mode: 'draft_basket', by: 'ladder' })
    return key
  }

  accept(key: string, id: string): void {
    this.reservations.place(key, 0)
    this.ledger.accepted(key, id)
  }

  refuse(key: string): void {
    this.reservations.release(key)
    this.ledger.refused(key, true)
  }

  /** As a start finds it after a crash. */
  restart(): void {
    this.ledger.move(this.now)
    const facts = this.ledger.takeFacts()
    if (facts === undefined) return
    const ledger = new GuardLedger()
    ledger.restore(ledgerFactsSchema.parse(facts), this.now)
    ledger.move(this.now)
    ledger.serviceKnown(this.now)
    this.ledger = ledger
  }
}

const id = fc.integer({ min: 0, max: 5 }).map((n) => keyedUuid('id', n))
const amount = fc.constantFrom('0', '1', '1000000', '1900000', '5000000', '900000000000')
const date = fc.oneof(fc.constantFrom(-8e12, 0, START_MS - DAY_MS, START_MS, START_MS + DAY_MS, 4e12), fc.integer({ min: 0, max: 4e12 }))
const words = fc.oneof(
  fc.record({ word: fc.constant('match.found' as const), ticketId: id, contestId: id, stake: amount }),
  fc.record({ word: fc.constantFrom('ticket.expired' as const, 'ticket.failed' as const), ticketId: id, contestId: id, stake: amount }),
  fc.record({ word: fc.constant('contest.cancelled' as const), contestId: id }),
  fc.record({
    word: fc.constant('contest.settled' as const),
    ...{ contestId: id, mode: fc.constantFrom('draft_basket', 'up_down', 'same_token_v2'), stake: amount, payout: amount },
    result: fc.constantFrom('WIN', 'LOSS', 'DRAW', 'REFUND'),
    profit: fc.oneof(
      amount,
      amount.map((text) => `-${text}`),
    ),
  }),
)
const lyingStep = fc.record({
  answer: fc.oneof(id, fc.constant('refused' as const)),
  events: fc.array(fc.tuple(words, date), { maxLength: 3 }),
  passMs: fc.constantFrom(0, 100, 5000, MINUTE_MS),
  restarts: fc.boolean(),
  lie: fc.integer({ min: -3, max: 3 }),
})

describe('a service that keeps every stake and says anything', () => {
  const play = (steps: readonly (typeof lyingStep extends fc.Arbitrary<infer S> ? S : never)[], bankroll: 'true' | 'still' | 'lying') => {
    const world = new World()
    for (const { answer, events, passMs, restarts, lie } of steps) {
      const key = world.enter()
      if (key !== undefined) {
        world.wallet -= STAKE
        if (answer === 'refused') world.refuse(key)
        else world.accept(key, answer)
      }
      for (const [{ word, ...data }, at] of events) world.tell(word, { mode: 'draft_basket', ...data }, at)
      world.pass(passMs)
      const shown = { true: world.wallet, still: usdc('1000'), lying: usdc('1000') + BigInt(lie) * STAKE }
      world.read(shown[bankroll])
      if (restarts) world.restart()
    }
    return world
  }
  const steps = fc.array(lyingStep, { maxLength: 40 })

  test('never gets more than the day may cost, where the bankroll shows what is gone', () => {
    fc.assert(
      fc.property(steps, (each) => {
        const taken = usdc('1000') - play(each, 'true').wallet
        expect(taken).toBeLessThanOrEqual(DAILY_LOSS)
      }),
      { numRuns: runsOf(10_000) },
    )
  })

  test('never gets more than `dailyStaked` while the bankroll stands still', () => {
    fc.assert(
      fc.property(steps, (each) => {
        expect(play(each, 'still').sent).toBeLessThanOrEqual(Number(DAILY_STAKED / STAKE))
      }),
      { numRuns: runsOf(10_000) },
    )
  })

  test('never gets more than `dailyStaked`, less what a lying bankroll shows as returned', () => {
    fc.assert(
      fc.property(steps, (each) => {
        const world = play(each, 'lying')
        expect(world.ledger.stakedNet).toBeLessThanOrEqual(DAILY_STAKED)
      }),
      { numRuns: runsOf(10_000) },
    )
  })
})

interface Due {
  readonly at: number
  readonly change: () => void
}

const honestLife = fc.record({
  debit: fc.constantFrom('enqueue', 'match', 'lock'),
  rake: fc.constantFrom('payout', 'stake'),
  contests: fc.array(
    fc.record({
      how: fc.constantFrom('WIN', 'LOSS', 'WIN', 'DRAW', 'REFUND', 'expired', 'cancelled'),
      waitMs: fc.integer({ min: 100, max: 20_000 }),
      payoutDelayMs: fc.integer({ min: -20 * MINUTE_MS, max: 20 * MINUTE_MS }),
      isStale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      restarts: fc.boolean(),
      skewMs: fc.constantFrom(0, 0, 0, 90_000, -90_000, 3_600_000),
    }),
    { minLength: 5, maxLength: 30 },
  ),
})

describe('an honest service', () => {
  test('raises no alarm, passes no cap, and play goes on', () => {
    fc.assert(
      fc.property(honestLife, ({ debit, rake, contests }) => {
        const world = new World()
        const due: Due[] = []
        const shown: { readonly at: number; readonly wallet: Usdc }[] = []
        const fee = rake === 'stake' ? usdc('0.05') : 0n
        const untilMs = (atMs: number) => {
          for (const { at, change } of due.filter((each) => each.at <= atMs).toSorted((a, b) => a.at - b.at)) {
            world.pass(Math.max(0, at - world.now))
            change()
          }
          due.splice(0, due.length, ...due.filter(({ at }) => at > atMs))
          world.pass(Math.max(0, atMs - world.now))
        }
        let played = 0
        // What is lost or may be: stakes until their end is told, less what comes back.
        let atRisk = 0n
        for (const [n, { how, waitMs, payoutDelayMs, isStale, restarts }] of contests.entries()) {
          const [ticketId, contestId] = [keyedUuid('ticket', n), keyedUuid('contest', n)]
          const key = world.enter()
          if (key !== undefined) {
            played += 1
            const paid = STAKE + fee
            atRisk += paid
            const take = () => (world.wallet -= paid)
            if (debit === 'enqueue') take()
            world.accept(key, ticketId)
            const endMs = world.now + 2 * waitMs
            const back = { WIN: usdc('1.9'), LOSS: 0n, DRAW: usdc('0.95'), REFUND: paid, expired: paid, cancelled: paid }[how]
            const over = (tell: () => void) => {
              tell()
              atRisk -= back
            }
            const pay = () => (world.wallet += back)
            if (how === 'expired') {
              due.push({ at: endMs, change: () => over(() => world.tell('ticket.expired', { ticketId })) })
              if (debit === 'enqueue') due.push({ at: Math.max(world.now, endMs + payoutDelayMs), change: pay })
            } else {
              const match = () => {
                if (debit !== 'enqueue') take()
                world.tell('match.found', { ticketId, contestId, mode: 'draft_basket', stake: `${paid}` })
              }
              due.push({ at: world.now + waitMs, change: match })
              const result = { contestId, mode: 'draft_basket', result: how, stake: `${paid}`, payout: `${back}`, profit: `${back - paid}` }
              const end = () => over(() => world.tell(how === 'cancelled' ? 'contest.cancelled' : 'contest.settled', result))
              due.push({ at: endMs, change: end })
              due.push({ at: Math.max(world.now + waitMs + 1, endMs + payoutDelayMs), change: pay })
            }
          }
          untilMs(world.now + 20_000)
          shown.push({ at: world.now, wallet: world.wallet })
          const stale = shown.findLast(({ at }) => at <= world.now - MINUTE_MS)?.wallet
          if (isStale && stale !== undefined) world.read(stale, world.now - 10)
          else world.read()
          if (restarts) world.restart()
          expect(atRisk, 'the day').toBeLessThanOrEqual(DAILY_LOSS + BigInt(played) * fee)
        }
        expect(world.refusals.filter((code) => code === 'UNEXPLAINED_FALL')).toEqual([])
        for (let minute = 0; minute < 60; minute += 1) {
          untilMs(world.now + MINUTE_MS)
          world.read()
        }
        expect(world.ledger.unexplained, 'at rest').toBe(0n)
        expect(played).toBeGreaterThan(0)
      }),
      { numRuns: runsOf(10_000) },
    )
  })
})
