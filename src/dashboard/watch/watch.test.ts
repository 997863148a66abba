import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { predictionEvents, servePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, unknown, unreadable } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import type { TestBot } from '../../../test/support/testBot.ts'
import { once, policy, predictor } from '../../../test/support/testStrategies.ts'
import { buy, CONTEST, contestOf, executes } from '../../../test/support/tradingBot.ts'
import { openWatchedBot } from '../../../test/support/watchedBot.ts'
import { VirtualClock } from '../../core/clock.ts'
import { CornermanError } from '../../core/error.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { defineTrader } from '../../strategy/define.ts'
import { healthOf } from '../metrics/health.ts'
import { elsewhereRowOf } from './elsewhereRow.ts'

const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })

/** A contest from its seat to its end. */
const played = (contestId: string, atMs: number, settled: Readonly<Record<string, unknown>> = {}) => [
  rawEvent('contest.joined', { contestId }, atMs),
  rawEvent('contest.live', { contestId, startsAt: new Date(atMs).toISOString(), endsAt: new Date(atMs + 15_000).toISOString() }, atMs),
  rawEvent('contest.settled', { contestId, ...settled }, atMs + 15_000),
]

/** Lets a bot play a contest to its end: its seat has a side, which is a valid move. */
async function plays(bot: TestBot, contestId: string, settled: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const [joined, live, end] = played(contestId, START_MS, settled)
  const { stake = '1000000' } = settled
  bot.service.contests = [{ contestId, mode: 'up_down', status: 'live', stake, you: { ready: true, side: 'UP' } }]
  await bot.tell(joined, live)
  expect(bot.status().books.seats.get(contestId)?.side).toBe('UP')
  bot.service.contests = []
  await bot.tell(end)
}

/** A bot that has bought SOL for 10 USDC at 200 in a live contest. */
async function openWatchedTrader() {
  const clock = new VirtualClock(START_MS)
  const swapper = new ScriptedSwapper()
  swapper.now = () => clock.now()
  const trader = defineTrader({ name: 'trader', modes: ['pnl_usd'], params: z.object({}), trade: () => of(buy()) })()
  const watched = await openWatchedBot({
    ...{ clock, swapper, strategies: [trader] },
    prepare(service) {
      service.bankroll = { available: '1000000000', inPlay: '1000000', gasLamports: '1000000000', walletAddress: WALLET }
      service.contests = [contestOf({ mode: 'pnl_usd', params: {} })]
      executes(service, swapper)
    },
  })
  const price = (sol: number) => {
    swapper.prices.set(SOL_MINT, sol)
    watched.bot.price({ [SOL_MINT]: String(sol), [USDC_MINT]: '1' })
  }
  price(200)
  await watched.bot.run(200)
  price(200)
  return { ...watched, price }
}

describe('the fleet', () => {
  test('a bot that plays: its money, its day against both caps, and what is open', async () => {
    const { bot, watch } = await openWatchedBot({ strategies: [once(entry)] })
    await bot.run(1000)
    const { bots, service, stopped } = watch.fleet()
    expect([service, stopped]).toEqual(['sandbox', 'nothing'])
    expect(bots).toHaveLength(1)
    const [row] = bots
    expect(row).toMatchObject({
      name: 'alice',
      phase: 'running',
      isCaughtUp: true,
      severity: undefined,
      troubles: [],
      profit: '0',
      settled: 0,
    })
    expect(row?.open).toMatchObject([{ kind: 'ticket', mode: 'up_down', stake: '1000000' }])
    expect(row?.today).toMatchObject({ lost: '0', inPlay: '1000000', reserved: '0', cap: '20000000' })
    expect(BigInt(row?.today.serviceCap ?? 0)).toBeGreaterThan(0n)
  })

  test('what is plain JSON comes out of JSON as it went in', async () => {
    const { bot, watch } = await openWatchedBot({ strategies: [once(entry)] })
    await bot.tell(...played(keyedUuid('one'), START_MS))
    const views = [watch.fleet(), watch.bot('alice'), watch.contest('alice', keyedUuid('one'))]
    expect(JSON.parse(JSON.stringify(views))).toEqual(views)
    expect(JSON.stringify(views)).not.toContain('salt-of-the-test')
  })
})

