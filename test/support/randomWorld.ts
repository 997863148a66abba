import { map } from 'rxjs'
import { z } from 'zod'
import { readEvent } from '../../src/contract/events.ts'
import type { ReadName } from '../../src/contract/procedures.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { usdc } from '../../src/core/usdc.ts'
import { PriceBook } from '../../src/pipeline/prices/priceBook.ts'
import type { Input, InputBody, PlannedRead, ReadRequest, ReadResult } from '../../src/pipeline/protocol/input.ts'
import type { Outcome } from '../../src/pipeline/protocol/outcome.ts'
import { inPlace } from '../../src/pipeline/protocol/ports.ts'
import type { SendOrder, Step } from '../../src/pipeline/protocol/step.ts'
import { type Stepwise, stepwise } from '../../src/pipeline/stepwise.ts'
import { type Action, cancelTicket, enqueue, joinContest, leaveContest } from '../../src/strategy/action.ts'
import type { BotConfig } from '../../src/strategy/config.ts'
import { defineStrategy } from '../../src/strategy/define.ts'
import { guardConfig } from '../../src/strategy/guardConfig.ts'
import { rawEvent, START_MS } from './rawEvents.ts'
import { accepted, decoded, notSent, openContest, rejected, unknown, unreadable } from './scriptedService.ts'
import { sealWith } from './sealWith.ts'
import { picker, policy, predictor } from './testStrategies.ts'

// A world that answers a core as a tape of numbers tells it to: late, out of order, wrongly or not at all.

const MODES = ['up_down', 'draft_basket', 'price_prediction'] as const
const TOKEN = 'So11111111111111111111111111111111111111112'
const STAKE = usdc('1')
/** Contests and tickets are told apart by these spans of time, so that new ones come when old ones are over. */
const GENERATION_MS = 10_000

export const DAILY_LOSS = usdc('8')

/** Strategies that try everything, by their random numbers alone. */
function configOf(): BotConfig {
  const modeOf = (index: number) => MODES[index] ?? 'up_down'
  const restless = policy(
    ({ random, tickets, contests, openContests }): Action[] => [
      ...(random.next() < 0.5 ? [enqueue({ mode: modeOf(random.integer(0, 2)), stake: STAKE, durationSec: 15 })] : []),
      ...openContests.map(({ contestId }) => joinContest({ contestId })),
      ...tickets.filter(() => random.next() < 0.4).map(({ ticketId }) => cancelTicket({ ticketId })),
      ...contests.filter(() => random.next() < 0.05).map(({ contestId }) => leaveContest({ contestId })),
    ],
    { everySec: 1, browse: {} },
  )
  const slow = policy(async ({ random }) => [enqueue({ mode: 'up_down', stake: STAKE, durationSec: random.integer(15, 20) })], {
    name: 'slow',
  })
  const own = defineStrategy({
    name: 'own',
    params: z.object({}),
    run: ({ prices, random }) =>
      prices
        .price$(TOKEN)
        .pipe(map(({ price }) => enqueue({ mode: 'draft_basket', stake: STAKE, durationSec: 15 + Math.floor(price + random.next()) }))),
  })()
  const guesser = predictor(({ contest, prices, random }) => {
    if (random.next() < 0.1) throw new Error('boom')
    return contest.mode === 'up_down' ? { side: random.next() < 0.5 ? 'UP' : 'DOWN' } : { price: prices.text(TOKEN) ?? '1' }
  })
  const drafter = picker(({ draft, random }) => random.pick(draft.available))
  return {
    name: 'alice',
    strategies: [restless, slow, own, guesser, drafter],
    guard: guardConfig({ maxStake: usdc('5'), dailyLoss: DAILY_LOSS, maxOpenContests: 5 }),
    sweep: true,
    seed: 3,
  }
}

/** A bot that has seen nothing; its salts are those of any other. */
export function freshBot(book: PriceBook): Stepwise {
  let salts = 0
  return stepwise(
    {
      ...{ config: configOf(), paths: {}, timeoutMs: 5000, figuresHoldMs: 60_000, book, isolation: inPlace },
      seal: sealWith(() => `played-back-salt-${salts++}`),
    },
    () => {},
  )
}

export class RandomWorld {
  readonly inputs: Input[] = []
  readonly steps: Step[] = []
  readonly book = new PriceBook()
  readonly bot = freshBot(this.book)
  readonly #orders: SendOrder[] = []
  readonly #reads: { request: PlannedRead; begunAt: number }[] = []
  readonly #calls: string[] = []
  #now = START_MS
  #events = 0

  constructor() {
    const counts = { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 }
    this.#feed({ type: 'started', pending: [], custody: [], claimed: [], swaps: [], fills: [], hasChain: true, counts })
    this.#feed({ type: 'caughtUp' })
  }

  /** Does what the number says. */
  turn(number: number): void {
    const [what, how] = [number % 20, Math.floor(number / 20)]
    this.#now += how % 300
    if (what < 6) this.#answerRead(how)
    else if (what < 11) this.#answerOrder(how)
    else if (what < 15) this.#tell(how)
    else if (what === 15) this.#pass(how)
    else if (what === 16)
      this.#feed({ type: 'prices', tick: this.book.append({ at: this.#now, prices: new Map([[TOKEN, `${1 + (how % 4)}`]]) }) })
    else if (what === 17) this.#answerCall(how)
    else if (what === 18) this.#feed(how % 5 === 0 ? { type: 'behind', reason: 'HTTP 503' } : { type: 'caughtUp' })
    else this.#feed({ type: 'timer' })
  }

