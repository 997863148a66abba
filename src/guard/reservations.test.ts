import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Reservations } from './reservations.ts'
import { LedgerWorld, type ReadName, type Result, type Setup, type Stake } from './testLedger.ts'
import type { RefusalCode } from './verdict.ts'

const AT = 1000

describe('a reservation', () => {
  const one = { key: 'a', identity: 'enqueue:a', stake: 5n }

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
    ledger.seen(AT + 1)
    expect(ledger.unseenStake).toBe(5n)
    ledger.place('a', AT)
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.unseenStake, ledger.pendingTwin('enqueue:a')]).toEqual([
      0n,
      0,
      5n,
      undefined,
    ])
    ledger.seen(AT)
    expect(ledger.unseenStake, 'figures asked for in the same millisecond may be older').toBe(5n)
    ledger.seen(AT + 1)
    expect(ledger.unseenStake).toBe(0n)
  })

  test('goes with figures of its own time only', () => {
    const ledger = new Reservations()
    for (const [key, at] of [
      ['a', AT],
      ['b', AT + 10],
      ['c', AT + 20],
    ] as const) {
      ledger.reserve({ key, identity: key, stake: 5n })
      ledger.place(key, at)
    }
    ledger.seen(AT + 11)
    expect(ledger.unseenStake).toBe(5n)
    ledger.seen(AT + 21)
    expect(ledger.unseenStake).toBe(0n)
  })

  test('ends once: a second outcome, or one of a key that is not held, changes nothing', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    ledger.place('a', AT)
    ledger.release('a')
    ledger.place('a', AT + 50)
    ledger.release('never held')
    ledger.place('never held', AT)
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.unseenStake]).toEqual([0n, 0, 5n])
    ledger.seen(AT + 1)
    expect(ledger.unseenStake).toBe(0n)
  })

  test('of an action that stakes nothing holds its identity alone', () => {
    const ledger = new Reservations()
    ledger.reserve({ key: 'r', identity: 'ready:c', stake: 0n })
    expect([ledger.pendingStake, ledger.pendingEntries, ledger.pendingTwin('ready:c')]).toEqual([0n, 0, 'r'])
    ledger.place('r', AT)
    expect([ledger.unseenStake, ledger.pendingTwin('ready:c')]).toEqual([0n, undefined])
    // Its key is free again: nothing of it is left.
    ledger.reserve({ key: 'r', identity: 'ready:c', stake: 0n })
  })

  test('is taken once under a key', () => {
    const ledger = new Reservations()
    ledger.reserve(one)
    expect(() => ledger.reserve({ ...one, identity: 'other' })).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
    ledger.place('a', AT)
    expect(() => ledger.reserve(one), 'nor while it is placed').toThrow(expect.objectContaining({ code: 'INVARIANT' }))
  })
})

// The model: `LedgerWorld` knows what truly happens to every stake; the ledger and the guard only what a bot hears.

const eligible = (world: LedgerWorld, filter: (stake: Stake) => boolean) => world.stakes.filter(filter)
const nth = (stakes: readonly Stake[], pick: number): Stake => {
  const stake = stakes[pick % stakes.length]
  if (stake === undefined) throw new Error('check() lets no command run that has nothing to run on')
  return stake
}

/** One thing that happens. fast-check hands the world around as its model and the tally as its system. */
class Step implements fc.Command<{ world: LedgerWorld }, Tally> {
  readonly #name: string
  readonly #can: (world: LedgerWorld) => boolean
  readonly #act: (world: LedgerWorld, tally: Tally) => void

  constructor(name: string, act: (world: LedgerWorld, tally: Tally) => void, can: (world: LedgerWorld) => boolean = () => true) {
    this.#name = name
    this.#act = act
    this.#can = can
  }

  check({ world }: Readonly<{ world: LedgerWorld }>): boolean {
    return this.#can(world)
  }

  run({ world }: { world: LedgerWorld }, tally: Tally): void {
    this.#act(world, tally)
    expectNothingUncounted(world)
  }

  toString(): string {
    return this.#name
  }
}

/** A step on one of the stakes that fit. */
const onStake = (name: string, pick: number, fits: (stake: Stake) => boolean, act: (world: LedgerWorld, stake: Stake) => void): Step =>
  new Step(
    `${name} ${pick}`,
    (world) => act(world, nth(eligible(world, fits), pick)),
    (world) => world.stakes.some(fits),
  )

/** What a run came to, to see that the property is not about nothing. */
type Tally = Map<RefusalCode | 'approved', number>

const pick = fc.nat({ max: 20 })
const read = fc.constantFrom<ReadName>('limits', 'bankroll')

/** Both figures, asked for and answered within the millisecond. */
function refresh(world: LedgerWorld): void {
  for (const name of ['limits', 'bankroll'] as const) {
    world.begin(name)
    world.look(name)
    world.answer(name)
  }
}

const ask = fc
  .tuple(fc.oneof({ weight: 12, arbitrary: fc.bigInt(1n, 4n) }, fc.bigInt(-1n, 7n)), fc.nat({ max: 8 }))
  .map(([stake, variant]) => new Step(`ask ${stake} ${variant}`, (world, tally) => expectSafe(world, tally, stake, variant)))

