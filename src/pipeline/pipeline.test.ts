import { filter, map, tap } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { emptyFolder, expectIdentical } from '../../test/support/replaying.ts'
import { accepted, notSent, openContest, rejected, type ScriptedService, unknown } from '../../test/support/scriptedService.ts'
import { openTestBot } from '../../test/support/testBot.ts'
import { once, policy } from '../../test/support/testStrategies.ts'
import { contestOf } from '../../test/support/tradingBot.ts'
import { VirtualClock } from '../core/clock.ts'
import { CornermanError } from '../core/error.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { SiblingBus } from '../live/siblingBus.ts'
import { type Action, createContest, enqueue, joinContest } from '../strategy/action.ts'
import { type CustomStrategy, defineStrategy } from '../strategy/define.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'
import { statsOf } from './books/views.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })

describe('before it has caught up', () => {
  test('no strategy is called, and nothing is entered', async () => {
    let calls = 0
    const counting = policy(() => {
      calls += 1
      return calls === 1 ? [entry] : []
    })
    const bot = await openTestBot({ strategies: [counting], caughtUp: false })
    await bot.tell(rawEvent('ticket.expired', { ticketId }))
    await bot.run(20_000)
    expect(calls).toBe(0)
    bot.events.catchUp()
    await bot.run(0)
    expect(calls).toBeGreaterThan(0)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
  })

  test('the reads of tickets and seats count too: one that fails is read again first', async () => {
    const bot = await openTestBot({
      strategies: [once(entry)],
      prepare: (service) => service.onRead('agent.contests.mine', () => service.after(3000, notAnswered)),
    })
    await bot.run(5000)
    expect(bot.status().books.caughtUp).toBe(false)
    expect(bot.service.acts).toEqual([])
    bot.service.onRead('agent.contests.mine', undefined)
    await bot.run(5000)
    expect(bot.service.acts).toHaveLength(1)
  })

  test('after an outage strategies wait until the stream was read to its end again', async () => {
    const seen: number[] = []
    const bot = await openTestBot({ strategies: [policy(({ clock }) => void seen.push(clock.now()))] })
    bot.events.fallBehind()
    const before = seen.length
    await bot.run(30_000)
    expect(seen).toHaveLength(before)
    bot.events.catchUp()
    await bot.run(0)
    expect(seen.length).toBeGreaterThan(before)
    expect(bot.notes('warn')).toContain('the event stream cannot be read: HTTP 503')
  })

  test('what an outage held back is told once it is over, events in order, of contests the newest', async () => {
    const heard: string[] = []
    const run: CustomStrategy['run'] = ({ events$, contests$ }) => {
      contests$.subscribe((contests) => heard.push(`${contests.length} contests`))
      return events$.pipe(
        tap(({ type, data }) => heard.push('contestId' in data ? `${type} ${data.contestId}` : type)),
        filter(({ type }) => type === 'contest.settled'),
        map(() => entry),
      )
    }
    const own = defineStrategy({ name: 'own', params: z.object({}), run })()
    const recording = emptyFolder()
    const [one, other] = [keyedUuid('one'), keyedUuid('other')]
    const prepare = (service: ScriptedService) => {
      service.contests = [one, other].map((contestId) => contestOf({ contestId, mode: 'up_down' }))
    }
    const bot = await openTestBot({ recording, strategies: [own], prepare })
    await bot.run(1000)
    heard.length = 0
    bot.events.fallBehind()
    await bot.tell(rawEvent('ticket.expired', { ticketId }, START_MS))
    await bot.tell(rawEvent('contest.settled', { contestId: one }, START_MS))
    expect(heard).toEqual([])
    bot.events.catchUp()
    await bot.run(1000)
    expect(heard).toEqual(['ticket.expired', `contest.settled ${one}`, '1 contests'])
    expect(bot.refusals()).toEqual([])
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    await bot.tell(rawEvent('contest.settled', { contestId: other }, START_MS))
    expect(heard.slice(3)).toEqual([`contest.settled ${other}`, '0 contests'])
    await expectIdentical(recording, { ...bot.config, strategies: [own] })
  })
})

const notAnswered = { ok: false, refusal: undefined, reason: 'UND_ERR_SOCKET' } as const

