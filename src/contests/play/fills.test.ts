import { describe, expect, test } from 'vitest'
import { mintOf, SOL, TestWorld } from '../../../test/support/contests/testWorld.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { apply } from '../apply.ts'
import { auditContests } from '../audit/audit.ts'
import { balanceOf } from '../money/ledger.ts'
import { saveContests } from '../state/snapshot.ts'
import { agentOf, DEX_INVENTORY } from '../state/state.ts'
import type { BalanceChange, CommandBody, FillCommand } from '../types.ts'
import { fillProblem } from './fills.ts'

const ONE_SOL = 10n ** 9n
const JUP = mintOf('JUP')
const UNKNOWN = 'Unknown1111111111111111111111111111111111111'
const BUY: readonly BalanceChange[] = [
  { mint: USDC_MINT, delta: -usdc('100') },
  { mint: SOL, delta: ONE_SOL },
]

function fillBy(agentId: string, options: Partial<FillCommand> = {}): FillCommand {
  return { type: 'fill', agentId, contestId: null, signature: 'signature', changes: BUY, feeLamports: 5000n, ...options }
}

/** A live contest of two in its window. */
function liveContest(mode: 'pnl_race_pct' | 'same_token' | 'up_down' = 'pnl_race_pct') {
  const world = new TestWorld()
  const [alice, bob] = [world.agent('alice'), world.agent('bob')]
  const contestId = world.duel(alice, bob, { mode, params: mode === 'pnl_race_pct' ? {} : { token: SOL } })
  world.pass(3)
  return { world, alice, bob, contestId }
}

function fillsOf(world: TestWorld, contestId: string, agentId: string) {
  const { play, entries } = world.contest(contestId)
  const seat = entries.findIndex((entry) => entry.agentId === agentId)
  return (play as { portfolios: { fills: number }[] }).portfolios[seat]?.fills
}

describe('a fill', () => {
  test('moves tokens between the agent and the DEX, and burns the fee', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    world.accept(fillBy(alice))
    const agent = agentOf(world.state, alice)
    expect(agent.wallet).toBe(usdc('900'))
    expect(balanceOf(agent, SOL)).toBe(ONE_SOL)
    expect(agent.gasLamports).toBe(ONE_SOL - 5000n)
    expect(world.state.burntLamports).toBe(5000n)
    expect(world.state.dex.get(USDC_MINT)).toBe(DEX_INVENTORY + usdc('100'))
    expect(world.state.dex.get(SOL)).toBe(DEX_INVENTORY - ONE_SOL)
    expect(auditContests(world.state)).toEqual([])
    expect(world.events).toEqual([])
  })

  test('of a failed transaction costs its fee alone', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    world.accept(fillBy(alice, { changes: [] }))
    expect(agentOf(world.state, alice)).toMatchObject({ wallet: usdc('1000'), gasLamports: ONE_SOL - 5000n })
    expect(auditContests(world.state)).toEqual([])
  })

  test('a token sold to the last unit is held no more', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    world.accept({ type: 'depositToken', agentId: alice, mint: SOL, amount: ONE_SOL })
    world.swap(alice, [SOL, ONE_SOL], [USDC_MINT, usdc('99')])
    expect(agentOf(world.state, alice).tokens.size).toBe(0)
    expect(agentOf(world.state, alice).wallet).toBe(usdc('1099'))
    expect(auditContests(world.state)).toEqual([])
  })

  test('SOL for fees and SOL that was bought make up for each other, and no more than both is there', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const sale = (lamports: bigint) => [
      { mint: SOL, delta: -lamports },
      { mint: USDC_MINT, delta: usdc('1') },
    ]
    expect(world.refusalOf(fillBy(alice, { changes: sale(ONE_SOL), feeLamports: 5000n }))).toBe('INSUFFICIENT_BALANCE')
    world.accept(fillBy(alice, { changes: sale(ONE_SOL - 5000n), feeLamports: 5000n }))
    expect(agentOf(world.state, alice)).toMatchObject({ gasLamports: 0n })
    world.accept(fillBy(alice, { feeLamports: 0n }))
    world.accept(fillBy(alice, { changes: [], feeLamports: 5000n }))
    expect(agentOf(world.state, alice)).toMatchObject({ gasLamports: 0n, tokens: new Map([[SOL, ONE_SOL - 5000n]]) })
    expect(auditContests(world.state)).toEqual([])
  })

  test.each<[string, string, Partial<FillCommand>]>([
    [
      'more USDC than there is',
      'INSUFFICIENT_BALANCE',
      {
        changes: [
          { mint: USDC_MINT, delta: -usdc('1000.000001') },
          { mint: SOL, delta: 1n },
        ],
      },
    ],
    [
      'a token that is not held',
      'INSUFFICIENT_BALANCE',
      {
        changes: [
          { mint: mintOf('JUP'), delta: -1n },
          { mint: USDC_MINT, delta: 1n },
        ],
      },
    ],
    [
      'more than the DEX has',
      'INSUFFICIENT_BALANCE',
      {
        changes: [
          { mint: USDC_MINT, delta: -1n },
          { mint: SOL, delta: DEX_INVENTORY + 1n },
        ],
      },
    ],
    [
      'a token the DEX does not have',
      'INSUFFICIENT_BALANCE',
      {
        changes: [
          { mint: USDC_MINT, delta: -1n },
          { mint: UNKNOWN, delta: 1n },
        ],
      },
    ],
    ['a fee over the lamports', 'INSUFFICIENT_BALANCE', { feeLamports: ONE_SOL + 1n }],
    ['a negative fee', 'INVALID_INPUT', { feeLamports: -1n }],
    ['nothing received', 'INVALID_INPUT', { changes: [{ mint: USDC_MINT, delta: -1n }] }],
    ['nothing given', 'INVALID_INPUT', { changes: [{ mint: SOL, delta: 1n }] }],
    ['a change of 0', 'INVALID_INPUT', { changes: [...BUY, { mint: JUP, delta: 0n }] }],
    ['a mint twice', 'INVALID_INPUT', { changes: [...BUY, { mint: SOL, delta: 1n }] }],
    ['a contest that is not there', 'NOT_FOUND', { contestId: 'none' }],
  ])('%s is refused and changes nothing', (_name, code, options) => {
    const world = new TestWorld()
    const command = fillBy(world.agent('alice'), options)
    const before = saveContests(world.state)
    expect(fillProblem(world.state, command, world.now)?.code).toBe(code)
    expect(world.refusalOf(command)).toBe(code)
    expect(saveContests(world.state)).toBe(before)
  })

  test('a stake in play cannot be swapped', () => {
    const world = new TestWorld()
    const alice = world.agent('alice', { balance: usdc('100') })
    world.enqueue(alice)
    expect(world.refusalOf(fillBy(alice))).toBe('INSUFFICIENT_BALANCE')
  })
})

