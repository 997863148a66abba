import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { DAY_MS } from '../src/core/day.ts'
import { keyedUuid } from '../src/core/ids.ts'
import { type Usdc, usdc } from '../src/core/usdc.ts'
import { cancelTicket, enqueue } from '../src/strategy/action.ts'
import type { GuardConfig } from '../src/strategy/guardConfig.ts'
import type { RawEvent } from './support/rawEvents.ts'
import { rawEvent, START_MS } from './support/rawEvents.ts'
import { accepted, rejected, type ScriptedService } from './support/scriptedService.ts'
import { openTestBot } from './support/testBot.ts'
import { policy } from './support/testStrategies.ts'

// A service that keeps every stake and lies about it, each lie with a bankroll that falls and with one that stands still.

const STAKE = usdc('1')
const MODE = 'up_down'
const STEP_MS = 500
const STEPS = 120

interface Lie {
  /** Events of the nth entry, in the steps after it. */
  readonly tells: (entry: {
    readonly n: number
    readonly ticketId: string
    readonly contestId: string
    readonly nowMs: number
  }) => readonly RawEvent[][]
  readonly ticketOf?: (n: number) => string
  readonly contestOf?: (n: number) => string
  readonly guard?: Partial<GuardConfig>
  readonly prepare?: (service: ScriptedService, bankroll: { taken: Usdc }) => void
  readonly cancels?: boolean
  /** An end in words: without a true bankroll `dailyStaked` alone bounds it. */
  readonly isFalseEnd?: boolean
  readonly most?: Usdc
  readonly clockMs?: number
}

const found = (entry: Parameters<Lie['tells']>[0], data: object = {}) =>
  rawEvent('match.found', { ticketId: entry.ticketId, contestId: entry.contestId, mode: MODE, stake: '1000000', ...data }, entry.nowMs)
const settled = (entry: Parameters<Lie['tells']>[0], data: object = {}, atMs = entry.nowMs) =>
  rawEvent(
    'contest.settled',
    { contestId: entry.contestId, mode: MODE, result: 'LOSS', stake: '1000000', payout: '0', profit: '-1000000', ...data },
    atMs,
  )
const lost =
  (data: object = {}, dated: (nowMs: number) => number = (nowMs) => nowMs, match: object = {}): Lie['tells'] =>
  (entry) => [[found(entry, match)], [settled(entry, data, dated(entry.nowMs))]]