describe('a bot', () => {
  test('its equity rises and falls with each settled contest, strictly in time, and results are told apart', async () => {
    const { bot, watch } = await openWatchedBot()
    await bot.tell(...played(keyedUuid('one'), START_MS))
    // Of the same millisecond: a chart takes no two points of one time.
    await bot.tell(...played(keyedUuid('two'), START_MS, { result: 'LOSS', payout: '0', profit: '-1000000', versus: 'HUMAN' }))
    await bot.tell(
      ...played(keyedUuid('three'), START_MS + 60_000, { mode: 'draft_basket', result: 'DRAW', payout: '950000', profit: '-50000' }),
    )
    const view = watch.bot('alice')
    expect(view?.curve).toMatchObject([
      { at: START_MS, profit: '0', equity: '1000000000' },
      { at: START_MS + 15_000, profit: '-100000' },
      { at: START_MS + 75_000, profit: '-150000' },
    ])
    expect(view?.byMode.up_down).toEqual({ results: { WIN: 1, LOSS: 1, DRAW: 0, REFUND: 0 }, staked: '2000000', profit: '-100000' })
    expect(view?.byOpponents).toMatchObject({ AGENT: { profit: '850000' }, HUMAN: { profit: '-1000000' } })
    const day = new Date(START_MS).toISOString().slice(0, 10)
    expect(Object.entries(view?.byDay ?? {}).map(([of, { profit }]) => [of, profit])).toEqual([[day, '-150000']])
    expect(Object.values(view?.byWeek ?? {})).toMatchObject([{ staked: '3000000', profit: '-150000' }])
    expect(view?.byStrategy).toMatchObject({ unknown: { profit: '-150000' } })
    expect(view?.row.lastResults).toEqual(['WIN', 'LOSS', 'DRAW'])
    expect(view?.contests.map(({ contestId, result }) => [contestId, result])).toEqual([
      [keyedUuid('three'), 'DRAW'],
      [keyedUuid('two'), 'LOSS'],
      [keyedUuid('one'), 'WIN'],
    ])
  })

  test('the newest point of its equity has the swaps of its contest too, and so is its profit', async () => {
    const { bot, watch, price } = await openWatchedTrader()
    await bot.run(2000)
    price(180)
    await bot.run(1000)
    const lost = { mode: 'pnl_usd', result: 'LOSS', payout: '0', profit: '-1000000' }
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, ...lost }, bot.clock.now()))
    bot.service.contests = []
    for (let second = 0; second < 10; second++) {
      price(180)
      await bot.run(1000)
    }
    const view = watch.bot('alice')
    expect(view?.row.profit).toBe('-2000000')
    const points = view?.curve ?? []
    // Settled at 3.2 s, of which its swap makes half a second later; then a point every ten seconds while nothing changes.
    expect(points.find(({ at }) => at === START_MS + 3200)?.profit).toBe('-2000000')
    expect(points.at(-1)).toMatchObject({ profit: '-2000000', equity: view?.row.equity })
  })

  test('however long it plays, what is remembered has an end', async () => {
    const { bot, watch } = await openWatchedBot()
    const contests = 5000
    for (let number = 0; number < contests; number++) await bot.tell(...played(keyedUuid('long', number), START_MS + number * 60_000))
    const view = watch.bot('alice')
    expect(view?.contests).toHaveLength(100)
    expect(view?.contests[0]?.contestId).toBe(keyedUuid('long', contests - 1))
    expect(watch.contest('alice', keyedUuid('long', 0))).toBeUndefined()
    expect(view?.curve.length).toBeLessThanOrEqual(2000)
    expect(view?.curve[0]?.at).toBe(START_MS)
    expect(view?.curve.at(-1)).toMatchObject({ at: START_MS + (contests - 1) * 60_000 + 15_000, profit: `${900_000 * contests}` })
    expect(view?.notes.length).toBeLessThanOrEqual(200)
    expect(view?.byMode.up_down?.results.WIN).toBe(contests)
  })

  test('its results are told apart by the strategy that entered, also once the contest is over', async () => {
    const { bot, watch } = await openWatchedBot({ strategies: [once(entry)] })
    await bot.run(1000)
    const [ticketId] = [...bot.status().books.tickets.keys()]
    const contestId = keyedUuid('matched')
    await bot.tell(rawEvent('match.found', { ticketId, contestId }, START_MS + 2000))
    await bot.tell(rawEvent('contest.settled', { contestId, result: 'WIN' }, START_MS + 3000))
    expect(watch.bot('alice')?.byStrategy).toMatchObject({ policy: { results: { WIN: 1 } } })
    expect(watch.bot('alice')?.contests).toMatchObject([{ contestId, strategy: 'policy' }])
  })

  test('refusals are counted by code, with the last in words', async () => {
    const { bot, watch } = await openWatchedBot({ strategies: [policy(() => [{ ...entry, stake: usdc('50') }], { everySec: 1 })] })
    await bot.run(3500)
    const [row] = watch.bot('alice')?.refused ?? []
    expect(row).toMatchObject({ code: 'STAKE_OVER_OWN_CAP', last: { strategy: 'policy' } })
    expect(row?.times).toBe(bot.refusals().length)
    expect(row?.times).toBeGreaterThan(2)
    expect(row?.last.message).toContain('50.00')
  })

  test('a strategy that fails: its faults, its log, and where it is left alone', async () => {
    const boom = policy(
      ({ log }) => {
        log.info('about to fail', { secret: 'hush', price: 12n })
        throw new Error('boom')
      },
      { everySec: 1 },
    )
    const { bot, watch } = await openWatchedBot({ strategies: [boom] })
    await bot.run(3000)
    const view = watch.bot('alice')
    expect(view?.strategies).toMatchObject([{ name: 'policy', kind: 'queue', faults: 3, suspendedIn: [undefined] }])
    expect(view?.row).toMatchObject({ faults: 3, severity: 'alarm', troubles: [{ kind: 'strategySuspended', about: 'policy' }] })
    const said = view?.notes.filter(({ strategy }) => strategy === 'policy')
    expect(said?.[0]).toMatchObject({ level: 'info', message: 'about to fail', fields: { secret: '[secret]', price: '12' } })
  })
})

