import { expect } from 'vitest'
import type { Reading } from '../../src/contract/shapes/reading.ts'
import { VirtualClock } from '../../src/core/clock.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { SOL_MINT } from '../../src/core/tokens.ts'
import { type Usdc, usdc } from '../../src/core/usdc.ts'
import type { RefusalCode } from '../../src/guard/index.ts'
import { SiblingBus } from '../../src/live/index.ts'
import type { SwapTrouble } from '../../src/pipeline/index.ts'
import { type Action, commitPrediction, draftPick, joinContest } from '../../src/strategy/action.ts'
import { MemoryJournal } from '../../src/testing/memoryJournal.ts'
import { rawEvent, START_MS } from './rawEvents.ts'
import { entry, OTHER, type RefusalBot, type Scenario, type Scenarios } from './refusalWorld.ts'
import { accepted, openContest, type ScriptedService, unreadable } from './scriptedService.ts'
import { ScriptedSwapper } from './scriptedSwapper.ts'
import type { TestBotOptions } from './testBot.ts'
import { buy, CONTEST } from './tradingBot.ts'

const A_MINUTE_MS = 60_000
const MONEY_MS = 11_000
const BONK_MINT = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'

const obey =
  (command: 'drain' | 'stopEntries' | 'stopAll' | 'resume') =>
  ({ operator$ }: RefusalBot) =>
    operator$.next(command)

const lost = (bot: RefusalBot) =>
  bot.tell(rawEvent('contest.settled', { contestId: OTHER, mode: 'up_down', result: 'LOSS', profit: '-1000000' }, bot.clock.now()))

/** Time passes, and prices stay fresh. */
async function pass(bot: RefusalBot, durationMs: number): Promise<void> {
  await bot.run(durationMs)
  bot.refresh()
}

/** The chain says what the wallet has, again and again. */
async function readChain(bot: RefusalBot, balances: readonly Usdc[]): Promise<void> {
  for (const balance of balances) {
    bot.chainUsdc$.next(balance)
    await bot.run(1000)
  }
}

/** An entry that is refused for what it is, and one that passes. */
const only = (name: string, refused: Parameters<typeof entry>[0], rest: Omit<Scenario, 'name' | 'asks' | 'goesOn'>): Scenarios => [
  { name, asks: { action: entry(refused) }, goesOn: { action: entry() }, ...rest },
]

const service = (change: (service: ScriptedService) => void) => ({ prepare: change })
const listed = (...contests: ReturnType<typeof openContest>[]) => service(({ open }) => void open.push(...contests))
const ticketOfBob = { bot: 'bob', key: 'ticket', ticket: { mode: 'up_down', stake: usdc('1'), durationSec: 15 } }

function besideBob(): Scenario {
  const siblings = new SiblingBus()
  siblings.portOf('bob').entered(ticketOfBob)
  return {
    name: 'a ticket that could be matched with that of another bot',
    options: { siblings },
    asks: { action: entry() },
    numbers: { sibling: 'bob' },
    after: () => siblings.portOf('bob').left('bob', 'ticket'),
    goesOn: { action: entry() },
  }
}

/** As live: modes are closed, and opened again. */
function keepingModes(reading?: Reading): Pick<TestBotOptions, 'journal' | 'prepare'> {
  const journal = new MemoryJournal()
  journal.keepsModes = true
  return { journal, ...service((service) => void Object.assign(service, { reading })) }
}

/** The way of a swap fails, dry or not, until what is in its way is gone. */
function pathDown(name: string, trouble: Pick<SwapTrouble, 'reason' | 'part'>): Scenario {
  const clock = new VirtualClock(START_MS)
  const swapper = new ScriptedSwapper().triedWith(clock)
  swapper.onQuote = () => ({ ok: false, retryable: true, ...trouble })
  return {
    name,
    options: { ...keepingModes(), clock, swapper },
    before: (bot) => bot.run(3000),
    asks: { action: entry({ mode: 'pnl_usd' }) },
    numbers: { mode: 'pnl_usd', part: trouble.part ?? 'dex', failedInRow: 2 },
    after: async (bot) => {
      swapper.onQuote = (good) => good
      await pass(bot, A_MINUTE_MS)
    },
    goesOn: { action: entry({ mode: 'pnl_usd' }) },
  }
}

