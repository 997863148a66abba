import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  alwaysSays,
  ENDS_MS,
  openCommitting,
  openPrediction,
  revealsOf,
  servePrediction,
  shelvePrediction,
} from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, decoded, queuedTicket, type ScriptedService, unknown, unreadable } from '../../test/support/scriptedService.ts'
import { openTestBot } from '../../test/support/testBot.ts'
import { once } from '../../test/support/testStrategies.ts'
import { procedures, type ReadName } from '../contract/procedures.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { enqueue, joinContest } from '../strategy/action.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'
import { CONCLUSIONS, type Evidence, lookUpOf, type ServiceActionType } from './actions/reconciliation.ts'
import { emptySeat } from './books/books.ts'
import { revealableFrom } from './seat/reveals.ts'

const READS = (Object.keys(procedures) as (keyof typeof procedures)[]).filter((name): name is ReadName => procedures[name].kind === 'read')
const never = () => new Promise(() => {})
const EVIDENCE: readonly Evidence[] = ['present', 'missing', 'over', 'outOfRange', 'inconclusive', 'unanswered']
const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const ticket = queuedTicket(ticketId)
/** So many tickets that the list has no room for others. */
const crowd = Array.from({ length: 20 }, (_, index) => ({
  ...ticket,
  ticketId: keyedUuid('crowd', index),
  status: 'expired',
  mode: 'draft_basket',
  createdAt: new Date(START_MS + 1000).toISOString(),
}))

describe('docs/recovery.md', () => {
  test('has the table of the code: every action, every kind of evidence, the conclusion, and the read', () => {
    const page = readFileSync(new URL('../../docs/recovery.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| `[a-z]+[A-Z]?\w*` \| `agent/.test(line))
    const documented = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    const price = { price: '1' }
    const coded = (Object.keys(CONCLUSIONS) as ServiceActionType[]).map((type) => {
      const action = { type, contestId, ticketId, token: '', ...price } as Parameters<typeof lookUpOf>[0]
      return [type, lookUpOf(action).procedure, ...EVIDENCE.map((evidence) => CONCLUSIONS[type][evidence])]
    })
    expect(documented).toEqual(coded)
  })
})

describe('a seat or a ticket the bot did not ask for', () => {
  const adopted = (notes: readonly string[]) => notes.filter((note) => note.includes('did not ask for'))

  test('is adopted, readied and said so once', async () => {
    const bot = await openTestBot({
      prepare: (service) =>
        service.contests.push({ contestId, mode: 'up_down', status: 'open', stake: '1000000', you: { ready: false, side: 'UP' } }),
    })
    await bot.run(20_000)
    expect(adopted(bot.notes('warn'))).toEqual(['a seat in a contest of up_down that this bot did not ask for: it is adopted, and played'])
    expect(bot.service.sent('agent.contests.ready')).toEqual([{ contestId, ready: true }])
  })

  test('its stake counts: a cap it fills refuses the next entry', async () => {
    const bot = await openTestBot({
      strategies: [once(entry)],
      guard: { dailyLoss: usdc('1.5') },
      prepare: (service) => service.tickets.push(ticket),
    })
    await bot.run(2000)
    expect(adopted(bot.notes('warn'))).toHaveLength(1)
    expect(bot.refusals()).toEqual(['DAILY_LOSS_OWN'])
  })

  test('what it asked for is none, whether the event or the answer comes first, nor in the next run', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const bot = await openTestBot({
      journal,
      clock,
      strategies: [once(entry)],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(1000, accepted({ ticketId }))),
    })
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'up_down', stake: '1000000' }))
    await bot.run(3000)
    expect(adopted(bot.notes('warn'))).toEqual([])
    bot.kill()
    const next = await openTestBot({ journal, clock })
    await next.run(3000)
    expect(adopted(next.notes('warn'))).toEqual([])
  })

  test('a match of a ticket nobody made is', async () => {
    const bot = await openTestBot()
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'up_down', stake: '1000000' }))
    await bot.run(1000)
    expect(adopted(bot.notes('warn'))).toHaveLength(1)
  })
})