describe('a fill tagged with a contest', () => {
  test('counts from startsAt until endsAt', () => {
    const { world, alice, contestId } = liveContest()
    const fills: (number | undefined)[] = []
    const atSec = (seconds: number) => {
      world.pass(seconds)
      world.accept(
        fillBy(alice, {
          contestId,
          changes: [
            { mint: USDC_MINT, delta: -1n },
            { mint: SOL, delta: 1n },
          ],
        }),
      )
      fills.push(fillsOf(world, contestId, alice))
    }
    for (const seconds of [0, 14.999, 0.001]) atSec(seconds)
    expect(fills).toEqual([1, 2, 2])
    expect(world.contest(contestId).status).toBe('settled')
  })

  test('does not count before startsAt, untagged, or in a mode that is not played by swaps', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.duel(alice, bob, { mode: 'pnl_race_pct' })
    world.pass(2.999)
    world.accept(fillBy(alice, { contestId }))
    world.pass(0.001)
    world.accept(fillBy(alice))
    expect(fillsOf(world, contestId, alice)).toBe(0)
    const other = liveContest('up_down')
    expect(other.world.refusalOf(fillBy(other.alice, { contestId: other.contestId }))).toBe('accepted')
  })

  test.each<[string, string, (live: ReturnType<typeof liveContest>) => CommandBody]>([
    ['without a seat', 'NOT_IN_CONTEST', ({ world, contestId }) => fillBy(world.agent('carol'), { contestId })],
    [
      'of a token that is not known',
      'TOKEN_NOT_ALLOWED',
      ({ alice, contestId }) =>
        fillBy(alice, {
          contestId,
          changes: [
            { mint: USDC_MINT, delta: -1n },
            { mint: UNKNOWN, delta: 1n },
          ],
        }),
    ],
    [
      'of a token without a price',
      'TOKEN_NOT_ALLOWED',
      ({ world, alice, contestId }) => {
        world.priceAt = () => null
        return fillBy(alice, { contestId })
      },
    ],
  ])('%s is refused', (_name, code, commandOf) => {
    const live = liveContest()
    const command = commandOf(live)
    const before = saveContests(live.world.state)
    expect(live.world.refusalOf(command)).toBe(code)
    expect(saveContests(live.world.state)).toBe(before)
  })

  test('of another token than a contest of one is refused', () => {
    const { world, alice, contestId } = liveContest('same_token')
    const [cash] = BUY
    expect(world.refusalOf(fillBy(alice, { contestId, changes: [...(cash === undefined ? [] : [cash]), { mint: JUP, delta: 1n }] }))).toBe(
      'TOKEN_NOT_ALLOWED',
    )
    expect(world.refusalOf(fillBy(alice, { contestId }))).toBe('accepted')
  })

  test('on a chain without a DEX is refused', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.duel(alice, bob, { chain: 'robinhood' })
    expect(world.refusalOf(fillBy(alice, { contestId }))).toBe('CHAIN_NOT_TRADABLE')
  })

  test('without the prices it needs is a fault of the shell', () => {
    const { world, alice, contestId } = liveContest()
    expect(() => apply(world.state, { ...fillBy(alice, { contestId }), now: world.now })).toThrow(
      expect.objectContaining({ code: 'INVARIANT' }),
    )
  })
})