function fewRequests(): Scenario {
  const clock = new VirtualClock(START_MS)
  const swapper = new ScriptedSwapper().triedWith(clock)
  const of = (perMinute: number) => ({ perMinute, prices: 6, looks: 2, others: 0, requestsPerSwap: 2 })
  swapper.budget = of(10)
  return {
    name: 'a mode of swaps that the requests of the DEX do not suffice for',
    options: { ...keepingModes(), clock, swapper },
    before: (bot) => bot.run(3000),
    asks: { action: entry({ mode: 'pnl_usd' }) },
    numbers: {
      ...{ mode: 'pnl_usd', perMinute: 10, prices: 6, looks: 2, others: 0 },
      ...{ contests: expect.any(Number), pending: 0, requestsPerSwap: 2, needed: expect.any(Number), left: 2 },
    },
    after: async (bot) => {
      swapper.budget = of(60)
      await pass(bot, A_MINUTE_MS)
    },
    goesOn: { action: entry({ mode: 'pnl_usd' }) },
  }
}

const drafting = service((service) => {
  const startsAt = new Date(START_MS + A_MINUTE_MS).toISOString()
  const you = { entryId: keyedUuid('draft entry'), ready: true }
  service.contests.push({ contestId: OTHER, mode: 'draft_basket', status: 'live', stake: '1000000', startsAt, you })
  service.states.set(OTHER, { entryId: you.entryId, yourTurn: true, available: [SOL_MINT], mine: [], theirs: [] })
})

const noSeat = (name: string, action: Action): Scenario => ({
  name,
  asks: { action },
  numbers: { contestId: OTHER },
  goesOn: { action: entry() },
})