describe('tickets that the list of twenty has left behind', () => {
  async function killedWithTicket() {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openTestBot({
      journal,
      clock,
      strategies: [once(entry)],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId })),
    })
    await first.run(1000)
    first.kill()
    return { journal, clock }
  }

  test('are read by their ids before the bot decides anything', async () => {
    const { journal, clock } = await killedWithTicket()
    const second = await openTestBot({
      journal,
      clock,
      prepare: (service) => {
        service.tickets.push(...crowd)
        service.onRead('agent.queue.get', () =>
          service.after(3000, { ok: true, output: { ...ticket, stake: usdc('1'), createdAt: START_MS } } as never),
        )
      },
    })
    await second.run(1000)
    expect(second.status().books.caughtUp).toBe(false)
    await second.run(3000)
    expect(second.status().books.caughtUp).toBe(true)
    expect([...second.status().books.tickets.keys()]).toEqual([ticketId])
  })

  test.each([
    ['matched, as the service says', (): unknown => ({ ok: true, output: { ...ticket, status: 'matched', stake: usdc('1') } })],
    ['unknown to the service', (): unknown => unreadable(404)],
  ])('one that is %s waits for nothing', async (_what, answer) => {
    const { journal, clock } = await killedWithTicket()
    const second = await openTestBot({ journal, clock, prepare: (service) => service.onRead('agent.queue.get', () => answer() as never) })
    await second.run(2000)
    expect(second.status().books.caughtUp).toBe(true)
    expect(second.status().books.tickets.size).toBe(0)
  })

  test('while the service cannot say, nothing is decided', async () => {
    const { journal, clock } = await killedWithTicket()
    const second = await openTestBot({ journal, clock, prepare: (service) => service.onRead('agent.queue.get', () => unreadable(500)) })
    await second.run(20_000)
    expect(second.status().books.caughtUp).toBe(false)
  })

  test('a lost entry is not taken for absent because of them; the stream says what became of it', async () => {
    const bot = await openTestBot({
      strategies: [once(entry)],
      prepare: (service) => {
        service.onAct('agent.queue.enqueue', () => unknown)
        service.tickets.push(...crowd)
      },
    })
    await bot.run(120_000)
    expect(bot.status().actions).toMatchObject({ unknown: 1, failed: 0 })
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'up_down', stake: '1000000' }, START_MS + 100_000))
    expect(bot.status().actions).toMatchObject({ unknown: 0, sent: 1, failed: 0 })
    expect(bot.journal.outcomes.at(-1)).toEqual({ type: 'enqueue', status: 'accepted' })
  })
})

describe('a ticket that is matched while a bot starts, after the stream was read', () => {
  const matched = { ...ticket, status: 'matched', contestId }
  const seat = { contestId, mode: 'up_down', status: 'open', stake: '1000000', you: { ready: true, side: 'UP' } }
  /** It is matched before the tickets are read, and after whatever is asked at once. */
  const matchLate = (service: ScriptedService) => service.after(1000, undefined).then(() => void service.contests.push(seat))

  test.each([
    [
      'in the list',
      (service: ScriptedService) =>
        service.onRead('agent.queue.list', () => matchLate(service).then(() => decoded('agent.queue.list', [matched]))),
    ],
    [
      'by its id, where the list has left it behind',
      (service: ScriptedService) => {
        service.tickets.push(...crowd)
        service.onRead('agent.queue.get', () => matchLate(service).then(() => decoded('agent.queue.get', matched)))
      },
    ],
  ])('is known as a seat before anything is entered: %s', async (_where, serve) => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openTestBot({
      journal,
      clock,
      strategies: [once(entry)],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId })),
    })
    await first.run(1000)
    first.kill()
    const another = enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 15 })
    const second = await openTestBot({ journal, clock, strategies: [once(another)], guard: { maxOpenContests: 1 }, prepare: serve })
    await second.run(5000)
    expect(second.service.sent('agent.queue.enqueue')).toEqual([])
    expect(second.refusals()).toEqual(['OPEN_CONTESTS'])
  })
})

