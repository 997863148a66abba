import { describe, expect, test } from 'vitest'
import { buy, guardView, letOut, NOW_MS } from '../../../test/support/guard/guardView.ts'
import { assembled } from '../../../test/support/guard/inspection/editing.ts'
import { AGENT, AMOUNT, OUT, pairOf } from '../../../test/support/guard/inspection/pairs.ts'
import { type AnyMachine, moveOf as madeBy, movesMade, movesOf, type Sample as Sampled } from '../../../test/support/lifecycles/machines.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import type { SwapQuote } from '../../guard/index.ts'
import type { SwapRecord, WalletFigures } from '../protocol/input.ts'
import { confirming } from './confirming.ts'
import { NO_FIGURES } from './preparing.ts'
import { swapMachine } from './swapMachine.ts'
import type { Confirming, HappeningOf, SwapEffect, SwapHappening, SwapSeen, SwapState } from './swapState.ts'

// Every pair of the table, in samples that reach every state that may follow; and what money hangs on, one by one.

const KEY = '7:holder:0'
const EXPIRY_MS = 120_000
const wallet = AGENT.publicKey.toBase58()
const prices = { [SOL_MINT]: { price: '208', ageMs: 0 } }
const before = guardView({ prices })
const approved = letOut(buy({ amount: AMOUNT }), before, KEY)
const { reservations } = before
const swap = { key: KEY, action: approved, at: NOW_MS, by: 'holder' }
const quote: SwapQuote = {
  ...{ from: USDC_MINT, to: SOL_MINT, inAmount: AMOUNT, outAmount: OUT, minOut: 23_880_000n },
  ...{ slippageBps: 50, impactBps: 2, askedAt: NOW_MS - 200 },
}
const { bytes, tables } = assembled(pairOf(USDC_MINT, SOL_MINT))
const built = { transaction: Buffer.from(bytes).toString('base64'), tables, simulated: undefined, lastValidBlockHeight: 300 }
const figures: WalletFigures = { total: 100_000_000n, gasLamports: 50_000n, profit: 0n, readAt: NOW_MS - 100, answeredAt: NOW_MS - 50 }
const record: SwapRecord = {
  ...{ key: KEY, wallet, transaction: built.transaction, lastValidBlockHeight: 300, sentAt: NOW_MS },
  ...{ given: AMOUNT, quotedOut: OUT, minOut: 23_880_000n, signature: undefined, before: figures },
}

const see = (changes: Partial<SwapSeen> = {}): SwapSeen => ({
  ...{ now: NOW_MS, hasChain: true, caughtUp: true, timeoutMs: 5000, policy: before.config, wallet, figuresAreRead: true },
  figures: () => figures,
  promptFigures: () => figures,
  unsure: () => ({ either: [], doubtful: [] }),
  isReadingBalances: () => false,
  owesSwap: () => false,
  wasSent: () => false,
  token: () => undefined,
  guard: () => guardView({ prices, reservations }),
  ...changes,
})
const later = (ms: number, changes: Partial<SwapSeen> = {}) => see({ now: NOW_MS + ms, ...changes })

const quoted = { quote, raw: { route: 1 } }
const quoting = { is: 'quoting', swap, approved, heldBack: 0 } as const
const building = { is: 'building', swap, approved, heldBack: 0, quoted } as const
const waiting = { is: 'waiting', swap, approved, heldBack: 0, quoted, buildAt: NOW_MS + 500 } as const
const unquoted = { ...waiting, quoted: undefined } as const
const sending = { is: 'sending', swap, record } as const
const sent = (changes: Partial<Confirming> = {}): Confirming => ({ ...confirming(swap, record), ...changes })
const signed = { ...record, signature: 'signature' }

const trouble = { ok: false, reason: 'no route', retryable: true } as const
const refused = (code: string) => ({ code, message: 'no', status: 400, details: undefined }) as never

type Sample = Sampled<SwapState, SwapHappening, SwapSeen>