const commands = fc.commands(
  [
    // Four times, to be asked about as often as the service acts.
    ...[ask, ask, ask, ask],
    pick.map((n) =>
      onStake(
        'take',
        n,
        ({ placement }) => placement === 'underWay',
        (world, stake) => world.take(stake),
      ),
    ),
    pick.map((n) =>
      onStake(
        'place',
        n,
        ({ placement, known }) => placement === 'taken' && known === 'pending',
        (world, stake) => world.place(stake),
      ),
    ),
    pick.map((n) =>
      onStake(
        'release',
        n,
        ({ placement }) => placement === 'underWay',
        (world, stake) => world.release(stake),
      ),
    ),
    fc.tuple(pick, fc.constantFrom<Result>('LOSS', 'LOSS', 'WIN', 'REFUND')).map(([n, result]) =>
      onStake(
        `settle ${result}`,
        n,
        ({ placement, result: before }) => placement === 'taken' && before === undefined,
        (world, stake) => world.settle(stake, result),
      ),
    ),
    pick.map((n) =>
      onStake(
        'hear',
        n,
        ({ result, heard }) => result !== undefined && !heard,
        (world, stake) => world.hear(stake),
      ),
    ),
    read.map((name) => new Step(`begin ${name}`, (world) => world.begin(name))),
    read.map((name) => new Step(`look ${name}`, (world) => world.look(name))),
    read.map((name) => new Step(`answer ${name}`, (world) => world.answer(name))),
    fc.nat({ max: 2 }).map(
      (ms) =>
        new Step(`pass ${ms} ms`, (world) => {
          world.now += ms
        }),
    ),
    fc.bigInt(0n, 16n).map((cap) => new Step(`cap ${cap}`, (world) => world.changeCap(cap))),
    fc.constant(new Step('turn day', (world) => world.turnDay())),
    ...[fc.constant(new Step('refresh', refresh)), fc.constant(new Step('refresh', refresh))],
    fc.constant(new Step('restart', (world) => world.restart())),
  ],
  { maxCommands: 120, size: 'max' },
)

const setup: fc.Arbitrary<Setup> = fc.record({
  ownMaxStake: fc.bigInt(2n, 6n),
  ownDailyLoss: fc.bigInt(4n, 16n),
  serviceMaxStake: fc.bigInt(2n, 6n),
  serviceDailyLossCap: fc.bigInt(4n, 16n),
  bankroll: fc.bigInt(4n, 20n),
  maxOpenContests: fc.integer({ min: 2, max: 8 }),
  lostBefore: fc.bigInt(0n, 3n),
})

/** Asks the guard. What it lets out keeps the worst that can come of this day within both caps, and the wallet above 0. */
function expectSafe(world: LedgerWorld, tally: Tally, stake: bigint, variant: number): void {
  const { ownMaxStake, ownDailyLoss, maxOpenContests } = world.setup
  const verdict = world.ask(stake, variant)
  const code = verdict.ok ? 'approved' : verdict.refusal.code
  tally.set(code, (tally.get(code) ?? 0) + 1)
  if (!verdict.ok) return
  const [asked, known] = [world.stakes.at(-1)?.stake ?? 0n, world.knownLimits]
  if (known === undefined) throw new Error('an entry was approved with no limits read')
  expect(asked > 0n && asked <= ownMaxStake && asked <= known.maxStake).toBe(true)
  expect(world.exposure <= ownDailyLoss, `own: ${world.exposure} of ${ownDailyLoss}`).toBe(true)
  expect(world.serviceExposure <= known.dailyLossCap, `service: ${world.serviceExposure} of ${known.dailyLossCap}`).toBe(true)
  expect(world.left >= 0n, `left: ${world.left}`).toBe(true)
  expect(world.ownSeats.length + world.reservations.pendingEntries).toBeLessThanOrEqual(maxOpenContests)
}

/** Whatever has happened: the guard's sums never leave out a stake that can still be lost. */
function expectNothingUncounted(world: LedgerWorld): void {
  const { reservations, knownLimits, knownAvailable } = world
  const pending = world.stakes.filter(({ known }) => known === 'pending')
  expect(reservations.pendingStake).toBe(pending.reduce((sum, { stake }) => sum + stake, 0n))
  expect(reservations.pendingEntries).toBe(pending.length)
  const own = world.ownLost + world.ownInPlay + reservations.pendingStake
  expect(own >= world.exposure, `own books: ${own} counted of ${world.exposure}`).toBe(true)
  if (knownLimits !== undefined) {
    const counted = knownLimits.lostToday + knownLimits.inPlay + reservations.unseenStake
    expect(counted >= world.serviceExposure, `the service's figures: ${counted} counted of ${world.serviceExposure}`).toBe(true)
  }
  if (knownAvailable !== undefined) {
    const free = knownAvailable - reservations.unseenStake
    expect(free <= world.left, `the bankroll: ${free} free of ${world.left}`).toBe(true)
  }
}

describe('the ledger and the guard, in any order of things', () => {
  const tally: Tally = new Map()

  test('count each stake at least once, never pass the same money twice, and never go over a cap', () => {
    fc.assert(
      fc.property(setup, commands, (options, steps) => {
        const world = new LedgerWorld(options)
        refresh(world)
        fc.modelRun(() => ({ model: { world }, real: tally }), steps)
        // Nothing is held for ever: once all is known, the ledger is empty.
        world.comeToRest()
        expectNothingUncounted(world)
        expect([world.reservations.pendingStake, world.reservations.pendingEntries, world.reservations.unseenStake]).toEqual([0n, 0, 0n])
      }),
      { numRuns: 1000 },
    )
    // The property was about something: every rule about money stood in the way, and much was let out.
    expect(tally.get('approved')).toBeGreaterThan(1000)
    for (const code of [
      'DAILY_LOSS_OWN',
      'DAILY_LOSS_SERVICE',
      'BANKROLL',
      'OPEN_CONTESTS',
      'DUPLICATE_ACTION',
      'LIMITS_UNKNOWN',
    ] as const) {
      expect(tally.get(code) ?? 0, code).toBeGreaterThan(20)
    }
  })
})
