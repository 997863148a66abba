import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../../core/clock.ts'
import { BEAT_MS, ClaimWatch, orderFor, type SeenBot, type SeenHost } from './claimWatch.ts'

const SILENCE_MS = 3500

interface Member {
  readonly run: string
  readonly watch: ClaimWatch
  beat: number
  isUp: boolean
  isDeaf: boolean
}

/** Hosts on one database, on a clock of their own: it answers at once, or not at all. */
class World {
  readonly clock = new VirtualClock()
  readonly members: Member[]
  readonly holders = new Map<string, { epoch: number; run: string | undefined; held: boolean; movedTo?: string | undefined }>()
  readonly claims: { bot: string; by: string; from: string | undefined; at: number }[] = []
  isDatabaseUp = true

  constructor(hosts: number, bots: number) {
    this.members = Array.from({ length: hosts }, (_, n) => {
      const run = `run ${n}`
      return { run, watch: new ClaimWatch({ run, host: `h${n}`, silenceMs: SILENCE_MS }), beat: 0, isUp: true, isDeaf: false }
    })
    for (let n = 0; n < bots; n++) this.holders.set(`bot ${n}`, { epoch: 0, run: undefined, held: false })
    for (const [place, member] of this.members.entries()) this.#beatAt(member, place * 37)
  }

  wait(ms: number): void {
    this.clock.advanceTo(this.clock.now() + ms)
  }

  heldBy(run: string): string[] {
    return [...this.holders].filter(([, holder]) => holder.run === run).map(([bot]) => bot)
  }

  #beatAt(member: Member, atMs: number): void {
    this.clock.at(atMs, () => {
      this.#beatAt(member, this.clock.now() + BEAT_MS)
      if (member.isUp && this.isDatabaseUp) this.#beat(member)
    })
  }

  #beat(member: Member): void {
    member.beat += 1
    const now = this.clock.now()
    const names = new Set(this.holders.keys())
    const hosts: SeenHost[] = this.members.map(({ run, beat, isDeaf }, n) => ({ run, host: `h${n}`, beat, bots: names, isDeaf }))
    const bots: SeenBot[] = [...this.holders].map(([bot, { epoch, run, held, movedTo }]) => ({ bot, epoch, run, movedTo, isHeld: held }))
    const wanted = member.watch.see({ hosts, bots }, now, now)
    expect(wanted.length).toBeLessThanOrEqual(16)
    for (const claim of wanted) {
      const holder = this.holders.get(claim.bot)
      const alive = this.members.find(({ run }) => run === holder?.run)
      if (holder === undefined || holder.epoch !== claim.epoch || (alive !== undefined && alive.beat !== claim.beat)) continue
      this.claims.push({ bot: claim.bot, by: member.run, from: holder.run, at: now })
      member.watch.claimed(claim, holder.run, now)
      this.holders.set(claim.bot, { epoch: holder.epoch + 1, run: member.run, held: false })
    }
  }
}

const runOf = (world: World, n: number): Member => {
  const member = world.members[n]
  if (member === undefined) throw new Error(`no host ${n}`)
  return member
}

