import { usdc } from '../../../src/core/usdc.ts'
import { SOL, TestWorld } from './testWorld.ts'

/** A world with something of everything: a queued ticket, an open, a live, a settled and a cancelled contest, and a draft. */
export function busyWorld() {
  const world = new TestWorld()
  world.priceAt = (_mint, at) => String(at)
  const [alice, bob] = [world.agent('alice'), world.agent('bob')]
  world.enqueue(bob)
  const settled = world.enqueue(alice).contestId ?? ''
  const cancelled = world.create(alice, { joinWindowSec: 5 })
  world.pass(20)
  const live = world.duel(alice, bob, { mode: 'draft_basket', stake: usdc('2'), params: { pickSec: 60 } })
  const prediction = world.duel(bob, alice, { mode: 'price_prediction', stake: usdc('4'), params: { token: SOL, commitSec: 600 } })
  const open = world.create(alice, { stake: usdc('3') })
  const { ticketId } = world.enqueue(alice, { durationSec: 60 })
  return { world, state: world.state, alice, bob, settled, cancelled, live, prediction, open, ticketId }
}
