import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mintOf, SOL, START_MS, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { keyedRandom } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import { nextDue } from '../due.ts'
import { modeStateView } from '../views/contests.ts'
import { QuietLooks } from './quietLooks.ts'

const JUP = mintOf('JUP')

/** Prices that go their own way from second to second, in text and, near enough, as numbers; some have gaps. */
class Walk {
  readonly #values: Map<Mint, readonly (number | null)[]>

  constructor(seed: number, hasGaps: boolean) {
    this.#values = new Map(
      [SOL, JUP].map((mint) => {
        const random = keyedRandom('walk', seed, mint)
        let price = mint === SOL ? 180 : 0.5
        return [
          mint,
          Array.from({ length: 400 }, () => {
            price *= 1 + random.normal() / 400
            return hasGaps && random.next() < 0.01 ? null : price
          }),
        ]
      }),
    )
  }

  readonly near = (mint: Mint, atMs: number): number | null => this.#values.get(mint)?.[Math.floor((atMs - START_MS) / 1000)] ?? null
  readonly text = (mint: Mint, atMs: number): string | null => this.near(mint, atMs)?.toFixed(6) ?? null
}

type Step = { readonly afterMs: number } & (
  | { readonly type: 'read' }
  | { readonly type: 'buy' | 'sell'; readonly who: 0 | 1 | 2 | 3; readonly mint: Mint; readonly usd: string }
)

const steps = fc.array(
  fc.oneof(
    fc.record({ afterMs: fc.integer({ min: 0, max: 30_000 }), type: fc.constant('read' as const) }),
    fc.record({
      afterMs: fc.integer({ min: 0, max: 12_000 }),
      type: fc.constantFrom('buy' as const, 'sell' as const),
      who: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
      mint: fc.constantFrom(SOL, JUP),
      usd: fc.constantFrom('1', '3', '10'),
    }),
  ),
  { minLength: 1, maxLength: 25 },
)

interface Game {
  readonly seed: number
  readonly hasGaps: boolean
  readonly isTeams: boolean
  readonly targetPct: number
  readonly steps: readonly Step[]
}

/** Plays a game in a world of its own, and tells all that anybody can see of it. */
function seenOf(game: Game, isQuiet: boolean): { readonly seen: unknown[]; readonly commands: number } {
  const walk = new Walk(game.seed, game.hasGaps)
  const world = new TestWorld()
  world.priceAt = walk.text
  const quiet = isQuiet ? new QuietLooks(world.state, walk.near) : undefined
  const agents = ['alice', 'bob', 'carol', 'dave'].map((name) => world.agent(name))
  const form = game.isTeams ? ({ format: 'lobby', capacity: 4, teamSize: 2, side: 'T1' } as const) : {}
  const [alice = '', ...others] = agents
  const contestId = world.create(alice, { mode: 'target_race', durationSec: 240, params: { targetPct: game.targetPct }, ...form })
  const seated = game.isTeams ? others : others.slice(0, 1)
  for (const [index, agentId] of seated.entries()) world.join(agentId, contestId, game.isTeams ? (index === 0 ? 'T1' : 'T2') : null)
  world.ready(contestId, alice, ...seated)
  const seen: unknown[] = []
  const before = world.commands.length
  const pass = (ms: number, act: () => void) => {
    world.now += ms
    quiet?.wake(world.now)
    world.run({ type: 'advance' })
    act()
    quiet?.sleep()
    seen.push(
      world.now,
      agents.map((agentId) => modeStateView(world.state, contestId, agentId)),
    )
  }
  for (const step of game.steps) {
    pass(step.afterMs, () => {
      if (step.type === 'read') return
      const agentId = agents[step.who] ?? ''
      quiet?.onFill(contestId)
      try {
        world.trade(agentId, contestId, { [step.type]: step.mint, usd: step.usd })
      } catch (thrown) {
        seen.push(String(thrown))
      }
    })
  }
  pass(300_000, () => {})
  return { seen: [...seen, world.events, { ...world.contest(contestId), dueOrder: 0 }], commands: world.commands.length - before }
}

describe('QuietLooks', () => {
  test('nobody can tell that looks were left out, whatever prices do, whoever swaps, and whenever one reads', () => {
    const game = fc.record({
      seed: fc.integer({ min: 0, max: 1_000_000 }),
      hasGaps: fc.boolean(),
      isTeams: fc.boolean(),
      targetPct: fc.constantFrom(0.01, 0.2, 1, 5),
      steps,
    })
    const isUnnoticed = fc.property(game, (one) => {
      expect(seenOf(one, true).seen).toEqual(seenOf(one, false).seen)
    })
    fc.assert(isUnnoticed, { numRuns: 150 })
  })

  test('a race that comes to nothing is looked at a few times, not every second', () => {
    const game: Game = {
      ...{ seed: 3, hasGaps: false, isTeams: false, targetPct: 100 },
      steps: [{ afterMs: 4000, type: 'buy', who: 0, mint: SOL, usd: '10' }],
    }
    expect(seenOf(game, false).commands).toBeGreaterThan(230)
    expect(seenOf(game, true).commands).toBeLessThan(10)
  })

  test('after a swap it is an hour that is looked ahead, however long the race is', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    world.priceAt = () => '100'
    const contestId = world.duel(alice, bob, { mode: 'target_race', durationSec: 30 * 86_400, params: { targetPct: 1 } })
    let asked = 0
    const quiet = new QuietLooks(world.state, () => {
      asked += 1
      return 100
    })
    world.pass(5)
    world.trade(alice, contestId, { buy: SOL, usd: '10' })
    quiet.sleep()
    expect(asked).toBeLessThanOrEqual(3600)
    expect(nextDue(world.state)).toBeGreaterThan(START_MS + 3_590_000)
  })

  test('it falls due when the target is near, and not before', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const costs = (atMs: number) => (atMs >= START_MS + 60_000 ? 101 : 100)
    world.priceAt = (_, atMs) => String(costs(atMs))
    const contestId = world.duel(alice, bob, { mode: 'target_race', durationSec: 120, params: { targetPct: 1 } })
    const quiet = new QuietLooks(world.state, (_, atMs) => costs(atMs))
    world.pass(5)
    world.trade(alice, contestId, { buy: SOL, usd: '10' })
    quiet.sleep()
    expect(nextDue(world.state)).toBe(START_MS + 60_000)
    quiet.wake(START_MS + 20_500)
    expect(nextDue(world.state)).toBe(START_MS + 20_000)
    world.pass(15.5)
    expect(valueIn(modeStateView(world.state, contestId, bob)).markedAt).toBe(new Date(START_MS + 20_000).toISOString())
    quiet.sleep()
    quiet.wake(START_MS + 60_000)
    world.pass(39.5)
    expect(world.contest(contestId)).toMatchObject({ status: 'settled', endedAt: START_MS + 60_000 })
  })
})