const LIES: Readonly<Record<string, Lie>> = {
  'answers each enqueue with the same ticket id': { ticketOf: () => keyedUuid('ticket'), tells: () => [] },
  'answers with one ticket id, and expires it each time': {
    ticketOf: () => keyedUuid('ticket'),
    tells: ({ ticketId, nowMs }) => [[rawEvent('ticket.expired', { ticketId }, nowMs)]],
    isFalseEnd: true,
  },
  'names another mode in the settlement': {
    tells: lost({ mode: 'draft_basket' }, undefined, { mode: 'draft_basket' }),
    guard: { dailyLoss: usdc('1000'), modeBudgets: { [MODE]: usdc('2') } },
  },
  'settles another contest than it found, against a budget of the strategy': {
    tells: (entry) => [[found(entry)], [settled({ ...entry, contestId: keyedUuid('other', entry.n) })]],
    guard: { dailyLoss: usdc('1000'), maxOpenContests: 1000, strategyBudgets: { policy: usdc('2') } },
  },
  'lets tickets expire in words': {
    tells: ({ ticketId, nowMs }) => [[rawEvent('ticket.expired', { ticketId }, nowMs)]],
    isFalseEnd: true,
  },
  'says stake 0 in match and settlement': { tells: lost({ stake: '0', profit: '0' }, undefined, { stake: '0' }) },
  'dates losses in 1970': { tells: lost({}, () => 0) },
  'dates losses yesterday': { tells: lost({}, (nowMs) => nowMs - DAY_MS) },
  'dates losses in 2099': { tells: lost({}, () => Date.parse('2099-01-01')) },
  'finds every ticket in one contest': { tells: (entry) => [[found({ ...entry, contestId: keyedUuid('one') })]] },
  'finds every ticket in one contest, and settles that': {
    contestOf: () => keyedUuid('one'),
    tells: lost(),
  },
  'cancels contests in words': {
    tells: (entry) => [[found(entry)], [rawEvent('contest.cancelled', { contestId: entry.contestId }, entry.nowMs)]],
    isFalseEnd: true,
  },
  'cancels contests, and settles them as lost': {
    tells: (entry) => [[found(entry)], [rawEvent('contest.cancelled', { contestId: entry.contestId }, entry.nowMs)], [settled(entry)]],
    isFalseEnd: true,
  },
  'refunds in words': { tells: lost({ result: 'REFUND', payout: '1000000', profit: '0' }), isFalseEnd: true },
  'refunds in words, dated three days ahead': {
    tells: lost({ result: 'REFUND', payout: '1000000', profit: '0' }, (nowMs) => nowMs + 3 * DAY_MS),
    isFalseEnd: true,
  },
  'lets the bot win in words': { tells: lost({ result: 'WIN', payout: '1900000', profit: '900000' }), isFalseEnd: true },
  'lets the bot win a fortune in words': { tells: lost({ result: 'WIN', payout: '900000000', profit: '899000000' }), isFalseEnd: true },
  'says that a win paid nothing': { tells: lost({ result: 'WIN', payout: '0', profit: '900000' }) },
  'rejects entries and keeps their stakes': {
    tells: () => [],
    prepare: (service, bankroll) =>
      service.onAct('agent.queue.enqueue', () => {
        bankroll.taken += STAKE
        return rejected('CONTEST_NOT_OPEN')
      }),
    isFalseEnd: true,
  },
  'takes tickets back in words': { tells: () => [], cancels: true, isFalseEnd: true },
  'is honest, and this clock is 26 h ahead': { tells: lost({}, (nowMs) => nowMs - 26 * 3_600_000) },
  'is honest, and this clock is 26 h behind': { tells: lost({}, (nowMs) => nowMs + 26 * 3_600_000) },
  'dates losses an hour ago, against a cool-down': {
    tells: lost({}, (nowMs) => nowMs - 3_600_000),
    guard: { dailyLoss: usdc('1000'), coolDown: { losses: 4, seconds: 3600 }, maxOpenContests: 1 },
    most: usdc('4'),
  },
}

async function play(
  { tells, ticketOf = (n) => keyedUuid('ticket', n), contestOf = (n) => keyedUuid('contest', n), ...lie }: Lie,
  isTrue: boolean,
) {
  const bankroll = { taken: 0n }
  const due: RawEvent[][] = []
  let n = 0
  const clock = new VirtualClock(lie.clockMs ?? START_MS)
  const eager = policy(
    ({ tickets }) => [
      ...(lie.cancels === true ? tickets.map(({ ticketId }) => cancelTicket({ ticketId })) : []),
      enqueue({ mode: MODE, stake: STAKE, durationSec: 15 }),
    ],
    { everySec: 1 },
  )
  const bot = await openTestBot({
    clock,
    strategies: [eager],
    guard: { maxStake: STAKE, dailyLoss: usdc('2'), dailyStaked: usdc('5'), maxOpenContests: 50, ...lie.guard },
    prepare: (service) => {
      service.onRead('agent.bankroll', () => ({
        ok: true,
        output: { available: usdc('1000') - (isTrue ? bankroll.taken : 0n), inPlay: 0n } as never,
      }))
      service.onAct('agent.queue.enqueue', () => {
        bankroll.taken += STAKE
        const ticketId = ticketOf(++n)
        tells({ n, ticketId, contestId: contestOf(n), nowMs: clock.now() }).forEach((events, step) => {
          due[step] ??= []
          due[step].push(...events)
        })
        return accepted({ ticketId })
      })
      lie.prepare?.(service, bankroll)
    },
  })
  for (let step = 0; step < STEPS; step += 1) {
    await bot.run(STEP_MS)
    const events = due.shift() ?? []
    if (events.length > 0) await bot.tell(...events)
  }
  return { bot, taken: bankroll.taken }
}

describe('a service that keeps every stake', () => {
  test.each(Object.entries(LIES))('and %s', async (_name, lie) => {
    const { most = usdc('2'), isFalseEnd = false } = lie
    const seen = await play(lie, true)
    expect(seen.taken, 'the bankroll shows it').toBeGreaterThan(0n)
    expect(seen.taken, 'the bankroll shows it').toBeLessThanOrEqual(most)
    const unseen = await play(lie, false)
    expect(unseen.taken, 'the bankroll stands still').toBeLessThanOrEqual(isFalseEnd ? usdc('5') : most)
  })
})
