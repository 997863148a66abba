import { SOL_MINT, USDC_MINT } from '../../../../src/core/tokens.ts'
import { usdc } from '../../../../src/core/usdc.ts'
import { sweep } from '../../../../src/strategy/action.ts'
import { barred, contradicted, feeMoon, HOOK, MOON_MINT, moon } from '../../tokens/facts.ts'
import { BONK_MINT, buy, holding, holdingSol, join, NOW_MS, sell, swapping, WIF_MINT } from '../guardView.ts'
import type { Refused, RefusedAction } from './refused.ts'

const over = () => ({ traded: holdingSol({ phase: 'settled' }) })
const SOLD = { contestId: 'c', from: SOL_MINT, to: USDC_MINT, amount: 100_000_000n } as const

/** What the rules for swaps and sweeps refuse before a quote is asked for. */
export const REFUSED_SWAPS: Refused<RefusedAction> = {
  KILL_SWITCH: [buy(), sell(), sweep(SOLD)].map(
    (action, index): RefusedAction => ({
      name: `${['a buy', 'a sale', 'a sweep'][index]} once the operator has stopped everything`,
      action,
      view: () => ({ stopped: 'all', traded: holdingSol({ phase: action.type === 'sweep' ? 'settled' : 'live' }) }),
      numbers: {},
      message: 'swaps nothing',
    }),
  ),
  CATCHING_UP: [
    { name: 'a swap before the stream was read', action: buy(), view: () => ({ caughtUp: false }), numbers: {}, message: 'not been read' },
    {
      name: 'a sweep before the stream was read',
      action: sweep(SOLD),
      view: () => ({ caughtUp: false, ...over() }),
      numbers: {},
      message: 'not been read',
    },
  ],
  SWAP_AMOUNT_INVALID: [
    { name: 'nothing given', action: buy({ amount: 0n }), numbers: { amount: 0n }, message: 'more than 0 base units, this one 0' },
    { name: 'less than nothing', action: buy({ amount: -1n }), numbers: { amount: -1n }, message: 'this one -1' },
  ],
  SWAP_SAME_TOKEN: [
    { name: 'a token for itself', action: buy({ to: USDC_MINT }), numbers: { token: USDC_MINT }, message: 'a swap of USDC for itself' },
  ],
  TOKEN_UNKNOWN: [
    {
      name: 'a mint of nobody, to',
      action: buy({ to: 'Nobody1111111111111111111111111111111111111' }),
      numbers: { token: 'Nobody1111111111111111111111111111111111111' },
      message: 'its decimals are not known',
    },
    {
      name: 'a mint of nobody, from',
      action: sell({ from: 'nobody' }),
      numbers: { token: 'nobody' },
      message: 'nobody is not in the table',
    },
    {
      name: 'a token of the config of which nobody knows the decimals',
      action: buy({ to: MOON_MINT }),
      view: () => ({
        tokens: [moon({ decimals: undefined, trouble: { kind: 'unknown', message: 'its decimals are not known', said: {} } })],
      }),
      numbers: { token: MOON_MINT },
      message: `MOON (${MOON_MINT}): its decimals are not known`,
    },
    {
      name: 'a token of more decimals than are counted',
      action: buy({ to: MOON_MINT }),
      view: () => ({
        tokens: [moon({ decimals: 12, trouble: { kind: 'unknown', message: 'too many', said: { decimals: 12, mostDecimals: 9 } } })],
      }),
      numbers: { token: MOON_MINT, decimals: 12, mostDecimals: 9 },
      message: 'too many',
    },
  ],
  TOKEN_CONTRADICTED: [
    {
      name: 'a known token that the chain and the API have otherwise than the table',
      action: buy({ to: BONK_MINT }),
      view: () => ({
        tokens: [
          moon({
            ...{ mint: BONK_MINT, symbol: 'BONK' },
            trouble: { kind: 'contradicted', message: 'no two agree', said: { field: 'decimals', table: 5, chain: 6, api: 7 } },
          }),
        ],
      }),
      numbers: { token: BONK_MINT, field: 'decimals', table: 5, chain: 6, api: 7 },
      message: 'no two agree',
    },
    {
      name: 'other decimals in the config than on the chain',
      action: buy({ to: MOON_MINT }),
      view: () => ({ tokens: [contradicted] }),
      numbers: { token: MOON_MINT, field: 'decimals', config: 6, chain: 9 },
      message: 'market.tokens says 6 for its decimals, its mint account says 9',
    },
    {
      name: 'even where it is sold',
      action: sell({ from: MOON_MINT }),
      view: () => ({ tokens: [contradicted] }),
      numbers: { token: MOON_MINT, field: 'decimals', config: 6, chain: 9 },
      message: 'its mint account says 9',
    },
  ],
  TOKEN_BARRED: [
    ...[
      { trap: 'frozenByDefault' },
      { extensions: 'scaledUiAmountConfig' },
      { pause: HOOK, seize: HOOK, changeFee: HOOK, changeHook: HOOK },
    ].map((said) => ({
      name: `a mint with ${Object.keys(said).join(', ')}`,
      action: buy({ to: MOON_MINT }),
      view: () => ({ tokens: [moon({ trouble: { kind: 'barred', message: 'nobody allowed it', said } as const })] }),
      numbers: { token: MOON_MINT, ...said },
      message: 'nobody allowed it',
    })),
    {
      name: 'a power of the issuer that the config does not allow',
      action: buy({ to: MOON_MINT }),
      view: () => ({ tokens: [barred] }),
      numbers: { token: MOON_MINT, freeze: HOOK },
      message: `MOON (${MOON_MINT}): its issuer can freeze it`,
    },
    {
      name: 'a contest about such a token',
      action: join(),
      view: () => ({ joinable: { c: { mode: 'same_token', token: MOON_MINT } }, tokens: [barred] }),
      numbers: { token: MOON_MINT, freeze: HOOK },
      message: 'its issuer can freeze it',
    },
  ],
  TOKEN_TRANSFER_FEE: [
    {
      name: 'a fee that the config does not let in',
      action: buy({ to: MOON_MINT }),
      view: () => ({ tokens: [feeMoon()] }),
      numbers: { token: MOON_MINT, feeBps: 100, maximum: 10n ** 18n, maxTransferFeeBps: 0 },
      message: 'MOON keeps back 100 bps of each transfer as a fee, its maxTransferFeeBps in market.tokens is 0',
    },
    {
      name: 'a fee that was raised above what the config lets in',
      action: buy({ to: MOON_MINT }),
      view: () => ({ tokens: [feeMoon({ maxTransferFeeBps: 99 })] }),
      numbers: { token: MOON_MINT, feeBps: 100, maximum: 10n ** 18n, maxTransferFeeBps: 99 },
      message: 'is 99',
    },
    {
      name: 'a contest about such a token',
      action: join(),
      view: () => ({ joinable: { c: { mode: 'same_token', token: MOON_MINT } }, tokens: [feeMoon()] }),
      numbers: { token: MOON_MINT, feeBps: 100, maximum: 10n ** 18n, maxTransferFeeBps: 0 },
      message: 'keeps back 100 bps',
    },
  ],
  TOKEN_TRANSFER_HOOK: [
    {
      name: 'a hook that the config does not let in',
      action: buy({ to: MOON_MINT }),
      view: () => ({ tokens: [moon({ tokenProgram: 'token-2022', transferHook: HOOK })] }),
      numbers: { token: MOON_MINT, hook: HOOK },
      message: `each transfer of MOON calls the hook ${HOOK}`,
    },
  ],
  NOT_IN_CONTEST: [
    {
      name: 'a contest nobody knows, or of another bot',
      action: buy({ contestId: 'd' }),
      numbers: { contestId: 'd' },
      message: 'this bot has no seat in contest d',
    },
  ],
  MODE_WITHOUT_SWAPS: [
    {
      name: 'a contest that is not played by swaps',
      action: buy(),
      view: () => ({ traded: { c: { mode: 'draft_basket' } } }),
      numbers: { contestId: 'c', mode: 'draft_basket' },
      message: 'contest c is draft_basket, which no swap counts for',
    },
  ],
  CONTEST_NOT_LIVE: (['open', 'settled', 'cancelled'] as const).map(
    (phase): RefusedAction => ({
      name: `a swap in a contest that is ${phase}`,
      action: buy(),
      view: () => ({ traded: { c: { phase } } }),
      numbers: { contestId: 'c', phase },
      message: `contest c is ${phase}: swaps count while it is live`,
    }),
  ),
  CONTEST_NOT_OVER: (['open', 'live'] as const).map(
    (phase): RefusedAction => ({
      name: `a sweep in a contest that is ${phase}`,
      action: sweep(SOLD),
      view: () => ({ traded: holdingSol({ phase }) }),
      numbers: { contestId: 'c', phase },
      message: `contest c is ${phase}: swap in it instead`,
    }),
  ),
  TOKEN_NOT_ALLOWED: [
    {
      name: 'a token the config leaves out',
      action: buy({ to: BONK_MINT }),
      view: () => ({ config: { tokens: [SOL_MINT] } }),
      numbers: { token: BONK_MINT },
      message: 'BONK is not among guard.tokens',
    },
    {
      name: 'another token than the contest is about, to',
      action: buy({ to: BONK_MINT }),
      view: () => ({ traded: { c: { mode: 'same_token', token: SOL_MINT } } }),
      numbers: { token: BONK_MINT },
      message: 'contest c is about SOL, not BONK',
    },
    {
      name: 'another token than the contest is about, from',
      action: sell({ from: BONK_MINT }),
      view: () => ({ traded: { c: { mode: 'same_token', token: SOL_MINT } } }),
      numbers: { token: BONK_MINT },
      message: 'contest c is about SOL, not BONK',
    },
    {
      name: 'a sweep into anything but USDC',
      action: sweep({ ...SOLD, to: BONK_MINT }),
      view: over,
      numbers: { token: BONK_MINT },
      message: 'a sweep sells into USDC',
    },
  ],
  SLIPPAGE_OVER_CAP: [
    {
      name: 'a basis point more than the cap',
      action: buy({ maxSlippageBps: 51 }),
      numbers: { slippageBps: 51, maxSlippageBps: 50 },
      message: 'a slippage of 51 bps is not from 0 to guard.maxSlippageBps, 50 bps',
    },
    { name: 'less than none', action: buy({ maxSlippageBps: -1 }), numbers: { slippageBps: -1, maxSlippageBps: 50 }, message: 'of -1 bps' },
    {
      name: 'half a point',
      action: buy({ maxSlippageBps: 0.5 }),
      numbers: { slippageBps: 0.5, maxSlippageBps: 50 },
      message: 'of 0.5 bps',
    },
  ],
  LIMITS_UNKNOWN: [
    { name: 'limits never read', action: buy(), view: () => ({ limits: undefined }), numbers: {}, message: 'have not been read' },
    { name: 'a bankroll never read', action: buy(), view: () => ({ available: undefined }), numbers: {}, message: 'have not been read' },
    { name: 'a seat of unknown stake', action: buy(), view: () => ({ inPlay: undefined }), numbers: {}, message: 'stake of a seat' },
    {
      name: 'a bankroll over a minute old',
      action: buy(),
      view: () => ({ available: { value: usdc('1000'), begunAt: NOW_MS - 60_001 } }),
      numbers: { ageMs: 60_001, maxAgeMs: 60_000 },
      message: 'last read 60001 ms ago',
    },
    { name: "the wallet's SOL never read", action: buy(), view: () => ({ gasLamports: undefined }), numbers: {}, message: "wallet's SOL" },
    {
      name: "the wallet's SOL read over a minute ago, even for a sale",
      action: sell(),
      view: () => ({ gasLamports: { value: 10n ** 9n, begunAt: NOW_MS - 60_001 }, traded: holdingSol() }),
      numbers: { ageMs: 60_001, maxAgeMs: 60_000 },
      message: "the wallet's SOL was last read 60001 ms ago",
    },
  ],
  GAS_LOW: [buy(), sell(), sweep(SOLD)].map(
    (action, index): RefusedAction => ({
      name: `${['a buy', 'a sale', 'a sweep'][index]} with a lamport too few`,
      action,
      view: () => ({
        gasLamports: { value: 4_999_999n, begunAt: NOW_MS },
        traded: holdingSol({ phase: action.type === 'sweep' ? 'settled' : 'live' }),
      }),
      numbers: { gasLamports: 4_999_999n, minGasLamports: 5_000_000n },
      message: '4999999 lamports, under guard.minGasLamports, 5000000',
    }),
  ),
  SWAP_UNRESOLVED: [buy({ amount: 1n }), sell(), sweep(SOLD)].map(
    (action, index): RefusedAction => ({
      name: `${['a buy', 'a sale', 'a sweep'][index]} while a swap has no outcome`,
      action,
      view: () => ({ reservations: swapping(), traded: holdingSol({ phase: action.type === 'sweep' ? 'settled' : 'live' }) }),
      numbers: { intent: '3:holder:0' },
      message: 'a swap of this wallet, 3:holder:0, is still without an outcome',
    }),
  ),
  SWAPS_IN_CONTEST: [
    {
      name: 'the forty-first of forty',
      action: buy(),
      view: () => ({ traded: { c: { swaps: 40 } } }),
      numbers: { contestId: 'c', swaps: 40, maxSwapsPerContest: 40 },
      message: '40 swaps were made in contest c, guard.maxSwapsPerContest is 40',
    },
  ],
  SWAPS_IN_MINUTE: [
    {
      name: 'the twenty-first of twenty',
      action: buy(),
      view: () => ({ swapsInMinute: 20, traded: { c: { swaps: 1 } } }),
      numbers: { swaps: 20, unswapped: 0, maxSwapsPerMinute: 20 },
      message: '20 swaps were sent in the last minute, guard.maxSwapsPerMinute is 20',
    },
    {
      name: 'the nineteenth of twenty, while two contests wait for their first',
      action: buy(),
      view: () => ({ swapsInMinute: 18, unswapped: () => 2, traded: { c: { swaps: 1 } } }),
      numbers: { swaps: 18, unswapped: 2, maxSwapsPerMinute: 20 },
      message: '18 swaps were sent in the last minute, and 2 are kept for contests that had none yet, guard.maxSwapsPerMinute is 20',
    },
  ],
  PRICE_UNKNOWN: [
    { name: 'of what is bought', action: buy({ to: WIF_MINT }), numbers: { token: WIF_MINT }, message: 'the feed has no price of WIF' },
    {
      name: 'of what is sold',
      action: sell({ from: WIF_MINT }),
      numbers: { token: WIF_MINT },
      message: 'the feed has no price of WIF',
    },
    {
      name: 'a price of 0, which is none',
      action: sell(),
      view: () => ({ prices: { [SOL_MINT]: { price: '0.00', ageMs: 0 } }, traded: holdingSol() }),
      numbers: { token: SOL_MINT },
      message: 'the feed has no price of SOL',
    },
  ],
  PRICE_STALE: [
    {
      name: 'a millisecond too old',
      action: buy(),
      view: () => ({ prices: { [SOL_MINT]: { price: '150', ageMs: 15_001 } } }),
      numbers: { token: SOL_MINT, ageMs: 15_001, maxPriceAgeMs: 15_000 },
      message: 'the price of SOL is 15001 ms old, guard.maxPriceAgeMs is 15000',
    },
    {
      name: 'of what is sold, even for a sweep',
      action: sweep(SOLD),
      view: () => ({ prices: { [SOL_MINT]: { price: '150', ageMs: 15_001 } }, ...over() }),
      numbers: { token: SOL_MINT, ageMs: 15_001, maxPriceAgeMs: 15_000 },
      message: 'the price of SOL is 15001 ms old',
    },
    {
      name: 'of another token the bot holds, so what swaps have lost is not known',
      action: buy(),
      view: () => ({ swapLoss: undefined, unpriced: WIF_MINT, prices: { [WIF_MINT]: { price: '1', ageMs: 15_001 } } }),
      numbers: { token: WIF_MINT, ageMs: 15_001, maxPriceAgeMs: 15_000 },
      message: 'WIF, which this bot holds, has no fresh price, so what its swaps have lost today is not known',
    },
  ],
  SWAP_OVER_BALANCE: [
    {
      name: 'a unit more USDC than is free of stakes under way',
      action: buy({ amount: usdc('10') + 1n }),
      view: () => ({ available: { value: usdc('12'), begunAt: NOW_MS }, reservations: holding(usdc('2')) }),
      numbers: { token: USDC_MINT, amount: 10_000_001n, available: usdc('12'), reserved: usdc('2') },
      message: 'a swap of 10.000001 USDC is more than the 10.00 USDC that are free',
    },
    {
      name: 'a unit more than the contest has bought',
      action: sell({ amount: 100_000_001n }),
      view: () => ({ traded: holdingSol() }),
      numbers: { token: SOL_MINT, amount: 100_000_001n, held: 100_000_000n },
      message: '100000001 base units of SOL are more than the 100000000 that contest c holds',
    },
    {
      name: 'a sweep of what another contest holds',
      action: sweep(SOLD),
      view: () => ({ traded: { c: { phase: 'settled' }, d: { held: { [SOL_MINT]: 10n ** 9n } } } }),
      numbers: { token: SOL_MINT, amount: 100_000_000n, held: 0n },
      message: 'more than the 0 that contest c holds',
    },
  ],
  SWAP_TOO_LARGE: [
    {
      name: 'a unit of USDC over the cap',
      action: buy({ amount: usdc('25') + 1n }),
      numbers: { value: 25_000_001n, maxSwap: usdc('25') },
      message: 'a swap of 25.000001 USDC is above guard.maxSwap, 25.00 USDC',
    },
    {
      // 166,666,666 lamports are worth 24.9999999 USDC, a lamport more 25.00000005.
      name: 'a lamport over the cap, by the feed',
      action: sell({ amount: 166_666_667n }),
      view: () => ({ traded: { c: { held: { [SOL_MINT]: 10n ** 9n } } } }),
      numbers: { value: 25_000_001n, maxSwap: usdc('25') },
      message: 'a swap of 25.000001 USDC is above guard.maxSwap, 25.00 USDC',
    },
  ],
  DAILY_LOSS_OWN: [
    {
      name: 'lost, lost by swaps, in play, reserved and what this swap may lose, a unit over',
      action: buy(),
      // 20 = 10 lost + 0.85 by swaps + 7 in play + 2 pending + 0.15
      view: () => ({ lostToday: usdc('10'), swapLoss: 850_001n, inPlay: usdc('7'), reservations: holding(usdc('2')) }),
      numbers: {
        ...{ lostToday: usdc('10'), swapLoss: 850_001n, inPlay: usdc('7'), reserved: usdc('2'), firstSwaps: 0n },
        ...{ risk: usdc('0.15'), worst: 20_000_001n, dailyLoss: usdc('20') },
      },
      message: '20.000001 USDC down, more than guard.dailyLoss, 20.00 USDC',
    },
    {
      name: 'a token for another token, which is no sale',
      action: sell({ to: BONK_MINT }),
      view: () => ({ swapLoss: usdc('20'), traded: holdingSol() }),
      numbers: {
        ...{ lostToday: 0n, swapLoss: usdc('20'), inPlay: 0n, reserved: 0n, firstSwaps: 0n },
        ...{ risk: usdc('0.225'), worst: usdc('20.225'), dailyLoss: usdc('20') },
      },
      message: '20.225 USDC down',
    },
  ],
}
