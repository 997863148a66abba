import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { interleavings, type Tally } from '../../test/support/ledgerSteps.ts'
import { runsOf, sizeOf } from '../../test/support/suite/cases.ts'
import { inLong } from '../../test/support/suite/long.ts'
import { Reservations } from './reservations.ts'

/** The number of an input. */
const N = 1000
/** Nothing takes that long or that often: it would be looked for in vain. */
const [HANG_MS, HANGING_ROUNDS] = [5 * 60_000, 1000]

describe('a reservation', () => {
  const one = { key: 'a', identity: 'enqueue:a', kind: 'entry', stake: 5n, risk: 5n } as const

  test('is pending until its outcome, with its stake, its entry and its identity', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.unseenStake, ledger.pendingTwin('enqueue:a')]).toEqual([5n, 1, 5n, 'a'])
    ledger.release('a')
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.unseenStake, ledger.pendingTwin('enqueue:a')]).toEqual([
      0n,
      0,
      0n,
      undefined,
    ])
  })

  test('placed, is counted by the books from then on, and unseen until figures were asked for after it', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    ledger.seen(N + 1)
    expect(ledger.unseenStake).toBe(5n)
    ledger.place('a', N)
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.unseenStake, ledger.pendingTwin('enqueue:a')]).toEqual([
      0n,
      0,
      5n,
      undefined,
    ])
    ledger.seen(N - 1)
    expect(ledger.unseenStake, 'figures asked for before it, whatever the time').toBe(5n)
    ledger.seen(N)
    expect(ledger.unseenStake, 'those that it had asked for itself were sent after it').toBe(0n)
  })

  test('of a swap goes with the bankroll alone, that of an entry with all figures', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    ledger.reserve({ key: 's', identity: 'swap', kind: 'swap', stake: 7n, risk: 1n })
    for (const key of ['a', 's']) ledger.place(key, N)
    ledger.seenSwaps(N - 1)
    expect(ledger.unseenSpend, 'a bankroll asked for before it').toBe(12n)
    ledger.seenSwaps(N)
    expect([ledger.unseenSpend, ledger.unseenStake]).toEqual([5n, 5n])
    ledger.seen(N + 1)
    expect(ledger.unseenSpend).toBe(0n)
  })

  test('goes with figures that were asked for after it only', () => {
    const ledger = new Reservations()
    for (const [key, n] of [
      ['a', N],
      ['b', N + 10],
      ['c', N + 20],
    ] as const) {
      ledger.reserve({ ...one, key, identity: key })
      ledger.place(key, n)
    }
    ledger.seen(N + 11)
    expect(ledger.unseenStake).toBe(5n)
    ledger.seen(N + 21)
    expect(ledger.unseenStake).toBe(0n)
  })

  test('ends once: a second outcome, or one of a key that is not held, changes nothing', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    ledger.place('a', N)
    ledger.release('a')
    ledger.place('a', N + 50)
    ledger.release('never held')
    ledger.place('never held', N)
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.unseenStake]).toEqual([0n, 0, 5n])
    ledger.seen(N + 1)
    expect(ledger.unseenStake).toBe(0n)
  })

  test('of an action that stakes nothing holds its identity alone', () => {
    const ledger = new Reservations()
    const move = { key: 'r', identity: 'ready:c', kind: 'move', stake: 0n, risk: 0n } as const
    ledger.reserve(move)
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.pendingTwin('ready:c')]).toEqual([0n, 0, 'r'])
    ledger.place('r', N)
    expect([ledger.unseenStake, ledger.pendingTwin('ready:c')]).toEqual([0n, undefined])
    // Its key is free again: nothing of it is left.
    ledger.reserve(move)
  })

  test('of a swap holds its USDC against the bankroll and its risk against the day, and is no entry', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    ledger.reserve({ key: 's', identity: 'swap', kind: 'swap', stake: 100n, risk: 2n })
    const sums = () => [ledger.pendingStake, ledger.pendingRisk, ledger.pendingEntries, ledger.unseenStake, ledger.unseenSpend]
    expect(sums()).toEqual([5n, 7n, 1, 5n, 105n])
    ledger.place('s', N)
    expect(sums(), 'the books count its loss, the bankroll may not show it yet').toEqual([5n, 5n, 1, 5n, 105n])
    ledger.place('a', N)
    expect(sums()).toEqual([0n, 0n, 0, 5n, 105n])
    ledger.seen(N + 1)
    expect(sums()).toEqual([0n, 0n, 0, 0n, 0n])
  })

  test('of a sale holds its risk alone, until it ends one way or the other', () => {
    for (const end of ['place', 'release'] as const) {
      const ledger = new Reservations()
      ledger.reserve({ key: 's', identity: 'swap', kind: 'swap', stake: 0n, risk: 2n })
      expect([ledger.pendingRisk, ledger.unseenSpend, ledger.pendingTwin('swap'), ledger.isPending('s')]).toEqual([2n, 0n, 's', true])
      ledger[end]('s', N)
      expect([ledger.pendingRisk, ledger.unseenSpend, ledger.pendingTwin('swap'), ledger.isPending('s')]).toEqual([
        0n,
        0n,
        undefined,
        false,
      ])
    }
  })

  test('counts for its mode and its strategy while it is pending', () => {
    const ledger = new Reservations()
    ledger.reserve({ ...one, mode: 'up_down', by: 'ladder' })
    ledger.reserve({ ...one, key: 'b', identity: 'b', mode: 'up_down', by: 'other' })
    ledger.reserve({ ...one, key: 'c', identity: 'c', mode: 'pnl_usd', by: 'ladder' })
    const sums = () => [ledger.pendingByMode('up_down'), ledger.pendingByMode('pnl_usd'), ledger.pendingByStrategy('ladder')]
    expect(sums()).toEqual([10n, 5n, 10n])
    ledger.place('a', N)
    expect(sums()).toEqual([5n, 5n, 5n])
    ledger.release('c')
    expect(sums()).toEqual([5n, 0n, 0n])
    expect([ledger.pendingByMode('constructor'), ledger.pendingByStrategy('never asked')]).toEqual([0n, 0n])
  })

  test('counts for every mode where its own is not known', () => {
    const ledger = new Reservations()
    ledger.reserve({ ...one, by: 'ladder' })
    expect([ledger.pendingByMode('up_down'), ledger.pendingByMode('pnl_usd')]).toEqual([5n, 5n])
    ledger.release('a')
    expect(ledger.pendingByMode('up_down')).toBe(0n)
  })

  test('that two of the same would share keeps its twin known until the newer one ends', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    ledger.reserve({ ...one, key: 'b' })
    ledger.release('a')
    expect(ledger.pendingTwin('enqueue:a')).toBe('b')
    ledger.release('b')
    expect(ledger.pendingTwin('enqueue:a')).toBeUndefined()
  })

  test('is known by its identity, and no other is, after thousands that came and went', () => {
    const ledger = new Reservations()
    ledger.reserve({ ...one, key: 'kept', identity: 'kept' })
    for (let index = 0; index < 5000; index++) {
      const [key, identity] = [`key ${index}`, `identity ${index % 3000}`]
      ledger.reserve({ ...one, key, identity })
      expect(ledger.pendingTwin(identity)).toBe(key)
      ledger.release(key)
      expect(ledger.pendingTwin(identity)).toBeUndefined()
    }
    expect([ledger.pendingTwin('kept'), ledger.pendingEntries]).toEqual(['kept', 1])
  })

  test('is taken once under a key', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    expect(() => ledger.reserve({ ...one, identity: 'other' })).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
    ledger.place('a', N)
    expect(() => ledger.reserve(one), 'nor while it is placed').toThrow(expect.objectContaining({ code: 'INVARIANT' }))
  })
})

