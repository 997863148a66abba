import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { faultsOf, openTestService, START_MS, type TestService } from '../../test/support/sandbox/openTestService.ts'
import { contestView, historyPage, listContests, rankView, saveContests, ticketView } from '../contests/index.ts'
import { VirtualClock } from '../core/clock.ts'
import { usdc } from '../core/usdc.ts'
import { SandboxStore } from './store/sandboxStore.ts'

const MODES = ['up_down', 'draft_basket', 'price_prediction'] as const

const newFile = () => join(mkdtempSync(join(tmpdir(), 'service-')), 'sandbox.db')
const enqueue = (agentId: string, mode: (typeof MODES)[number], stake = usdc('2')) =>
  ({ type: 'enqueue', agentId, mode, stake, durationSec: 15, opponents: 'ANY', chain: 'solana', waitSec: 60 }) as const

/** The files of a database as a process that dies at this instant would leave them. */
function filesAsTheyAre(file: string): string {
  const copy = newFile()
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) cpSync(file + suffix, copy + suffix)
  return copy
}

/** A hash, so that a failure does not print everything. */
const stateOf = ({ service }: TestService) => createHash('sha256').update(service.read(saveContests)).digest('hex')

function historyOf({ service }: TestService, agentId: string) {
  const page = service.read((state) => historyPage(state, agentId, { limit: 100 }))
  return page.ok ? page.value.items : []
}

describe('SandboxService', () => {
  test.each(MODES)('a %s contest passes from ticket to result while the clock turns', (mode) => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey(enqueue(alice, mode))
    world.advance(3000)
    const ticket = world.service.read((state) => ticketView(state, ticketId, alice))
    expect(ticket).toMatchObject({ ok: true, value: { status: 'matched' } })
    world.advance(60_000)
    expect(historyOf(world, alice)).toMatchObject([{ mode, stake: '2000000' }])
    expect(faultsOf(world.service)).toEqual([])
  })

  test('what falls due is done before a read, even if no timer has run', () => {
    const clock = new VirtualClock(START_MS)
    const world = openTestService({ clock, house: false })
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey({ ...enqueue(alice, 'up_down'), waitSec: 5 })
    const late = vi.spyOn(clock, 'now').mockReturnValue(START_MS + 5000)
    expect(world.service.read((state) => ticketView(state, ticketId, alice))).toMatchObject({ value: { status: 'expired' } })
    late.mockRestore()
  })

  test('time never runs back, whatever the clock says', () => {
    const clock = new VirtualClock(START_MS)
    const world = openTestService({ clock })
    const alice = world.addAgent('alice')
    world.advance(10_000)
    world.obey(enqueue(alice, 'up_down'))
    const back = vi.spyOn(clock, 'now').mockReturnValue(START_MS - 3_600_000)
    expect(world.service.now()).toBe(START_MS + 10_000)
    world.obey(enqueue(alice, 'draft_basket'))
    back.mockRestore()
    expect(faultsOf(world.service)).toEqual([])
  })

  test('time that passes during a call falls between no two of its steps', () => {
    const clock = new VirtualClock(START_MS)
    const world = openTestService({ clock })
    const alice = world.addAgent('alice')
    let looks = 0
    const hurried = vi.spyOn(clock, 'now').mockImplementation(() => START_MS + 130 * looks++)
    for (let round = 0; round < 300; round++) {
      const applied = world.service.dispatch(enqueue(alice, MODES[round % 3] ?? 'up_down', 1n))
      expect(applied.ok).toBe(true)
    }
    hurried.mockRestore()
    expect(historyOf(world, alice).length).toBeGreaterThan(20)
    expect(faultsOf(world.service)).toEqual([])
  })

  test('a refused command changes nothing and is not in the log', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const before = stateOf(world)
    const { lastSeq } = world.service.store
    const applied = world.service.dispatch(enqueue(alice, 'up_down', usdc('51')))
    expect(applied).toMatchObject({ ok: false, refusal: { code: 'STAKE_OVER_CAP' } })
    expect(stateOf(world)).toBe(before)
    expect(world.service.store.lastSeq).toBe(lastSeq)
  })

  test('a command that could not be written has not happened', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const before = stateOf(world)
    const full = vi.spyOn(world.service.store, 'append').mockImplementationOnce(() => {
      throw new Error('database or disk is full')
    })
    expect(() => world.obey(enqueue(alice, 'up_down'))).toThrow(/disk is full/)
    expect(full).toHaveBeenCalledOnce()
    full.mockRestore()
    expect(stateOf(world)).toBe(before)

    world.obey(enqueue(alice, 'up_down'))
    world.advance(60_000)
    expect(historyOf(world, alice)).toHaveLength(1)
    expect(faultsOf(world.service)).toEqual([])
  })

  test('the same commands give the same events, to the byte', () => {
    const play = () => {
      const world = openTestService({ seed: 11 })
      const agents = [world.addAgent('alice'), world.addAgent('bob')]
      for (const mode of MODES) {
        for (const agentId of agents) world.obey(enqueue(agentId, mode))
        world.advance(20_000)
      }
      world.advance(60_000)
      return [...world.service.store.eventBodies()]
    }
    const events = play()
    expect(events.length).toBeGreaterThan(30)
    expect(play()).toEqual(events)
  })
})