describe('the journal comes before the wire', () => {
  test('every order is in it, with its cause, before it is sent', async () => {
    const journal = new MemoryJournal()
    const bot = await openTestBot({
      journal,
      strategies: [policy(({ stats, tickets }) => (stats.settled === 0 || tickets.length > 0 ? [] : [entry]))],
    })
    const missing: string[] = []
    bot.service.onSend = ({ procedure }) => {
      const record = journal.records.at(-1)
      if (record?.intents[0]?.action.type !== 'enqueue' || record.event === undefined) missing.push(procedure)
    }
    const settled = rawEvent('contest.settled', { contestId })
    await bot.tell(settled)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    expect(missing).toEqual([])
    const record = journal.records.find(({ intents }) => intents.length > 0)
    expect(record).toMatchObject({
      event: { raw: settled, problem: undefined },
      cursor: settled.id,
      intents: [{ action: entry, stake: usdc('1') }],
    })
  })

  test('what cannot be written is not sent, and stops the bot', async () => {
    const journal = new MemoryJournal()
    journal.onCommit = ({ intents }) => {
      if (intents.length > 0) throw new CornermanError('JOURNAL_WRITE_FAILED', 'the disk is full')
    }
    const bot = await openTestBot({ journal, strategies: [once(entry)] })
    await bot.run(5000)
    expect(bot.service.acts).toEqual([])
    expect(bot.end).toMatchObject({ how: 'failed', error: { code: 'JOURNAL_WRITE_FAILED' } })
  })

  test('what a strategy promised in a step that cannot be written ends the bot alone, though it comes to nothing', async () => {
    const journal = new MemoryJournal()
    journal.onCommit = ({ intents }) => {
      if (intents.length > 0) throw new CornermanError('JOURNAL_WRITE_FAILED', 'the disk is full')
    }
    const refusing = policy(() => Promise.reject(new Error('no answer')), { name: 'refusing' })
    const unheard: unknown[] = []
    const onUnheard = (reason: unknown) => void unheard.push(reason)
    process.on('unhandledRejection', onUnheard)
    const bot = await openTestBot({ journal, strategies: [refusing, once(entry)] })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', onUnheard)
    expect(bot.end).toMatchObject({ how: 'failed', error: { code: 'JOURNAL_WRITE_FAILED' } })
    expect(unheard).toEqual([])
  })

  test('a step that changes nothing writes nothing', async () => {
    const bot = await openTestBot()
    await bot.run(60_000)
    expect(bot.steps.length).toBeGreaterThan(10)
    expect(bot.journal.records).toEqual([])
  })
})

describe('odd events', () => {
  test('malformed and unknown ones are journalled raw and reported once each, and the stream goes on', async () => {
    const bot = await openTestBot()
    const malformed = { id: keyedUuid('bad'), type: 'contest.settled', data: { contestId: 7 }, createdAt: '2025-03-01T12:00:00Z' }
    const unheardOf = { id: keyedUuid('new'), type: 'contest.renamed', data: {}, createdAt: '2025-03-01T12:00:00Z' }
    await bot.tell(malformed, unheardOf, 'not even a record', rawEvent('contest.settled', { contestId }))
    expect(bot.journal.events.slice(0, 3)).toEqual([malformed, unheardOf, 'not even a record'])
    expect(bot.journal.records[0]?.event?.problem).toContain('contestId')
    expect(bot.notes('error')).toHaveLength(2)
    expect(bot.notes('info').filter((note) => note.includes('contest.renamed'))).toHaveLength(1)
    expect(statsOf(bot.status().books).settled).toBe(1)
    await bot.tell(malformed, unheardOf, 'not even a record')
    expect(bot.notes('error')).toHaveLength(2)
    expect(bot.journal.events).toHaveLength(4)
  })

  test('a service that tells of more than is known is reported once a kind, and of a hundred kinds at most', async () => {
    const bot = await openTestBot()
    const unknown = (type: string, n: number) => ({ ...rawEvent('contest.settled', { contestId: keyedUuid(type, n) }), type })
    await bot.tell(...Array.from({ length: 300 }, (_, n) => unknown(`contest.kind${n % 150}`, n)))
    const said = [...bot.notes('info'), ...bot.notes('warn'), ...bot.notes('error')].filter((note) => note.includes('contest.kind'))
    expect(said).toHaveLength(100)
    expect(new Set(said).size).toBe(100)
  })

  test('an event delivered twice is counted once, in the same run and across a restart', async () => {
    const journal = new MemoryJournal()
    const settled = rawEvent('contest.settled', { contestId })
    const first = await openTestBot({ journal })
    await first.tell(settled, settled)
    await first.tell(settled)
    expect(statsOf(first.status().books)).toMatchObject({ settled: 1, profit: usdc('0.9') })
    first.kill()
    const second = await openTestBot({ journal })
    await second.tell(settled)
    expect(statsOf(second.status().books)).toMatchObject({ settled: 1, profit: usdc('0.9') })
    expect(journal.events).toEqual([settled])
  })
})

