import { describe, expect, test } from 'vitest'
import { MemoryJournal } from '../../test/support/memoryJournal.ts'
import {
  ENDS_MS,
  entryId,
  predictionEvents,
  predictionId,
  predictionSettled,
  servePrediction,
  shelvePrediction,
  TOKEN,
} from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, notSent, openContest, rejected, type ScriptedService, unknown, unreadable } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../test/support/testBot.ts'
import { once, picker, policy, predictor } from '../../test/support/testStrategies.ts'
import { commitmentOf } from '../contract/commitment.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { joinContest } from '../strategy/action.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
const liveFor = (mode: string, startsAfterMs: number) =>
  rawEvent('contest.live', { contestId, mode, startsAt: iso(startsAfterMs), endsAt: iso(startsAfterMs + 15_000) })

const alwaysSays = (price: string) => predictor(() => ({ price }))

/** A bot in a live prediction, which the scripted service plays by the rules. */
async function openPrediction(options: TestBotOptions = {}, adapt: (service: ScriptedService) => void = () => {}): Promise<TestBot> {
  const clock = options.clock ?? new VirtualClock(START_MS)
  const bot = await openTestBot({ strategies: [alwaysSays('187.25')], ...options, clock })
  servePrediction(bot.service, () => clock.now())
  adapt(bot.service)
  await bot.tell(...predictionEvents())
  return bot
}

const revealsOf = ({ service }: TestBot) => service.sent('agent.modes.revealPrediction')

describe('seats', () => {
  test('a seat the bot joined is readied at once, again where that did not arrive, and once', async () => {
    let tries = 0
    const bot = await openTestBot({
      strategies: [
        policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, side: 'DOWN' })]), { browse: {} }),
      ],
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

  test('one that the policy says it will ready is left to it', async () => {
    const bot = await openTestBot({
      strategies: [
        policy(
          ({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, side: 'DOWN', readiedBy: 'policy' })]),
          { browse: {} },
        ),
      ],
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
    const refusing = (service: ScriptedService) => service.onAct('agent.modes.draftPick', () => rejected('TOKEN_TAKEN'))
    const bot = await openDraft({ strategies: [picker(() => 'a')] }, refusing)
    await bot.run(8000)
    expect(bot.service.sent('agent.modes.draftPick').length).toBeGreaterThan(2)
    expect(bot.service.sent('agent.modes.draftPick').length).toBeLessThanOrEqual(21)
    const wild = await openDraft({ strategies: [picker(() => 'z')] })
    await wild.run(4000)
    expect(wild.service.acts).toEqual([])
    expect(new Set(wild.refusals())).toEqual(new Set(['TOKEN_NOT_AVAILABLE']))
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
    await bot.run(10_000)
    bot.service.reads.splice(0)
    await bot.run(5000)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state')).toEqual([])
  })
})