const outcome = (told: HappeningOf<'answered'>['outcome']): SwapHappening => ({ type: 'answered', outcome: told })
const landing = (result: HappeningOf<'landing'>['result']): SwapHappening => ({ type: 'landing', result })
const landed = landing({ status: 'landed', signature: 'signature', changes: [], feeLamports: 5000n })
const noRpc = landing({ status: 'unavailable', reason: 'no RPC' })
const due = (task: HappeningOf<'due'>['task']): SwapHappening => ({ type: 'due', task })
const settled: SwapHappening = { type: 'settled', profit: 1n, at: NOW_MS - 200 }
const balances: SwapHappening = { type: 'balances', begunAt: NOW_MS + EXPIRY_MS }
const isPaid = () => ({ ...figures, total: figures.total - AMOUNT, gasLamports: 45_000n })

const SAMPLES: readonly Sample[] = [
  [quoting, { type: 'quoted', result: trouble }, see()],
  [quoting, { type: 'quoted', result: { ...trouble, isHeldBack: true } }, see()],
  [quoting, { type: 'quoted', result: { ok: true, ...quoted } }, see()],
  [quoting, { type: 'quoted', result: { ok: true, ...quoted } }, see({ wallet: undefined })],
  [quoting, { type: 'quoted', result: { ok: true, ...quoted } }, see({ guard: () => guardView({ prices, reservations, stopped: 'all' }) })],
  [quoting, { type: 'quoted', result: { ok: true, quote, raw: undefined } }, see()],
  [quoting, settled, see()],
  [building, { type: 'built', result: trouble }, see()],
  [building, { type: 'built', result: { ...trouble, isOfMarket: true } }, see()],
  [building, { type: 'built', result: { ...trouble, isHeldBack: true } }, see()],
  [building, { type: 'built', result: { ...trouble, isHeldBack: true } }, later(30_000)],
  [building, { type: 'built', result: { ...trouble, isSpent: true } }, see()],
  [building, { type: 'built', result: { ...trouble, isSpent: true } }, later(60_000)],
  [building, { type: 'built', result: { ...trouble, refusal: { code: 'TX_MALFORMED', message: 'none', numbers: {} } } }, see()],
  [building, { type: 'built', result: { ok: true, built } }, see()],
  [building, { type: 'built', result: { ok: true, built } }, see({ wasSent: () => true })],
  [building, { type: 'built', result: { ok: true, built } }, see({ hasChain: false, promptFigures: () => undefined })],
  [building, { type: 'built', result: { ok: true, built: { ...built, transaction: 'AAAA' } } }, see()],
  [building, settled, see()],
  [waiting, due('swapBuild'), later(500)],
  [waiting, due('swapBuild'), later(500, { hasChain: false, promptFigures: () => undefined })],
  [waiting, due('swapBuild'), later(60_000, { hasChain: false, promptFigures: () => undefined, figuresAreRead: false })],
  [unquoted, due('swapBuild'), later(1000)],
  [waiting, settled, see()],
  [sending, outcome({ status: 'accepted', output: { signature: 'signature', status: 'submitted' } }), see()],
  [sending, outcome({ status: 'accepted', output: { signature: 'signature', status: 'confirmed' } }), see({ hasChain: false })],
  [sending, outcome({ status: 'accepted', output: {} }), see()],
  [sending, outcome({ status: 'rejected', refusal: refused('TX_SIMULATION_FAILED') }), see()],
  [sending, outcome({ status: 'rejected', refusal: refused('TX_TOO_LARGE') }), see()],
  [sending, outcome({ status: 'rejected', refusal: refused('RATE_LIMITED') }), see()],
  [sending, outcome({ status: 'rejected', refusal: refused('OF_LATER') }), see()],
  [sending, outcome({ status: 'notSent', reason: 'no network' }), see()],
  [sending, outcome({ status: 'unknown', reason: 'timed out' }), see({ hasChain: false })],
  [sending, landed, see({ hasChain: false })],
  [sending, settled, see()],
  [sent({ lookAt: NOW_MS }), due('swap'), see()],
  [sent({ lookAt: NOW_MS, record: signed }), due('swap'), see()],
  [sent({ compareAt: NOW_MS }), due('swapBalances'), see()],
  [sent({ compareAt: NOW_MS }), due('swapBalances'), see({ caughtUp: false })],
  [sent(), { type: 'unread', task: 'swap', at: NOW_MS + 1000 }, see()],
  [sent({ compareAt: NOW_MS + 5 }), { type: 'unread', task: 'swapBalances', at: NOW_MS + 1000 }, see()],
  ...(['confirmed', 'failed', 'pending', 'unclear'] as const).flatMap((status): Sample[] => [
    [sent({ record: signed }), { type: 'status', status }, see()],
    [sent({ record: signed }), { type: 'status', status }, see({ hasChain: false })],
    [sent({ record: signed }), { type: 'status', status }, later(EXPIRY_MS, { hasChain: false })],
    [sent({ record: signed, confirmedAt: NOW_MS - 30_000 }), { type: 'status', status }, see()],
  ]),
  [sent(), { type: 'balances', begunAt: NOW_MS }, see()],
  [sent(), balances, later(EXPIRY_MS)],
  [sent(), balances, later(EXPIRY_MS, { figures: () => undefined })],
  [sent(), balances, later(EXPIRY_MS, { caughtUp: false })],
  [sent(), balances, later(EXPIRY_MS, { figures: () => ({ ...figures, total: 1n }), hasChain: false })],
  [sent({ balancesSaid: { verdict: 'notLanded', since: NOW_MS } }), balances, later(EXPIRY_MS)],
  [sent({ balancesSaid: { verdict: 'landed', since: NOW_MS } }), balances, later(EXPIRY_MS, { figures: isPaid })],
  ...[undefined, NOW_MS - 1000, NOW_MS - 30_000].flatMap((confirmedAt) =>
    [false, true].flatMap((isConfirmedAgain) =>
      [0, EXPIRY_MS, 3 * EXPIRY_MS].flatMap((ms): Sample[] =>
        [landed, noRpc, landing({ status: 'pending' }), landing({ status: 'expired' })].map((told) => [
          sent({ record: signed, confirmedAt, isConfirmedAgain }),
          told,
          later(ms),
        ]),
      ),
    ),
  ),
  [sent(), landing({ status: 'reverted', signature: 'signature', reason: 'slippage', feeLamports: 5000n }), see()],
  [sent(), settled, see()],
  [sent(), { ...settled, at: NOW_MS }, see()],
]

