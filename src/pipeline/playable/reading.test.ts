import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, decoded, rejected, unknown } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { picker, policy } from '../../../test/support/testStrategies.ts'
import { MODES } from '../../contract/modes.ts'
import type { Departure, Reading } from '../../contract/shapes/reading.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { SiblingBus } from '../../live/index.ts'
import { enqueue } from '../../strategy/action.ts'
import type { BotView } from '../../strategy/view.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// How the answers of a service are read decides what is entered: nothing that cannot be read, one at a time of what nothing has proven, and no more
// of what has changed.

type Mode = 'up_down' | 'draft_basket'
const DRAFT = keyedUuid('the draft')
const MINUTE_MS = 60_000
const ENTRY = { stake: usdc('1'), durationSec: 60 }
const reading = (changes: Partial<Reading> = {}): Reading => ({ hash: 'one', unreadable: {}, onTrial: [], ...changes })
const turnGone: Departure = { piece: 'turn', place: 'state:turn.userId', expected: 'a text', got: undefined }
const listGone: Departure = { piece: 'lists.tickets', place: 'items', expected: 'a list', got: { tickets: [] } }

/** Asks for each of the modes, over and over, whatever it has. */
const eager = (...modes: Mode[]) => policy(() => modes.map((mode) => enqueue({ mode, ...ENTRY })))
/** Asks for those that are open, and tells of what it is shown. */
const careful = (modes: readonly Mode[], shown: BotView['modes'][]) =>
  policy((view) => {
    shown.push(view.modes)
    return modes.filter((mode) => view.modes[mode]?.isOpen === true).map((mode) => enqueue({ mode, ...ENTRY }))
  })

interface Options extends TestBotOptions {
  readonly read?: Reading
}

async function open({ read, ...options }: Options): Promise<TestBot> {
  const { journal = new MemoryJournal() } = options
  journal.keepsModes = true
  const prepare = (service: TestBot['service']) => {
    service.reading = read
    let made = 0
    service.onAct('agent.queue.enqueue', () => accepted({ ticketId: keyedUuid('ticket of', options.name ?? '', made++) }))
    options.prepare?.(service)
  }
  return openTestBot({ guard: { maxOpenContests: 10 }, ...options, journal, prepare })
}

const entered = ({ service }: TestBot) => service.sent('agent.queue.enqueue').map(({ mode }) => mode)
const codes = ({ steps }: TestBot, level: string) =>
  steps.flatMap(({ notes }) => notes.flatMap((note) => (note.level === level && note.fields.code !== undefined ? [note.fields.code] : [])))
const statusOf = (bot: TestBot, mode: Mode) => bot.status().modes?.find((status) => status.mode === mode)
const iso = (ms: number) => new Date(ms).toISOString()

/** A draft of the bot goes on; `shown` is its state, and `departures` what is not where it should be. */
async function draft(
  bot: TestBot,
  { departures }: { departures: readonly Departure[] },
  contestId = DRAFT,
): Promise<{ departures: readonly Departure[] }> {
  const shown = { departures }
  const state = {
    contestId,
    mode: 'draft_basket',
    phase: 'draft',
    yourTurn: false,
    entryId: keyedUuid('mine'),
    available: [SOL_MINT],
    mine: [],
    theirs: [],
  }
  bot.service.onRead('agent.modes.state', () => ({ ...decoded('agent.modes.state', state), departures: shown.departures }))
  const now = bot.clock.now()
  const ids = { contestId, mode: 'draft_basket' }
  await bot.tell(
    rawEvent('match.found', { ticketId: [...bot.status().books.tickets.keys()][0] ?? keyedUuid('none'), ...ids }, now),
    rawEvent('contest.live', { ...ids, startsAt: iso(now), endsAt: iso(now + 10 * MINUTE_MS) }, now),
  )
  await bot.run(0)
  return shown
}

