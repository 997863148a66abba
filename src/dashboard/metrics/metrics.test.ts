import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { policy } from '../../../test/support/testStrategies.ts'
import { openWatchedBot } from '../../../test/support/watchedBot.ts'
import { CornermanError } from '../../core/error.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { unseenPath } from '../../pipeline/index.ts'
import { enqueue } from '../../strategy/action.ts'
import type { HostFact, HostState } from '../watch/index.ts'
import { healthOf, livenessOf } from './health.ts'
import { Metrics } from './metrics.ts'

const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })

async function openMeasured(options: Parameters<typeof openWatchedBot>[0] = {}) {
  const watched = await openWatchedBot(options)
  const { fleet, watch, bot } = watched
  const metrics = new Metrics({ fleet, watch, clock: bot.clock, version: '1.2.3' })
  /** Samples by name and labels. */
  const read = async () => {
    const lines = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  }
  return { ...watched, metrics, read }
}

describe('metrics', () => {
  test('actions by verdict and code, and what became of them', async () => {
    const greedy = policy(({ clock }) => (clock.now() === START_MS ? [] : [entry, { ...entry, mode: 'draft_basket', stake: usdc('50') }]), {
      everySec: 1,
    })
    const { bot, read } = await openMeasured({ strategies: [greedy] })
    const refusals = () => bot.refusals().filter((code) => code === 'STAKE_OVER_OWN_CAP').length
    await bot.run(3000)
    const samples = await read()
    expect(refusals()).toBeGreaterThan(1)
    expect(samples.get('cornerman_actions_total{bot="alice",verdict="refused",code="STAKE_OVER_OWN_CAP"}')).toBe(refusals())
    expect(samples.get('cornerman_actions_total{bot="alice",verdict="approved",code=""}')).toBeGreaterThan(0)
    expect(samples.get('cornerman_action_outcomes_total{bot="alice",status="accepted"}')).toBeGreaterThan(0)
    expect(samples.get('cornerman_open_contests{bot="alice"}')).toBe(bot.status().books.tickets.size)
    expect(samples.get('cornerman_info{version="1.2.3"}')).toBe(1)
  })

  test('money and the stream as they stand; what is not known is left out', async () => {
    const { bot, read, says } = await openMeasured()
    const settled = { result: 'LOSS', payout: '0', profit: '-1500000', stake: '1500000' }
    await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('one'), ...settled }, START_MS))
    await bot.run(7000)
    let samples = await read()
    expect(samples.get('cornerman_profit_usdc{bot="alice"}')).toBe(-1.5)
    expect(samples.get('cornerman_day_loss_usdc{bot="alice"}')).toBe(1.5)
    expect(samples.get('cornerman_day_loss_cap_usdc{bot="alice"}')).toBe(20)
    expect(samples.get('cornerman_service_day_loss_cap_usdc{bot="alice"}')).toBe(200)
    expect(samples.get('cornerman_stream_lag_seconds{bot="alice"}')).toBe(7)
    expect(samples.get('cornerman_reads_left{bot="alice"}')).toBe(290)
    expect(samples.get('cornerman_contests_settled_total{bot="alice",mode="up_down",result="LOSS"}')).toBe(1)
    // Before the first read, silence counts from the start.
    says.stream = { state: 'current', readAt: undefined, startedAt: START_MS - 3000 }
    says.readsLeft = undefined
    samples = await read()
    expect(samples.get('cornerman_stream_lag_seconds{bot="alice"}')).toBe(10)
    expect(samples.has('cornerman_reads_left{bot="alice"}')).toBe(false)
  })

  test('contests without a valid move, by mode and reason', async () => {
    const { bot, read } = await openMeasured()
    const ids = { contestId: keyedUuid('one'), mode: 'draft_basket' }
    await bot.tell(
      rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...ids }),
      rawEvent('contest.settled', { ...ids, result: 'WIN' }, START_MS + 1),
    )
    expect((await read()).get('cornerman_unplayed_total{bot="alice",mode="draft_basket",why="unread"}')).toBe(1)
  })

  test('modes that are open, and whether swaps come through; nothing of worlds in which all do', async () => {
    const { read, says } = await openMeasured()
    const of = async () => [...(await read())].filter(([name]) => /mode_open|swap_path/.test(name))
    expect(await of()).toEqual([])
    const mode = { why: undefined, unplayed: { count: 0, staked: 0n }, since: undefined, trials: 0, trialAt: undefined }
    const modes = [
      { ...mode, mode: 'up_down', code: undefined },
      { ...mode, mode: 'pnl_usd', code: 'MODE_CLOSED' as const },
      { ...mode, mode: 'best_trade', code: 'MODE_UNREADABLE' as const },
      { ...mode, mode: 'same_token', code: 'MODE_ON_TRIAL' as const },
    ]
    says.status = { modes, path: { ...unseenPath, okAt: START_MS } }
    const up = 'cornerman_swap_path_up{bot="alice"}'
    expect(await of()).toEqual([
      ['cornerman_mode_open{bot="alice",mode="up_down"}', 1],
      ['cornerman_mode_open{bot="alice",mode="pnl_usd"}', 0],
      ['cornerman_mode_open{bot="alice",mode="best_trade"}', 0],
      ['cornerman_mode_open{bot="alice",mode="same_token"}', 1],
      [up, 1],
    ])
    says.status = { path: { ...unseenPath, okAt: START_MS, failedInRow: 1, part: 'dex', reason: 'HTTP 503' } }
    expect(await of()).toEqual([[up, 0]])
    says.status = { path: unseenPath }
    expect(await of()).toEqual([[up, 0]])
  })

  test('while a stake was not read nobody knows what the day has cost: no sample says nought', async () => {
    const { bot, read } = await openMeasured()
    await bot.tell(rawEvent('contest.joined', { contestId: keyedUuid('of unknown stake') }, START_MS))
    const samples = await read()
    for (const name of ['day_loss', 'reserved', 'in_play']) expect(samples.has(`cornerman_${name}_usdc{bot="alice"}`), name).toBe(false)
    expect(samples.get('cornerman_day_loss_cap_usdc{bot="alice"}')).toBe(20)
  })

  test('the time from an event to the order it led to', async () => {
    const { bot, read } = await openMeasured({
      strategies: [policy(({ tickets }) => (tickets.length === 0 ? [entry] : []), { everySec: 600 })],
    })
    await bot.run(2000)
    const [ticketId] = [...bot.status().books.tickets.keys()]
    // It expired 300 ms ago, and is heard of now: the policy enters again at once.
    await bot.tell(rawEvent('ticket.expired', { ticketId }, bot.clock.now() - 300))
    const samples = await read()
    expect(samples.get('cornerman_reaction_seconds_count{bot="alice"}')).toBe(1)
    expect(samples.get('cornerman_reaction_seconds_sum{bot="alice"}')).toBeCloseTo(0.3)
    expect(samples.get('cornerman_reaction_seconds_bucket{le="0.25",bot="alice"}')).toBe(0)
    expect(samples.get('cornerman_reaction_seconds_bucket{le="0.5",bot="alice"}')).toBe(1)
  })

  test('a trouble comes and goes, one sample of a kind at a time', async () => {
    const { read, says } = await openMeasured()
    const of = async () => [...(await read())].filter(([name]) => name.startsWith('cornerman_troubles') && name.includes('streamLate'))
    expect(await of()).toEqual([['cornerman_troubles{bot="alice",kind="streamLate",severity="none"}', 0]])
    says.stream = { state: 'stalled', readAt: START_MS, startedAt: START_MS }
    expect(await of()).toEqual([['cornerman_troubles{bot="alice",kind="streamLate",severity="alarm"}', 1]])
  })

  test('alerts, by channel', async () => {
    const { fleet, watch, bot } = await openWatchedBot()
    const counts = [{ channel: 'telegram', sent: 3, failed: 2, dropped: 1, refused: 5, waiting: 4 }]
    const text = await new Metrics({ fleet, watch, clock: bot.clock, version: '', alerts: () => counts }).text()
    for (const sample of [
      'total{channel="telegram",outcome="sent"} 3',
      'total{channel="telegram",outcome="dropped"} 1',
      'total{channel="telegram",outcome="refused"} 5',
      'waiting{channel="telegram"} 4',
    ])
      expect(text).toContain(`cornerman_alerts_${sample}\n`)
    expect(text).toContain('cornerman_alert_failures_total{channel="telegram"} 2\n')
  })

  test('what the rules and the dashboard of docs/ops ask for is there', async () => {
    const { fleet, watch, bot } = await openWatchedBot()
    const host = { fact$: new Subject<HostFact>(), state: () => ({ isFresh: true, queueBytes: 0, seen: undefined, problems: [] }) }
    const text = await new Metrics({ fleet, watch, clock: bot.clock, version: '', alerts: () => [], host }).text()
    const known = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
      ),
    )
    const asked = ['alerts.yml', 'alerts.test.yml', 'grafana.json'].map(
      (file) => readFileSync(join('docs/ops', file), 'utf8').match(/\b(?:cornerman|process|nodejs)_\w+/g) ?? [],
    )
    expect(asked.map(({ length }) => length > 5)).toEqual([true, true, true])
    expect([...new Set(asked.flat())].filter((name) => !known.has(name))).toEqual([])
    const ofFleet = [...text.matchAll(/^# TYPE (cornerman_fleet_\w+)/gm)].map(([, name = '']) => name)
    expect(ofFleet.length).toBeGreaterThan(7)
    const drawn = (asked[2] ?? []).map((name) => name.replace(/_bucket$/, ''))
    expect(ofFleet.filter((name) => !drawn.includes(name))).toEqual([])
  })

  test('faults are counted', async () => {
    const { bot, read } = await openMeasured()
    await bot.tell({ id: 'not an id', type: 'contest.settled' })
    expect((await read()).get('cornerman_faults_total{bot="alice"}')).toBe(1)
  })
})