describe('all bots together', () => {
  test('are a curve of equity and profit from when both are known, of which nothing is lost by what stands still', async () => {
    const { bot, watch } = await openWatchedBot()
    await bot.run(120_000)
    // The first sample, and the newest of those that are the same.
    expect(watch.fleet().curve).toEqual([
      { at: START_MS + 1000, equity: '1000000000', profit: '0' },
      { at: START_MS + 111_000, equity: '1000000000', profit: '0' },
    ])
    bot.service.bankroll = { available: '1000900000', inPlay: '0' }
    await bot.tell(...played(keyedUuid('one'), bot.clock.now()))
    await bot.run(20_000)
    expect(watch.fleet().curve.at(-1)).toMatchObject({ equity: '1000900000', profit: '900000' })
  })
})

describe('a contest', () => {
  test('a prediction: what the guard said and what was done, and never its price before it is shown', async () => {
    const { bot, watch } = await openWatchedBot({ strategies: [predictor(() => ({ price: '123.456' }))] })
    servePrediction(bot.service, () => bot.clock.now())
    const [first] = predictionEvents()
    await bot.tell(...predictionEvents())
    await bot.run(5000)
    const contestId = String(first?.data.contestId)
    const before = watch.contest('alice', contestId)
    expect(before?.moves.map(({ kind }) => kind)).toEqual(['commit'])
    expect(before?.verdicts.map(({ action, verdict }) => [action, verdict])).toEqual([['commitPrediction', 'approved']])
    expect(JSON.stringify([before, watch.bot('alice'), watch.fleet()])).not.toContain('123.456')
    await bot.run(16_000)
    expect(watch.contest('alice', contestId)?.moves.map(({ kind }) => kind)).toEqual(['commit', 'reveal'])
    expect(watch.contest('alice', contestId)?.events.map(({ type }) => type)).toEqual(predictionEvents().map(({ type }) => type))
  })

  test('the scores of all seats, once they were read, the bot’s own first', async () => {
    const contestId = keyedUuid('one')
    const { bot, watch } = await openWatchedBot({
      prepare: ({ contests }) => {
        const entries = [
          { entryId: keyedUuid('theirs'), userId: 'somebody-else', kind: 'HUMAN', score: '-0.5' },
          { entryId: keyedUuid('mine'), userId: 'this-agent', kind: 'AGENT', score: '1.25' },
        ]
        contests.push({ contestId, mode: 'pnl_usd', status: 'settled', stake: '1000000', entries, you: entries[1] })
      },
    })
    await bot.tell(...played(contestId, START_MS))
    await bot.run(1000)
    expect(watch.contest('alice', contestId)?.scores).toEqual([
      { isOwn: true, who: 'alice', score: '1.25', isEstimate: false },
      { isOwn: false, who: 'seat 1, human somebody', score: '-0.5', isEstimate: false },
    ])
  })

  test('that is live: the bot’s own score by its own prices, marked as such, and its place, until the service tells', async () => {
    const { bot, watch, price } = await openWatchedTrader()
    await bot.run(2000)
    price(210)
    const others = { entryId: keyedUuid('theirs'), userId: 'somebody-else', kind: 'HUMAN', score: '0.25' }
    const own = { isOwn: true, who: 'alice', score: '0.5', isEstimate: true }
    expect(watch.contest('alice', CONTEST)).toMatchObject({ scores: [own], place: undefined })
    const told = (score: string | null) => {
      const mine = { entryId: keyedUuid('entry'), userId: 'me', kind: 'AGENT', score }
      bot.service.contests = [contestOf({ mode: 'pnl_usd', params: {}, capacity: 2, filled: 2, entries: [others, mine], you: mine })]
    }
    told(null)
    await bot.run(300_000)
    const theirs = { isOwn: false, who: 'seat 1, human somebody', score: '0.25', isEstimate: false }
    expect(watch.contest('alice', CONTEST)).toMatchObject({ scores: [own, theirs], place: 1, capacity: 2, filled: 2 })
    told('-1')
    await bot.run(11_000)
    expect(watch.contest('alice', CONTEST)).toMatchObject({ scores: [{ ...own, score: '-1', isEstimate: false }, theirs], place: 2 })
  })

  test('prices as the change from the start, when the feed has long forgotten that', async () => {
    const { bot, watch, price } = await openWatchedTrader()
    await bot.run(2000)
    for (let count = 0; count < 10_000; count++) price(180)
    const series = watch.contest('alice', CONTEST)?.prices[SOL_MINT]
    expect(series?.points.map((point) => point.price)).not.toContain('200')
    expect(series?.startPrice).toBe('200')
  })

  test('one nobody has a seat in is not remembered, however often it is refused', async () => {
    const strange = policy(() => [{ type: 'joinContest', contestId: keyedUuid('strange', Math.trunc(Number.MAX_SAFE_INTEGER)) }], {
      everySec: 1,
    })
    const { bot, watch } = await openWatchedBot({ strategies: [strange] })
    await bot.run(5000)
    expect(bot.refusals()).toContain('CONTEST_UNKNOWN')
    expect(watch.bot('alice')?.contests).toEqual([])
    expect(watch.contest('alice', 'nothing')).toBeUndefined()
    expect(watch.contest('nobody', keyedUuid('strange'))).toBeUndefined()
  })
})

