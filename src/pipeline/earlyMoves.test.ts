import { describe, expect, test } from 'vitest'
import { alwaysSays, ENDS_MS, entryId, predictionId, revealsOf, shelvePrediction } from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, notSent, openContest, rejected } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../test/support/testBot.ts'
import { once, picker, policy, predictor } from '../../test/support/testStrategies.ts'
import { commitmentOf } from '../contract/commitment.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { SOL_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { enqueue, joinContest } from '../strategy/action.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'

// A service may take picks and commitments while a contest is open, before it locks: the specification does not say.

const contestId = keyedUuid('contest')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
const matched = (id: string, mode: string) => rawEvent('match.found', { ticketId: keyedUuid('ticket of', id), contestId: id, mode })
const stateReads = ({ service }: TestBot) => service.reads.filter(({ procedure }) => procedure === 'agent.modes.state')
const commits = ({ service }: TestBot) => service.sent('agent.modes.commitPrediction')
const picks = ({ service }: TestBot) => service.sent('agent.modes.draftPick')

describe('a draft before its contest is live', () => {
  const turn = { mode: 'draft_basket', phase: 'drafting', entryId, yourTurn: true, available: ['a', 'b'], mine: [] }
  const waiting = { mode: 'draft_basket', phase: 'open', entryId: null }

  async function openDraft(shown: Readonly<Record<string, unknown>>, options: TestBotOptions = {}): Promise<TestBot> {
    const bot = await openTestBot({ strategies: [picker(({ draft }) => draft.available[0])], ...options })
    bot.service.states.set(contestId, shown)
    await bot.tell(matched(contestId, 'draft_basket'))
    return bot
  }

  test('is drafted, every turn of it at the pace of a draft', async () => {
    const bot = await openDraft(waiting)
    await bot.run(7000)
    expect(picks(bot)).toEqual([])
    bot.service.onAct('agent.modes.draftPick', ({ token }) => {
      bot.service.states.set(contestId, { ...turn, yourTurn: false, mine: [token] })
      return accepted()
    })
    bot.service.states.set(contestId, turn)
    await bot.run(3500)
    expect(picks(bot)).toEqual([{ contestId, token: 'a' }])
    bot.service.states.set(contestId, { ...turn, available: ['b'], mine: ['a'] })
    await bot.run(500)
    expect(picks(bot)).toEqual([
      { contestId, token: 'a' },
      { contestId, token: 'b' },
    ])
  })

  test('that has not begun is looked for seldom, and misses nothing', async () => {
    const bot = await openDraft(waiting)
    await bot.run(30_000)
    expect(stateReads(bot).length).toBeGreaterThanOrEqual(9)
    expect(stateReads(bot).length).toBeLessThanOrEqual(10)
    expect(bot.notes('error')).toEqual([])
  })

  test('is looked for in turn with many others', async () => {
    const bot = await openDraft(waiting)
    const others = Array.from({ length: 9 }, (_, n) => keyedUuid('draft', n))
    for (const id of others) bot.service.states.set(id, waiting)
    await bot.tell(...others.map((id) => matched(id, 'draft_basket')))
    await bot.run(60_000)
    expect(stateReads(bot).length).toBeLessThanOrEqual(65)
    expect(new Set(stateReads(bot).map(({ input }) => (input as { contestId: string }).contestId)).size).toBe(10)
  })

  test.each([
    [1, 30_000, 10],
    [10, 60_000, 65],
  ])('is looked for no oftener where the states of %i are not shown yet, and nothing is said of that', async (count, forMs, most) => {
    const bot = await openTestBot({ strategies: [picker(({ draft }) => draft.available[0])] })
    await bot.tell(...Array.from({ length: count }, (_, n) => matched(keyedUuid('draft', n), 'draft_basket')))
    await bot.run(forMs)
    expect(stateReads(bot).length).toBeGreaterThan(most / 2)
    expect(stateReads(bot).length).toBeLessThanOrEqual(most)
    expect(bot.notes('warn').filter((note) => note.includes('agent.modes.state'))).toEqual([])
  })

  test('is not looked for where a match is live a moment later', async () => {
    const bot = await openDraft(waiting)
    await bot.run(1000)
    expect(stateReads(bot)).toEqual([])
    bot.service.states.set(contestId, { ...turn, phase: 'draft' })
    await bot.tell(rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(12_000), endsAt: iso(30_000) }))
    await bot.run(100)
    expect(picks(bot)).toHaveLength(1)
  })

  test('has its turns from the start again where it drafts only then', async () => {
    const bot = await openDraft({ ...turn, yourTurn: false, phase: 'open' })
    await bot.run(7000)
    // Its window has begun by the time that it is heard of, and no read before says anything of the draft within it.
    bot.service.states.set(contestId, turn)
    await bot.tell(rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(5000), endsAt: iso(30_000) }))
    await bot.run(100)
    expect(picks(bot)).toHaveLength(1)
  })

  test.each([
    ['with a code that nobody knows', () => rejected('NOT_LIVE')],
    ['as early, by a mapping', () => rejected('SLOW_DOWN', 429, 'notYet')],
  ])('whose picks are refused %s is thought over in peace', async (_how, refused) => {
    const bot = await openDraft(turn)
    bot.service.onAct('agent.modes.draftPick', refused)
    await bot.run(30_000)
    expect(picks(bot).length).toBeGreaterThan(3)
    expect(picks(bot).length).toBeLessThan(9)
  })

  test('is picked in again at once where a pick came too often', async () => {
    let tries = 0
    const bot = await openDraft(turn)
    bot.service.onAct('agent.modes.draftPick', ({ token }) => {
      tries += 1
      if (tries === 1) return rejected('RATE_LIMITED', 429)
      bot.service.states.set(contestId, { ...turn, yourTurn: false, mine: [token] })
      return accepted()
    })
    await bot.run(4000)
    expect(picks(bot)).toHaveLength(2)
  })

  test('whose picks are refused goes on at the pace of a draft once it is live', async () => {
    const bot = await openDraft(turn)
    bot.service.onAct('agent.modes.draftPick', () => rejected('NOT_LIVE'))
    await bot.run(3100)
    expect(picks(bot)).toHaveLength(1)
    bot.service.onAct('agent.modes.draftPick', ({ token }) => {
      bot.service.states.set(contestId, { ...turn, yourTurn: token === 'a', available: ['b'], mine: [token] })
      return accepted()
    })
    await bot.tell(rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(12_000), endsAt: iso(30_000) }))
    await bot.run(500)
    expect(picks(bot).map(({ token }) => token)).toEqual(['a', 'a', 'b'])
  })

  test('says what the turn lacks', async () => {
    const bot = await openDraft({ ...turn, available: undefined })
    await bot.run(4000)
    expect(bot.notes('error').join()).toContain('available')
  })

  test('is not looked for while the seat is not ready', async () => {
    const listed = openContest(contestId, { mode: 'draft_basket', entries: [] })
    const bot = await openTestBot({
      strategies: [
        policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, readiedBy: 'policy' })]), {
          browse: {},
        }),
        picker(({ draft }) => draft.available[0]),
      ],
      prepare: (service) => {
        service.open.push(listed)
        service.states.set(contestId, waiting)
      },
    })
    await bot.run(20_000)
    expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
    expect(stateReads(bot)).toEqual([])
  })
})

