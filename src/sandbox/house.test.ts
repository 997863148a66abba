import { describe, expect, test } from 'vitest'
import { faultsOf, openTestService, START_MS, type TestService } from '../../test/support/sandbox/openTestService.ts'
import { rosterOf } from '../contests/house/roster.ts'
import { type ContestRecord, contestModes, contestView, listContests, ticketView } from '../contests/index.ts'
import { VirtualClock } from '../core/clock.ts'
import { usdc } from '../core/usdc.ts'

const TICKET = {
  type: 'enqueue',
  mode: 'up_down',
  stake: usdc('1'),
  durationSec: 15,
  opponents: 'ANY',
  chain: 'solana',
  waitSec: 60,
} as const

function openContests({ service }: TestService): ContestRecord[] {
  const listed = service.read((state) => listContests(state, '', { status: 'open', limit: 100 }))
  return listed.ok ? [...listed.value.items] : []
}

/** What can be joined, as `mode stake free-side`. */
function joinable(world: TestService, leftMs = 0): string[] {
  const free = (side: string | null) => (side === null ? '' : side === 'UP' ? ' DOWN' : ' UP')
  const closesAt = (contestId: string) => world.service.read((state) => state.contests.get(contestId)?.joinBy ?? 0)
  return openContests(world)
    .filter(({ contestId, entries }) => entries.length === 1 && closesAt(contestId) - world.clock.now() >= leftMs)
    .map(({ mode, stake, entries }) => `${mode} ${stake}${free(entries[0]?.side ?? null)}`)
    .toSorted()
}

const EVERYTHING = [
  'best_trade 1000000',
  'best_trade 5000000',
  'draft_basket 1000000',
  'draft_basket 5000000',
  'last_bag_standing 1000000',
  'last_bag_standing 5000000',
  'pnl_race_pct 1000000',
  'pnl_race_pct 5000000',
  'pnl_usd 1000000',
  'pnl_usd 5000000',
  'price_prediction 1000000',
  'price_prediction 5000000',
  'same_token 1000000',
  'same_token 5000000',
  'target_race 1000000',
  'target_race 5000000',
  'up_down 1000000 DOWN',
  'up_down 1000000 UP',
  'up_down 5000000 DOWN',
  'up_down 5000000 UP',
]

/** Played where there is no DEX. */
const WITHOUT_SWAPS = ['up_down', 'draft_basket', 'price_prediction']

function ticketOf({ service }: TestService, ticketId: string, agentId: string) {
  const ticket = service.read((state) => ticketView(state, ticketId, agentId))
  if (!ticket.ok) throw new Error(ticket.refusal.message)
  return ticket.value
}

function opponentOf({ service }: TestService, contestId: string, agentId: string) {
  const contest = service.read((state) => contestView(state, contestId, agentId))
  return contest.ok ? contest.value.entries.find(({ userId }) => userId !== agentId) : undefined
}