describe('a restart', () => {
  test('takes up the books, the stream after its last event, and the count of inputs', async () => {
    const journal = new MemoryJournal()
    const first = await openTestBot({ journal })
    const live = rawEvent('contest.live', { contestId, startsAt: '2025-03-01T12:00:03Z', endsAt: '2025-03-01T12:30:00Z' })
    await first.tell(rawEvent('match.found', { ticketId, contestId }), live)
    first.kill()
    const lastInput = journal.load().lastInput
    const second = await openTestBot({ journal, caughtUp: false })
    expect(second.events.askedFrom).toEqual([live.id])
    expect(second.status().books.seats.get(contestId)).toMatchObject({ phase: 'live', stake: usdc('1') })
    expect(second.steps[0]?.input).toMatchObject({ type: 'started', n: lastInput + 1 })
    expect(journal.events).toHaveLength(2)
  })

  test('reports no recorded event again', async () => {
    const journal = new MemoryJournal()
    const first = await openTestBot({ journal })
    await first.tell('odd', rawEvent('contest.settled', { contestId }))
    first.kill()
    const second = await openTestBot({ journal, caughtUp: false })
    expect([...second.notes('error'), ...second.notes('info')]).toEqual([])
  })
})

describe('siblings', () => {
  const open = [openContest(contestId)]
  const join = () =>
    policy(({ openContests }) => openContests.map((contest) => joinContest({ contestId: contest.contestId, side: 'DOWN' })), { browse: {} })

  test('two bots of a config do not take seats against one another', async () => {
    const siblings = new SiblingBus()
    const clock = new VirtualClock(START_MS)
    const prepare = (service: { open: unknown[] }) => service.open.push(...open)
    const alice = await openTestBot({ name: 'alice', siblings, clock, strategies: [join()], prepare })
    const bob = await openTestBot({ name: 'bob', siblings, clock, strategies: [join()], prepare })
    await alice.run(1000)
    expect(alice.service.sent('agent.contests.join')).toHaveLength(1)
    expect(bob.service.sent('agent.contests.join')).toEqual([])
    expect(new Set(bob.refusals())).toEqual(new Set(['SIBLING_IN_CONTEST']))
  })

  test('nor one in a contest that the other makes, while that does not know yet which it is', async () => {
    const siblings = new SiblingBus()
    const clock = new VirtualClock(START_MS)
    const create = createContest({ mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15 })
    const other = keyedUuid('other')
    const alice = await openTestBot({
      ...{ name: 'alice', siblings, clock, strategies: [once(create)] },
      prepare: (service) => service.onAct('agent.contests.create', () => unknown),
    })
    const bob = await openTestBot({
      ...{ name: 'bob', siblings, clock, strategies: [join()], guard: { maxOpenContests: 9 } },
      prepare: (service) => service.open.push(...open, openContest(other, { durationSec: 60 })),
    })
    await alice.run(1000)
    expect(bob.service.sent('agent.contests.join').map((sent) => sent.contestId)).toEqual([other])
    expect(new Set(bob.refusals())).toEqual(new Set(['SIBLING_IN_CONTEST']))
    expect(alice.journal.outcomes).toEqual([{ type: 'createContest', status: 'unknown' }])
    // It turns out that nothing was made.
    await bob.run(120_000)
    expect(bob.service.sent('agent.contests.join').map((sent) => sent.contestId)).toContain(contestId)
  })

  test('nor queue for the same match, until the ticket of the other is gone', async () => {
    const siblings = new SiblingBus()
    const clock = new VirtualClock(START_MS)
    const alice = await openTestBot({ name: 'alice', siblings, clock, strategies: [once(entry)] })
    const bob = await openTestBot({
      name: 'bob',
      siblings,
      clock,
      strategies: [policy(({ tickets }) => (tickets.length > 0 ? [] : [entry]))],
    })
    expect(bob.refusals()).toEqual(['SIBLING_IN_CONTEST'])
    const [ticket] = alice.status().books.tickets.keys()
    await alice.tell(rawEvent('ticket.expired', { ticketId: ticket }))
    await bob.run(6000)
    expect(bob.service.sent('agent.queue.enqueue')).toHaveLength(1)
  })
})

