import fc from 'fast-check'
import { expect } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import type { Reservations } from '../../src/guard/reservations.ts'
import type { RefusalCode, Verdict } from '../../src/guard/verdict.ts'
import { BONK_MINT } from './guard/guardView.ts'
import {
  BUDGETED,
  LedgerWorld,
  type OwnCaps,
  type ReadName,
  type Result,
  type Setup,
  type Stake,
  type Swap,
  sumOf,
} from './guard/ledgerWorld.ts'

// What can happen in the world of the ledger, as commands of fast-check. `LedgerWorld` knows what truly happens to every stake and swap; the ledger and the guard only what a bot hears.

function nth<T>(items: readonly T[], pick: number): T {
  const item = items[pick % items.length]
  if (item === undefined) throw new Error('check() lets no command run that has nothing to run on')
  return item
}

/** What a run came to, to see that the property is not about nothing. */
export type Tally = Map<RefusalCode | 'entry' | 'swap' | 'sale', number>

interface Real {
  readonly tally: Tally
  /** Whether the ledger's sums are looked at after each step, and not only what was let out. */
  readonly isAudited: boolean
}

/** One thing that happens. */
class Step implements fc.Command<{ world: LedgerWorld }, Real> {
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

  run({ world }: { world: LedgerWorld }, { tally, isAudited }: Real): void {
    this.#act(world, tally)
    if (isAudited) expectNothingUncounted(world)
  }

  toString(): string {
    return this.#name
  }
}

/** A step on one of the stakes that fit. */
const onStake = (name: string, pick: number, fits: (stake: Stake) => boolean, act: (world: LedgerWorld, stake: Stake) => void): Step =>
  new Step(
    `${name} ${pick}`,
    (world) => act(world, nth(world.stakes.filter(fits), pick)),
    (world) => world.stakes.some(fits),
  )

/** A step on the swap that fits: there is one at most. */
const onSwap = (name: string, fits: (swap: Swap) => boolean, act: (world: LedgerWorld, swap: Swap) => void): Step =>
  new Step(
    name,
    (world) => act(world, nth(world.swaps.filter(fits), 0)),
    (world) => world.swaps.some(fits),
  )

const pick = fc.nat({ max: 20 })
const read = fc.constantFrom<ReadName>('limits', 'bankroll')

const ask = fc
  .tuple(fc.oneof({ weight: 12, arbitrary: fc.bigInt(1n, 4n) }, fc.bigInt(-1n, 7n)), fc.nat({ max: 8 }))
  .map(
    ([stake, variant]) => new Step(`ask ${stake} ${variant}`, (world, tally) => expectSafeEntry(world, tally, world.ask(stake, variant))),
  )

const SYMBOLS = { USDC: USDC_MINT, SOL: SOL_MINT, BONK: BONK_MINT }
type Pair = readonly [from: keyof typeof SYMBOLS, to: keyof typeof SYMBOLS]
const pair = fc.constantFrom<Pair>(
  ['USDC', 'SOL'],
  ['USDC', 'SOL'],
  ['USDC', 'BONK'],
  ['SOL', 'USDC'],
  ['SOL', 'USDC'],
  ['SOL', 'BONK'],
  ['BONK', 'USDC'],
)
const askSwap = fc
  .tuple(pair, fc.bigInt(1n, 4n))
  .map(
    ([[from, to], amount]) =>
      new Step(`swap ${amount} ${from} ${to}`, (world, tally) => expectSafeSwap(world, tally, { from, to, amount })),
  )

const ownCaps: fc.Arbitrary<OwnCaps> = fc.record({
  maxStake: fc.bigInt(2n, 6n),
  dailyLoss: fc.bigInt(4n, 20n),
  maxOpenContests: fc.integer({ min: 2, max: 8 }),
  maxDrawdown: fc.bigInt(6n, 40n),
  modeBudget: fc.bigInt(3n, 16n),
  strategyBudget: fc.bigInt(3n, 16n),
  maxFeedGapBps: fc.constantFrom(0, 1250, 5000, 10_000),
})

const setup: fc.Arbitrary<Setup> = fc.record({
  own: ownCaps,
  serviceMaxStake: fc.bigInt(2n, 6n),
  serviceDailyLossCap: fc.bigInt(4n, 16n),
  bankroll: fc.bigInt(4n, 30n),
  lostBefore: fc.bigInt(0n, 3n),
})

const refresh = fc.constant(new Step('refresh', (world) => world.refresh()))

const commands = fc.commands(
  [
    // Several times, to be asked about as often as the service and the chain act.
    ...[ask, ask, ask, ask, askSwap, askSwap, askSwap, askSwap],
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
        ({ result, known, heard }) => result !== undefined && known === 'placed' && !heard,
        (world, stake) => world.hear(stake),
      ),
    ),
    fc.bigInt(0n, 8n).map((cost) =>
      onSwap(
        `land ${cost}`,
        ({ placement }) => placement === 'underWay',
        (world, swap) => world.land(swap, cost),
      ),
    ),
    fc.bigInt(0n, 8n).map((cost) =>
      onSwap(
        `land and fill ${cost}`,
        ({ placement }) => placement === 'underWay',
        (world, swap) => {
          world.land(swap, cost)
          world.place(swap)
        },
      ),
    ),
    fc.constant(
      onSwap(
        'fill',
        ({ placement, known }) => placement === 'taken' && known === 'pending',
        (world, swap) => world.place(swap),
      ),
    ),
    fc.constant(
      onSwap(
        'expire',
        ({ placement }) => placement === 'underWay',
        (world, swap) => world.release(swap),
      ),
    ),
    fc.bigInt(-3n, 3n).map(
      (mark) =>
        new Step(`mark ${mark}`, (world) => {
          world.mark = mark
        }),
    ),
    fc.constantFrom(true, true, true, true, false).map(
      (isFresh) =>
        new Step(`feed ${isFresh}`, (world) => {
          world.isFeedFresh = isFresh
        }),
    ),
    fc.constantFrom(true, true, true, true, false).map(
      (isLive) =>
        new Step(`live ${isLive}`, (world) => {
          world.isContestLive = isLive
        }),
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
    ...[refresh, refresh, refresh, refresh],
    ownCaps.map((own) => new Step('restart', (world) => world.restart(own))),
  ],
  { maxCommands: 120, size: 'max' },
)