describe('what the owner is told', () => {
  const kinds = (told: readonly { readonly kind: string; readonly severity: string }[]) =>
    told.map(({ kind, severity }) => `${kind} ${severity}`)

  test('a settled contest, once: not again when the journal is read back', async () => {
    const { bot, occurrences } = await openWatchedBot()
    await plays(bot, keyedUuid('one'))
    expect(occurrences).toMatchObject([
      { bot: 'alice', kind: 'settled', severity: 'info', message: 'up_down: WIN, 0.90 USDC on a stake of 1.00' },
    ])
    bot.kill()
    const next = await openWatchedBot({ journal: bot.journal })
    expect(next.occurrences).toEqual([])
    expect(next.watch.bot('alice')?.curve).toHaveLength(1)
  })

  test('a contest without a valid move, as an alarm', async () => {
    const { bot, occurrences } = await openWatchedBot()
    const ids = { contestId: keyedUuid('one'), mode: 'draft_basket' }
    await bot.tell(
      rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...ids }),
      rawEvent('contest.settled', { ...ids, result: 'WIN' }, START_MS + 1),
    )
    expect(occurrences.filter(({ kind }) => kind === 'unplayed')).toMatchObject([
      { severity: 'alarm', about: ids.contestId, ...ids, stake: expect.any(BigInt) },
    ])
  })

  test('a stream that is late, then stalled, then well again', async () => {
    const { bot, occurrences, says, watch } = await openWatchedBot()
    says.stream = { state: 'late', readAt: START_MS, startedAt: START_MS }
    await bot.run(2000)
    says.stream = { state: 'stalled', readAt: START_MS, startedAt: START_MS }
    await bot.run(2000)
    expect(watch.fleet().bots[0]).toMatchObject({ severity: 'alarm', troubles: [{ kind: 'streamLate' }] })
    says.stream = { state: 'current', readAt: START_MS + 4000, startedAt: START_MS }
    await bot.run(2000)
    expect(kinds(occurrences)).toEqual(['streamStale warn', 'streamStale alarm', 'over info'])
    expect(watch.fleet().bots[0]?.troubles).toEqual([])
  })

  test('a service that has never answered, while the bot only starts', async () => {
    const { bot, occurrences, says, watch } = await openWatchedBot()
    says.phase = 'starting'
    says.stream = { state: 'late', readAt: undefined, startedAt: START_MS - 31_000 }
    await bot.run(1000)
    expect(occurrences.at(-1)?.message).toBe(
      'no event has been read since the start 32 s ago: no strategy is asked until the service answers again',
    )
    says.stream = { state: 'stalled', readAt: undefined, startedAt: START_MS - 120_000 }
    await bot.run(1000)
    expect(kinds(occurrences)).toEqual(['streamStale warn', 'streamStale alarm'])
    expect(healthOf(watch.fleet())).toMatchObject({ status: 'failing', problems: [{ bot: 'alice', kind: 'streamLate' }] })
  })

  test('the kill switch, and that the operator lets it play on', async () => {
    const { bot, occurrences, says, watch } = await openWatchedBot()
    says.stopped = 'all'
    await bot.run(1000)
    expect(watch.fleet().bots[0]).toMatchObject({ stopped: 'all', severity: 'alarm' })
    says.stopped = 'nothing'
    await bot.run(1000)
    expect(kinds(occurrences)).toEqual(['operator alarm', 'over info'])
  })

  test('a bot that stopped, in the words of its failure, also when the run ends with it', async () => {
    const { occurrences, says, watch } = await openWatchedBot()
    says.phase = 'stopped'
    says.failure = new CornermanError('JOURNAL_FULL', 'the disk is full')
    watch.close()
    expect(occurrences).toMatchObject([{ kind: 'botStopped', severity: 'alarm', message: 'stopped: the disk is full' }])
  })

  test('80 % of the daily loss, counting what is at stake, once there is a loss', async () => {
    const { bot, occurrences } = await openWatchedBot({ guard: { dailyLoss: usdc('10') } })
    const loss = { result: 'LOSS', payout: '0', profit: '-7900000' }
    await plays(bot, keyedUuid('one'), loss)
    await bot.run(1000)
    expect(kinds(occurrences)).toEqual(['settled info'])
    await plays(bot, keyedUuid('two'), { ...loss, stake: '100000', profit: '-100000' })
    await bot.run(1000)
    expect(kinds(occurrences)).toEqual(['settled info', 'settled info', 'dailyLoss warn'])
    expect(occurrences.at(-1)).toMatchObject({ about: 'own', message: '8.00 of 10.00 USDC of guard.dailyLoss are lost or at stake today' })
  })

  test('what is lost while a stake was not read: unknown, said after a minute, and no near cap is forgotten until then', async () => {
    const { bot, occurrences, watch } = await openWatchedBot()
    await plays(bot, keyedUuid('one'), { result: 'LOSS', stake: '19000000', payout: '0', profit: '-19000000' })
    await bot.run(1000)
    await bot.tell(rawEvent('contest.joined', { contestId: keyedUuid('of unknown stake') }, START_MS + 20_000))
    await bot.run(59_000)
    const [row] = watch.fleet().bots
    expect(row?.today).toMatchObject({ lost: undefined, inPlay: undefined, reserved: undefined, cap: '20000000' })
    expect(row?.troubles).toMatchObject([{ kind: 'dailyLoss', about: 'own' }])
    await bot.run(2000)
    expect(watch.fleet().bots[0]?.troubles).toMatchObject([{ kind: 'dailyLoss', about: 'unknown', severity: 'warn' }])
    expect(kinds(occurrences)).toEqual(['settled info', 'dailyLoss warn', 'dailyLoss warn'])
  })

  test('what is lost while the prices of a token it holds have stopped', async () => {
    const { bot, watch, price } = await openWatchedTrader()
    await bot.run(2000)
    price(180)
    expect(watch.fleet().bots[0]?.today.lost).toBe('1000000')
    await bot.run(120_000)
    expect(watch.fleet().bots[0]).toMatchObject({
      today: { lost: undefined },
      troubles: [{ kind: 'dailyLoss', about: 'unknown' }, { kind: 'pricesStale' }],
    })
    price(190)
    await bot.run(1000)
    expect(watch.fleet().bots[0]).toMatchObject({ today: { lost: '500000' }, troubles: [] })
  })

  test('a small cap that is at stake whole, without a loss, is how it is meant', async () => {
    const { bot, watch } = await openWatchedBot({ strategies: [once(entry)], guard: { dailyLoss: usdc('1') } })
    await bot.run(1000)
    expect(watch.fleet().bots[0]).toMatchObject({ troubles: [], today: { inPlay: '1000000', cap: '1000000' } })
  })

  test('the guard stops the bot for the day: with the code, so that it can be told once', async () => {
    const { bot, occurrences } = await openWatchedBot({
      strategies: [policy(() => [entry], { everySec: 1 })],
      guard: { dailyLoss: usdc('0.5') },
    })
    await bot.run(1000)
    expect(occurrences[0]).toMatchObject({ kind: 'guardStop', about: 'DAILY_LOSS_OWN', severity: 'warn' })
  })

  test('an answer that is lost and not found for a minute', async () => {
    const { bot, occurrences } = await openWatchedBot({
      strategies: [once(entry)],
      prepare: (service) => {
        service.onAct('agent.queue.enqueue', () => unknown)
        // What is listed was read for the start; nothing can be looked up after.
        let lists = 0
        service.onRead('agent.queue.list', () => (lists++ === 0 ? decoded('agent.queue.list', []) : unreadable()))
      },
    })
    await bot.run(59_000)
    expect(kinds(occurrences)).toEqual([])
    await bot.run(5000)
    expect(kinds(occurrences)).toEqual(['unknownActions warn'])
  })

  test('a run that died: what it left is looked up, and that is said', async () => {
    const { occurrences } = await openWatchedBot({ diedBefore: [4711] })
    expect(occurrences).toMatchObject([{ kind: 'recovered', severity: 'warn' }])
    expect(occurrences[0]?.message).toContain('process 4711')
  })
})

