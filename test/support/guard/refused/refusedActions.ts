import { usdc } from '../../../../src/core/usdc.ts'
import { check } from '../../../../src/guard/guard.ts'
import { Reservations } from '../../../../src/guard/reservations.ts'
import type { UnreadableMode } from '../../../../src/guard/view.ts'
import { cancelTicket, commitPrediction, draftPick, leaveContest, ready } from '../../../../src/strategy/action.ts'
import {
  BONK_MINT,
  create,
  guardView,
  holding,
  holdingAndPlaced,
  join,
  limits,
  NOW_MS,
  playable,
  queue,
  reveal,
  swapping,
} from '../guardView.ts'
import type { Refused, RefusedAction } from './refused.ts'

const unreadable = (code: UnreadableMode['code'], ...pieces: string[]): UnreadableMode => ({
  ...{ code, pieces, why: 'nobody knows', remedy: 'do this' },
})

/** What the rules for entries and moves refuse. */
export const REFUSED_ACTIONS: Refused<RefusedAction> = {
  STAKE_INVALID: [
    { name: 'no stake', action: queue(0n), numbers: { stake: 0n }, message: 'above 0 micro-USDC, this one is 0' },
    { name: 'a negative stake', action: create(-1n), numbers: { stake: -1n }, message: 'this one is -1' },
    {
      name: 'a contest for nothing',
      action: join(),
      view: () => ({ joinable: { c: { stake: 0n } } }),
      numbers: { stake: 0n },
      message: 'this one is 0',
    },
  ],
  CATCHING_UP: [
    {
      name: 'an entry before the stream was read',
      action: queue(),
      view: () => ({ caughtUp: false }),
      numbers: {},
      message: 'not been read to its end',
    },
  ],
  DRAINING: [
    { name: 'an entry while draining', action: join(), view: () => ({ runMode: 'draining' }), numbers: {}, message: 'enters no new one' },
  ],
  DUPLICATE_ACTION: [
    {
      name: 'a twin of an entry without an outcome',
      action: queue(),
      view: () => {
        const reservations = new Reservations()
        check('7:ladder:0', queue(), guardView({ reservations }))
        return { reservations }
      },
      numbers: { intent: '7:ladder:0' },
      message: '7:ladder:0, is still without an outcome',
    },
    {
      name: 'a second reveal while the first is under way',
      action: reveal,
      view: () => {
        const reservations = new Reservations()
        check('9:framework:0', reveal, guardView({ reservations, seats: { c: { revealable: true } } }))
        return { reservations, seats: { c: { revealable: true } } }
      },
      numbers: { intent: '9:framework:0' },
      message: '9:framework:0',
    },
  ],
  PRICE_UNKNOWN: [
    {
      name: 'a contest about a token without a price',
      action: join(),
      view: () => ({ playable: playable({}), joinable: { c: { token: BONK_MINT } }, prices: { [BONK_MINT]: undefined } }),
      numbers: { mode: 'draft_basket', mint: BONK_MINT, maxAgeMs: 15_000 },
      message: 'of which the feed has no fresh price: it has none',
    },
    {
      name: 'a contest about a token whose price is old',
      action: join(),
      view: () => ({
        playable: playable({}),
        joinable: { c: { token: BONK_MINT } },
        prices: { [BONK_MINT]: { price: '0.00002', ageMs: 15_001 } },
      }),
      numbers: { mode: 'draft_basket', mint: BONK_MINT, maxAgeMs: 15_000, ageMs: 15_001 },
      message: 'its newest is 15001 ms old',
    },
    {
      name: 'a contest that is played by swaps, before the first price',
      action: queue(usdc('1'), { mode: 'best_trade' }),
      view: () => ({ pricesAgeMs: undefined }),
      numbers: { mode: 'best_trade' },
      message: 'the feed has given no price yet, and best_trade is played by prices',
    },
    {
      name: 'a contest of predictions, before the first price',
      action: join(),
      view: () => ({ pricesAgeMs: undefined, joinable: { c: { mode: 'price_prediction' } } }),
      numbers: { mode: 'price_prediction' },
      message: 'price_prediction is played by prices',
    },
  ],
  LIMITS_UNKNOWN: [
    { name: 'limits never read', action: queue(), view: () => ({ limits: undefined }), numbers: {}, message: 'have not been read' },
    {
      name: 'a seat of unknown stake',
      action: queue(),
      view: () => ({ inPlay: undefined }),
      numbers: {},
      message: 'the stake of a seat this bot has is not known yet',
    },
    { name: 'a bankroll never read', action: queue(), view: () => ({ available: undefined }), numbers: {}, message: 'have not been read' },
    {
      name: 'limits over a minute old',
      action: queue(),
      view: () => ({ limits: limits({}, NOW_MS - 60_001) }),
      numbers: { ageMs: 60_001, maxAgeMs: 60_000 },
      message: 'last read 60001 ms ago',
    },
    {
      name: 'a bankroll over a minute old',
      action: queue(),
      view: () => ({ available: { value: usdc('1000'), begunAt: NOW_MS - 70_000 } }),
      numbers: { ageMs: 70_000, maxAgeMs: 60_000 },
      message: 'last read 70000 ms ago',
    },
    {
      name: 'no address of a wallet, for a mode that is played by swaps',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({ wallet: undefined }),
      numbers: {},
      message: 'the service does not say the address of the wallet',
    },
    {
      name: "the wallet's SOL never read, for a mode that is played by swaps",
      action: queue(usdc('1'), { mode: 'same_token' }),
      view: () => ({ gasLamports: undefined }),
      numbers: {},
      message: "the wallet's SOL has not been read",
    },
    {
      name: "the wallet's SOL read over a minute ago",
      action: queue(usdc('1'), { mode: 'pnl_race_pct' }),
      view: () => ({ gasLamports: { value: 10n ** 9n, begunAt: NOW_MS - 60_001 } }),
      numbers: { ageMs: 60_001, maxAgeMs: 60_000 },
      message: "the wallet's SOL was last read 60001 ms ago",
    },
  ],
  STAKE_OVER_OWN_CAP: [
    {
      name: 'a unit over guard.maxStake',
      action: queue(usdc('5') + 1n),
      numbers: { stake: 5_000_001n, maxStake: 5_000_000n },
      message: '5.000001 USDC is above guard.maxStake, 5.00 USDC',
    },
  ],
  STAKE_OVER_SERVICE_CAP: [
    {
      name: "a unit over the service's cap",
      action: queue(usdc('3') + 1n),
      view: () => ({ limits: limits({ maxStake: usdc('3') }) }),
      numbers: { stake: 3_000_001n, maxStake: 3_000_000n },
      message: "3.000001 USDC is above the service's cap for this agent, 3.00 USDC",
    },
  ],
  DAILY_LOSS_OWN: [
    {
      name: 'lost, in play, pending and this one, a unit over the cap',
      action: queue(usdc('1') + 1n),
      // 20 = 10 lost + 7 in play (4 of them placed since) + 2 pending + 1
      view: () => ({ lostToday: usdc('10'), inPlay: usdc('7'), reservations: holdingAndPlaced() }),
      numbers: {
        lostToday: usdc('10'),
        swapLoss: 0n,
        inPlay: usdc('7'),
        reserved: usdc('2'),
        firstSwaps: 0n,
        stake: 1_000_001n,
        worst: 20_000_001n,
        dailyLoss: usdc('20'),
      },
      message: '20.000001 USDC down, more than guard.dailyLoss, 20.00 USDC',
    },
    {
      name: 'what swaps have lost, and what one under way may lose, with it',
      action: queue(usdc('5')),
      // 20 = 10 lost + 4.7 by swaps + 0.3 reserved + 5
      view: () => ({ lostToday: usdc('10'), swapLoss: usdc('4.7') + 1n, reservations: swapping() }),
      numbers: {
        ...{ lostToday: usdc('10'), swapLoss: 4_700_001n, inPlay: 0n, reserved: usdc('0.3'), firstSwaps: 0n },
        ...{ stake: usdc('5'), worst: 20_000_001n, dailyLoss: usdc('20') },
      },
      message: '20.000001 USDC down, more than guard.dailyLoss, 20.00 USDC',
    },
  ],
  DAILY_LOSS_SERVICE: [
    {
      name: 'lost, in play, pending, placed since and this one, a unit over the cap',
      action: queue(usdc('1') + 1n),
      // 15 = 5 lost + 3 in play + (2 pending + 4 placed) + 1
      view: () => ({
        limits: limits({ dailyLossCap: usdc('15'), lostToday: usdc('5'), inPlay: usdc('3') }),
        reservations: holdingAndPlaced(),
      }),
      numbers: {
        lostToday: usdc('5'),
        inPlay: usdc('3'),
        reserved: usdc('6'),
        stake: 1_000_001n,
        worst: 15_000_001n,
        dailyLossCap: usdc('15'),
      },
      message: "15.000001 USDC down, more than the service's cap, 15.00 USDC",
    },
  ],
  BANKROLL: [
    {
      name: 'a unit over what is free',
      action: queue(usdc('1') + 1n),
      // 7 = 2 pending + 4 placed since + 1
      view: () => ({ available: { value: usdc('7'), begunAt: NOW_MS }, reservations: holdingAndPlaced() }),
      numbers: { stake: 1_000_001n, firstSwap: 0n, available: usdc('7'), reserved: usdc('6') },
      message: '1.000001 USDC is more than the 1.00 USDC that are free',
    },
    {
      name: 'less there than is held',
      action: queue(1n),
      view: () => ({ available: { value: usdc('5'), begunAt: NOW_MS }, reservations: holdingAndPlaced() }),
      numbers: { stake: 1n, firstSwap: 0n, available: usdc('5'), reserved: usdc('6') },
      message: 'more than the -1.00 USDC that are free',
    },
    {
      name: 'USDC that a swap under way takes',
      action: queue(usdc('1') + 1n),
      view: () => ({ available: { value: usdc('11'), begunAt: NOW_MS }, reservations: swapping() }),
      numbers: { stake: 1_000_001n, firstSwap: 0n, available: usdc('11'), reserved: usdc('10') },
      message: 'more than the 1.00 USDC that are free',
    },
    {
      name: 'a contest of swaps that leaves less than a first swap',
      action: queue(usdc('1') + 1n, { mode: 'pnl_usd' }),
      view: () => ({ available: { value: usdc('2'), begunAt: NOW_MS } }),
      numbers: { stake: 1_000_001n, firstSwap: usdc('1'), available: usdc('2'), reserved: 0n },
      message: 'and a first swap of 1.00 USDC is more than the 2.00 USDC that are free',
    },
  ],
  OPEN_CONTESTS: [
    {
      name: 'a seat, a ticket and an entry under way, of three',
      action: queue(),
      view: () => ({ openContests: 1, openTickets: 1, reservations: holding(usdc('1')) }),
      numbers: { seats: 1, tickets: 1, pending: 1, maxOpenContests: 3 },
      message: '3 contests and tickets are open, guard.maxOpenContests is 3',
    },
  ],
  FIRST_SWAPS: [
    {
      name: 'a contest of swaps, while as many wait for their first as a minute lets out',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({ unswapped: () => 20 }),
      numbers: { mode: 'pnl_usd', unswapped: 20, maxSwapsPerMinute: 20 },
      message: '20 contests wait for their first swap',
    },
  ],
  CONTEST_UNKNOWN: [
    {
      name: 'a contest that was not listed',
      action: join(),
      view: () => ({ joinable: { other: {} } }),
      numbers: { contestId: 'c' },
      message: 'its stake is not known: join one of openContests',
    },
  ],
  NOT_IN_CONTEST: [
    ...[leaveContest({ contestId: 'c' }), ready({ contestId: 'c', ready: true }), draftPick({ contestId: 'c', token: 't' })].map(
      (action): RefusedAction => ({
        name: `${action.type} without a seat`,
        action,
        numbers: { contestId: 'c' },
        message: 'this bot has no seat in contest c',
      }),
    ),
    {
      name: 'a commitment in a contest that is over',
      action: commitPrediction({ contestId: 'c', price: '1' }),
      view: () => ({ seats: { c: { phase: 'settled', commitOpen: true } } }),
      numbers: { contestId: 'c' },
      message: 'contest c, which is settled',
    },
    {
      name: 'a reveal in a contest that was cancelled',
      action: reveal,
      view: () => ({ seats: { c: { phase: 'cancelled', revealable: true } } }),
      numbers: { contestId: 'c' },
      message: 'contest c, which is cancelled',
    },
    {
      name: 'a ticket of nobody',
      action: cancelTicket({ ticketId: 't' }),
      view: () => ({ tickets: ['other'] }),
      numbers: { ticketId: 't' },
      message: 'ticket t is not an open ticket of this bot',
    },
  ],
  SIDE_TAKEN: [
    {
      name: 'the side somebody has',
      action: join({ side: 'UP' }),
      view: () => ({ joinable: { c: { sided: true, sidesTaken: ['UP'] } } }),
      numbers: { contestId: 'c', side: 'UP' },
      message: 'side UP of contest c is taken',
    },
  ],
  SIDE_UNDECIDED: [
    {
      name: 'no side where one is needed',
      action: join(),
      view: () => ({ joinable: { c: { sided: true } } }),
      numbers: { contestId: 'c' },
      message: 'neither the action nor a predictor named one',
    },
  ],
  SIBLING_IN_CONTEST: [
    {
      name: 'a contest that another bot of the config is in',
      action: join(),
      view: () => ({ joinable: { c: {} }, sibling: (where) => ('contestId' in where && where.contestId === 'c' ? 'bob' : undefined) }),
      numbers: { sibling: 'bob' },
      message: 'bob, a bot of the same config',
    },
    {
      name: 'a ticket that could be matched with that of another',
      action: queue(usdc('2')),
      view: () => ({
        sibling: (where) =>
          'mode' in where && where.mode === 'draft_basket' && where.stake === usdc('2') && where.durationSec === 20 ? 'bob' : undefined,
      }),
      numbers: { sibling: 'bob' },
      message: 'bob, a bot of the same config',
    },
  ],
  TOKEN_NOT_AVAILABLE: [
    {
      name: 'a token that is gone',
      action: draftPick({ contestId: 'c', token: 'gone' }),
      view: () => ({ seats: { c: { draftable: ['a', 'b'] } } }),
      numbers: { contestId: 'c', token: 'gone', available: 2 },
      message: 'gone is not among the 2 tokens left',
    },
    {
      name: 'a pick out of turn',
      action: draftPick({ contestId: 'c', token: 'a' }),
      view: () => ({ seats: { c: {} } }),
      numbers: { contestId: 'c', token: 'a', available: 0 },
      message: 'turn to pick',
    },
  ],
  COMMIT_NOT_OPEN: [
    {
      name: 'a commitment nobody waits for',
      action: commitPrediction({ contestId: 'c', price: '1' }),
      view: () => ({ seats: { c: {} } }),
      numbers: { contestId: 'c' },
      message: 'takes no commitment of this bot now',
    },
  ],
  NOTHING_TO_REVEAL: [
    {
      name: 'a reveal of nothing',
      action: reveal,
      view: () => ({ seats: { c: { commitOpen: true } } }),
      numbers: { contestId: 'c' },
      message: 'no commitment of this bot in contest c',
    },
  ],
  KILL_SWITCH: [
    ...[queue(), create(), join(), ready({ contestId: 'c', ready: true })].map(
      (action): RefusedAction => ({
        name: `${action.type} once the operator has stopped everything`,
        action,
        view: () => ({ stopped: 'all', joinable: { c: {} }, seats: { c: {} } }),
        numbers: {},
        message: 'enters nothing and swaps nothing',
      }),
    ),
  ],
  ENTRIES_STOPPED: [
    { name: 'an entry', action: queue(), view: () => ({ stopped: 'entries' }), numbers: {}, message: 'contests under way are played on' },
  ],
  MODE_NOT_ALLOWED: [
    {
      name: 'a ticket',
      action: queue(usdc('1'), { mode: 'best_trade' }),
      view: () => ({ config: { modes: ['up_down', 'draft_basket'] } }),
      numbers: { mode: 'best_trade', allowed: 'up_down, draft_basket' },
      message: 'best_trade is not among guard.modes',
    },
    {
      name: 'a contest of a mode nobody here knows',
      action: join(),
      view: () => ({ joinable: { c: { mode: 'roulette' } }, config: { modes: ['up_down'] } }),
      numbers: { mode: 'roulette', allowed: 'up_down' },
      message: 'roulette is not among guard.modes',
    },
  ],
  CHAIN_NOT_ALLOWED: [
    {
      name: 'a ticket that names no chain, which is Solana',
      action: queue(),
      view: () => ({ config: { chains: ['robinhood'] } }),
      numbers: { chain: 'solana', allowed: 'robinhood' },
      message: 'solana is not among guard.chains',
    },
    {
      name: 'a contest of one’s own',
      action: create(usdc('1'), { chain: 'robinhood' }),
      view: () => ({ config: { chains: ['solana'] } }),
      numbers: { chain: 'robinhood', allowed: 'solana' },
      message: 'robinhood is not among guard.chains',
    },
    {
      name: 'a contest of others',
      action: join(),
      view: () => ({ joinable: { c: { chain: 'robinhood' } }, config: { chains: ['solana'] } }),
      numbers: { chain: 'robinhood', allowed: 'solana' },
      message: 'robinhood is not among guard.chains',
    },
  ],
  OPPONENTS_NOT_ALLOWED: [
    {
      name: 'a ticket that names no opponents, which may be any',
      action: queue(),
      view: () => ({ config: { opponents: ['HUMAN', 'AGENT'] } }),
      numbers: { opponents: 'ANY', allowed: 'HUMAN, AGENT' },
      message: 'opponents ANY are not among guard.opponents',
    },
    {
      name: 'a contest of one’s own',
      action: create(usdc('1'), { opponents: 'HUMAN' }),
      view: () => ({ config: { opponents: ['AGENT'] } }),
      numbers: { opponents: 'HUMAN', allowed: 'AGENT' },
      message: 'opponents HUMAN are not among guard.opponents',
    },
    {
      name: 'a contest of others',
      action: join(),
      view: () => ({ joinable: { c: { opponents: 'HUMAN' } }, config: { opponents: ['AGENT', 'ANY'] } }),
      numbers: { opponents: 'HUMAN', allowed: 'AGENT, ANY' },
      message: 'opponents HUMAN are not among guard.opponents',
    },
  ],
  MODE_BUDGET: [
    {
      name: 'spent, reserved and this one, a unit over',
      action: queue(usdc('1') + 1n, { mode: 'up_down' }),
      // 8 = 5 spent + 2 pending + 1
      view: () => ({
        config: { modeBudgets: { up_down: usdc('8') } },
        spentByMode: { up_down: usdc('5') },
        reservations: holdingAndPlaced(),
      }),
      numbers: { mode: 'up_down', spent: usdc('5'), reserved: usdc('2'), stake: 1_000_001n, worst: 8_000_001n, budget: usdc('8') },
      message: 'up_down could cost 8.000001 USDC today, more than its budget in guard.modeBudgets, 8.00 USDC',
    },
    {
      name: 'a contest joined, by the mode it has',
      action: join(),
      view: () => ({ config: { modeBudgets: { up_down: 1n } }, joinable: { c: { mode: 'up_down' } } }),
      numbers: { mode: 'up_down', spent: 0n, reserved: 0n, stake: usdc('1'), worst: usdc('1'), budget: 1n },
      message: 'up_down could cost 1.00 USDC today',
    },
  ],
  STRATEGY_BUDGET: [
    {
      name: 'spent, reserved and this one, a unit over',
      action: queue(usdc('1') + 1n),
      // 8 = 5 spent + 2 pending + 1
      view: () => ({
        ...{ by: 'other', config: { strategyBudgets: { other: usdc('8') } } },
        ...{ spentByStrategy: { other: usdc('5') }, reservations: holdingAndPlaced() },
      }),
      numbers: { strategy: 'other', spent: usdc('5'), reserved: usdc('2'), stake: 1_000_001n, worst: 8_000_001n, budget: usdc('8') },
      message: 'other could cost 8.000001 USDC today, more than its budget in guard.strategyBudgets, 8.00 USDC',
    },
  ],
  COOL_DOWN: [
    {
      name: 'the third loss in a row, a minute ago less a millisecond',
      action: queue(),
      view: () => ({ config: { coolDown: { losses: 3, seconds: 60 } }, streak: { losses: 3, lastAt: NOW_MS - 59_999 } }),
      numbers: { losses: 3, maxLosses: 3, waitMs: 1 },
      message: '3 contests in a row were lost: no entry for 1 ms more',
    },
  ],
  UNEXPLAINED_FALL: [
    {
      name: 'a unit more than the smallest stake is gone',
      action: queue(),
      view: () => ({ unexplained: usdc('1') + 1n, smallestStake: usdc('1') }),
      numbers: { unexplained: 1_000_001n, smallestStake: usdc('1') },
      message: 'the bankroll lacks 1.000001 USDC',
    },
  ],
  CLOCKS_DISAGREE: [
    {
      name: 'this machine is two hours ahead',
      action: queue(),
      view: () => ({ clockGapMs: 7_200_000 }),
      numbers: { clockGapMs: 7_200_000 },
      message: "this machine's clock is 2.0 h ahead of the service's",
    },
  ],
  CHAIN_SHORT: [
    {
      name: 'the wallet has less on the chain',
      action: queue(),
      view: () => ({ missingOnChain: 1n }),
      numbers: { missingOnChain: 1n },
      message: 'the wallet has 0.000001 USDC less on the chain than the service says',
    },
  ],
  DAILY_STAKED: [
    {
      name: 'a unit over',
      action: queue(),
      view: () => ({ config: { dailyStaked: usdc('10') }, stakedInDay: usdc('9') + 1n }),
      numbers: { stakedInDay: 9_000_001n, stake: usdc('1'), dailyStaked: usdc('10') },
      message: '10.000001 USDC would be staked in 24 hours',
    },
    {
      name: 'twice the bankroll of the day, without a cap in the config',
      action: queue(),
      view: () => ({ dayStartBankroll: usdc('2'), stakedInDay: usdc('3') + 1n }),
      numbers: { stakedInDay: 3_000_001n, stake: usdc('1'), dailyStaked: usdc('4') },
      message: 'more than guard.dailyStaked, 4.00 USDC',
    },
  ],
  ENTRIES_IN_MINUTE: [
    {
      name: 'as many as may be',
      action: queue(),
      view: () => ({ config: { entriesPerMinute: 2 }, entriesInMinute: 2 }),
      numbers: { entriesInMinute: 2, entriesPerMinute: 2 },
      message: '2 entries were sent in the last minute',
    },
  ],
  DRAWDOWN_STOP: [
    {
      name: 'fallen, in play, pending and this one, a unit over',
      action: queue(usdc('1') + 1n),
      // 10 = 3 fallen + 4 in play (all of it placed since) + 2 pending + 1
      view: () => ({ config: { maxDrawdown: usdc('10') }, drawdown: usdc('3'), inPlay: usdc('4'), reservations: holdingAndPlaced() }),
      numbers: {
        ...{ drawdown: usdc('3'), inPlay: usdc('4'), reserved: usdc('2') },
        ...{ stake: 1_000_001n, worst: 10_000_001n, maxDrawdown: usdc('10') },
      },
      message: 'profit could fall 10.000001 USDC below its peak, more than guard.maxDrawdown, 10.00 USDC',
    },
  ],
  SERVICE_UNPROBED: [
    {
      name: 'a service of which nothing is known',
      action: queue(),
      view: () => ({ playable: playable({ unreadable: () => unreadable('SERVICE_UNPROBED') }) }),
      numbers: { mode: 'draft_basket' },
      message: 'draft_basket is not entered, since nobody knows: do this',
    },
    {
      name: 'that before anything else',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({
        playable: playable({
          unreadable: () => unreadable('SERVICE_UNPROBED'),
          unplayedBy: () => ({ strategy: undefined, untilMs: undefined }),
          path: { isUp: false, part: undefined, reason: undefined, failedInRow: 0, okAgoMs: undefined },
        }),
      }),
      numbers: { mode: 'pnl_usd' },
      message: 'do this',
    },
  ],
  MODE_UNREADABLE: [
    {
      name: 'a mode of which two pieces are not known',
      action: join(),
      view: () => ({ playable: playable({ unreadable: () => unreadable('MODE_UNREADABLE', 'turn', 'pool') }), joinable: { c: {} } }),
      numbers: { mode: 'draft_basket', pieces: 'turn, pool', missing: 2 },
      message: 'draft_basket is not entered, since nobody knows: do this',
    },
  ],
  MODE_ON_TRIAL: [
    {
      name: 'a second of a mode in which no valid move was made yet',
      action: create(usdc('1'), { mode: 'draft_basket' }),
      view: () => ({ playable: playable({ trialOut: () => ({ seats: 0, tickets: 1 }) }) }),
      numbers: { mode: 'draft_basket', seats: 0, tickets: 1 },
      message: 'draft_basket is on trial, and one of it is out',
    },
  ],
  MODE_NOT_PLAYED: [
    {
      name: 'a mode that no strategy plays',
      action: queue(usdc('1'), { mode: 'draft_basket' }),
      view: () => ({ playable: playable({ unplayedBy: () => ({ strategy: undefined, untilMs: undefined }) }) }),
      numbers: { mode: 'draft_basket' },
      message: 'no strategy of this bot plays draft_basket',
    },
    {
      name: 'a mode whose strategy is left alone',
      action: create(usdc('1'), { mode: 'draft_basket' }),
      view: () => ({ playable: playable({ unplayedBy: () => ({ strategy: 'momentum', untilMs: NOW_MS + 59_001 }) }) }),
      numbers: { mode: 'draft_basket', strategy: 'momentum', untilMs: NOW_MS + 59_001 },
      message: 'momentum, which plays draft_basket, is left alone for 60 s',
    },
  ],
  SWAP_PATH_DOWN: [
    {
      name: 'a mode of swaps while they do not come through',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({
        playable: playable({ path: { isUp: false, part: 'dex', reason: 'Jupiter cannot be reached', failedInRow: 2, okAgoMs: 61_000 } }),
      }),
      numbers: { mode: 'pnl_usd', part: 'dex', failedInRow: 2, okAgoMs: 61_000 },
      message: 'do not come through now: Jupiter cannot be reached',
    },
    {
      name: 'a mode of swaps before anybody knows whether they do',
      action: queue(usdc('1'), { mode: 'best_trade' }),
      view: () => ({
        playable: playable({ path: { isUp: false, part: undefined, reason: undefined, failedInRow: 0, okAgoMs: undefined } }),
      }),
      numbers: { mode: 'best_trade', failedInRow: 0 },
      message: 'no swap has come through',
    },
  ],
  SWAP_BUDGET: [
    {
      name: 'a mode of swaps that the requests of the DEX do not suffice for',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({
        playable: playable({ swapBudget: { perMinute: 30, prices: 6, looks: 2, others: 3, requestsPerSwap: 2, contests: 4 } }),
      }),
      numbers: {
        ...{ mode: 'pnl_usd', perMinute: 30, prices: 6, looks: 2, others: 3 },
        ...{ contests: 4, pending: 0, requestsPerSwap: 2, needed: 20, left: 19 },
      },
      message:
        '30 a minute are allowed, prices need 6, looks at the way of a swap 2, others with the same key took 3; 4 contests and this one need 20',
    },
    {
      name: 'a mode of swaps while the requests of this minute are used up',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({
        playable: playable({ swapBudget: { perMinute: 60, free: 11, prices: 6, looks: 2, others: 0, requestsPerSwap: 2, contests: 2 } }),
        unswapped: () => 2,
      }),
      numbers: { mode: 'pnl_usd', perMinute: 60, free: 11, unswapped: 2, requestsPerSwap: 2, needed: 12 },
      message: '11 of the 60 requests that the DEX takes in a minute are left now: 2 contests wait for their first swap',
    },
  ],
  MODE_CLOSED: [
    {
      name: 'a mode whose contests ended unplayed',
      action: queue(usdc('1'), { mode: 'up_down' }),
      view: () => ({
        playable: playable({
          closed: () => ({ unplayed: 2, stakes: usdc('3'), closedAt: NOW_MS - 1, trialAt: NOW_MS + 1, why: 'nothing was read' }),
        }),
      }),
      numbers: { mode: 'up_down', unplayed: 2, stakes: usdc('3'), closedAt: NOW_MS - 1, trialAt: NOW_MS + 1 },
      message: 'nothing was read; 2 contests, 3.00 USDC, ended without a valid move',
    },
    {
      name: 'a mode that the operator closed',
      action: join(),
      view: () => ({
        playable: playable({ closed: () => ({ unplayed: 0, stakes: 0n, closedAt: NOW_MS, trialAt: undefined, why: 'so' }) }),
        joinable: { c: {} },
      }),
      numbers: { mode: 'draft_basket', unplayed: 0, stakes: 0n, closedAt: NOW_MS },
      message: 'draft_basket is closed until it is opened: so',
    },
  ],
  GAS_LOW: [
    {
      name: 'an entry of a mode that is played by swaps',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({ gasLamports: { value: 4_999_999n, begunAt: NOW_MS } }),
      numbers: { gasLamports: 4_999_999n, minGasLamports: 5_000_000n },
      message: '4999999 lamports, under guard.minGasLamports, 5000000',
    },
  ],
  PRICE_STALE: [
    {
      name: 'a contest that is played by swaps, once there were no prices for over two minutes',
      action: queue(usdc('1'), { mode: 'pnl_usd' }),
      view: () => ({ pricesAgeMs: 120_001 }),
      numbers: { mode: 'pnl_usd', ageMs: 120_001, maxPriceAgeMs: 120_000 },
      message: 'the feed has given no price for 120001 ms',
    },
    {
      name: 'the same where prices may be older',
      action: queue(usdc('1'), { mode: 'price_prediction' }),
      view: () => ({ pricesAgeMs: 300_001, config: { maxPriceAgeMs: 300_000 } }),
      numbers: { mode: 'price_prediction', ageMs: 300_001, maxPriceAgeMs: 300_000 },
      message: 'the feed has given no price for 300001 ms',
    },
    {
      name: 'an entry while a token the bot holds has no fresh price',
      action: queue(),
      view: () => ({ swapLoss: undefined }),
      numbers: { maxPriceAgeMs: 15_000 },
      message: 'what its swaps have lost today is not known',
    },
  ],
}