describe('a service of which nothing is known', () => {
  test('is entered in nothing, and one line says what to do', async () => {
    const shown: BotView['modes'][] = []
    const bot = await open({
      read: reading({ hash: undefined }),
      strategies: [careful(['up_down', 'draft_basket'], shown), picker(() => null)],
    })
    await bot.run(MINUTE_MS)
    expect(entered(bot)).toEqual([])
    expect(shown.at(-1)).toMatchObject({ up_down: { isOpen: false, why: 'SERVICE_UNPROBED' } })
    expect(codes(bot, 'warn')).toEqual(['SERVICE_UNPROBED'])
    expect(bot.notes('warn')).toEqual([expect.stringMatching(/run `cornerman probe`, or write `contestService\(\{ url, probe: /)])
    expect(statusOf(bot, 'up_down')).toMatchObject({ code: 'SERVICE_UNPROBED' })
    expect(bot.journal.modes).toHaveLength(MODES.length)
  })

  test('is not said of where no policy enters anything', async () => {
    const bot = await open({ read: reading({ hash: undefined }), strategies: [picker(() => null)] })
    expect(bot.notes('warn')).toEqual([])
  })
})

describe('a mode that cannot be read', () => {
  const read = reading({ unreadable: { draft_basket: ['turn', 'lists.open'], pnl_usd: ['token'] } })

  test('is not entered, which is said once with the fields to write; another is', async () => {
    const bot = await open({ read, strategies: [eager('draft_basket', 'up_down'), picker(() => null)] })
    await bot.run(MINUTE_MS)
    expect(new Set(entered(bot))).toEqual(new Set(['up_down']))
    expect(new Set(bot.refusals())).toEqual(new Set(['MODE_UNREADABLE', 'OPEN_CONTESTS']))
    expect(
      bot.journal.records[0]?.modes?.map(({ mode }) => mode),
      'of others there is nothing to tell',
    ).toEqual(['pnl_usd', 'draft_basket'])
    expect(bot.notes('warn')).toEqual([
      'draft_basket is not entered, since it is not known where the answers have service.shapes.pieces.turn, service.shapes.lists.open: run `cornerman probe --play --most 2.00 --modes draft_basket`',
    ])
  })

  test('is not tried either, until another mapping has what it lacked', async () => {
    const journal = new MemoryJournal()
    const strategies = () => [eager('draft_basket'), picker(() => null)]
    const first = await open({ read: reading(), journal, strategies: strategies() })
    await draft(first, { departures: [] })
    await first.tell(rawEvent('contest.settled', { contestId: DRAFT, mode: 'draft_basket', result: 'LOSS' }, first.clock.now()))
    await first.run(0)
    first.kill()
    const second = await open({
      read: reading({ hash: 'two', unreadable: { draft_basket: ['turn'] } }),
      journal,
      clock: first.clock,
      strategies: strategies(),
    })
    await second.run(60 * MINUTE_MS)
    expect(entered(second)).toEqual([])
    second.kill()
    const third = await open({ read: reading({ hash: 'three' }), journal, clock: first.clock, strategies: strategies() })
    await third.run(MINUTE_MS)
    expect(entered(third)).not.toEqual([])
  })

  test('is as open as any where nothing is said of the mapping', async () => {
    const bot = await open({ strategies: [eager('draft_basket'), picker(() => null)] })
    await bot.run(5000)
    expect(entered(bot)).toContain('draft_basket')
  })
})

describe('a mode of which nothing is proven', () => {
  test('is entered once until a valid move was made, and a policy that looks asks for no more', async () => {
    const shown: BotView['modes'][] = []
    const strategies = [careful(['draft_basket'], shown), picker(({ draft: { available } }) => available[0])]
    const bot = await open({ read: reading({ onTrial: ['draft_basket'] }), strategies })
    await bot.run(MINUTE_MS)
    expect(entered(bot)).toHaveLength(1)
    expect(shown.at(-1)).toMatchObject({ draft_basket: { isOpen: false, why: 'MODE_ON_TRIAL' } })
    expect(bot.refusals()).toEqual([])
    expect(statusOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_ON_TRIAL', why: expect.stringContaining('one contest at a time') })
    const state = {
      mode: 'draft_basket',
      phase: 'draft',
      yourTurn: true,
      entryId: keyedUuid('mine'),
      available: [SOL_MINT],
      mine: [],
      theirs: [],
    }
    await draft(bot, { departures: [] })
    bot.service.onRead('agent.modes.state', () => decoded('agent.modes.state', state))
    await bot.run(MINUTE_MS)
    expect(statusOf(bot, 'draft_basket')).toMatchObject({ code: undefined })
    expect(entered(bot).length).toBeGreaterThan(2)
  })

  test('is refused in silence to one that does not look', async () => {
    const bot = await open({ read: reading({ onTrial: ['up_down'] }), strategies: [eager('up_down')] })
    await bot.run(MINUTE_MS)
    expect(entered(bot)).toHaveLength(1)
    expect(new Set(bot.refusals())).toEqual(new Set(['MODE_ON_TRIAL']))
    expect(codes(bot, 'info')).not.toContain('MODE_ON_TRIAL')
    expect(codes(bot, 'debug')).toContain('MODE_ON_TRIAL')
  })

  test('has one out at most, whatever happens, before its first valid move', async () => {
    // Two that are no twins, in one turn.
    const greedy = policy(() => [usdc('1'), usdc('2')].map((stake) => enqueue({ ...ENTRY, mode: 'draft_basket', stake })))
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
      fc.record({ kind: fc.constantFrom('match' as const, 'expire' as const, 'settle' as const, 'cancel' as const, 'restart' as const) }),
      fc.record({ kind: fc.constant('answers' as const), how: fc.constantFrom('at once', 'late', 'lost', 'no') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const journal = new MemoryJournal()
        const clock = new VirtualClock(START_MS)
        /** As the service has them. */
        const tickets: string[] = []
        const contests: string[] = []
        let made = 0
        let most = 0
        let how = 'at once'
        const begin = () =>
          open({
            ...{ journal, clock, read: reading({ onTrial: ['draft_basket'] }) },
            strategies: [greedy, picker(() => null)],
            guard: { maxOpenContests: 10, unplayed: { hindered: 99, late: 99, abstained: 99 } },
            prepare: (service) => {
              service.tickets = tickets.map(listed)
              service.contests = contests.map(seated)
              service.onAct('agent.queue.enqueue', () => {
                if (how === 'no') return rejected('NOT_NOW', 400)
                const ticketId = keyedUuid('of the property', made++)
                tickets.push(ticketId)
                most = Math.max(most, tickets.length + contests.length)
                service.tickets = tickets.map(listed)
                if (how === 'lost') return unknown
                return how === 'late' ? service.after(3000, accepted({ ticketId })) : accepted({ ticketId })
              })
            },
          })
        const listed = (ticketId: string) => ({ ticketId, status: 'queued', mode: 'draft_basket', stake: '1000000', durationSec: 60 })
        const seated = (contestId: string) => ({ contestId, mode: 'draft_basket', status: 'live', stake: '1000000' })
        let bot = await begin()
        for (const happening of steps) {
          const now = clock.now()
          if (happening.kind === 'wait') await bot.run(happening.ms)
          else if (happening.kind === 'answers') how = happening.how
          else if (happening.kind === 'restart') {
            bot.kill()
            bot = await begin()
          } else if (happening.kind === 'match' || happening.kind === 'expire') {
            const ticketId = tickets.shift()
            if (ticketId === undefined) continue
            const contestId = keyedUuid('contest of', ticketId)
            if (happening.kind === 'match') contests.push(contestId)
            bot.service.tickets = tickets.map(listed)
            bot.service.contests = contests.map(seated)
            const about = { ticketId, mode: 'draft_basket' }
            await bot.tell(
              happening.kind === 'match' ? rawEvent('match.found', { ...about, contestId }, now) : rawEvent('ticket.expired', about, now),
            )
          } else {
            const contestId = contests.shift()
            if (contestId === undefined) continue
            bot.service.contests = contests.map(seated)
            const about = { contestId, mode: 'draft_basket' }
            await bot.tell(
              happening.kind === 'settle'
                ? rawEvent('contest.settled', { ...about, result: 'LOSS' }, now)
                : rawEvent('contest.cancelled', about, now),
            )
          }
        }
        bot.kill()
        expect(most).toBeLessThanOrEqual(1)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a piece that is not where the mapping has it', () => {
  const strategies = () => [eager('draft_basket', 'up_down'), picker(() => null)]
  const drifts = async (options: Options = {}) => {
    const bot = await open({ read: reading(), guard: { maxOpenContests: 2 }, strategies: strategies(), ...options })
    const shown = await draft(bot, { departures: [turnGone] })
    return { bot, shown }
  }

  test('once is looked for again after 250 ms, and nothing comes of it where it is there', async () => {
    const { bot, shown } = await drifts()
    const before = bot.service.reads.length
    shown.departures = []
    await bot.run(300)
    const again = bot.service.reads.slice(before).filter(({ procedure }) => procedure === 'agent.modes.state')
    expect(again[0]?.at).toBeLessThanOrEqual(START_MS + 250)
    shown.departures = [turnGone]
    await bot.run(200)
    expect(codes(bot, 'error')).toEqual([])
  })

  test('twice has drifted: it is said, and each mode that needs it is closed', async () => {
    const { bot } = await drifts()
    await bot.run(5000)
    expect(codes(bot, 'error')).toEqual(['SHAPE_DRIFTED'])
    expect(bot.notes('error')).toEqual([
      expect.stringMatching(/service\.shapes\.pieces\.turn has a text at state:turn\.userId, and nothing stands there/),
    ])
    expect(statusOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_UNREADABLE', since: expect.any(Number) })
    expect(statusOf(bot, 'up_down')).toMatchObject({ code: undefined })
    expect(codes(bot, 'warn')).toEqual(['MODE_CLOSING'])
  })

  test('and is there again is tried at once, by one entry', async () => {
    const { bot, shown } = await drifts({ strategies: [eager('draft_basket'), picker(() => null)], guard: { maxOpenContests: 1 } })
    await bot.run(5000)
    shown.departures = []
    await bot.run(5000)
    expect(statusOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', trialAt: expect.any(Number) })
    expect(entered(bot)).toHaveLength(1)
    await bot.tell(rawEvent('contest.cancelled', { contestId: DRAFT }, bot.clock.now()))
    await bot.run(2 * MINUTE_MS)
    expect(entered(bot)).toHaveLength(2)
    expect(codes(bot, 'info')).toContain('MODE_TRIED')
  })

  test('is none where a move does not need it', async () => {
    const bot = await open({ read: reading(), strategies: strategies() })
    await draft(bot, {
      departures: [
        { ...turnGone, piece: 'score' },
        { ...turnGone, got: null },
        { ...turnGone, piece: 'entryId' },
      ],
    })
    await bot.run(5000)
    expect(codes(bot, 'error')).toEqual([])
    expect(statusOf(bot, 'draft_basket')).toMatchObject({ code: undefined })
  })

  test('closes every mode where it is a list', async () => {
    const bot = await open({
      ...{ read: reading(), strategies: strategies() },
      prepare: (service) => service.onRead('agent.queue.list', () => ({ ...decoded('agent.queue.list', []), departures: [listGone] })),
    })
    await bot.run(1000)
    expect(new Set(bot.status().modes?.map(({ code }) => code))).toEqual(new Set(['MODE_UNREADABLE']))
    expect(codes(bot, 'error')).toEqual(['SHAPE_DRIFTED'])
  })

  test('is told to the other bots of the process, which close and open alike', async () => {
    const siblings = new SiblingBus()
    const clock = new VirtualClock(START_MS)
    const { bot, shown } = await drifts({ siblings, clock })
    const early = await open({ siblings, clock, name: 'bob', read: reading(), strategies: strategies() })
    const other = await open({ siblings, clock, name: 'carol', read: reading({ hash: 'two' }), strategies: strategies() })
    await bot.run(5000)
    const late = await open({ siblings, clock, name: 'dora', read: reading(), strategies: strategies() })
    for (const told of [early, late]) expect(statusOf(told, 'draft_basket')).toMatchObject({ code: 'MODE_UNREADABLE' })
    expect(statusOf(other, 'draft_basket')).toMatchObject({ code: undefined })
    shown.departures = []
    await bot.run(1000)
    for (const told of [bot, early, late]) expect(statusOf(told, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED' })
  })

  test('stays so over a restart, and is tried at once with another mapping', async () => {
    const journal = new MemoryJournal()
    const { bot } = await drifts({ journal })
    await bot.run(5000)
    bot.kill()
    const second = await open({ read: reading(), journal, clock: bot.clock, strategies: strategies() })
    await second.run(40 * MINUTE_MS)
    expect(statusOf(second, 'draft_basket')).toMatchObject({ code: 'MODE_UNREADABLE' })
    expect(entered(second)).not.toContain('draft_basket')
    second.kill()
    const third = await open({ read: reading({ hash: 'two' }), journal, clock: bot.clock, strategies: strategies() })
    expect(statusOf(third, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', trialAt: bot.clock.now() })
  })
})

describe('a live contest whose answers lack what a move needs', () => {
  test('closes its mode before it ends', async () => {
    const bot = await open({ strategies: [eager('draft_basket'), picker(() => null)], guard: { maxOpenContests: 2 } })
    bot.service.states.set(DRAFT, { contestId: DRAFT, mode: 'draft_basket', phase: 'draft', entryId: keyedUuid('mine') })
    const ids = { contestId: DRAFT, mode: 'draft_basket' }
    await bot.tell(
      rawEvent('match.found', { ticketId: keyedUuid('none'), ...ids }),
      rawEvent('contest.live', { ...ids, startsAt: iso(START_MS), endsAt: iso(START_MS + MINUTE_MS) }),
    )
    await bot.run(5000)
    expect(codes(bot, 'warn')).toEqual(['MODE_CLOSING'])
    expect(statusOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', unplayed: { count: 0 } })
    bot.operator$.next({ mode: 'draft_basket', command: 'open', saidAt: 1 })
    await bot.run(5000)
    expect(statusOf(bot, 'draft_basket'), 'said once of a contest').toMatchObject({ code: undefined })
  })
})