const moveOf = (sample: Sample) => madeBy(swapMachine, sample)

const effectOf = <T extends SwapEffect['type']>(sample: Sample, type: T) =>
  moveOf(sample).effects.find((effect): effect is Extract<SwapEffect, { type: T }> => effect.type === type)

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || value instanceof Map) return value
  for (const inside of Object.values(value)) frozen(inside)
  return Object.freeze(value)
}

describe('the machine of a swap', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(swapMachine, SAMPLES)].sort()).toEqual([...movesOf(swapMachine as unknown as AnyMachine)].sort())
  })

  test('changes nothing that it is given, and gives the same move for the same', () => {
    for (const [state, happening, seen] of SAMPLES) {
      const sample: Sample = [frozen(state), frozen(happening), seen]
      expect(moveOf(sample)).toEqual(moveOf(sample))
    }
  })

  test('ends with what ends a swap, once, and with nothing that goes out', () => {
    const ENDS: readonly SwapEffect['type'][] = ['filled', 'reverted', 'ended', 'refused']
    const GOES_OUT: readonly SwapEffect['type'][] = ['send', 'swapRequest', 'readStatus', 'readBalances']
    for (const sample of SAMPLES) {
      const { state, effects } = moveOf(sample)
      const types = effects.map(({ type }) => type)
      expect(types.filter((type) => ENDS.includes(type))).toHaveLength(state === undefined ? 1 : 0)
      if (state === undefined) expect(types.filter((type) => GOES_OUT.includes(type))).toEqual([])
    }
  })

  test('sends once: from a state that was never sent to one that is never sent again', () => {
    for (const sample of SAMPLES) {
      const sends = moveOf(sample).effects.filter(({ type }) => type === 'send')
      const isSentNow = !('record' in sample[0]) && moveOf(sample).state?.is === 'sending'
      expect(sends).toHaveLength(isSentNow ? 1 : 0)
    }
  })

  test('is due, asked, or waits for an answer wherever it is open', () => {
    for (const sample of SAMPLES) {
      const { state, effects } = moveOf(sample)
      if (state === undefined || state === sample[0]) continue
      const asks = effects.some(({ type }) => ['send', 'swapRequest', 'readStatus', 'readBalances'].includes(type))
      // What was asked before is not answered by a settlement, and neither is a second answer to a first question.
      const isAwaited = state.is !== 'waiting' && state.is !== 'confirming'
      expect(asks || isAwaited || swapMachine.dueAt(state).length > 0 || sample[1].type === 'settled', sample[1].type).toBe(true)
    }
  })

  test('plans each read for its own time', () => {
    expect(swapMachine.dueAt(waiting)).toEqual([{ task: `swapBuild:${KEY}`, at: NOW_MS + 500 }])
    expect(swapMachine.dueAt(sent({ lookAt: 1, compareAt: 2 }))).toEqual([
      { task: `swap:${KEY}`, at: 1 },
      { task: `swapBalances:${KEY}`, at: 2 },
    ])
    expect(swapMachine.dueAt(sending)).toEqual([])
  })

  test('keeps in its record what a contest settled by then has moved, and nothing of later', () => {
    expect(effectOf([sent(), settled, see()], 'record')?.record.before?.profit).toBe(1n)
    expect(effectOf([sent(), { ...settled, at: NOW_MS }, see()], 'record')).toBeUndefined()
    expect(effectOf([sending, settled, see()], 'record')?.record.before?.profit).toBe(1n)
  })

  test('has figures read before it is sent where nobody could look it up, unless the service leaves them out', () => {
    const sample = (changes: Partial<SwapSeen>): Sample => [
      ...([building, { type: 'built', result: { ok: true, built } }] as const),
      see({ hasChain: false, promptFigures: () => undefined, ...changes }),
    ]
    expect(effectOf(sample({}), 'readFigures')).toBeDefined()
    expect(effectOf(sample({ figuresAreRead: false }), 'readFigures')).toBeUndefined()
  })
})

