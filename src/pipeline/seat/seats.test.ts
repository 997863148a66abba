import { describe, expect, test } from 'vitest'
import { entryId, TOKEN } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, decoded, notSent, openContest, rejected, type ScriptedService, unknown } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { once, picker, policy } from '../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../core/ids.ts'
import { joinContest } from '../../strategy/action.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
const liveFor = (mode: string, startsAfterMs: number) =>
  rawEvent('contest.live', { contestId, mode, startsAt: iso(startsAfterMs), endsAt: iso(startsAfterMs + 15_000) })

/** Joins the contest as soon as it is listed. */
const joinsFirst = (how: Partial<Parameters<typeof joinContest>[0]> = {}) =>
  policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, ...how })]), { browse: {} })

describe('seats', () => {
  test('are read again where what was read of them is of before they were taken', async () => {
    const contest = { contestId, mode: 'draft_basket', status: 'live', stake: '1000000', startsAt: iso(30_000), endsAt: iso(45_000) }
    const bot = await openTestBot({
      strategies: [joinsFirst(), picker(({ draft }) => draft.available[0])],
      prepare: (service) => {
        service.open.push(openContest(contestId, { mode: 'draft_basket' }))
        service.onAct('agent.contests.join', () => service.after(1000, accepted()))
        service.onRead('agent.contests.get', () => service.after(1500, { ok: true, output: contest }))
        service.states.set(contestId, { mode: 'draft_basket', phase: 'draft', turn: { entryId }, available: ['a', 'b'], mine: [] })
      },
    })
    await bot.tell(rawEvent('contest.joined', { contestId, userId: 'me', filled: 2 }), liveFor('draft_basket', 30_000))
    await bot.run(2000)
    bot.service.onRead('agent.contests.get', undefined)
    bot.service.contests = [{ ...contest, you: { ready: true, entryId } }]
    await bot.run(8000)
    expect(bot.status().books.seats.get(contestId)?.entryId).toBe(entryId)
    expect(bot.service.sent('agent.modes.draftPick')[0]).toEqual({ contestId, token: 'a' })
  })

  test('a seat the bot joined is readied at once, again where that did not arrive, and once', async () => {
    let tries = 0
    const bot = await openTestBot({
      strategies: [joinsFirst({ side: 'DOWN' })],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        service.onAct('agent.contests.ready', () => (++tries === 1 ? notSent : accepted()))
      },
    })
    const readied = () => bot.service.sent('agent.contests.ready')
    expect(readied()).toEqual([{ contestId, ready: true }])
    await bot.run(10_000)
    expect(readied()).toEqual([
      { contestId, ready: true },
      { contestId, ready: true },
    ])
    expect(bot.service.sent('agent.contests.join')).toEqual([{ contestId, side: 'DOWN' }])
  })

  test('a ready that was lost is sent again as soon as the contest shows that it was not taken', async () => {
    const shown = { contestId, mode: 'up_down', status: 'open', stake: '1000000' }
    let tries = 0
    const bot = await openTestBot({
      strategies: [joinsFirst({ side: 'DOWN' })],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        service.onAct('agent.contests.join', () => {
          service.contests.push({ ...shown, you: { ready: false } })
          return accepted()
        })
        service.onAct('agent.contests.ready', () => {
          tries += 1
          if (tries === 1) return unknown
          service.contests = [{ ...shown, you: { ready: true } }]
          return accepted()
        })
      },
    })
    const readied = () => bot.service.sent('agent.contests.ready')
    expect(readied()).toHaveLength(1)
    await bot.run(2000)
    expect(readied()).toEqual([
      { contestId, ready: true },
      { contestId, ready: true },
    ])
    await bot.run(20_000)
    expect(readied()).toHaveLength(2)
  })

  test('one that the policy says it will ready is left to it', async () => {
    const bot = await openTestBot({
      strategies: [joinsFirst({ side: 'DOWN', readiedBy: 'policy' })],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        service.onAct('agent.contests.join', () => service.after(2000, accepted()))
      },
    })
    // The service shows the seat, unready, before it answers the join.
    bot.service.contests.push({ contestId, mode: 'up_down', status: 'open', stake: '1000000', you: { ready: false } })
    await bot.tell(rawEvent('contest.joined', { contestId }))
    await bot.run(10_000)
    expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
    expect(bot.service.sent('agent.contests.ready')).toEqual([])
  })

  test('a match is ready as it is', async () => {
    const bot = await openTestBot()
    await bot.tell(rawEvent('match.found', { ticketId, contestId }))
    await bot.run(5000)
    expect(bot.service.acts).toEqual([])
  })

  test('what a service never tells of a seat is not asked for in a circle', async () => {
    const bot = await openTestBot()
    bot.service.contests.push({ contestId, status: 'open' })
    await bot.tell(rawEvent('contest.joined', { contestId }))
    await bot.run(20_000)
    const reads = bot.service.reads.filter(({ procedure }) => procedure === 'agent.contests.get')
    expect(reads).toHaveLength(4)
    expect(reads[0]?.at).toBe(START_MS)
  })
})