describe('verify', () => {
  test('finds an event that is not what the log gives', () => {
    const dbFile = newFile()
    const world = openTestService({ dbFile })
    world.obey(enqueue(world.addAgent('alice'), 'up_down'))
    world.advance(60_000)
    expect(world.service.verify()).toMatchObject({ mismatch: null })
    expect(world.service.verify().events).toBeGreaterThan(5)
    world.service.close()

    const database = new DatabaseSync(dbFile)
    database.exec(`UPDATE events SET body = replace(body, '"WIN"', '"LOSS"') WHERE body LIKE '%contest.settled%'`)
    database.close()
    const { mismatch } = openTestService({ dbFile, clock: world.clock }).service.verify()
    expect(mismatch?.stored).toContain('"LOSS"')
    expect(mismatch?.refolded).toContain('"WIN"')
  })

  test('finds an event that no command gives', () => {
    const dbFile = newFile()
    const world = openTestService({ dbFile, house: false })
    world.service.close()
    const database = new DatabaseSync(dbFile)
    database.exec(`INSERT INTO events (command_seq, agent_id, id, body) VALUES (1, 'a', 'x', '{}')`)
    database.close()
    const again = openTestService({ dbFile, house: false, clock: world.clock })
    expect(again.service.verify().mismatch).toMatchObject({ stored: '1: {}', refolded: null })
  })
})

describe('a restart', () => {
  test.each([1, 7, 5000])('with a snapshot every %i commands folds to the state it left', (snapshotEvery) => {
    const dbFile = newFile()
    const world = openTestService({ dbFile, snapshotEvery })
    const alice = world.addAgent('alice')
    for (const mode of MODES) world.obey(enqueue(alice, mode))
    world.advance(8000)
    world.obey({ type: 'advance' })
    const left = stateOf(world)
    const { lastSeq } = world.service.store

    const copy = filesAsTheyAre(dbFile)
    const store = new SandboxStore(copy, world.service.store.identity, 0)
    expect([store.lastSeq, store.epochMs]).toEqual([lastSeq, START_MS])
    store.close()
    const again = openTestService({ dbFile: copy, clock: new VirtualClock(world.clock.now()), snapshotEvery })
    expect(stateOf(again)).toBe(left)
    again.advance(60_000)
    world.advance(60_000)
    expect(historyOf(again, alice)).toEqual(historyOf(world, alice))
    expect(historyOf(again, alice)).toHaveLength(3)
    expect(faultsOf(again.service)).toEqual([])
  })

  test('a ticket that waited is answered', () => {
    const dbFile = newFile()
    const world = openTestService({ dbFile })
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey(enqueue(alice, 'up_down'))
    world.service.close()
    const again = openTestService({ dbFile, clock: world.clock })
    expect(again.service.read((state) => ticketView(state, ticketId, alice))).toMatchObject({ value: { status: 'queued' } })
    again.advance(3000)
    expect(again.service.read((state) => ticketView(state, ticketId, alice))).toMatchObject({ value: { status: 'matched' } })
  })

  test('at any moment of a prediction, the house still reveals what it committed to', () => {
    const dbFile = newFile()
    const world = openTestService({ dbFile })
    const alice = world.addAgent('alice')
    const { ticketId } = world.obey(enqueue(alice, 'price_prediction'))
    world.advance(3000)
    const ticket = world.service.read((state) => ticketView(state, ticketId, alice))
    const contestId = (ticket.ok && ticket.value.contestId) || ''
    for (let second = 0; second < 40; second += 4) {
      const again = openTestService({ dbFile: filesAsTheyAre(dbFile), clock: new VirtualClock(world.clock.now()) })
      again.advance(60_000)
      const contest = again.service.read((state) => contestView(state, contestId, alice))
      // Alice never commits: the house alone has a score, and takes the pot.
      const house = contest.ok ? contest.value.entries.find(({ userId }) => userId !== alice) : undefined
      expect(house?.score).toMatch(/^\d/)
      expect(historyOf(again, alice)).toMatchObject([{ result: 'LOSS' }])
      expect(faultsOf(again.service)).toEqual([])
      again.service.close()
      world.advance(4000)
    }
  })

  test('after a long time down the house opens contests for now, not for the time between', () => {
    const dbFile = newFile()
    const world = openTestService({ dbFile })
    const alice = world.addAgent('alice')
    world.service.close()
    const commands = world.service.store.lastSeq
    const clock = new VirtualClock(START_MS + 30 * 86_400_000)
    const again = openTestService({ dbFile, clock })
    expect(again.service.store.lastSeq - commands).toBeLessThan(50)
    const listed = again.service.read((state) => listContests(state, alice, { status: 'open' }))
    expect(listed.ok && listed.value.items.length).toBe(20)
    expect(again.service.read((state) => rankView(state, alice))).toBeDefined()
    expect(faultsOf(again.service)).toEqual([])
  })
})
