import { describe, expect, test } from 'vitest'
import { creating, enqueueing, SOL, START_MS, TestWorld } from '../../../test/support/contests/testWorld.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { auditContests } from '../audit/audit.ts'
import { DEX_INVENTORY } from '../state/state.ts'
import { bankrollView, limitsView } from '../views/agents.ts'

const capsOf = (maxStake: string, dailyLossCap: string) => ({ maxStake: usdc(maxStake), dailyLossCap: usdc(dailyLossCap) })

/** `loser` loses an up_down duel of that stake to `winner`. */
function lose(world: TestWorld, loser: string, winner: string, stake: string): void {
  world.priceAt = (_mint, at) => String(2_000_000_000_000 - at) // falls, and the first of a duel is on UP
  world.duel(loser, winner, { stake: usdc(stake) })
  world.pass(18)
}

describe('accounts', () => {
  test('refusals', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const common = { type: 'createAgent', handle: 'x', kind: 'AGENT', house: false, walletAddress: 'x', gasLamports: 0n } as const
    expect(world.refusalOf({ ...common, agentId: alice, balance: 1n, caps: null })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ ...common, agentId: 'new', balance: -1n, caps: null })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ ...common, agentId: 'new', balance: 1n, caps: capsOf('-1', '1') })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ type: 'deposit', agentId: alice, amount: 0n })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ type: 'depositToken', agentId: alice, mint: SOL, amount: 0n })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ type: 'depositLamports', agentId: alice, amount: -1n })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ ...common, agentId: 'new', balance: 1n, gasLamports: -1n, caps: null })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ type: 'deposit', agentId: 'nobody', amount: 1n })).toBe('NOT_FOUND')
    expect(world.refusalOf({ type: 'setCaps', agentId: alice, caps: capsOf('1', '-1') })).toBe('INVALID_INPUT')
    expect(world.state.minted.get(USDC_MINT)).toBe(usdc('1000') + DEX_INVENTORY)
  })

  test('nothing is a balance too, and a cap; of lamports one is enough', () => {
    const world = new TestWorld()
    const common = { type: 'createAgent', handle: 'x', kind: 'AGENT', house: false, walletAddress: 'x' } as const
    expect(world.refusalOf({ ...common, agentId: 'new', balance: 0n, gasLamports: 0n, caps: capsOf('0', '0') })).toBe('accepted')
    expect(bankrollView(world.state, 'new')).toMatchObject({ available: '0', gasLamports: '0' })
    expect(world.refusalOf({ type: 'depositLamports', agentId: 'new', amount: 0n })).toBe('INVALID_INPUT')
    expect(world.refusalOf({ type: 'depositLamports', agentId: 'new', amount: 1n })).toBe('accepted')
    expect(bankrollView(world.state, 'new')).toMatchObject({ gasLamports: '1' })
  })

  test('a stake over the cap, over the daily loss cap, over the wallet', () => {
    const world = new TestWorld()
    const alice = world.agent('alice', { balance: usdc('5'), caps: capsOf('50', '60') })
    expect(world.refusalOf(enqueueing(alice, { stake: usdc('50.000001') }))).toBe('STAKE_OVER_CAP')
    expect(world.refusalOf(creating(alice, { stake: usdc('5.000001') }))).toBe('INSUFFICIENT_BANKROLL')
    world.accept({ type: 'deposit', agentId: alice, amount: usdc('100') })
    world.enqueue(alice, { stake: usdc('50') })
    expect(world.refusalOf(creating(alice, { stake: usdc('10.000001') }))).toBe('DAILY_LOSS_CAP')
    expect(world.refusalOf(creating(alice, { stake: usdc('10') }))).toBe('accepted')
  })

  test('what was lost today counts against the daily loss cap, until the UTC day turns', () => {
    const world = new TestWorld()
    const alice = world.agent('alice', { caps: capsOf('50', '60') })
    const bob = world.agent('bob')
    lose(world, alice, bob, '40')
    expect(limitsView(world.state, alice, world.now)).toEqual({
      maxStake: '50000000',
      dailyLossCap: '60000000',
      lostToday: '40000000',
      inPlay: '0',
      remaining: '20000000',
      resetsAt: '2025-07-22T00:00:00.000Z',
    })
    expect(world.refusalOf(enqueueing(alice, { stake: usdc('20.000001') }))).toBe('DAILY_LOSS_CAP')
    world.pass((Date.UTC(2025, 6, 22) - world.now) / 1000 - 0.001)
    expect(world.refusalOf(enqueueing(alice, { stake: usdc('50') }))).toBe('DAILY_LOSS_CAP')
    world.pass(0.001)
    expect(limitsView(world.state, alice, world.now)).toMatchObject({
      lostToday: '0',
      remaining: '60000000',
      resetsAt: '2025-07-23T00:00:00.000Z',
    })
    expect(world.refusalOf(enqueueing(alice, { stake: usdc('50') }))).toBe('accepted')
  })

  test('a loss of the day before does not count in the new day', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    lose(world, alice, bob, '40')
    world.pass(86_400)
    lose(world, alice, bob, '2')
    expect(limitsView(world.state, alice, world.now).lostToday).toBe('2000000')
    expect(auditContests(world.state)).toEqual([])
  })

  test('the whole wallet can be staked', () => {
    const world = new TestWorld()
    expect(world.refusalOf(enqueueing(world.agent('alice', { balance: usdc('5') }), { stake: usdc('5') }))).toBe('accepted')
  })

  test('a view at a later day shows that day, though no command came since', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    lose(world, alice, world.agent('bob'), '40')
    expect(limitsView(world.state, alice, world.now).lostToday).toBe('40000000')
    expect(limitsView(world.state, alice, START_MS + 86_400_000)).toMatchObject({ lostToday: '0', resetsAt: '2025-07-23T00:00:00.000Z' })
  })

  test('a profit of the day pays for later losses of that day', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const bob = world.agent('bob')
    lose(world, bob, alice, '40') // alice +36
    expect(limitsView(world.state, alice, world.now).lostToday).toBe('0')
    lose(world, alice, bob, '40') // alice -4
    expect(limitsView(world.state, alice, world.now).lostToday).toBe('4000000')
  })

  test('a house agent has no caps', () => {
    const world = new TestWorld()
    const house = world.agent('house', { house: true, caps: null })
    expect(world.refusalOf(creating(house, { stake: usdc('900') }))).toBe('accepted')
  })

  test('a stake is in play from the ticket or the seat on, once', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const bob = world.agent('bob')
    world.enqueue(alice, { stake: usdc('2') })
    expect(bankrollView(world.state, alice)).toEqual({
      available: '998000000',
      wallet: '998000000',
      vault: '0',
      inPlay: '2000000',
      gasLamports: '1000000000',
      walletAddress: 'alice-wallet',
    })
    world.enqueue(bob, { stake: usdc('2') })
    expect(bankrollView(world.state, alice)).toMatchObject({ available: '998000000', inPlay: '2000000' })
    world.pass(18)
    expect(bankrollView(world.state, alice).inPlay).toBe('0')
    expect(world.state.rake).toBe(usdc('0.20'))
    expect(auditContests(world.state)).toEqual([])
  })

  test('rake of 5 %: the winner of a duel of 1 USDC is 0.90 up', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    world.priceAt = (mint, at) => (mint === SOL && at > START_MS + 10_000 ? '101' : '100')
    world.duel(alice, bob)
    world.pass(18)
    expect(world.wallet(alice)).toBe(usdc('1000.90'))
    expect(world.wallet(bob)).toBe(usdc('999'))
    expect(world.state.rake).toBe(usdc('0.10'))
  })
})