describe('a match between siblings that was made already', () => {
  test.each([
    ['the other was there first', ['alice', 'bob']],
    ['this one was', ['bob', 'alice']],
  ])('is reported once by each, and played: %s', async (_, order) => {
    const siblings = new SiblingBus()
    const clock = new VirtualClock(START_MS)
    const matched = rawEvent('match.found', { ticketId, contestId })
    const bots = new Map<string, Awaited<ReturnType<typeof openTestBot>>>()
    for (const name of order) {
      const bot = await openTestBot({ name, siblings, clock })
      await bot.tell(matched)
      await bot.run(1000)
      bots.set(name, bot)
    }
    const met = (name: string) => `${name}, a bot of the same config, sits in the same contest: the two play against each other`
    const warned = (name: string) =>
      bots
        .get(name)
        ?.notes('warn')
        .filter((note) => !note.includes('adopted'))
    expect(warned('alice')).toEqual([met('bob')])
    expect(warned('bob')).toEqual([met('alice')])
    expect(bots.get('alice')?.service.sent('agent.contests.leave')).toEqual([])
  })
})

describe('draining', () => {
  test('takes back tickets and open seats, lets live contests finish, and then ends', async () => {
    const [open, live] = ['open', 'live'].map((name) => keyedUuid(name))
    const bot = await openTestBot({ strategies: [once(entry)], guard: { maxOpenContests: 9 } })
    const window = { startsAt: '2025-03-01T12:00:00Z', endsAt: '2025-03-01T12:00:20Z' }
    await bot.tell(
      rawEvent('match.found', { ticketId, contestId: open }),
      rawEvent('match.found', { ticketId, contestId: live }),
      rawEvent('contest.live', { contestId: live, ...window }),
    )
    bot.operator$.next('drain')
    await bot.run(1000)
    expect(bot.service.acts.map(({ procedure }) => procedure)).toEqual([
      'agent.queue.enqueue',
      'agent.queue.cancel',
      'agent.contests.leave',
    ])
    expect(bot.service.sent('agent.contests.leave')).toEqual([{ contestId: open }])
    expect(bot.end).toBeUndefined()
    await bot.tell(rawEvent('contest.settled', { contestId: live }))
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('enters nothing new', async () => {
    const bot = await openTestBot({ strategies: [policy(() => [entry])], caughtUp: false })
    bot.operator$.next('drain')
    bot.events.catchUp()
    await bot.run(20_000)
    expect(bot.service.acts).toEqual([])
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('does not end before it knows what it holds', async () => {
    const bot = await openTestBot({ caughtUp: false })
    bot.operator$.next('drain')
    await bot.run(5000)
    expect(bot.end).toBeUndefined()
    bot.service.onAct('agent.contests.leave', () => bot.service.after(1000, accepted()))
    await bot.tell(rawEvent('match.found', { ticketId, contestId }))
    bot.events.catchUp()
    await bot.run(0)
    expect(bot.end).toBeUndefined()
    expect(bot.service.sent('agent.contests.leave')).toEqual([{ contestId }])
    await bot.run(1000)
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('a ticket that was matched while it was cancelled is played to its end', async () => {
    const bot = await openTestBot({ strategies: [once(entry)] })
    const [ticket] = bot.status().books.tickets.keys()
    bot.service.onAct('agent.queue.cancel', () => rejected('TICKET_NOT_OPEN'))
    bot.service.onAct('agent.contests.leave', () => rejected('CONTEST_NOT_OPEN'))
    bot.operator$.next('drain')
    await bot.tell(
      rawEvent('match.found', { ticketId: ticket, contestId }),
      rawEvent('contest.live', { contestId, startsAt: '2025-03-01T12:00:03Z', endsAt: '2025-03-01T12:00:18Z' }),
    )
    await bot.run(10_000)
    expect(bot.end).toBeUndefined()
    expect(bot.status().actions.failed).toBe(0)
    await bot.tell(rawEvent('contest.settled', { contestId }))
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('a cancellation that did not leave is tried again', async () => {
    const bot = await openTestBot({ strategies: [once(entry)] })
    let tries = 0
    bot.service.onAct('agent.queue.cancel', () => (++tries === 1 ? notSent : { status: 'accepted', output: {} }))
    bot.operator$.next('drain')
    await bot.run(5000)
    expect(tries).toBe(2)
    expect(bot.end).toEqual({ how: 'completed' })
  })
})

test('the stream’s own failure ends the bot', async () => {
  const bot = await openTestBot()
  bot.events.fail(new CornermanError('AGENT_KEY_REFUSED', 'the key is refused'))
  expect(bot.end).toMatchObject({ how: 'failed', error: { code: 'AGENT_KEY_REFUSED' } })
})

test('killed, it does and hears nothing more', async () => {
  const bot = await openTestBot({ strategies: [policy((): Action[] => [entry])] })
  bot.service.onAct('agent.queue.enqueue', () => notSent)
  bot.kill()
  const { length } = bot.service.reads
  await bot.run(60_000)
  expect(bot.service.reads).toHaveLength(length)
})