function count(tally: Tally, verdict: Verdict, approved: 'entry' | 'swap' | 'sale'): boolean {
  const what = verdict.ok ? approved : verdict.refusal.code
  tally.set(what, (tally.get(what) ?? 0) + 1)
  return verdict.ok
}

/** What is let out keeps the worst that can come within every cap then known, and the wallet above 0. */
function expectSafeEntry(world: LedgerWorld, tally: Tally, verdict: Verdict): void {
  if (!count(tally, verdict, 'entry')) return
  const [{ own, knownLimits: known }, stake] = [world, world.stakes.at(-1)?.stake ?? 0n]
  if (known === undefined) throw new Error('an entry was approved with no limits read')
  expect(stake > 0n && stake <= own.maxStake && stake <= known.maxStake).toBe(true)
  expectWithin('own', world.exposure, own.dailyLoss)
  expectWithin('service', world.serviceExposure, known.dailyLossCap)
  expectWithin('drawdown', world.fall, own.maxDrawdown)
  const { mode, by } = world.stakes.at(-1) ?? {}
  if (mode === BUDGETED.mode)
    expectWithin(
      'mode',
      world.exposureOf((one) => one.mode === mode),
      own.modeBudget,
    )
  if (by === BUDGETED.by)
    expectWithin(
      'strategy',
      world.exposureOf((one) => one.by === by),
      own.strategyBudget,
    )
  expect(world.left >= 0n, `left: ${world.left}`).toBe(true)
  expectWithin('contests', world.entriesOpen, own.maxOpenContests)
}

function expectSafeSwap(
  world: LedgerWorld,
  tally: Tally,
  asked: { from: keyof typeof SYMBOLS; to: keyof typeof SYMBOLS; amount: bigint },
): void {
  const before = world.exposure
  const isSale = asked.to === 'USDC'
  const verdict = world.askSwap({ ...asked, from: SYMBOLS[asked.from], to: SYMBOLS[asked.to] })
  if (!count(tally, verdict, isSale ? 'sale' : 'swap') || !verdict.ok) return
  const { own } = world
  // A sale is let out over the cap: it adds what it may itself cost and no more, and ends a greater risk.
  if (isSale) expectWithin('sale', world.exposure - before, verdict.hold.risk)
  else expectWithin('own', world.exposure, own.dailyLoss)
  expectWithin('risk', (verdict.hold.risk - 1n) * 10_000n + 1n, asked.amount * BigInt(own.maxFeedGapBps) || 1n)
  expectWithin('unresolved', world.swapsUnresolved, 1)
  expect(world.left >= 0n, `left: ${world.left}`).toBe(true)
  for (const mint of [SOL_MINT, BONK_MINT]) expect(world.unitsLeft(mint) >= 0n, `units: ${world.unitsLeft(mint)}`).toBe(true)
}

function expectWithin<T extends bigint | number>(what: string, worst: T, cap: T): void {
  expect(worst <= cap, `${what}: ${worst} of ${cap}`).toBe(true)
}

/** Whatever has happened: the guard's sums never leave out what can still be lost. */
function expectNothingUncounted(world: LedgerWorld): void {
  const { reservations, knownLimits, knownAvailable } = world
  const pending = world.stakes.filter(({ known }) => known === 'pending')
  const swaps = world.swaps.filter(({ known }) => known === 'pending')
  expect(reservations.pendingStake).toBe(sumOf(pending, ({ stake }) => stake))
  expect(reservations.pendingRisk).toBe(sumOf([...pending, ...swaps], ({ hold }) => hold.risk))
  expect(reservations.pendingEntries).toBe(pending.length)
  const own = world.spent(() => true) + world.swapLoss + reservations.pendingRisk
  expect(own >= world.exposure, `own books: ${own} counted of ${world.exposure}`).toBe(true)
  if (knownLimits !== undefined) {
    const counted = knownLimits.lostToday + knownLimits.inPlay + reservations.unseenStake
    expect(counted >= world.serviceExposure, `the service's figures: ${counted} counted of ${world.serviceExposure}`).toBe(true)
  }
  if (knownAvailable !== undefined) {
    const free = knownAvailable - reservations.unseenSpend
    expect(free <= world.left, `the bankroll: ${free} free of ${world.left}`).toBe(true)
  }
}

/** Any interleaving of what can happen, over a ledger of this kind. */
export const interleavings = (newLedger: () => Reservations, real: Real) =>
  fc.property(setup, commands, (options, steps) => {
    const world = new LedgerWorld(options, newLedger)
    world.refresh()
    fc.modelRun(() => ({ model: { world }, real }), steps)
    if (!real.isAudited) return
    // Nothing is held for ever: once all is known, the ledger is empty.
    world.comeToRest()
    expectNothingUncounted(world)
    const { pendingStake, pendingRisk, pendingEntries, unseenStake, unseenSpend } = world.reservations
    expect([pendingStake, pendingRisk, pendingEntries, unseenStake, unseenSpend]).toEqual([0n, 0n, 0, 0n, 0n])
  })