describe('contests to join', () => {
  test('stand open in every mode, at both stakes and both sides, of 15 to 20 s, with the house ready', () => {
    const world = openTestService()
    expect(joinable(world)).toEqual(EVERYTHING)
    for (const contest of openContests(world)) {
      expect(contest).toMatchObject({ format: 'duel', visibility: 'public', lane: 'MIXED', capacity: 2 })
      expect(contest.durationSec).toBeGreaterThanOrEqual(15)
      expect(contest.durationSec).toBeLessThanOrEqual(20)
      expect(contest.entries.every(({ ready }) => ready)).toBe(true)
    }
  })

  test('are there at every moment, with time left to join them', () => {
    const world = openTestService()
    for (let minute = 0; minute < 30; minute += 0.25) {
      expect([...new Set(joinable(world, 20_000))]).toEqual(EVERYTHING)
      world.advance(15_000)
    }
    expect(faultsOf(world.service)).toEqual([])
  })

  test("are the house's own: one that an agent created stands beside them", () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const taken = openContests(world).find(({ mode, stake }) => mode === 'draft_basket' && stake === '1000000')
    const terms = {
      mode: 'draft_basket',
      chain: 'solana',
      format: 'duel',
      stake: usdc('1'),
      durationSec: 15,
      opponents: 'ANY',
      visibility: 'public',
    } as const
    world.obey({
      ...terms,
      type: 'createContest',
      agentId: alice,
      capacity: 2,
      teamSize: null,
      joinWindowSec: 3600,
      params: {},
      side: null,
    })
    world.obey({ type: 'joinContest', agentId: world.addAgent('bob'), contestId: taken?.contestId ?? '', side: null })
    expect(joinable(world)).toEqual(['draft_basket 1000000', ...EVERYTHING].toSorted())
    world.advance(3_000_000)
    expect(joinable(world)).toEqual(['draft_basket 1000000', ...EVERYTHING].toSorted())
  })

  test('are opened again as soon as one is taken', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    for (let round = 0; round < 5; round++) {
      for (const { contestId, entries, mode } of openContests(world).filter(({ stake, filled }) => stake === '1000000' && filled === 1)) {
        const side = mode === 'up_down' ? (entries[0]?.side === 'UP' ? 'DOWN' : 'UP') : null
        world.obey({ type: 'joinContest', agentId: alice, contestId, side })
        world.obey({ type: 'readyContest', agentId: alice, contestId, ready: true })
      }
      expect(joinable(world)).toEqual(EVERYTHING)
    }
    world.advance(60_000)
    expect(world.service.read((state) => state.agents.get(alice)?.history.length)).toBe(50)
    expect(faultsOf(world.service)).toEqual([])
  })
})

describe('tickets', () => {
  test('are answered within the delay, whatever the mode, the chain, the stake and the duration', () => {
    const world = openTestService({ matchDelayMs: 2000 })
    const alice = world.addAgent('alice')
    world.obey({ type: 'deposit', agentId: alice, amount: usdc('10000000') })
    world.obey({ type: 'setCaps', agentId: alice, caps: { maxStake: usdc('1000000'), dailyLossCap: usdc('10000000') } })
    for (const mode of contestModes) {
      const otherChain = WITHOUT_SWAPS.includes(mode) ? 'robinhood' : 'solana'
      for (const [stake, durationSec, chain] of [[1n, 15, 'solana'] as const, [usdc('1000000'), 3600, otherChain] as const]) {
        const { ticketId } = world.obey({ ...TICKET, agentId: alice, mode, stake, durationSec, chain })
        expect(ticketOf(world, ticketId, alice).status).toBe('queued')
        world.advance(2000)
        expect(ticketOf(world, ticketId, alice).status).toBe('matched')
      }
    }
    world.advance(2 * 3_600_000)
    expect(world.service.read((state) => state.agents.get(alice)?.history.length)).toBe(18)
    expect(faultsOf(world.service)).toEqual([])
  })

  test('a ticket that waits less than the delay expires', () => {
    const world = openTestService({ matchDelayMs: 60_000 })
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey({ ...TICKET, agentId: alice, waitSec: 5 })
    world.advance(5000)
    expect(ticketOf(world, ticketId, alice).status).toBe('expired')
    expect(faultsOf(world.service)).toEqual([])
  })

  test('a ticket whose agent may no longer stake that much fails, and says why', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey({ ...TICKET, agentId: alice, mode: 'best_trade', stake: usdc('2') })
    world.obey({ type: 'setCaps', agentId: alice, caps: { maxStake: usdc('1'), dailyLossCap: usdc('200') } })
    world.advance(3000)
    expect(ticketOf(world, ticketId, alice).status).toBe('failed')
    expect([...world.service.store.eventBodies()].map(({ body }) => body).join()).toContain('STAKE_OVER_CAP')
    expect(faultsOf(world.service)).toEqual([])
  })

  test('a cancelled ticket is left alone', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey({ ...TICKET, agentId: alice })
    world.obey({ type: 'cancelTicket', agentId: alice, ticketId })
    world.advance(10_000)
    expect(ticketOf(world, ticketId, alice).status).toBe('cancelled')
    expect(faultsOf(world.service)).toEqual([])
  })

  test.each(['HUMAN', 'AGENT'] as const)('who asks for %s opponents meets them alone, and several of them', (opponents) => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const met = new Set<string>()
    for (let round = 0; round < 20; round++) {
      const { ticketId } = world.obey({ ...TICKET, agentId: alice, opponents })
      world.advance(3000)
      const opponent = opponentOf(world, ticketOf(world, ticketId, alice).contestId ?? '', alice)
      expect(opponent?.kind).toBe(opponents)
      met.add(opponent?.userId ?? '')
    }
    expect(met.size).toBeGreaterThan(3)
  })
})