  #feed(body: InputBody): void {
    const input = { ...body, n: this.inputs.length + 1, at: this.#now }
    const step = this.bot.step(input)
    this.inputs.push(input)
    if (step === undefined) return
    this.steps.push(step)
    this.#orders.push(...step.orders)
    for (const request of step.reads) this.#reads.push({ request, begunAt: this.#now })
    for (const { callId } of step.calls) this.#calls.push(callId)
  }

  /** Time passes, and wakes the bot. */
  #pass(how: number): void {
    this.#now += (how % 6) * 1000
    this.#feed({ type: 'timer' })
  }

  #ids(what: string, count: number): string[] {
    const generation = Math.floor((this.#now - START_MS) / GENERATION_MS)
    return Array.from({ length: count }, (_, n) => keyedUuid(what, generation, n))
  }

  #answerRead(how: number): void {
    const [read] = this.#reads.splice(how % Math.max(1, Math.min(3, this.#reads.length)), 1)
    if (read !== undefined) this.#feed({ type: 'answer', ...read, result: how % 9 === 0 ? unreadable() : this.#read(read.request, how) })
  }

  #read({ procedure, input }: ReadRequest, how: number): ReadResult {
    const at = (afterMs: number) => new Date(this.#now + afterMs).toISOString()
    const [first = '', second = ''] = this.#ids('contest', 2)
    const contestId = how % 2 === 0 ? first : second
    const asked = (input ?? {}) as { contestId?: string; ticketId?: string }
    const seat = {
      contestId,
      mode: MODES[how % 3],
      status: 'open',
      stake: '1000000',
      ...asked,
      you: { entryId: keyedUuid('e'), ready: how % 2 === 0 },
    }
    const ticket = {
      ticketId: this.#ids('ticket', 1)[0],
      status: how % 2 === 0 ? 'queued' : 'matched',
      mode: 'up_down',
      stake: '1000000',
      durationSec: 15,
    }
    const state = {
      entryId: how % 8 === 0 ? null : keyedUuid('e'),
      available: [TOKEN],
      mine: [],
      phase: 'commit',
      commitBy: at(3000),
      revealFrom: at(1000),
      yourTurn: how % 2 === 0,
      committed: how % 7 === 1,
      revealed: how % 3 === 1,
    }
    const wires: Partial<Record<ReadName, unknown>> = {
      'agent.limits': LIMITS,
      'agent.bankroll': { available: how % 2 === 0 ? '3000000' : '9000000' },
      'agent.queue.get': { ...ticket, status: how % 3 === 0 ? 'cancelled' : ticket.status, ...asked },
      'agent.queue.list': how % 3 === 0 ? [] : [ticket],
      'agent.contests.list': [openContest(contestId, { mode: MODES[how % 3] })],
      'agent.contests.mine': how % 4 === 0 ? [seat] : [],
      'agent.contests.get': seat,
      'agent.modes.state': state,
    }
    return decoded(procedure, wires[procedure])
  }

  #answerOrder(how: number): void {
    const [order] = this.#orders.splice(how % Math.max(1, this.#orders.length), 1)
    if (order === undefined) return
    const made = { ticketId: keyedUuid('made', this.inputs.length) }
    const outcomes: readonly Outcome[] = [
      accepted(made),
      accepted(made),
      accepted(made),
      accepted(),
      unknown,
      rejected('CONTEST_FULL'),
      rejected('NO'),
      notSent,
    ]
    this.#feed({ type: 'outcome', key: order.key, outcome: outcomes[how % outcomes.length] ?? unknown })
  }

  #answerCall(how: number): void {
    const callId = this.#calls.shift()
    if (callId === undefined) return
    const value = how % 4 === 0 ? 'nonsense' : [enqueue({ mode: 'up_down', stake: STAKE, durationSec: 15 + (how % 5) })]
    this.#feed({ type: 'late', callId, result: how % 5 === 0 ? { ok: false, thrown: new Error('late boom') } : { ok: true, value } })
  }

  /** An event about what there is, where there is something, else about what may come. */
  #tell(how: number): void {
    const { tickets, seats } = this.bot.status().books
    const ticketId = [...tickets.keys(), ...this.#ids('ticket', 1)][how % (tickets.size + 1)]
    const contestId = [...seats.keys(), ...this.#ids('contest', 1)][how % (seats.size + 1)]
    const type = EVENTS[how % EVENTS.length] ?? 'match.found'
    const window = { startsAt: new Date(this.#now + 6000).toISOString(), endsAt: new Date(this.#now + 9000).toISOString() }
    const loss = how % 2 === 0 ? { result: 'LOSS', profit: '-1000000' } : {}
    this.#events += 1
    const event = {
      ...rawEvent(type, { contestId, ticketId, mode: MODES[how % 3], ...window, ...loss }, this.#now),
      id: keyedUuid('event', this.#events),
    }
    const raw = how % 19 === 0 ? { odd: how } : event
    this.#feed({ type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: false })
  }
}

const EVENTS = [
  'match.found',
  'contest.live',
  'ticket.expired',
  'contest.live',
  'contest.settled',
  'contest.joined',
  'contest.live',
  'contest.cancelled',
] as const
const LIMITS = {
  maxStake: '50000000',
  dailyLossCap: '90000000',
  lostToday: '0',
  inPlay: '0',
  remaining: '90000000',
  resetsAt: '2025-03-02T00:00:00Z',
}