describe('a draft', () => {
  const state = (shown: object = {}) => ({
    mode: 'draft_basket',
    phase: 'draft',
    entryId,
    yourTurn: true,
    available: ['a', 'b'],
    mine: [],
    ...shown,
  })

  async function openDraft(options: TestBotOptions = {}, adapt: (service: ScriptedService) => void = () => {}): Promise<TestBot> {
    const bot = await openTestBot(options)
    const { service } = bot
    service.states.set(contestId, state())
    service.onAct('agent.modes.draftPick', ({ token }) => {
      service.states.set(contestId, state({ yourTurn: false, available: ['a', 'b'].filter((left) => left !== token), mine: [token] }))
      return accepted()
    })
    adapt(service)
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'draft_basket' }), liveFor('draft_basket', 12_000))
    return bot
  }

  test('on its turn the bot picks at once; off its turn it does not', async () => {
    const bot = await openDraft({ strategies: [picker(({ draft }) => draft.available.at(-1))] })
    expect(bot.service.sent('agent.modes.draftPick')).toEqual([{ contestId, token: 'b' }])
    await bot.run(3000)
    expect(bot.service.sent('agent.modes.draftPick')).toHaveLength(1)
    bot.service.states.set(contestId, state({ available: ['a'], mine: ['b'] }))
    await bot.run(1000)
    expect(bot.service.sent('agent.modes.draftPick')).toEqual([
      { contestId, token: 'b' },
      { contestId, token: 'a' },
    ])
  })

  test('a state asked for before the pick was taken does not make it pick again', async () => {
    const bot = await openDraft({ strategies: [picker(({ draft }) => draft.available[0])] }, (service) => {
      service.onAct('agent.modes.draftPick', () => {
        // The next state is asked for before this is answered, and comes after it: it is still of before the pick.
        service.onRead('agent.modes.state', () => service.after(1500, { ok: true, output: state() }))
        return service.after(1000, accepted())
      })
    })
    await bot.run(900)
    bot.service.onRead('agent.modes.state', () => ({ ok: true, output: state({ yourTurn: false, mine: ['a'] }) }))
    await bot.run(6000)
    expect(bot.service.sent('agent.modes.draftPick')).toHaveLength(1)
  })

  test('a pick the guard or the service refuses is thought over at the pace of the reads', async () => {
    const refusing = (service: ScriptedService) => service.onAct('agent.modes.draftPick', () => rejected('NOT_YOUR_TURN'))
    const bot = await openDraft({ strategies: [picker(() => 'a')] }, refusing)
    await bot.run(8000)
    expect(bot.service.sent('agent.modes.draftPick').length).toBeGreaterThan(2)
    expect(bot.service.sent('agent.modes.draftPick').length).toBeLessThanOrEqual(35)
    const wild = await openDraft({ strategies: [picker(() => 'z')] })
    await wild.run(4000)
    expect(wild.service.acts).toEqual([])
    expect(new Set(wild.refusals())).toEqual(new Set(['TOKEN_NOT_AVAILABLE']))
  })

  test.each([
    ['a turn of three seconds', { pickBy: iso(3000) }, 10],
    ['a turn of thirteen', { pickBy: iso(13_000) }, 2],
    ['a turn of nobody knows how long', {}, 10],
    ['no turn of anybody', { phase: 'waiting' }, 2],
  ])('is looked at as often as %s needs', async (_what, shown, looks) => {
    const bot = await openDraft({}, (service) => service.states.set(contestId, state({ yourTurn: false, ...shown })))
    bot.service.reads.splice(0)
    await bot.run(2500)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state')).toHaveLength(looks)
  })

  test('is looked at as often in the turn after a long one as that needs', async () => {
    const bot = await openDraft({}, (service) => service.states.set(contestId, state({ yourTurn: false, pickBy: iso(13_000) })))
    await bot.run(3000)
    bot.service.states.set(contestId, state({ yourTurn: false, pickBy: iso(6000) }))
    await bot.run(1000)
    bot.service.reads.splice(0)
    await bot.run(1000)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state').length).toBeGreaterThanOrEqual(4)
  })

  test.each([
    ['turns are played', () => ({ phase: 'draft', turn: { entryId: keyedUuid('other') } }), 3500],
    ['nobody is waited for', () => ({ phase: 'lobby', turn: null, pickBy: undefined }), 3500],
  ])('beside twelve others is seen in time while %s', async (_what, said, longestMs) => {
    const bot = await openTestBot({ strategies: [picker(() => undefined)] })
    bot.service.onRead('agent.modes.state', () => {
      const turn = Math.floor((bot.clock.now() - START_MS) / 8000)
      const state = { mode: 'draft_basket', entryId, pickBy: iso((turn + 1) * 8000), available: ['a'], mine: [], ...said() }
      return decoded('agent.modes.state', state)
    })
    for (let draft = 0; draft < 13; draft++) {
      const times = { startsAt: iso(100_000), endsAt: iso(130_000) }
      await bot.tell(rawEvent('contest.live', { contestId: keyedUuid('draft', draft), mode: 'draft_basket', ...times }))
    }
    await bot.run(60_000)
    const stateReads = bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state')
    const ofOne = stateReads.filter(({ input }) => (input as { contestId: string }).contestId === keyedUuid('draft', 0))
    const gaps = ofOne.slice(1).map(({ at }, index) => at - (ofOne[index]?.at ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(longestMs)
    expect(stateReads.length).toBeLessThanOrEqual(285)
  })

  test('is followed until it starts, and at a pace that many drafts share', async () => {
    const bot = await openDraft()
    await bot.run(4000)
    const alone = bot.service.reads.length
    const others = [1, 2, 3].map((n) => keyedUuid('draft', n))
    for (const id of others) bot.service.states.set(id, state())
    const alive = (id: string) =>
      rawEvent('contest.live', { contestId: id, mode: 'draft_basket', startsAt: iso(12_000), endsAt: iso(30_000) })
    await bot.tell(
      ...others.map((id) => rawEvent('match.found', { ticketId: keyedUuid(id), contestId: id, mode: 'draft_basket' })),
      ...others.map(alive),
    )
    await bot.run(4000)
    const together = bot.service.reads.length - alone
    expect(together).toBeLessThan(1.6 * alone)
    await bot.run(3000)
    for (const id of [contestId, ...others]) bot.service.states.set(id, state({ phase: 'running', yourTurn: false }))
    await bot.run(7000)
    bot.service.reads.splice(0)
    await bot.run(5000)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state')).toEqual([])
  })
})