describe('a swap that was sent', () => {
  const stateAfter = (sample: Sample) => moveOf(sample).state
  const typesOf = (sample: Sample) => moveOf(sample).effects.map(({ type }) => type)
  const told = (code: string): Sample => [sending, outcome({ status: 'rejected', refusal: refused(code) }), see()]
  const CHAIN = see()
  const NO_CHAIN = see({ hasChain: false })

  test('is lost where its answer has no signature, and looked up by the one it has', () => {
    const silent: Sample = [sending, outcome({ status: 'accepted', output: {} }), CHAIN]
    expect(stateAfter(silent)).toMatchObject({ is: 'confirming', isLost: true })
    expect(typesOf(silent)).toEqual(['lost', 'swapRequest'])
    const signedNow: Sample = [sending, outcome({ status: 'accepted', output: { signature: 'signature', status: 'submitted' } }), CHAIN]
    expect(stateAfter(signedNow)).toMatchObject({ isLost: false, record: signed })
    expect(typesOf(signedNow)).toEqual(['signed', 'record', 'swapRequest'])
  })

  test('is over where the service cannot have signed it, and looked for where it may have; it is told whose doing that was', () => {
    expect(effectOf(told('RATE_LIMITED'), 'hindered')?.hindrance).toBe('refused:RATE_LIMITED')
    expect(effectOf(told('RATE_LIMITED'), 'ended')).toMatchObject({ status: 'rejected', failure: undefined })
    expect(effectOf(told('TX_TOO_LARGE'), 'hindered')).toBeUndefined()
    expect(effectOf(told('TX_TOO_LARGE'), 'ended')).toMatchObject({ status: 'rejected', failure: { part: 'service', hadNoTurn: false } })
    expect(effectOf(told('TX_SIMULATION_FAILED'), 'ended')).toMatchObject({ status: 'reverted', failure: undefined })
    expect(stateAfter(told('OF_LATER'))).toMatchObject({ isLost: true, refused: 'OF_LATER: no' })
    const kept: Sample = [sending, outcome({ status: 'notSent', reason: 'no network' }), CHAIN]
    expect(typesOf(kept)).toEqual(['hindered', 'ended'])
    expect(effectOf(kept, 'hindered')?.hindrance).toBe('refused:NOT_SENT')
    const expired = (state: Confirming) => effectOf([state, landing({ status: 'expired' }), CHAIN], 'ended')?.failure
    expect(expired(sent({ refused: 'OF_LATER: no' }))).toMatchObject({ part: 'service' })
    expect(expired(sent())).toBeUndefined()
  })

  test.each<[string, Sample, Partial<Confirming>, readonly SwapEffect['type'][]]>([
    ['the service by its signature', [sent({ record: signed }), due('swap'), NO_CHAIN], {}, ['readStatus']],
    [
      'the service and the chain where the chain has not answered',
      [sent({ record: signed }), due('swap'), CHAIN],
      { isAtChain: true },
      ['readStatus', 'swapRequest'],
    ],
    [
      'the chain alone while it answers and few seconds have passed',
      [sent({ record: signed, pendingAt: NOW_MS }), due('swap'), later(2999)],
      { isAtChain: true },
      ['swapRequest'],
    ],
    [
      'both after three seconds',
      [sent({ record: signed, pendingAt: NOW_MS }), due('swap'), later(3000)],
      { isAtChain: true },
      ['readStatus', 'swapRequest'],
    ],
    [
      'the service alone while the chain is being asked',
      [sent({ record: signed, isAtChain: true }), due('swap'), CHAIN],
      { isAtChain: true, lookAt: undefined },
      ['readStatus'],
    ],
    [
      'the chain once the service has confirmed it',
      [sent({ record: signed, confirmedAt: NOW_MS }), due('swap'), CHAIN],
      {},
      ['swapRequest'],
    ],
    ['the chain without one', [sent(), due('swap'), CHAIN], {}, ['swapRequest']],
    ['the balances without a chain, once it can no longer land', [sent(), due('swap'), NO_CHAIN], { compareAt: NOW_MS + EXPIRY_MS }, []],
  ])('asks %s', (_, sample, state, types) => {
    expect(stateAfter(sample)).toMatchObject(state)
    expect(typesOf(sample)).toEqual(types)
  })

  test('has the chain asked again as the chain answers, however long the service takes', () => {
    const asked = stateAfter([sent({ record: signed, pendingAt: NOW_MS, lookAt: NOW_MS + 5000 }), due('swap'), later(5000)])
    if (asked?.is !== 'confirming') throw new Error('it is over')
    const answered = stateAfter([asked, landing({ status: 'pending' }), later(5100)])
    expect(answered).toMatchObject({ isAtChain: false, lookAt: NOW_MS + 5800 })
  })

  test('is asked about again, without a chain, until it can no longer land; then the balances say', () => {
    const pending = (ms: number): Sample => [
      sent({ record: signed }),
      { type: 'status', status: 'pending' },
      later(ms, { hasChain: false }),
    ]
    expect(stateAfter(pending(EXPIRY_MS - 1))).toMatchObject({ lookAt: NOW_MS + EXPIRY_MS + 699, compareAt: undefined, isLost: false })
    expect(stateAfter(pending(EXPIRY_MS))).toMatchObject({ lookAt: undefined, compareAt: NOW_MS + EXPIRY_MS, isLost: true })
    expect(typesOf(pending(EXPIRY_MS))).toEqual(['note'])
    const word = (status: 'confirmed' | 'failed') => typesOf([sent({ record: signed }), { type: 'status', status }, NO_CHAIN])
    expect([word('confirmed'), word('failed')]).toEqual([['filled'], ['reverted']])
  })

  test('is waited for on the chain for half a minute after it was confirmed, asked about once more, and then booked as it was quoted', () => {
    const missing = (ms: number, isConfirmedAgain: boolean): Sample => [
      sent({ record: signed, confirmedAt: NOW_MS, isConfirmedAgain }),
      landing({ status: 'pending' }),
      later(ms),
    ]
    expect(stateAfter(missing(29_999, true))).toMatchObject({ lookAt: NOW_MS + 30_699 })
    expect(typesOf(missing(30_000, false))).toEqual(['readStatus'])
    expect(typesOf(missing(30_000, true))).toEqual(['note', 'filled'])
    const again = (status: 'confirmed' | 'pending'): Sample => [
      sent({ record: signed, confirmedAt: NOW_MS }),
      { type: 'status', status },
      CHAIN,
    ]
    expect(stateAfter(again('confirmed'))).toMatchObject({ isConfirmedAgain: true })
    expect(stateAfter(again('pending'))).toMatchObject({ lookAt: NOW_MS + 700, compareAt: NOW_MS + EXPIRY_MS })
    expect(typesOf(again('pending'))).toEqual(['note'])
  })

  test.each<[string, HappeningOf<'landing'>['result'], number, number | undefined, readonly SwapEffect['type'][]]>([
    ['cannot be asked', { status: 'unavailable', reason: 'no RPC' }, EXPIRY_MS - 1, undefined, ['note']],
    ['cannot be asked', { status: 'unavailable', reason: 'no RPC' }, EXPIRY_MS, NOW_MS + EXPIRY_MS, ['note']],
    ['does not show it', { status: 'pending' }, 3 * EXPIRY_MS - 1, undefined, []],
    ['does not show it', { status: 'pending' }, 3 * EXPIRY_MS, NOW_MS + 3 * EXPIRY_MS, ['note']],
  ])('has the balances read where the chain %s any more: %s after %d ms', (_, result, ms, compareAt, types) => {
    const sample: Sample = [sent(), landing(result), later(ms)]
    expect(stateAfter(sample)).toMatchObject({ compareAt, lookAt: NOW_MS + ms + 700 })
    expect(typesOf(sample)).toEqual(types)
  })

  test('is compared with balances that were read once it could no longer land, and twice', () => {
    const read = (state: Confirming, begunMs: number, seen: SwapSeen): Sample => [
      state,
      { type: 'balances', begunAt: NOW_MS + begunMs },
      seen,
    ]
    const early = read(sent(), EXPIRY_MS - 1, later(EXPIRY_MS - 1))
    expect(stateAfter(early)).toMatchObject({ compareAt: NOW_MS + EXPIRY_MS + 1999, balancesSaid: undefined })
    expect(typesOf(early)).toEqual([])
    expect(stateAfter(read(sent(), 0, later(10)))).toMatchObject({ compareAt: NOW_MS + EXPIRY_MS })
    const unread = read(sent(), EXPIRY_MS, later(EXPIRY_MS, { figures: () => undefined }))
    expect(stateAfter(unread)).toMatchObject({ compareAt: NOW_MS + EXPIRY_MS + 2000 })
    expect(typesOf(unread)).toEqual(['note'])
    const since = NOW_MS + EXPIRY_MS
    expect(stateAfter(read(sent(), EXPIRY_MS, later(EXPIRY_MS)))).toMatchObject({
      balancesSaid: { verdict: 'notLanded', since },
      compareAt: since + 25_000,
    })
    const doubted = sent({ balancesSaid: { verdict: 'notLanded', since } })
    expect(stateAfter(read(doubted, EXPIRY_MS + 24_999, later(EXPIRY_MS + 24_999)))).toMatchObject({ is: 'confirming' })
    expect(effectOf(read(doubted, EXPIRY_MS + 25_000, later(EXPIRY_MS + 25_000)), 'ended')?.status).toBe('expired')
    const torn = read(sent(), EXPIRY_MS, later(EXPIRY_MS, { hasChain: false, figures: () => ({ ...figures, total: 1n }) }))
    expect(stateAfter(torn)).toMatchObject({ compareAt: since + 60_000, lookAt: undefined })
    const tornSigned = read(
      sent({ record: signed }),
      EXPIRY_MS,
      later(EXPIRY_MS, { hasChain: false, figures: () => ({ ...figures, total: 1n }) }),
    )
    expect(stateAfter(tornSigned)).toMatchObject({ lookAt: since + 700 })
  })

  test('plans one read of the balances, and none while one is under way', () => {
    const planned = (state: Confirming, seen = NO_CHAIN) => (stateAfter([state, due('swap'), seen]) as Confirming).compareAt
    expect(planned(sent({ compareAt: 7 }))).toBe(7)
    expect(planned(sent(), see({ hasChain: false, isReadingBalances: () => true }))).toBeUndefined()
  })

  test('says once a minute that nobody can say what became of it', () => {
    const says = (saidAt: number | undefined) => typesOf([sent({ saidAt }), noRpc, later(60_000)])
    expect([says(undefined), says(NOW_MS + 1), says(NOW_MS)]).toEqual([['note'], [], ['note']])
  })

  test('plans what has to wait for its own task, no later than it was', () => {
    const unread = (task: 'swap' | 'swapBalances', at: number) =>
      stateAfter([sent({ lookAt: NOW_MS + 5, compareAt: NOW_MS + 6 }), { type: 'unread', task, at }, CHAIN])
    expect(unread('swap', NOW_MS + 1)).toMatchObject({ lookAt: NOW_MS + 1, compareAt: NOW_MS + 6 })
    expect(unread('swapBalances', NOW_MS + 1)).toMatchObject({ lookAt: NOW_MS + 5, compareAt: NOW_MS + 1 })
    expect(unread('swap', NOW_MS + 9)).toMatchObject({ lookAt: NOW_MS + 5 })
  })

  test('has in its figures a contest that was settled when they were read', () => {
    const at = figures.readAt ?? 0
    const profitAfter = (ms: number) =>
      effectOf([sent(), { type: 'settled', profit: 1n, at: at + ms }, CHAIN], 'record')?.record.before?.profit
    expect([profitAfter(0), profitAfter(1)]).toEqual([1n, undefined])
  })
})