describe('a prediction before its contest is live', () => {
  async function openEarly(shown: Readonly<Record<string, unknown>>, options: TestBotOptions = {}): Promise<TestBot> {
    const bot = await openTestBot({ strategies: [alwaysSays('187.25')], ...options })
    shelvePrediction(bot.service, { revealFrom: undefined, ...shown })
    bot.service.onAct('agent.modes.commitPrediction', () => {
      shelvePrediction(bot.service, { revealFrom: undefined, ...shown, committed: true })
      return accepted()
    })
    await bot.tell(matched(predictionId, 'price_prediction'))
    return bot
  }
  const goesLive = (startsAt: number) =>
    rawEvent('contest.live', {
      contestId: predictionId,
      mode: 'price_prediction',
      startsAt: iso(startsAt),
      endsAt: new Date(ENDS_MS).toISOString(),
    })

  test.each([
    ['until a time that it says', { phase: 'open', commitBy: iso(15_000) }],
    ['by the word of its phase', { phase: 'committing', commitBy: undefined }],
  ])('that is taken %s, is made, once, and shown after the end', async (_how, shown) => {
    const bot = await openEarly(shown)
    await bot.run(10_000)
    expect(commits(bot)).toHaveLength(1)
    await bot.tell(goesLive(10_000))
    await bot.run(ENDS_MS - bot.clock.now() - 1)
    expect(revealsOf(bot)).toEqual([])
    await bot.run(2000)
    expect(commits(bot)).toHaveLength(1)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('is made in a window of nine seconds, with another seat open and a draft under way elsewhere', async () => {
    const bot = await openTestBot({ strategies: [alwaysSays('100'), picker(() => undefined)] })
    bot.service.states.set(contestId, { mode: 'draft_basket', phase: 'draft', entryId, yourTurn: false, available: ['a'] })
    await bot.tell(
      matched(contestId, 'draft_basket'),
      rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(40_000), endsAt: iso(60_000) }),
      matched(keyedUuid('another'), 'price_prediction'),
    )
    await bot.run(500)
    shelvePrediction(bot.service, { phase: 'open', commitBy: iso(9500) })
    await bot.tell(matched(predictionId, 'price_prediction'))
    await bot.run(9000)
    expect(commits(bot)).toHaveLength(1)
  })

  test('that is not asked for waits until it is', async () => {
    const bot = await openEarly({ phase: 'open', commitBy: undefined, entryId: null })
    await bot.run(8000)
    expect(stateReads(bot)).toHaveLength(2)
    expect(commits(bot)).toEqual([])
    expect(bot.notes('error')).toEqual([])
    shelvePrediction(bot.service)
    await bot.tell(goesLive(12_000))
    expect(commits(bot)).toEqual([])
    shelvePrediction(bot.service, { commitBy: iso(12_000) })
    await bot.run(1000)
    expect(commits(bot)).toHaveLength(1)
  })

  test('that is refused is tried again in peace, with the same commitment, and taken once it is live', async () => {
    const bot = await openEarly({ phase: 'open', commitBy: iso(60_000) })
    bot.service.onAct('agent.modes.commitPrediction', () => rejected('NOT_LIVE'))
    await bot.run(15_000)
    expect(commits(bot).length).toBeGreaterThan(1)
    expect(commits(bot).length).toBeLessThan(5)
    const refused = commits(bot).length
    bot.service.onAct('agent.modes.commitPrediction', () => {
      shelvePrediction(bot.service, { committed: true })
      return accepted()
    })
    await bot.tell(goesLive(20_000))
    await bot.run(6000)
    expect(commits(bot)).toHaveLength(refused + 1)
    expect(new Set(commits(bot).map(({ commitment }) => commitment)).size).toBe(1)
  })

  test('that was not sent is sent while there is time', async () => {
    const bot = await openEarly({ phase: 'commit', commitBy: iso(7000) })
    let tries = 0
    bot.service.onAct('agent.modes.commitPrediction', () => (++tries === 1 ? notSent : accepted()))
    await bot.run(7000)
    expect(tries).toBe(2)
    expect(new Set(commits(bot).map(({ commitment }) => commitment)).size).toBe(1)
  })

  test.each([
    ['commitments', { commitBy: iso(60_000) }, { commitBy: null, revealFrom: undefined }],
    ['reveals', { commitBy: iso(60_000), revealFrom: iso(80_000) }, { commitBy: iso(5000) }],
  ])('whose contest locks before its time for %s is shown in the time that it has then', async (_of, before, after) => {
    const bot = await openEarly({ phase: 'open', ...before })
    await bot.run(4000)
    expect(commits(bot)).toHaveLength(1)
    shelvePrediction(bot.service, { phase: 'running', committed: true, ...after })
    await bot.tell(goesLive(5000))
    await bot.run(ENDS_MS + 2000 - bot.clock.now())
    expect(revealsOf(bot)).toHaveLength(1)
  })

  const shownLive = (bot: TestBot) => {
    const [startsAt, endsAt] = [iso(5000), new Date(ENDS_MS).toISOString()]
    bot.service.contests = [{ contestId: predictionId, mode: 'price_prediction', status: 'live', stake: '1000000', startsAt, endsAt }]
  }

  test('is shown after the end although the stream fails before the contest is live', async () => {
    const bot = await openEarly({ phase: 'open', commitBy: iso(15_000) })
    await bot.run(4000)
    expect(commits(bot)).toHaveLength(1)
    bot.events.fallBehind()
    shownLive(bot)
    await bot.run(ENDS_MS + 2000 - bot.clock.now())
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.contests.get').length).toBeLessThan(5)
  })

  test('is shown by the next run although its stream never begins', async () => {
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const bot = await openEarly({ phase: 'open', commitBy: iso(15_000) }, { journal, clock })
    await bot.run(4000)
    bot.kill()
    const next = await openTestBot({ journal, clock, caughtUp: false })
    await next.run(1000)
    shownLive(next)
    await next.run(ENDS_MS + 2000 - clock.now())
    expect(revealsOf(next)).toHaveLength(1)
  })

  test('is shown although no event says that the contest is live', async () => {
    const bot = await openEarly({ phase: 'commit', commitBy: iso(15_000) })
    await bot.run(4000)
    expect(commits(bot)).toHaveLength(1)
    shownLive(bot)
    await bot.run(ENDS_MS - bot.clock.now() + 1000)
    expect(revealsOf(bot)).toHaveLength(1)
    const looks = bot.service.reads.filter(({ procedure }) => procedure === 'agent.contests.get')
    expect(looks.length).toBeLessThan(5)
  })

  test('that is refused is made anew where the entry turns out to be another', async () => {
    const bot = await openEarly({ phase: 'open', commitBy: iso(60_000) })
    bot.service.onAct('agent.modes.commitPrediction', () => rejected('NOT_LIVE'))
    await bot.run(4000)
    expect(commits(bot).length).toBeGreaterThan(0)
    const another = keyedUuid('another entry')
    const refused = new Set(commits(bot).map(({ commitment }) => commitment))
    shelvePrediction(bot.service, { entryId: another, commitBy: iso(15_000) })
    let taken = ''
    bot.service.onAct('agent.modes.commitPrediction', ({ commitment }) => {
      taken = commitment
      shelvePrediction(bot.service, { entryId: another, commitBy: iso(15_000), committed: true })
      return accepted()
    })
    await bot.tell(goesLive(15_000))
    await bot.run(6000)
    expect(refused.has(taken)).toBe(false)
    await bot.run(ENDS_MS - bot.clock.now() + 1000)
    const [reveal] = revealsOf(bot)
    expect(commitmentOf(reveal?.value ?? '', reveal?.salt ?? '', another)).toBe(taken)
  })

  test('is told how long the contest lasts, as its terms say', async () => {
    const durations: unknown[] = []
    const bot = await openTestBot({
      strategies: [
        predictor(({ contest }) => {
          durations.push(contest.durationSec)
          return null
        }),
      ],
      prepare: (service) => {
        shelvePrediction(service, { phase: 'commit', commitBy: iso(15_000) })
        service.contests = [{ contestId: predictionId, mode: 'price_prediction', status: 'open', stake: '1000000', durationSec: 45 }]
      },
    })
    await bot.run(5000)
    expect(durations.length).toBeGreaterThan(0)
    expect(new Set(durations)).toEqual(new Set([45]))
  })

  test('is told how long the contest lasts, as its ticket says', async () => {
    const ticketId = keyedUuid('ticket of', predictionId)
    const durations: unknown[] = []
    const bot = await openTestBot({
      strategies: [
        once(enqueue({ mode: 'price_prediction', stake: usdc('1'), durationSec: 45 })),
        predictor(({ contest }) => {
          durations.push(contest.durationSec)
          return null
        }),
      ],
      caughtUp: false,
      prepare: (service) => {
        shelvePrediction(service, { phase: 'commit', commitBy: iso(15_000) })
        service.onAct('agent.queue.enqueue', () => accepted({ ticketId }))
      },
    })
    bot.price({ [SOL_MINT]: '150' })
    bot.events.catchUp()
    await bot.run(100)
    await bot.tell(rawEvent('match.found', { ticketId, contestId: predictionId, mode: 'price_prediction' }))
    await bot.run(5000)
    expect(durations.length).toBeGreaterThan(0)
    expect(new Set(durations)).toEqual(new Set([45]))
  })

  test('is forgotten with a seat that is given back', async () => {
    const bot = await openEarly({ phase: 'commit', commitBy: iso(15_000) })
    await bot.run(4000)
    expect(bot.status().books.custody.size).toBe(1)
    bot.operator$.next('drain')
    await bot.run(4000)
    expect(bot.service.sent('agent.contests.leave')).toEqual([{ contestId: predictionId }])
    expect(bot.status().books.custody.size).toBe(0)
    expect(bot.status().reveals).toEqual({ due: 0, done: 0 })
    expect(bot.notes('error')).toEqual([])
  })
})