describe('money figures', () => {
  test('are read once at the end of a stream that was behind and told of money that has moved', async () => {
    const bot = await openTestBot()
    const read = () => bot.service.reads.filter(({ procedure }) => procedure === 'agent.limits' || procedure === 'agent.bankroll').length
    const atFirst = read()
    bot.events.fallBehind()
    for (const name of ['one', 'two']) await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid(name) }))
    expect(read()).toBe(atFirst)
    bot.events.catchUp()
    await bot.run(0)
    expect(read()).toBe(atFirst + 2)
    // Where nothing has moved, nothing is read.
    bot.events.fallBehind()
    await bot.tell(rawEvent('contest.joined', { contestId: keyedUuid('three') }))
    bot.events.catchUp()
    await bot.run(0)
    expect(read()).toBe(atFirst + 2)
  })

  test('are read at the start, every 10 s, and when money has moved', async () => {
    const bot = await openTestBot({ strategies: [once()] })
    const limitsRead = () => bot.service.reads.filter(({ procedure }) => procedure === 'agent.limits').length
    expect(limitsRead()).toBe(1)
    await bot.run(10_100)
    expect(limitsRead()).toBe(2)
    await bot.tell(rawEvent('contest.settled', { contestId }))
    expect(limitsRead()).toBe(3)
  })

  describe('that hold for days, as in a simulated world,', () => {
    const HOUR_MS = 3_600_000
    const openLasting = async (resetsAt: number | null, figuresHoldMs = 6 * 24 * HOUR_MS) => {
      const bot = await openTestBot({
        prepare: (service) => {
          service.figuresHoldMs = figuresHoldMs
          service.limits = { ...service.limits, resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString() }
        },
      })
      const readTimes = (procedure: string) =>
        bot.service.reads.filter((read) => read.procedure === procedure).map(({ at }) => at - START_MS)
      return { bot, readTimes }
    }

    test('are read once a day, and the limits when the day of the service ends', async () => {
      const { bot, readTimes } = await openLasting(START_MS + HOUR_MS)
      await bot.run(HOUR_MS - 1)
      expect(readTimes('agent.limits')).toHaveLength(1)
      await bot.run(1)
      expect(readTimes('agent.limits')).toHaveLength(2)
      expect(readTimes('agent.bankroll')).toHaveLength(1)
      await bot.run(24 * HOUR_MS)
      expect(readTimes('agent.bankroll')).toHaveLength(2)
    })

    test('are read every ten seconds at the most, though the service says that its day has ended', async () => {
      const { bot, readTimes } = await openLasting(START_MS - HOUR_MS)
      await bot.run(60_000)
      expect(readTimes('agent.limits').length).toBe(7)
    })

    test('and are read once the day of the service ends, or money has moved, where they hold for ever', async () => {
      const { bot, readTimes } = await openLasting(START_MS + HOUR_MS, Number.POSITIVE_INFINITY)
      const reads = () => [readTimes('agent.limits').length, readTimes('agent.bankroll').length]
      await bot.run(HOUR_MS - 1)
      expect(reads()).toEqual([1, 1])
      await bot.run(1)
      expect(reads()).toEqual([2, 1])
      bot.service.limits = { ...bot.service.limits, resetsAt: new Date(START_MS + 1000 * HOUR_MS).toISOString() }
      await bot.run(48 * HOUR_MS)
      const before = reads()
      await bot.run(48 * HOUR_MS)
      expect(reads()).toEqual(before)
      await bot.tell(rawEvent('contest.settled', { contestId }))
      expect(reads()).toEqual(before.map((count) => count + 1))
    })

    test('are read once a day where the service does not say when its day ends', async () => {
      const { bot, readTimes } = await openLasting(null)
      await bot.run(25 * HOUR_MS)
      expect(readTimes('agent.limits')).toHaveLength(2)
    })
  })
})

test('the prices a strategy is shown are those of the last tick the bot has processed', async () => {
  const seen: (string | undefined)[] = []
  const bot = await openTestBot({ strategies: [policy(({ prices }) => void seen.push(prices.text(TOKEN)), { everySec: 1 })] })
  bot.price({ [TOKEN]: '1.5' })
  await bot.run(1000)
  bot.price({ [TOKEN]: '1.6' })
  await bot.run(1000)
  expect([seen[0], seen.at(-2), seen.at(-1)]).toEqual([undefined, '1.5', '1.6'])
})
