import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { busyWorld } from '../../../test/support/contests/busyWorld.ts'
import { valueIn } from '../../../test/support/contests/testWorld.ts'
import { procedures } from '../../contract/procedures.ts'
import { bankrollView, limitsView, meView, profileView, rankView, statsView } from './agents.ts'
import { contestsOf, contestView, modeStateView } from './contests.ts'
import { historyPage } from './history.ts'
import { leaderboardPage } from './leaderboard.ts'
import { countContests, listContests } from './listing.ts'
import { ticketsOf, ticketView } from './tickets.ts'

/** Reads a view by its schema; a field the schema cannot read would come out as undefined. */
function expectRead(schema: z.ZodType, view: unknown): void {
  const lost: string[] = []
  const compare = (sent: unknown, read: unknown, path: string): void => {
    if (sent !== undefined && read === undefined) lost.push(path)
    if (typeof sent !== 'object' || sent === null) return
    for (const [key, value] of Object.entries(sent)) compare(value, Object(read)[key], `${path}.${key}`)
  }
  compare(view, schema.parse(view), '')
  expect(lost).toEqual([])
}

describe('every view reads by the contract', () => {
  const { world, state, alice, settled, cancelled, live, prediction, open, ticketId } = busyWorld()
  const listing = { status: undefined, sort: 'newest' } as const
  test.each([
    ['agent.me', meView(state, alice, world.now)],
    ['agent.profile', profileView(state, alice)],
    ['agent.bankroll', bankrollView(state, alice)],
    ['agent.limits', limitsView(state, alice, world.now)],
    ['agent.rank', rankView(state, alice)],
    ['agent.stats', statsView(state, alice)],
    ['agent.history', valueIn(historyPage(state, alice, {}))],
    ['agent.leaderboard', valueIn(leaderboardPage(state, alice, { now: world.now }))],
    ['agent.queue.get', valueIn(ticketView(state, ticketId, alice))],
    ['agent.queue.list', ticketsOf(state, alice)],
    ['agent.contests.list', valueIn(listContests(state, alice, listing))],
    ['agent.contests.counts', countContests(state, {})],
    ['agent.contests.mine', contestsOf(state, alice)],
    ...[settled, cancelled, live, prediction, open].map((id) => ['agent.contests.get', valueIn(contestView(state, id, alice))] as const),
    ...[settled, cancelled, live, prediction, open].map((id) => ['agent.modes.state', valueIn(modeStateView(state, id, alice))] as const),
  ] as const)('%s', (procedure, view) => {
    expectRead(procedures[procedure].output, view)
    expect(JSON.parse(JSON.stringify(view))).toEqual(view)
  })
})