describe('a reveal or a commitment that was lost on its way', () => {
  test('a reveal is sent again as soon as a read shows that it was not taken', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    let tries = 0
    bot.service.onAct('agent.modes.revealPrediction', () => {
      tries += 1
      if (tries < 4) return unknown
      shelvePrediction(bot.service, { phase: 'reveal', committed: true, revealed: true })
      return accepted()
    })
    await bot.run(22_500)
    expect(revealsOf(bot)).toHaveLength(4)
    expect(new Set(revealsOf(bot).map((reveal) => JSON.stringify(reveal))).size).toBe(1)
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('not before it was looked up: while the state cannot be read nothing is sent twice', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    bot.service.onAct('agent.modes.revealPrediction', () => unknown)
    bot.service.onRead('agent.modes.state', () => unreadable(500))
    await bot.run(30_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('a commitment is, with the same salt', async () => {
    const bot = await openCommitting(() => unknown)
    await bot.run(4000)
    const commitments = bot.service.sent('agent.modes.commitPrediction')
    expect(commitments).toHaveLength(2)
    expect(commitments[1]).toEqual(commitments[0])
  })
})

test.each([
  ['shows that it was not taken', { revealed: false }],
  ['does not say whether it was', { revealed: undefined }],
])('a reveal that was lost is sent again where the state %s', async (_what, shown) => {
  const clock = new VirtualClock(START_MS)
  const taken: number[] = []
  const bot = await openPrediction({ clock }, (service) => {
    service.onAct('agent.modes.commitPrediction', () => {
      shelvePrediction(service, { committed: true, ...shown })
      return accepted()
    })
    service.onAct('agent.modes.revealPrediction', () => {
      taken.push(clock.now())
      return taken.length === 1 ? unknown : accepted()
    })
  })
  await bot.run(25_000)
  expect(taken.length).toBe(2)
  // The look at the state that follows the loss says so already: a window can be short.
  expect((taken[1] ?? 0) - (taken[0] ?? 0)).toBeLessThan(1000)
  expect(revealsOf(bot)[1]).toEqual(revealsOf(bot)[0])
  expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
})

test('a bot that starts again shows what is due by its journal, where none of its reads is answered: they may have to wait for the read limit', async () => {
  const clock = new VirtualClock(START_MS)
  const journal = new MemoryJournal()
  const first = await openPrediction({ clock, journal })
  await first.run(10_000)
  first.kill()
  const second = await openTestBot({
    ...{ journal, clock, strategies: [alwaysSays('187.25')], caughtUp: false },
    prepare(service) {
      servePrediction(service, () => clock.now())
      for (const name of READS) service.onRead(name, never as never)
    },
  })
  await second.run(ENDS_MS - clock.now() + 1000)
  expect(revealsOf(second)).toHaveLength(1)
})

describe('revealableFrom', () => {
  const seat = emptySeat(contestId)
  test.each([
    ['the state says when', { revealFrom: 9000, commitsUntil: 5000, endsAt: 20_000 }, 9000],
    ['the state says when, and others may still commit', { revealFrom: 4000, commitsUntil: 5000, endsAt: 20_000 }, 5000],
    [
      'the state says when, and nobody says until when commits are open: the start',
      { revealFrom: 4000, startsAt: 6000, endsAt: 20_000 },
      6000,
    ],
    ['the state says when, and nothing is known of commits: the end', { revealFrom: 4000, endsAt: 20_000 }, 20_000],
    ['the state does not say: the end', { commitsUntil: 5000, endsAt: 20_000 }, 20_000],
    ['nothing is known', {}, undefined],
  ])('%s', (_what, known, from) => {
    expect(revealableFrom({ ...seat, ...known })).toBe(from)
  })
})

test('a join that was lost and whose contest was played while the bot was away is found in the stream', async () => {
  const journal = new MemoryJournal()
  const clock = new VirtualClock(START_MS)
  const listed = { contestId, mode: 'up_down', stake: '1000000', status: 'open', capacity: 2, filled: 1, durationSec: 15, entries: [] }
  const first = await openTestBot({
    journal,
    clock,
    strategies: [],
    prepare: (service) => service.open.push(listed),
  })
  first.kill()
  journal.commit({
    n: 100,
    at: START_MS,
    intents: [{ key: '100:policy:0', action: joinContest({ contestId, side: 'UP' }), at: START_MS, stake: usdc('1'), risk: usdc('1') }],
    outcomes: [],
    custody: [],
    swaps: [],
    fills: [],
    refusals: [],
  })
  await clock.advanceBy(3_600_000, 60_000)
  const second = await openTestBot({ journal, clock, caughtUp: false })
  await second.tell(
    rawEvent('contest.joined', { contestId, side: 'UP', filled: 2, capacity: 2 }, START_MS + 100),
    rawEvent('contest.settled', { contestId, mode: 'up_down', result: 'WIN' }, START_MS + 30_000),
  )
  second.events.catchUp()
  await second.run(1000)
  expect(journal.outcomes).toEqual([{ type: 'joinContest', status: 'accepted' }])
  expect(second.status().actions.unknown).toBe(0)
})