describe('a swap before it is sent', () => {
  const AGE_MS = before.config.maxQuoteAgeMs
  const typesOf = (sample: Sample) => moveOf(sample).effects.map(({ type }) => type)
  const isBuilt = { type: 'built', result: { ok: true, built } } as const
  const swapRequestOf = (sample: Sample) => effectOf(sample, 'swapRequest')?.swapRequest

  test('is quoted with its own slippage or that of the guard, for the wallet that is known', () => {
    const { maxSlippageBps } = before.config
    const request = { from: USDC_MINT, to: SOL_MINT, amount: AMOUNT, slippageBps: maxSlippageBps }
    const isDue = due('swapBuild')
    expect(swapRequestOf([unquoted, isDue, see()])).toEqual({ kind: 'quote', key: KEY, request: { ...request, wallet } })
    expect(swapRequestOf([unquoted, isDue, see({ wallet: undefined })])).toEqual({ kind: 'quote', key: KEY, request })
    const own = { ...unquoted, approved: { ...approved, maxSlippageBps: 7 } }
    expect(swapRequestOf([own, isDue, see()])).toMatchObject({ request: { slippageBps: 7 } })
  })

  test.each([
    ['quote', quoting, 'quoted'],
    ['transaction', building, 'built'],
  ] as const)('waits longer each time it gets no %s from who was asked too often, and not without end', (_, state, type) => {
    const held = { type, result: { ...trouble, isHeldBack: true } } as SwapHappening
    const pauseAfter = (heldBack: number) => {
      const { state: next } = moveOf([{ ...state, heldBack }, held, see()])
      return next?.is === 'waiting' ? [next.buildAt - NOW_MS, next.heldBack] : undefined
    }
    expect([0, 1, 2, 3, 4].map(pauseAfter)).toEqual([
      [1000, 1],
      [2000, 2],
      [4000, 3],
      [8000, 4],
      [8000, 5],
    ])
    expect(typesOf([state, held, see()])).toEqual(['heldBack'])
    expect(stateOf([state, held, later(29_000)])).toBe('waiting')
    expect(effectOf([state, held, later(29_001)], 'ended')).toMatchObject({ status: 'unfilled', failure: { part: 'dex' } })
  })

  test('asks whoever has answered no sooner than a deadline of its own', () => {
    for (const [state, happening, seen] of SAMPLES) {
      if (happening.type !== 'quoted' && happening.type !== 'built') continue
      const asked = effectOf([state, happening, seen], 'swapRequest')?.swapRequest.kind
      // The next step on its way; the same one again would be a loop without a pause.
      expect([undefined, happening.type === 'quoted' ? 'build' : undefined]).toContain(asked)
    }
  })

  test('is built from the quote as it was got, until it is too old', () => {
    const got: Sample = [quoting, { type: 'quoted', result: { ok: true, ...quoted } }, see()]
    expect(swapRequestOf(got)).toEqual({ kind: 'build', key: KEY, raw: quoted.raw, wallet, by: quote.askedAt + AGE_MS })
    const spent = (ms: number): Sample => [building, { type: 'built', result: { ...trouble, isSpent: true } }, later(ms)]
    const last = quote.askedAt + AGE_MS - 500 - NOW_MS
    expect(moveOf(spent(last)).state).toMatchObject({ is: 'waiting', buildAt: quote.askedAt + AGE_MS, quoted })
    expect(effectOf(spent(last + 1), 'ended')?.reason).toContain('same blockhash')
  })

  test('comes to nothing with who was in its way, and nobody where that was the market', () => {
    const failure = (result: HappeningOf<'built'>['result']) => effectOf([building, { type: 'built', result }, see()], 'ended')?.failure
    expect(failure({ ...trouble, part: 'rpc' })).toEqual({ part: 'rpc', reason: 'no route', hadNoTurn: false })
    expect(failure({ ...trouble, isOfMarket: true })).toBeUndefined()
    expect(effectOf([quoting, { type: 'quoted', result: trouble }, see()], 'ended')).toMatchObject({
      ...{ status: 'unfilled', reason: 'no quote: no route', failure: { part: 'dex' } },
    })
    const noWallet = see({ wallet: undefined })
    expect(effectOf([quoting, { type: 'quoted', result: { ok: true, ...quoted } }, noWallet], 'ended')?.reason).toContain('address')
    expect(effectOf([building, isBuilt, noWallet], 'ended')?.reason).toContain('address')
    expect(effectOf([quoting, { type: 'quoted', result: { ok: true, quote, raw: undefined } }, noWallet], 'ended')?.reason).toContain(
      'address',
    )
  })

  test('is sent with all that is needed to look it up, and the terms of its quote', () => {
    expect(effectOf([building, isBuilt, see()], 'send')).toMatchObject({
      ...{ record, action: { type: 'sendSwap', transaction: built.transaction } },
    })
    const paper: Sample = [quoting, { type: 'quoted', result: { ok: true, quote, raw: undefined } }, see()]
    expect(effectOf(paper, 'send')).toMatchObject({
      ...{ record: { ...record, transaction: '', lastValidBlockHeight: 0, before: undefined }, action: { type: 'paperSwap' } },
    })
    const fee = see({ token: () => ({ transferFee: { feeBps: 100, maximum: 10n ** 12n } }) as never })
    const { quotedOut = 0n, minOut = 0n } = effectOf([building, isBuilt, fee], 'send')?.record ?? {}
    expect([quotedOut < OUT, minOut < quote.minOut]).toEqual([true, true])
  })

  test('is built anew as soon as it could be looked up', () => {
    const wait = (changes: Partial<SwapSeen>): Sample => [waiting, due('swapBuild'), later(500, changes)]
    expect(typesOf(wait({}))).toEqual(['swapRequest'])
    expect(typesOf(wait({ promptFigures: () => undefined })), 'the chain would say').toEqual(['swapRequest'])
    expect(typesOf(wait({ hasChain: false })), 'the figures would').toEqual(['swapRequest'])
    expect(typesOf(wait({ hasChain: false, promptFigures: () => undefined }))).toEqual(['readFigures'])
    const late: Sample = [waiting, due('swapBuild'), later(60_000, { hasChain: false, promptFigures: () => undefined })]
    expect(effectOf(late, 'ended')?.reason).toBe(NO_FIGURES)
  })

  function stateOf(sample: Sample): string {
    return moveOf(sample).state?.is ?? 'gone'
  }
})