describe('the ledger and the guard, in any order of things', () => {
  /** Every rule about money, and what is let out. */
  const HAPPENS = [
    ...(['entry', 'swap', 'sale', 'DAILY_LOSS_OWN', 'DAILY_LOSS_SERVICE', 'BANKROLL', 'OPEN_CONTESTS', 'DUPLICATE_ACTION'] as const),
    ...(['LIMITS_UNKNOWN', 'MODE_BUDGET', 'STRATEGY_BUDGET', 'DRAWDOWN_STOP', 'SWAP_UNRESOLVED', 'SWAP_OVER_BALANCE'] as const),
    'PRICE_STALE' as const,
  ]

  test('count each stake and each swap at least once, never pass the same money twice, and never go over a cap', () => {
    const tally: Tally = new Map()
    const property = interleavings(() => new Reservations(), { tally, isAudited: true })
    // It is about something once each of these has happened often: until then there is another round, from the next seed.
    const isRare = (what: (typeof HAPPENS)[number]) => (tally.get(what) ?? 0) <= sizeOf(inLong(20, 10), 5)
    for (let round = 0; round === 0 || HAPPENS.some(isRare); round++) {
      expect(round, `still rare: ${HAPPENS.filter(isRare).join(', ')}`).toBeLessThan(HANGING_ROUNDS)
      fc.assert(property, { numRuns: runsOf(2000), seed: inject('seed') + round })
    }
  })

  /** Reserves what was let out after the check instead of in it: once anything else is heard. */
  class LateReservations extends Reservations {
    readonly #late: Parameters<Reservations['reserve']>[0][] = []

    override reserve(reservation: Parameters<Reservations['reserve']>[0]): void {
      this.#late.push(reservation)
    }

    override place(key: string, n: number): void {
      this.#catchUp()
      super.place(key, n)
    }

    override release(key: string): void {
      this.#catchUp()
      super.release(key)
    }

    override seen(n: number): void {
      this.#catchUp()
      super.seen(n)
    }

    #catchUp(): void {
      for (const late of this.#late.splice(0)) super.reserve(late)
    }
  }

  /** Takes whatever figures come for newer than what was placed. */
  class HastyReservations extends Reservations {
    override seen(): void {
      super.seen(Number.POSITIVE_INFINITY)
    }
  }

  /** Lets go of what is held when the outcome is not known. */
  class ForgetfulReservations extends Reservations {
    override reserve(reservation: Parameters<Reservations['reserve']>[0]): void {
      super.reserve(reservation)
      super.release(reservation.key)
    }
  }

  // What is looked at besides what was let out shows in fewer steps that a stake has gone uncounted.
  test.each([
    ['is reserved after the check instead of in it', false, () => new LateReservations()],
    ['is not held while its outcome is unknown', false, () => new ForgetfulReservations()],
    ['is taken to be shown by figures that were asked for before it', true, () => new HastyReservations()],
  ])('fail the same when money %s', (_name, isAudited, newLedger) => {
    const property = interleavings(newLedger, { tally: new Map(), isAudited })
    // However many it takes: how soon one is found is chance.
    const forEver = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: HANG_MS }
    const details = fc.check(property, { ...forEver, endOnFailure: true })
    expect(details.failed, `no interleaving of ${details.numRuns} found it, seed ${details.seed}`).toBe(true)
    const overCap = /(own|service|drawdown|mode|strategy|contests|unresolved): \d+ of \d+|(left|units): -\d+/
    const uncounted = /counted of \d+|free of \d+/
    expect(String(details.errorInstance)).toMatch(isAudited ? uncounted : overCap)
  })
})
