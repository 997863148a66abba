import { describe, expect, test } from 'vitest'
import { alwaysSays, entryId, predictionId, revealsOf, shelvePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, rejected } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { picker } from '../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../core/ids.ts'

// What is learnt late replaces what was planned. Times are milliseconds after the match.

const LIVE = 10_000
const ENDS = 40_000
/** So long after a reveal could be made, and its time was known, it must have been: a look at the state takes two seconds. */
const PATIENCE = 2600

const iso = (afterMs: number | undefined) => (afterMs === undefined ? undefined : new Date(START_MS + afterMs).toISOString())
const goesLive = (endsAt = ENDS, startsAt = LIVE) =>
  rawEvent('contest.live', { contestId: predictionId, mode: 'price_prediction', startsAt: iso(startsAt), endsAt: iso(endsAt) })

type Shown = Readonly<Record<string, unknown>>

/** A prediction whose state changes at its times; commitments are taken until `commitsUntil`, reveals from `from` to `until`. */
interface Plan {
  readonly commitsFrom: number
  readonly commitsUntil: number
  readonly from: number
  readonly until: number
  /** What the state shows from each time on, beside the window of commitments. */
  readonly shows: readonly (readonly [atMs: number, shown: Shown])[]
  /** The stream's words, and when. */
  readonly tells: readonly (readonly [atMs: number, event: unknown])[]
}

async function play({ commitsFrom, commitsUntil, from, until, shows, tells }: Plan) {
  const bot = await openTestBot({ strategies: [alwaysSays('187.25')] })
  const { clock, service } = bot
  const at = () => clock.now() - START_MS
  let isCommitted = false
  let isRevealed = false
  let shown: Shown = {}
  const shelve = () => {
    const takes = at() >= commitsFrom && at() < commitsUntil
    const window = takes
      ? { phase: 'open', commitBy: iso(commitsUntil) }
      : { phase: 'open', commitBy: at() < commitsFrom ? undefined : iso(commitsUntil) }
    shelvePrediction(service, { ...window, revealFrom: undefined, ...shown, committed: isCommitted, revealed: isRevealed })
  }
  const tries: number[] = []
  let committedAt: number | undefined
  let revealedAt: number | undefined
  service.onAct('agent.modes.commitPrediction', () => {
    if (at() < commitsFrom || at() >= commitsUntil) return rejected('COMMIT_CLOSED')
    isCommitted = true
    committedAt = at()
    shelve()
    return accepted()
  })
  service.onAct('agent.modes.revealPrediction', () => {
    tries.push(at())
    if (at() < from || at() > until) return rejected('REVEAL_NOT_OPEN')
    isRevealed = true
    revealedAt = at()
    shelve()
    return accepted()
  })
  shelve()
  await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), contestId: predictionId, mode: 'price_prediction' }))
  const moments = [
    ...shows.map(([ms, next]) => [ms, () => (shown = next)] as const),
    ...tells.map(([ms, event]) => [ms, () => bot.tell(event)] as const),
    ...[commitsFrom, commitsUntil].map((ms) => [ms, () => {}] as const),
  ].toSorted(([a], [b]) => a - b)
  for (const [ms, happen] of moments) {
    if (ms > at()) await bot.run(ms - at())
    const happened = happen()
    shelve()
    await happened
  }
  await bot.run(Math.max(until, ENDS) + 30_000 - at())
  return { bot, tries, committedAt, revealedAt }
}

const COMMITS = { 'before live': { from: 0, until: LIVE }, 'after live': { from: LIVE, until: LIVE + 3000 } } as const
const TOLD = { 'before live': 6000, 'at live': LIVE, 'after live': LIVE + 5000 } as const

/** When the reveal may be made, by when its time is told. */
const WINDOWS = {
  future: (told: number) => ({ from: Math.max(told, LIVE) + 6000, until: Math.max(told, LIVE) + 11_000 }),
  // The reveals began before, and go on for a while.
  past: (told: number) => ({ from: told - 1000, until: Math.max(told, LIVE + 3000) + 4000 }),
  null: () => ({ from: ENDS, until: ENDS + 10_000 }),
} as const

const rows = (Object.keys(COMMITS) as (keyof typeof COMMITS)[]).flatMap((commit) =>
  (Object.keys(TOLD) as (keyof typeof TOLD)[]).flatMap((told) =>
    (Object.keys(WINDOWS) as (keyof typeof WINDOWS)[]).flatMap((what) =>
      (['word', 'time'] as const).map((how) => [commit, told, what, how] as const),
    ),
  ),
)

/** A phase of reveals is the end of commitments: a service that says so takes no commitment any more. */
const isOverAtWord = (row: (typeof rows)[number]) => {
  const [commit, told, what, how] = row
  return commit === 'after live' && told !== 'after live' && what === 'past' && how === 'word'
}