describe('health', () => {
  test('fails on what should wake someone, and on nothing milder', async () => {
    const { says, watch } = await openWatchedBot()
    expect(healthOf(watch.fleet())).toEqual({ status: 'ok', bots: 1, problems: [] })
    says.stream = { state: 'late', readAt: START_MS, startedAt: START_MS }
    says.stopped = 'entries'
    expect(healthOf(watch.fleet()).status).toBe('ok')
    says.stream = { state: 'stalled', readAt: START_MS, startedAt: START_MS }
    says.stopped = 'all'
    expect(healthOf(watch.fleet())).toMatchObject({
      status: 'failing',
      problems: [{ bot: 'alice', kind: 'streamLate' }, { kind: 'stopped' }],
    })
  })
})

describe('liveness', () => {
  const failing = (code: string) => ({ name: 'alice', failure: new CornermanError(code, `of ${code}`) })
  const byHand = ({ code }: CornermanError) => code === 'JOURNAL_NEWER'

  test('fails on a journal that cannot be written, and on nothing that another start does not mend', () => {
    const others = [{ name: 'bob', failure: undefined }, failing('AGENT_KEY_REFUSED'), failing('JOURNAL_NEWER')]
    expect(livenessOf(others, byHand)).toEqual({ status: 'ok', problems: [] })
    expect(livenessOf([...others, failing('JOURNAL_WRITE_FAILED')], byHand)).toEqual({
      status: 'failing',
      problems: [{ bot: 'alice', code: 'JOURNAL_WRITE_FAILED', message: 'of JOURNAL_WRITE_FAILED' }],
    })
  })
})