describe('ClaimWatch', () => {
  test('bots that nobody holds are claimed once, and are spread over the hosts', () => {
    const world = new World(3, 60)
    world.wait(10_000)
    expect(world.claims).toHaveLength(60)
    for (const { run } of world.members) expect(world.heldBy(run).length).toBeGreaterThan(8)
  })

  test('those of a host that dies are claimed after its silence, and not before', () => {
    const world = new World(3, 30)
    world.wait(10_000)
    const dead = runOf(world, 0)
    const lost = world.heldBy(dead.run)
    dead.isUp = false
    const diedAt = world.clock.now()
    world.wait(10_000)
    const claims = world.claims.filter(({ at }) => at >= diedAt)
    expect(claims.map(({ bot }) => bot).toSorted()).toEqual(lost.toSorted())
    for (const { at } of claims) {
      expect(at - diedAt).toBeGreaterThanOrEqual(SILENCE_MS - BEAT_MS)
      expect(at - diedAt).toBeLessThanOrEqual(SILENCE_MS + 4 * BEAT_MS)
    }
  })

  test('a bot goes to hosts that were seen to make beats alone: the row of one that died long ago looks alive at first', () => {
    const world = new World(3, 1)
    const [first, second, third] = [runOf(world, 0), runOf(world, 1), runOf(world, 2)]
    second.isUp = false
    first.isUp = false
    world.wait(10_000)
    first.isUp = true
    const heirs = () => first.watch.heirsOf('bot 0', world.clock.now())
    const knows = () => first.watch.knowsAll(world.clock.now())
    world.wait(BEAT_MS)
    expect(first.watch.isAlive(second.run, world.clock.now())).toBe(true)
    expect([heirs(), knows()]).toEqual([[], false])
    world.wait(2 * BEAT_MS)
    expect([heirs(), knows()]).toEqual([['h2'], false])
    world.wait(SILENCE_MS)
    expect([heirs(), knows()]).toEqual([['h2'], true])
    third.isUp = false
    world.wait(SILENCE_MS + BEAT_MS)
    expect([heirs(), knows()]).toEqual([[], true])
  })

  test('while the database is away, and after that, nobody takes another for dead', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 0, max: 1000 }), (awayMs, offset) => {
        const world = new World(3, 12)
        world.wait(10_000 + offset)
        const before = world.claims.length
        world.isDatabaseUp = false
        world.wait(awayMs)
        world.isDatabaseUp = true
        world.wait(20_000)
        expect(world.claims).toHaveLength(before)
      }),
    )
  })

  test('whoever wakes up takes nobody for dead, though nobody has seen it for long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 1000 }), (asleepMs, offset) => {
        const world = new World(2, 8)
        world.wait(10_000 + offset)
        const [sleeper, other] = [runOf(world, 0), runOf(world, 1)]
        const count = world.claims.length
        sleeper.isUp = false
        world.wait(asleepMs)
        sleeper.isUp = true
        // The other dies in the very moment.
        other.isUp = false
        const wokeAt = world.clock.now()
        world.wait(20_000)
        const later = world.claims.slice(count).filter(({ by }) => by === sleeper.run)
        for (const { at } of later) expect(at - wokeAt).toBeGreaterThanOrEqual(SILENCE_MS - BEAT_MS)
        expect(world.heldBy(sleeper.run)).toHaveLength(8)
      }),
    )
  })

  test('a host that stops and goes on loses its bots ever more seldom to the same claimant', () => {
    const world = new World(2, 1)
    world.wait(10_000)
    const [holder] = world.holders.values()
    const first = world.members.find(({ run }) => run === holder?.run) ?? runOf(world, 0)
    const other = world.members.find(({ run }) => run !== first.run) ?? runOf(world, 1)
    const waits: number[] = []
    for (let round = 0; round < 6; round++) {
      first.isUp = false
      const [before, at] = [world.claims.length, world.clock.now()]
      while (world.claims.length === before && world.clock.now() < at + 120_000) world.wait(100)
      waits.push(world.clock.now() - at)
      // It was alive, and has the bot again.
      first.isUp = true
      world.wait(BEAT_MS * 2)
      world.holders.set('bot 0', { epoch: (world.holders.get('bot 0')?.epoch ?? 0) + 1, run: first.run, held: false })
    }
    expect(other.isUp).toBe(true)
    expect(waits[0]).toBeLessThan(6000)
    expect(waits[5]).toBeGreaterThan(40_000)
    expect(waits[5]).toBeLessThan(65_000)
  })

  test('a bot that stands still is claimed by nobody, and one that was let go goes where it was meant to', () => {
    const world = new World(3, 2)
    world.holders.set('bot 0', { epoch: 4, run: undefined, held: true })
    world.holders.set('bot 1', { epoch: 4, run: undefined, held: false, movedTo: 'h2' })
    world.wait(20_000)
    expect(world.claims.map(({ bot, by }) => [bot, by])).toEqual([['bot 1', 'run 2']])
  })

  test('a bot that was let go for a host that is slow to make its beats is not taken back meanwhile', () => {
    const world = new World(3, 1)
    world.wait(10_000)
    const [holder] = world.holders.values()
    const to = world.members.findIndex(({ run }) => run !== holder?.run)
    world.holders.set('bot 0', { epoch: 4, run: undefined, held: false, movedTo: `h${to}` })
    runOf(world, to).isUp = false
    world.wait(1400)
    runOf(world, to).isUp = true
    world.wait(2000)
    expect(world.heldBy(`run ${to}`)).toEqual(['bot 0'])
  })

  test('a host that the service does not answer claims what no other one does', () => {
    const world = new World(3, 14)
    runOf(world, 1).isDeaf = true
    world.wait(10_000)
    expect(['run 0', 'run 1', 'run 2'].map((run) => world.heldBy(run).length > 0)).toEqual([true, false, true])
    runOf(world, 0).isUp = false
    world.wait(10_000)
    expect(world.heldBy('run 2')).toHaveLength(14)
    runOf(world, 2).isUp = false
    world.wait(10_000)
    expect(world.heldBy('run 1')).toHaveLength(14)
  })

  test('every host comes to the same order, and one that is gone changes none of the others', () => {
    const hosts: SeenHost[] = Array.from({ length: 5 }, (_, n) => ({
      run: `r${n}`,
      host: `h${n}`,
      beat: 1,
      bots: new Set<string>(),
      isDeaf: n === 3,
    }))
    fc.assert(
      fc.property(fc.string(), fc.shuffledSubarray(hosts), (bot, some) => {
        const names = new Set(some.map(({ run }) => run))
        expect(orderFor(bot, some, undefined)).toEqual(orderFor(bot, hosts, undefined).filter(({ run }) => names.has(run)))
      }),
    )
  })
})