describe('play', () => {
  test('every seat of the house makes its moves: no automatic pick, no prediction unrevealed', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const contestIds: string[] = []
    for (let round = 0; round < 12; round++) {
      for (const mode of ['draft_basket', 'price_prediction'] as const) {
        const { ticketId } = world.obey({ ...TICKET, agentId: alice, mode })
        world.advance(3000)
        contestIds.push(ticketOf(world, ticketId, alice).contestId ?? '')
      }
      world.advance(50_000)
    }
    for (const contestId of contestIds) {
      const { mode, play } = world.service.read((state) => state.contests.get(contestId)) as {
        mode: string
        play: { picked?: { automatic: boolean }[] }
      }
      // Alice makes no move at all: two automatic picks are hers.
      if (mode === 'draft_basket') expect(play.picked?.map(({ automatic }) => automatic).toSorted()).toEqual([false, false, true, true])
      else expect(opponentOf(world, contestId, alice)?.score).toMatch(/^\d/)
    }
    expect(faultsOf(world.service)).toEqual([])
  })

  test('knows no price of the future', () => {
    const clock = new VirtualClock(START_MS)
    const ahead: number[] = []
    const world = openTestService({ clock, onPrice: (atMs) => ahead.push(atMs - clock.now()) })
    const alice = world.addAgent('alice')
    for (let round = 0; round < 5; round++) {
      for (const mode of contestModes) world.obey({ ...TICKET, agentId: alice, mode })
      world.advance(60_000)
    }
    expect(ahead.length).toBeGreaterThan(20)
    expect(Math.max(...ahead)).toBeLessThanOrEqual(0)
  })

  test("what one agent does elsewhere does not change the house's play against another", () => {
    const picksAgainstAlice = (disturb: boolean) => {
      const world = openTestService({ seed: 5 })
      const [alice, bob] = [world.addAgent('alice'), world.addAgent('bob')]
      const { ticketId } = world.obey({ ...TICKET, agentId: alice, mode: 'draft_basket' })
      world.advance(3000)
      for (let round = 0; round < 6; round++) {
        if (disturb) world.obey({ ...TICKET, agentId: bob, mode: contestModes[round % 9] ?? 'up_down' })
        world.advance(2500)
      }
      const { contestId } = ticketOf(world, ticketId, alice)
      return world.service.read((state) => state.contests.get(contestId ?? '')?.play)
    }
    expect(picksAgainstAlice(false)).toMatchObject({ picked: { length: 4 } })
    expect(picksAgainstAlice(true)).toEqual(picksAgainstAlice(false))
  })

  test('every contest has its own chance', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const delays = new Set<number>()
    for (let round = 0; round < 10; round++) {
      world.obey({ ...TICKET, agentId: alice, mode: 'price_prediction', durationSec: 15 + round })
      world.advance(60_000)
    }
    for (const { command } of world.service.store.commands()) {
      if (command.type !== 'move' || command.move.type !== 'commitPrediction') continue
      const { contestId } = command
      const startsAt = world.service.read((state) => state.contests.get(contestId)?.startsAt ?? 0)
      delays.add(startsAt - command.now)
    }
    expect(delays.size).toBeGreaterThan(7)
  })

  test('another seed plays otherwise', () => {
    const log = (seed: number) => {
      const world = openTestService({ seed })
      world.obey({ ...TICKET, agentId: world.addAgent('alice'), mode: 'draft_basket' })
      world.advance(60_000)
      return [...world.service.store.commands()].map(({ command }) => ('move' in command ? [command.now, command.move] : []))
    }
    expect(log(1)).toEqual(log(1))
    expect(log(1)).not.toEqual(log(2))
  })
})

test('the house is made of humans and agents of several skills, whose names no user can take', () => {
  const members = [...rosterOf(7).values()]
  expect(new Set(members.map(({ kind, skill }) => `${kind} ${skill}`)).size).toBe(6)
  expect(members.every(({ handle }) => handle.includes(' '))).toBe(true)
})