describe('a prediction', () => {
  test('is committed from custody, revealed when the contest ends, and counted', async () => {
    const journal = new MemoryJournal()
    const bot = await openPrediction({ journal })
    await bot.run(1000)
    const [custody] = journal.custodyOf(predictionId)
    expect(custody).toMatchObject({ contestId: predictionId, entryId, price: '187.25', status: 'made' })
    const { salt = '', commitment = '' } = custody ?? {}
    expect(commitment).toBe(commitmentOf('187.25', salt, entryId))
    expect(bot.service.sent('agent.modes.commitPrediction')).toEqual([{ contestId: predictionId, commitment }])
    await bot.run(18_900)
    expect(revealsOf(bot)).toEqual([])
    expect(bot.status().reveals).toEqual({ due: 0, done: 0 })
    await bot.run(300)
    expect(revealsOf(bot)).toEqual([{ contestId: predictionId, value: '187.25', salt }])
    await bot.tell(predictionSettled())
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(journal.custodyOf(predictionId).map(({ status }) => status)).toEqual(['made', 'committed', 'revealed'])
    expect(bot.notes('error')).toEqual([])
    await bot.run(60_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('the salt is durable before the commitment leaves, and the reveal’s intent before the reveal', async () => {
    const journal = new MemoryJournal()
    const checked: string[] = []
    const bot = await openPrediction({ journal }, (service) => {
      service.onSend = ({ procedure }) => {
        const { intents, custody } = journal.records.at(-1) ?? { intents: [], custody: [] }
        if (procedure === 'agent.modes.commitPrediction' && custody[0]?.salt !== undefined && intents.length === 1) checked.push(procedure)
        if (procedure === 'agent.modes.revealPrediction' && intents[0]?.action.type === 'revealPrediction') checked.push(procedure)
      }
    })
    await bot.run(21_000)
    expect(checked).toEqual(bot.service.acts.map(({ procedure }) => procedure))
    expect(checked).toEqual(['agent.modes.commitPrediction', 'agent.modes.revealPrediction'])
  })

  test('a commitment that did not leave is made again with the same price and salt', async () => {
    const prices = ['187.25', '200', '300']
    let tries = 0
    const bot = await openPrediction({ strategies: [predictor(() => ({ price: prices.shift() ?? '' }))] }, (service) => {
      service.onAct('agent.modes.commitPrediction', () => (++tries === 1 ? notSent : accepted()))
    })
    await bot.run(2000)
    const [first, second, ...more] = bot.service.sent('agent.modes.commitPrediction')
    expect(second).toEqual(first)
    expect(more).toEqual([])
    expect(bot.journal.custodyOf(predictionId).map(({ status, price }) => [status, price])).toEqual([
      ['made', '187.25'],
      ['committed', '187.25'],
    ])
  })

  test('a refused commitment is not sent in a circle', async () => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.commitPrediction', () => rejected('RATE_LIMITED', 429)))
    await bot.run(10_000)
    const { length } = bot.service.sent('agent.modes.commitPrediction')
    expect(length).toBeGreaterThan(2)
    expect(length).toBeLessThanOrEqual(13)
    await bot.tell(predictionSettled('LOSS'))
    // It was never taken, so nothing was owed and nothing is missed.
    expect(bot.journal.custodyOf(predictionId).at(-1)?.status).toBe('dropped')
    expect(bot.notes('error')).toEqual([])
  })

  test('one that the service shows as taken, though it refused it, is revealed', async () => {
    const bot = await openPrediction({}, (service) =>
      service.onAct('agent.modes.commitPrediction', () => {
        shelvePrediction(service, { committed: true })
        return rejected('ALREADY_COMMITTED')
      }),
    )
    await bot.run(22_000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('REVEAL_NOT_OPEN: it is revealed again until it is taken', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    const openAt = ENDS_MS + 2000
    bot.service.onAct('agent.modes.revealPrediction', () => (bot.clock.now() < openAt ? rejected('REVEAL_NOT_OPEN') : accepted()))
    await bot.run(25_000)
    expect(revealsOf(bot)).toHaveLength(5)
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('a reveal under way neither spins nor doubles', async () => {
    const bot = await openPrediction()
    await bot.run(19_900)
    bot.service.onAct('agent.modes.revealPrediction', () => bot.service.after(3000, accepted()))
    const before = bot.steps.length
    await bot.run(2000)
    expect(bot.steps.length - before).toBeLessThan(20)
    expect(revealsOf(bot)).toHaveLength(1)
    await bot.run(2000)
    expect(bot.status().reveals.done).toBe(1)
  })

  test('the reveal goes out although the stream and every read fail', async () => {
    const bot = await openPrediction()
    await bot.run(300)
    bot.events.fallBehind()
    for (const procedure of ['agent.modes.state', 'agent.limits', 'agent.bankroll'] as const)
      bot.service.onRead(procedure, () => unreadable())
    await bot.run(22_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('so it does when the commitment was answered only after the stream was lost', async () => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.commitPrediction', () => service.after(2000, accepted())))
    await bot.run(500)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    bot.events.fallBehind()
    await bot.run(22_000)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('a missed reveal is reported and counted', async () => {
    const bot = await openPrediction()
    bot.service.onAct('agent.modes.revealPrediction', () => rejected('REVEAL_NOT_OPEN'))
    await bot.run(22_000)
    expect(bot.status().reveals).toEqual({ due: 1, done: 0 })
    await bot.tell(predictionSettled('LOSS'))
    expect(bot.notes('error')).toEqual(['a prediction was not revealed before its contest was settled: its stake is lost'])
    expect(bot.status().reveals).toEqual({ due: 1, done: 0 })
    expect(bot.journal.load().counts).toMatchObject({ missed: 1, revealed: 0 })
  })

  test('so it is when its contest is settled before the service has refused it', async () => {
    const bot = await openPrediction()
    bot.service.onAct('agent.modes.revealPrediction', () => bot.service.after(3000, rejected('CONTEST_NOT_OPEN')))
    await bot.run(20_500)
    await bot.tell(predictionSettled('LOSS'))
    expect(bot.notes('error')).toEqual([])
    await bot.run(5000)
    expect(bot.notes('error')).toEqual(['a prediction was not revealed before its contest was settled: its stake is lost'])
    expect(bot.journal.load()).toMatchObject({ custody: [], counts: { missed: 1 } })
  })

  test('one whose contest is cancelled owes nothing', async () => {
    const bot = await openPrediction()
    await bot.run(1000)
    await bot.tell(rawEvent('contest.cancelled', { contestId: predictionId }))
    await bot.run(30_000)
    expect(revealsOf(bot)).toEqual([])
    expect(bot.notes('error')).toEqual([])
    expect(bot.journal.load().custody).toEqual([])
  })

  test('without an entry id it says so once, naming the paths, and asks at the pace of the reads', async () => {
    const bot = await openTestBot({ strategies: [alwaysSays('1')] })
    shelvePrediction(bot.service, { entryId: null })
    await bot.tell(...predictionEvents())
    await bot.run(4900)
    expect(bot.notes('error')).toHaveLength(1)
    expect(bot.notes('error')[0]).toContain('service.paths.entryId')
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state').length).toBeLessThanOrEqual(11)
    expect(bot.service.acts).toEqual([])
  })
})

describe('a restart in the middle of a prediction', () => {
  async function restarted(journal: MemoryJournal, clock: VirtualClock, prepare: TestBotOptions['prepare'] = () => {}): Promise<TestBot> {
    return await openTestBot({
      journal,
      clock,
      strategies: [alwaysSays('999')],
      prepare: (service) => {
        servePrediction(service, () => clock.now())
        prepare(service)
      },
    })
  }

  test('the prediction made before it is revealed with the same price and salt', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    const salt = journal.custodyOf(predictionId)[0]?.salt ?? ''
    await clock.advanceBy(9000)
    const second = await restarted(journal, clock, (service) => shelvePrediction(service, { phase: 'running', committed: true }))
    await second.run(12_000)
    expect(second.service.acts.map(({ procedure, input }) => [procedure, input])).toEqual([
      ['agent.modes.revealPrediction', { contestId: predictionId, value: '187.25', salt }],
    ])
    await second.tell(predictionSettled())
    expect(second.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('so it is when the contest ended while the bot was down', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    await clock.advanceBy(20_000)
    const second = await restarted(journal, clock, (service) => shelvePrediction(service, { phase: 'reveal', committed: true }))
    await second.run(500)
    expect(revealsOf(second)).toHaveLength(1)
  })

  test('killed while the commitment was on its way, it is looked up, and revealed when it was taken', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock }, (service) =>
      service.onAct('agent.modes.commitPrediction', () => service.after(60_000, unknown)),
    )
    await first.run(200)
    expect(first.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    first.kill()
    const second = await restarted(journal, clock, (service) => shelvePrediction(service, { committed: true }))
    await second.run(22_000)
    expect(second.service.sent('agent.modes.commitPrediction')).toEqual([])
    expect(revealsOf(second)).toEqual([{ contestId: predictionId, value: '187.25', salt: journal.custodyOf(predictionId)[0]?.salt }])
  })

  test('custody that the journal holds of a contest that is over is closed, without a reveal', async () => {
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ journal, clock })
    await first.run(1000)
    first.kill()
    await clock.advanceBy(60_000)
    const second = await restarted(journal, clock, (service) =>
      service.onAct('agent.modes.revealPrediction', () => rejected('CONTEST_NOT_OPEN')),
    )
    await second.tell(predictionSettled('LOSS'))
    await second.run(1000)
    expect(journal.load()).toMatchObject({ custody: [], counts: { missed: 1 } })
  })
})

describe('money figures', () => {
  test('are read at the start, every 10 s, and when money has moved', async () => {
    const bot = await openTestBot({ strategies: [once()] })
    const limitsRead = () => bot.service.reads.filter(({ procedure }) => procedure === 'agent.limits').length
    expect(limitsRead()).toBe(1)
    await bot.run(10_100)
    expect(limitsRead()).toBe(2)
    await bot.tell(rawEvent('contest.settled', { contestId }))
    expect(limitsRead()).toBe(3)
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