describe('of a host of a fleet', () => {
  async function openHost() {
    const fact$ = new Subject<HostFact>()
    const says: { state: HostState } = {
      state: { isFresh: true, queueBytes: 7, seen: { hosts: 3, unheld: 2, rolledBack: 1 }, problems: [] },
    }
    const { fleet, watch, bot, says: ofBot } = await openWatchedBot()
    const metrics = new Metrics({ fleet, watch, clock: bot.clock, version: '1', host: { fact$, state: () => says.state } })
    const lines = async () => (await metrics.text()).split('\n').filter((line) => /^cornerman_(?:fleet|bot_up|equity)/.test(line))
    return { fact$, says, ofBot, metrics, lines }
  }

  test('what it sees of the others, what it has done, and how long commits take', async () => {
    const { fact$, says, lines } = await openHost()
    for (const type of ['late', 'late', 'fenced', 'takenOver', 'takenOver', 'takenOver', 'waits'] as const) fact$.next({ type })
    fact$.next({ type: 'kept', ms: 4 })
    fact$.next({ type: 'kept', ms: 700 })
    const known = await lines()
    expect(known).toEqual(
      expect.arrayContaining([
        ...['cornerman_fleet_hosts 3', 'cornerman_fleet_bots_unheld 2', 'cornerman_fleet_rolled_back 1', 'cornerman_fleet_queue_bytes 7'],
        ...['cornerman_fleet_late_total 2', 'cornerman_fleet_fenced_total 1', 'cornerman_fleet_takeovers_total 3'],
        ...['cornerman_fleet_commit_seconds_bucket{le="0.005"} 1', 'cornerman_fleet_commit_seconds_count 2'],
      ]),
    )
    says.state = { isFresh: false, queueBytes: 9, seen: undefined, problems: [] }
    const unknown = (await lines()).join('\n')
    expect(unknown).toContain('cornerman_fleet_queue_bytes 9')
    expect(unknown).not.toMatch(/cornerman_fleet_(?:hosts|bots_unheld|rolled_back)/)
  })

  test('no figure of a bot that another host plays', async () => {
    const { ofBot, lines } = await openHost()
    expect((await lines()).filter((line) => line.includes('alice'))).not.toEqual([])
    ofBot.phase = 'elsewhere'
    expect((await lines()).filter((line) => line.includes('alice'))).toEqual([])
  })

  test('without a fleet there is none of it', async () => {
    const { metrics } = await openMeasured()
    expect(await metrics.text()).not.toContain('cornerman_fleet')
  })
})