/** What the guard keeps back of entries and moves. */
export const ENTRY_REFUSALS = {
  ENTRIES_STOPPED: only('an entry', {}, { before: obey('stopEntries'), numbers: {}, after: obey('resume') }),
  DRAINING: [
    { name: 'an entry, while swaps go on', before: obey('drain'), asks: { action: entry() }, numbers: {}, goesOn: { swap: buy() } },
  ],
  DUPLICATE_ACTION: [
    {
      name: 'an entry while its twin has no answer',
      before: async (bot) => {
        bot.service.onAct('agent.queue.enqueue', () => bot.service.after(1000, accepted({ ticketId: keyedUuid('late ticket') })))
        await bot.act(entry())
      },
      asks: { action: entry() },
      numbers: { intent: expect.stringMatching(/^\d+:own:0$/) },
      after: (bot) => bot.run(1100),
      goesOn: { action: entry() },
    },
  ],
  CONTEST_UNKNOWN: [noSeat('a contest that was not listed', joinContest({ contestId: OTHER }))],
  STAKE_INVALID: only('a stake of nothing', { stake: 0n }, { numbers: { stake: 0n } }),
  MODE_NOT_ALLOWED: only(
    'a mode that the config leaves out',
    { mode: 'best_trade' },
    { options: { guard: { modes: ['up_down', 'pnl_usd'] } }, numbers: { mode: 'best_trade', allowed: 'up_down, pnl_usd' } },
  ),
  CHAIN_NOT_ALLOWED: only(
    'a chain that the config leaves out',
    { chain: 'robinhood' },
    { options: { guard: { chains: ['solana'] } }, numbers: { chain: 'robinhood', allowed: 'solana' } },
  ),
  OPPONENTS_NOT_ALLOWED: only(
    'opponents that the config leaves out',
    { opponents: 'HUMAN' },
    { options: { guard: { opponents: ['AGENT', 'ANY'] } }, numbers: { opponents: 'HUMAN', allowed: 'AGENT, ANY' } },
  ),
  LIMITS_UNKNOWN: [
    {
      name: 'limits that cannot be read any more',
      before: async (bot) => {
        bot.service.onRead('agent.limits', () => unreadable())
        await pass(bot, A_MINUTE_MS + 5000)
      },
      asks: { action: entry() },
      numbers: { ageMs: expect.any(Number), maxAgeMs: A_MINUTE_MS },
      after: async (bot) => {
        bot.service.onRead('agent.limits', undefined)
        await pass(bot, 2000)
      },
      goesOn: { action: entry() },
    },
    {
      name: 'a swap while the stake of a seat is not known',
      options: { contest: { stake: undefined } },
      asks: { swap: buy() },
      numbers: {},
      after: async (bot) => {
        bot.service.contests = bot.service.contests.map((contest) => ({ ...contest, stake: '1000000' }))
        await pass(bot, 6000)
      },
      goesOn: { swap: buy() },
    },
  ],
  GAS_LOW: [
    {
      name: 'a swap that could not be paid for',
      before: async (bot) => {
        bot.service.bankroll = { ...bot.service.bankroll, gasLamports: '4999999' }
        await pass(bot, MONEY_MS)
      },
      asks: { swap: buy() },
      numbers: { gasLamports: 4_999_999n, minGasLamports: 5_000_000n },
      after: async (bot) => {
        bot.service.bankroll = { ...bot.service.bankroll, gasLamports: '5000000' }
        await pass(bot, MONEY_MS)
      },
      goesOn: { swap: buy() },
    },
  ],
  SERVICE_UNPROBED: [
    {
      name: 'a service of which nothing is known, beside what is open already',
      options: keepingModes({ hash: undefined, unreadable: {}, onTrial: [] }),
      asks: { action: entry() },
      numbers: { mode: 'up_down' },
      goesOn: { swap: buy() },
    },
  ],
  MODE_UNREADABLE: [
    {
      name: 'a mode that the mapping leaves something out of, beside one that it does not',
      options: keepingModes({ hash: 'a', unreadable: { draft_basket: ['turn', 'commitBy or phase.commit'] }, onTrial: [] }),
      asks: { action: entry({ mode: 'draft_basket' }) },
      numbers: { mode: 'draft_basket', pieces: 'turn, commitBy or phase.commit', missing: 2 },
      goesOn: { action: entry() },
    },
  ],
  MODE_ON_TRIAL: [
    {
      name: 'a second of a mode of which nothing is proven, until the first is over',
      options: keepingModes({ hash: 'a', unreadable: {}, onTrial: ['up_down'] }),
      before: async (bot) => {
        bot.service.onAct('agent.queue.enqueue', () => accepted({ ticketId: OTHER }))
        await bot.act(entry())
      },
      asks: { action: entry({ stake: usdc('2') }) },
      numbers: { mode: 'up_down', seats: 0, tickets: 1 },
      after: async (bot) => {
        await bot.tell(rawEvent('ticket.expired', { ticketId: OTHER, mode: 'up_down' }, bot.clock.now()))
      },
      goesOn: { action: entry({ stake: usdc('2') }) },
    },
  ],
  MODE_NOT_PLAYED: [
    {
      name: 'a mode that no strategy plays',
      options: { isPolicy: true, ...keepingModes() },
      asks: { action: entry({ mode: 'draft_basket' }) },
      numbers: { mode: 'draft_basket' },
      after: (bot) => bot.run(6000),
      goesOn: { action: entry() },
    },
  ],
  SWAP_PATH_DOWN: [
    pathDown('a mode of swaps while they do not come through', { reason: 'nobody answers' }),
    pathDown('a mode of swaps while the RPC is of another chain', { reason: 'market.rpcUrl is of another chain', part: 'rpc' }),
  ],
  SWAP_BUDGET: [fewRequests()],
  MODE_CLOSED: [
    {
      name: 'a mode that the operator closed',
      options: keepingModes(),
      before: ({ operator$ }) => operator$.next({ mode: 'up_down', command: 'close', saidAt: 1 }),
      asks: { action: entry() },
      numbers: { mode: 'up_down', unplayed: 0, stakes: 0n, closedAt: expect.any(Number) },
      after: ({ operator$ }) => operator$.next({ mode: 'up_down', command: 'open', saidAt: 2 }),
      goesOn: { action: entry() },
    },
  ],
  SIDE_UNDECIDED: [
    {
      name: 'a contest with sides, without one',
      options: listed(openContest(OTHER)),
      asks: { action: joinContest({ contestId: OTHER }) },
      numbers: { contestId: OTHER },
      goesOn: { action: joinContest({ contestId: OTHER, side: 'DOWN', readiedBy: 'policy' }) },
    },
  ],
  SIDE_TAKEN: [
    {
      name: 'the side somebody has',
      options: listed(openContest(OTHER)),
      asks: { action: joinContest({ contestId: OTHER, side: 'UP' }) },
      numbers: { contestId: OTHER, side: 'UP' },
      goesOn: { action: joinContest({ contestId: OTHER, side: 'DOWN', readiedBy: 'policy' }) },
    },
  ],
  SIBLING_IN_CONTEST: [besideBob()],
  TOKEN_NOT_AVAILABLE: [
    {
      name: 'a pick that is gone',
      options: drafting,
      asks: { action: draftPick({ contestId: OTHER, token: BONK_MINT }) },
      numbers: { contestId: OTHER, token: BONK_MINT, available: 1 },
      goesOn: { action: draftPick({ contestId: OTHER, token: SOL_MINT }) },
    },
  ],
  COMMIT_NOT_OPEN: [
    {
      name: 'a prediction in a contest without any',
      asks: { action: commitPrediction({ contestId: CONTEST, price: '1' }) },
      numbers: { contestId: CONTEST },
      goesOn: { action: entry() },
    },
  ],
  NOTHING_TO_REVEAL: [
    {
      name: 'a reveal of nothing',
      asks: { action: { type: 'revealPrediction', contestId: CONTEST } },
      numbers: { contestId: CONTEST },
      goesOn: { action: entry() },
    },
  ],
  STAKE_OVER_OWN_CAP: only('a unit over', { stake: usdc('5') + 1n }, { numbers: { stake: 5_000_001n, maxStake: usdc('5') } }),
  STAKE_OVER_SERVICE_CAP: only(
    'a unit over',
    { stake: usdc('3') + 1n },
    {
      options: service((service) => {
        service.limits = { ...service.limits, maxStake: '3000000' }
      }),
      numbers: { stake: 3_000_001n, maxStake: usdc('3') },
    },
  ),
  OPEN_CONTESTS: [
    {
      name: 'one more than may be open',
      options: { guard: { maxOpenContests: 1 } },
      asks: { action: entry() },
      numbers: { seats: 1, tickets: 0, pending: 0, maxOpenContests: 1 },
      goesOn: { swap: buy() },
    },
  ],
  FIRST_SWAPS: [
    {
      name: 'a second contest of swaps, where one swap a minute may be',
      options: { guard: { maxSwapsPerMinute: 1 } },
      asks: { action: entry({ mode: 'pnl_usd' }) },
      numbers: { mode: 'pnl_usd', unswapped: 1, maxSwapsPerMinute: 1 },
      after: (bot) => bot.ask(buy()),
      goesOn: { action: entry({ mode: 'pnl_usd' }) },
    },
  ],
  COOL_DOWN: only(
    'just after a loss',
    {},
    {
      options: { guard: { coolDown: { losses: 1, seconds: 60 } } },
      before: lost,
      numbers: { losses: 1, maxLosses: 1, waitMs: A_MINUTE_MS },
      after: (bot) => pass(bot, A_MINUTE_MS),
    },
  ),
  DRAWDOWN_STOP: [
    {
      name: 'a loss, a stake in play, and one more',
      options: { guard: { maxDrawdown: usdc('2') } },
      before: lost,
      asks: { action: entry() },
      numbers: {
        ...{ drawdown: usdc('1'), inPlay: usdc('1'), reserved: 0n },
        ...{ stake: usdc('1'), worst: usdc('3'), maxDrawdown: usdc('2') },
      },
      goesOn: { swap: buy() },
    },
  ],
  MODE_BUDGET: [
    {
      name: 'a second of a mode that may have one',
      options: { guard: { modeBudgets: { up_down: usdc('1') } } },
      before: (bot) => bot.act(entry()),
      asks: { action: entry() },
      numbers: { mode: 'up_down', spent: usdc('1'), reserved: 0n, stake: usdc('1'), worst: usdc('2'), budget: usdc('1') },
      goesOn: { action: entry({ mode: 'draft_basket' }) },
    },
  ],
  STRATEGY_BUDGET: [
    {
      name: 'a second of a strategy that may have one',
      options: { guard: { strategyBudgets: { own: usdc('1') } } },
      before: (bot) => bot.act(entry()),
      asks: { action: entry({ mode: 'draft_basket' }) },
      numbers: { strategy: 'own', spent: usdc('1'), reserved: 0n, stake: usdc('1'), worst: usdc('2'), budget: usdc('1') },
      goesOn: { swap: buy() },
    },
  ],
  CLOCKS_DISAGREE: [
    {
      name: 'the service says that this machine is 26 hours ahead',
      before: (bot) => bot.gapMs$.next(26 * 3_600_000),
      asks: { action: entry() },
      numbers: { clockGapMs: 26 * 3_600_000 },
      after: (bot) => bot.gapMs$.next(0),
      goesOn: { action: entry() },
    },
  ],
  CHAIN_SHORT: [
    {
      name: 'the chain agreed ten times, and then has less',
      before: async (bot) => {
        await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, result: 'LOSS', profit: '-1000000' }, bot.clock.now()))
        await pass(bot, MONEY_MS)
        await readChain(bot, [...Array<Usdc>(10).fill(usdc('1000')), usdc('999'), usdc('998'), usdc('999.5')])
      },
      asks: { action: entry() },
      numbers: { missingOnChain: usdc('0.5') },
      after: (bot) => readChain(bot, [usdc('1000')]),
      goesOn: { action: entry() },
    },
  ],
  UNEXPLAINED_FALL: [
    {
      name: 'the bankroll falls, and the bot did nothing',
      before: async (bot) => {
        bot.service.bankroll = { ...bot.service.bankroll, available: '997999999' }
        await pass(bot, A_MINUTE_MS)
      },
      asks: { action: entry() },
      numbers: { unexplained: 1_000_001n, smallestStake: usdc('1') },
      after: async (bot) => {
        bot.service.bankroll = { ...bot.service.bankroll, available: '1000000000' }
        await pass(bot, A_MINUTE_MS)
      },
      goesOn: { action: entry() },
    },
  ],
  DAILY_STAKED: [
    {
      name: 'a second stake, where one may be out',
      options: { guard: { dailyStaked: usdc('2') } },
      before: (bot) => bot.act(entry()),
      asks: { action: entry({ mode: 'draft_basket' }) },
      numbers: { stakedInDay: usdc('2'), stake: usdc('1'), dailyStaked: usdc('2') },
      goesOn: { swap: buy() },
    },
  ],
  ENTRIES_IN_MINUTE: [
    {
      name: 'a second entry, where one a minute may be',
      options: { guard: { entriesPerMinute: 1 } },
      before: (bot) => bot.act(entry()),
      asks: { action: entry({ mode: 'draft_basket' }) },
      numbers: { entriesInMinute: 1, entriesPerMinute: 1 },
      after: (bot) => pass(bot, A_MINUTE_MS),
      goesOn: { action: entry({ mode: 'draft_basket' }) },
    },
  ],
  DAILY_LOSS_OWN: [
    {
      name: 'what is in play and a stake, over the cap',
      options: { guard: { dailyLoss: usdc('3.375') } },
      asks: { action: entry({ stake: usdc('2') + 1n }) },
      numbers: {
        ...{ lostToday: 0n, swapLoss: 0n, inPlay: usdc('1'), reserved: 0n, firstSwaps: usdc('0.375') },
        ...{ stake: 2_000_001n, worst: 3_375_001n, dailyLoss: usdc('3.375') },
      },
      goesOn: { action: entry({ stake: usdc('2') }) },
    },
    {
      name: 'what is in play and what a swap may cost, over the cap',
      options: { guard: { dailyLoss: usdc('1.1') } },
      asks: { swap: buy() },
      numbers: {
        ...{ lostToday: 0n, swapLoss: 0n, inPlay: usdc('1'), reserved: 0n, firstSwaps: 0n },
        ...{ risk: usdc('0.15'), worst: usdc('1.15'), dailyLoss: usdc('1.1') },
      },
      goesOn: { swap: buy({ amount: usdc('5') }) },
    },
  ],
  DAILY_LOSS_SERVICE: only(
    'what is in play and a stake, over the cap',
    { stake: usdc('1') + 1n },
    {
      options: service((service) => {
        service.limits = { ...service.limits, dailyLossCap: '2000000', inPlay: '1000000' }
      }),
      numbers: {
        ...{ lostToday: 0n, inPlay: usdc('1'), reserved: 0n },
        ...{ stake: 1_000_001n, worst: 2_000_001n, dailyLossCap: usdc('2') },
      },
    },
  ),
  BANKROLL: only(
    'a unit more than is free',
    { stake: usdc('1.5') + 1n },
    {
      options: service((service) => {
        service.bankroll = { ...service.bankroll, available: '1500000' }
      }),
      numbers: { stake: 1_500_001n, firstSwap: 0n, available: usdc('1.5'), reserved: 0n },
    },
  ),
} satisfies Partial<Record<RefusalCode, Scenarios>>