describe('the time of a reveal', () => {
  test('has a row for each commitment, telling, time and way to say it', () => {
    expect(rows).toHaveLength(36)
    expect(rows.filter(isOverAtWord)).toHaveLength(2)
  })

  test.each(
    rows.filter((row) => !isOverAtWord(row)),
  )('commitment %s, told %s, %s, by %s: is shown in its window', async (commit, told, what, how) => {
    const { from, until } = WINDOWS[what](TOLD[told])
    const { from: commitsFrom, until: commitsUntil } = COMMITS[commit]
    const wordFrom = what === 'past' ? TOLD[told] : from
    const shows: Plan['shows'] =
      what === 'null'
        ? [[TOLD[told], how === 'time' ? { revealFrom: null } : { phase: null }]]
        : how === 'time'
          ? [[TOLD[told], { revealFrom: iso(from) }]]
          : [[wordFrom, { phase: 'reveal', commitBy: wordFrom < commitsUntil ? undefined : iso(commitsUntil) }]]
    const { bot, tries, committedAt, revealedAt } = await play({
      commitsFrom,
      commitsUntil,
      from,
      until,
      shows,
      tells: [[LIVE, goesLive()]],
    })
    expect(committedAt).toBeDefined()
    // Never while others may commit, and never before what was told; then without delay.
    const closes = how === 'word' && wordFrom < commitsUntil ? Math.max(wordFrom, LIVE) : commitsUntil
    const opens = Math.max(from, closes)
    expect(Math.min(...tries)).toBeGreaterThanOrEqual(opens)
    expect(revealedAt).toBeLessThanOrEqual(Math.min(until, Math.max(opens, TOLD[told]) + PATIENCE))
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(tries).toHaveLength(1)
  })

  const NEXT = LIVE + 8000
  test.each([
    ['earlier', 30_000, { revealFrom: iso(26_000) }, 26_000],
    ['later', 26_000, { revealFrom: iso(33_000) }, 33_000],
    ['past', 30_000, { revealFrom: iso(NEXT - 1000) }, NEXT],
    ['null, which leaves the end', 30_000, { revealFrom: null }, ENDS],
    ['null, by a phase of reveals', 30_000, { revealFrom: null, phase: 'reveal' }, NEXT],
    ['by a phase of reveals alone', 30_000, { phase: 'reveal' }, NEXT],
    ['not at all, which leaves it', 30_000, {}, 30_000],
  ])('that was told is told again, %s', async (_what, first, again, from) => {
    const plan = { commitsFrom: 0, commitsUntil: LIVE, from, until: from + 9000, tells: [[LIVE, goesLive()]] as const }
    const { tries, revealedAt } = await play({
      ...plan,
      shows: [
        [LIVE, { revealFrom: iso(first) }],
        [NEXT, again],
      ],
    })
    expect(Math.min(...tries)).toBeGreaterThanOrEqual(from)
    // What was told before is looked at every five seconds.
    expect(revealedAt).toBeLessThanOrEqual(from + 5600)
    expect(tries).toHaveLength(1)
  })

  test.each([
    ['earlier', 25_000],
    ['later', 60_000],
    ['past', LIVE + 1000],
  ])('that is the end of its contest goes with that, where it is told again, %s', async (_what, endsAt) => {
    const from = Math.max(endsAt, LIVE + 5000)
    const plan = { commitsFrom: 0, commitsUntil: LIVE, from, until: from + 9000, shows: [] }
    const { tries, revealedAt } = await play({
      ...plan,
      tells: [
        [LIVE, goesLive()],
        [LIVE + 5000, goesLive(endsAt)],
      ],
    })
    expect(Math.min(...tries)).toBeGreaterThanOrEqual(from)
    expect(revealedAt).toBeLessThanOrEqual(from + 600)
    expect(tries).toHaveLength(1)
  })

  test('that was told too early, and is told again while tries are refused, is kept to', async () => {
    const plan = { commitsFrom: 0, commitsUntil: LIVE, from: 30_000, until: 39_000, tells: [[LIVE, goesLive()]] as const }
    const { tries, revealedAt } = await play({
      ...plan,
      shows: [
        [LIVE, { revealFrom: iso(15_000) }],
        [17_000, { revealFrom: iso(30_000) }],
      ],
    })
    expect(revealedAt).toBeLessThanOrEqual(30_600)
    expect(tries.filter((at) => at > 22_600 && at < 30_000)).toEqual([])
  })
})

describe('a contest whose end is past when it goes live', () => {
  test.each([
    ['until a time', { commitBy: iso(LIVE + 6000), phase: undefined }],
    ['by the word of its phase', { commitBy: undefined, phase: 'commit' }],
  ])('still takes a prediction, %s, which is shown when the mode says so', async (_how, window) => {
    const bot = await openTestBot({ strategies: [alwaysSays('187.25')] })
    const shelve = (shown: Shown = {}) => shelvePrediction(bot.service, { ...window, revealFrom: undefined, ...shown })
    await bot.run(LIVE)
    shelve()
    bot.service.onAct('agent.modes.commitPrediction', () => {
      shelve({ committed: true })
      return accepted()
    })
    await bot.tell(goesLive(LIVE - 5000, LIVE - 8000))
    await bot.run(6000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(revealsOf(bot)).toEqual([])
    shelve({ phase: 'reveal', commitBy: undefined, committed: true })
    await bot.run(PATIENCE)
    expect(revealsOf(bot).length).toBeGreaterThan(0)
  })

  test('still drafts, and where nothing can be read is looked at in peace', async () => {
    const contestId = keyedUuid('draft')
    const bot: TestBot = await openTestBot({ strategies: [picker(({ draft }) => draft.available[0])] })
    await bot.run(LIVE)
    await bot.tell(rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(LIVE - 8000), endsAt: iso(LIVE - 5000) }))
    await bot.run(60_000)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state').length).toBeLessThan(70)
    bot.service.states.set(contestId, { mode: 'draft_basket', entryId, yourTurn: true, available: ['a', 'b'], mine: [] })
    await bot.run(3000)
    expect(bot.service.sent('agent.modes.draftPick')[0]).toEqual({ contestId, token: 'a' })
  })
})