describe('a bot that another host plays', () => {
  const page = 'http://127.0.0.1:8799/'
  const elsewhere = { host: 'h2', page, heardAt: START_MS, isSilent: false, note: undefined }
  const row = (name: string) => ({
    ...elsewhereRowOf(name, undefined, { cap: '1', stopped: 'nothing', now: 0 }),
    phase: 'running' as const,
  })
  const shownOf = (name: string) => ({
    row: { ...row(name), equity: '7000000', profit: '3000000' },
    before: [{ at: START_MS - 1, profit: '1000000', equity: undefined }],
  })

  test('is shown as that host shows it, also one of no config here; of its own host nothing is asked and nothing told', async () => {
    const others = { bots: ['alice', 'bob'], of: (name: string) => ({ elsewhere, shown: shownOf(name), unheldSince: undefined }) }
    const { bot, watch, says, occurrences } = await openWatchedBot({ others })
    await bot.run(1000)
    expect(watch.fleet().bots).toMatchObject([
      { name: 'alice', phase: 'running' },
      { name: 'bob', elsewhere },
    ])
    expect(watch.fleet().bots[0]?.elsewhere).toBeUndefined()
    expect(watch.shown()).toMatchObject([{ row: { name: 'alice' } }])
    says.phase = 'elsewhere'
    says.stopped = 'all'
    says.stream = { state: 'stalled', readAt: START_MS - 600_000, startedAt: START_MS - 600_000 }
    await bot.run(11_000)
    expect(occurrences).toEqual([])
    expect(watch.fleet().bots).toMatchObject([
      { name: 'alice', phase: 'running', equity: '7000000', elsewhere, severity: undefined },
      { name: 'bob', phase: 'running', profit: '3000000', elsewhere },
    ])
    expect(watch.bot('alice')).toMatchObject({ row: { profit: '3000000', elsewhere }, curve: [{ profit: '1000000' }] })
    expect(watch.shown()).toEqual([])
    expect(watch.fleet().curve.at(-1)).toMatchObject({ profit: '6000000', equity: '14000000' })
  })

  test('that no host plays is an alarm on the page after ten seconds, and in no sum before it is known', async () => {
    const note = 'nobody plays it: h2 has been silent'
    const unheld = { elsewhere: { ...elsewhere, host: undefined, isSilent: true, note }, shown: shownOf('alice'), unheldSince: START_MS }
    const { bot, watch, says } = await openWatchedBot({ others: { bots: ['alice'], of: () => unheld } })
    says.phase = 'elsewhere'
    await bot.run(9000)
    expect(watch.fleet().bots).toMatchObject([{ phase: 'elsewhere', equity: '7000000', troubles: [], severity: undefined }])
    await bot.run(1000)
    expect(watch.fleet().bots[0]).toMatchObject({ severity: 'alarm', troubles: [{ kind: 'botStopped', message: note }] })
    const points = watch.fleet().curve.length
    await bot.run(60_000)
    expect(watch.fleet().curve).toHaveLength(points)
  })
})
