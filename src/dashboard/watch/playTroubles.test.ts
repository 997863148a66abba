import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { picker, predictor } from '../../../test/support/testStrategies.ts'
import { openWatchedBot, type WatchedTestBot } from '../../../test/support/watchedBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { type ModeStatus, unseenPath } from '../../pipeline/index.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import { healthOf } from '../metrics/health.ts'

const DRAFT = { contestId: keyedUuid('draft'), mode: 'draft_basket' }
const HALF_HOUR_MS = 30 * 60_000

const open = (mode: string, fields: Partial<ModeStatus> = {}): ModeStatus => ({
  ...{ mode, code: undefined, why: undefined, unplayed: { count: 0, staked: 0n }, since: undefined, trials: 0, trialAt: undefined },
  ...fields,
})
const closed = (mode: string, since: number, fields: Partial<ModeStatus> = {}): ModeStatus =>
  open(mode, { code: 'MODE_CLOSED', why: 'nothing came', since, trialAt: START_MS + HALF_HOUR_MS, ...fields })

const told = ({ occurrences }: WatchedTestBot) => occurrences.map(({ kind, severity, about = '' }) => `${kind} ${severity} ${about}`.trim())
const messages = ({ occurrences }: WatchedTestBot) => occurrences.map(({ message }) => message)

/** A bot that plays drafts and predictions. */
const openPlaying = () =>
  openWatchedBot({
    strategies: [picker(() => null), predictor(() => null)],
    guard: { modes: ['draft_basket', 'price_prediction', 'pnl_usd'] },
  })

describe('a mode that closes', () => {
  test('by a contest that was never read: told, in health for ten minutes, and then as information', async () => {
    const journal = new MemoryJournal()
    journal.keepsModes = true
    const watched = await openWatchedBot({
      ...{ journal, strategies: [picker(() => null), predictor(() => null)] },
      guard: { modes: ['draft_basket', 'price_prediction'] },
    })
    const { bot, watch } = watched
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...DRAFT }))
    await bot.tell(rawEvent('contest.settled', { ...DRAFT, result: 'LOSS', payout: '0', profit: '-1000000' }, START_MS + 1))
    await bot.run(2000)
    expect(told(watched)).toEqual(['settled info', `unplayed alarm ${DRAFT.contestId}`, 'modeClosed warn draft_basket'])
    expect(messages(watched).at(-1)).toMatch(/^draft_basket is closed: what it needs was never read \(1\.00 USDC .* 2025-.*Z on$/)
    expect(healthOf(watch.fleet())).toMatchObject({ status: 'failing', problems: [{ bot: 'alice', kind: 'unplayed' }] })
    const [mode] = watch.bot('alice')?.modes ?? []
    expect(mode).toMatchObject({ mode: 'draft_basket', code: 'MODE_CLOSED', unplayed: 1, staked: '1000000' })
    await bot.run(10 * 60_000)
    expect(healthOf(watch.fleet())).toEqual({ status: 'ok; closed: draft_basket of alice', bots: 1, problems: [] })
  })

  test('is a warning while another is open, and the last one an alarm; each that opens is told', async () => {
    const watched = await openPlaying()
    const { bot, says, watch } = watched
    says.status = { modes: [closed('draft_basket', 1), open('price_prediction'), open('pnl_usd', { code: 'MODE_NOT_PLAYED' })] }
    await bot.run(1000)
    says.status = { modes: [closed('draft_basket', 1), closed('price_prediction', 2)] }
    await bot.run(1000)
    expect(healthOf(watch.fleet())).toMatchObject({ status: 'failing', problems: [{ kind: 'modeClosed' }] })
    expect(messages(watched).at(-1)).toMatch(/^no mode is open any more: price_prediction is closed: nothing came; /)
    says.status = { modes: [open('draft_basket'), closed('price_prediction', 2)] }
    await bot.run(1000)
    expect(messages(watched).at(-1)).toBe('draft_basket is open again')
    says.status = { modes: [open('draft_basket'), open('price_prediction')] }
    await bot.run(1000)
    expect(told(watched)).toEqual([...['modeClosed warn draft_basket', 'modeClosed alarm price_prediction'], ...['over info', 'over info']])
    expect(messages(watched).at(-1)).toBe('price_prediction is open again')
  })

  test('and that nobody plays is nothing to tell, open or not', async () => {
    const watched = await openPlaying()
    watched.says.status = { modes: [open('draft_basket'), closed('pnl_usd', 1, { code: 'MODE_NOT_PLAYED' })] }
    await watched.bot.run(1000)
    expect(told(watched)).toEqual([])
  })

  test('until the operator opens it says so', async () => {
    const watched = await openPlaying()
    watched.says.status = { modes: [closed('draft_basket', 1, { trialAt: undefined }), open('price_prediction')] }
    await watched.bot.run(1000)
    expect(messages(watched)).toEqual(['draft_basket is closed: nothing came; it is not entered until it is opened'])
  })

  test('since it cannot be read says what to do, and one that is on trial is open', async () => {
    const watched = await openPlaying()
    const unreadable = open('draft_basket', { code: 'MODE_UNREADABLE', why: 'its turn is not known: write it' })
    watched.says.status = { modes: [unreadable, open('price_prediction', { code: 'MODE_ON_TRIAL' })] }
    await watched.bot.run(1000)
    expect(messages(watched)).toEqual(['draft_basket is closed: its turn is not known: write it'])
    expect(healthOf(watched.watch.fleet()).status).toBe('ok; closed: draft_basket of alice')
    watched.says.status = { modes: [unreadable, closed('price_prediction', 2)] }
    await watched.bot.run(1000)
    expect(told(watched)).toEqual(['modeClosed warn draft_basket', 'modeClosed alarm price_prediction'])
  })

  test('with every other, since nobody knows the service, is told once', async () => {
    const watched = await openPlaying()
    const unprobed = { code: 'SERVICE_UNPROBED', why: 'nothing is known: probe it' } as const
    watched.says.status = { modes: [open('draft_basket', unprobed), open('price_prediction', unprobed)] }
    await watched.bot.run(1000)
    expect(told(watched)).toEqual(['modeClosed alarm every mode'])
    expect(messages(watched)).toEqual(['nothing is entered: nothing is known: probe it'])
    watched.says.status = { modes: [open('draft_basket'), open('price_prediction')] }
    await watched.bot.run(1000)
    expect(messages(watched).at(-1)).toBe('every mode is open again')
  })

  test('goes with the bot: that it ends is no opening', async () => {
    const watched = await openPlaying()
    watched.says.status = { modes: [closed('draft_basket', 1), open('price_prediction')] }
    await watched.bot.run(1000)
    watched.says.phase = 'drained'
    await watched.bot.run(1000)
    expect(told(watched)).toEqual(['modeClosed warn draft_basket'])
  })
})

describe('the path of swaps', () => {
  test('is an alarm while it is down, and over', async () => {
    const watched = await openPlaying()
    const { bot, says, watch } = watched
    says.status = { path: { ...unseenPath, isDown: true, failedInRow: 2, part: 'dex', reason: 'it does not answer' } }
    await bot.run(1000)
    expect(healthOf(watch.fleet())).toMatchObject({ status: 'failing', problems: [{ kind: 'swapPathDown' }] })
    expect(messages(watched).at(-1)).toContain('by the DEX: it does not answer. No contest of swaps is entered')
    says.status = { path: { ...unseenPath, okAt: bot.clock.now() } }
    await bot.run(1000)
    expect(told(watched)).toEqual(['swapPathDown alarm', 'over info'])
    expect(healthOf(watch.fleet()).status).toBe('ok')
  })

  test('that nobody has seen yet closes nothing', async () => {
    const watched = await openPlaying()
    watched.says.status = { path: unseenPath, modes: [closed('draft_basket', 1), open('price_prediction', { code: 'SWAP_PATH_DOWN' })] }
    await watched.bot.run(1000)
    expect(told(watched)).toEqual(['modeClosed warn draft_basket'])
  })
})

describe('what a contest left', () => {
  test('and nobody takes is told of, with what it is worth, and over once it is sold', async () => {
    const watched = await openPlaying()
    const { bot, says } = watched
    bot.price({ [SOL_MINT]: '200' })
    const left = { contestId: 'c', mint: SOL_MINT, amount: 50_000_000n, tries: 5, nextAt: START_MS + 60_000 }
    says.status = { unsold: [left] }
    await bot.run(1000)
    expect(told(watched)).toEqual(['unsold warn SOL of contest c'])
    expect(messages(watched).at(-1)).toContain('0.05 SOL that contest c left could not be sold in 5 tries (10.00 USDC at the newest price)')
    says.status = { unsold: [] }
    await bot.run(1000)
    expect(messages(watched).at(-1)).toBe('SOL of contest c is sold: nothing of it is left')
  })
})

describe('prices', () => {
  const joined = (fields: Readonly<Record<string, unknown>>) =>
    rawEvent('contest.joined', { contestId: keyedUuid('own'), side: 'UP', ...fields })
  const live = { contestId: keyedUuid('own'), mode: 'pnl_usd', startsAt: new Date(START_MS).toISOString() }

  test('of a contest of swaps have stopped, and are back', async () => {
    const watched = await openWatchedBot()
    const { bot } = watched
    bot.price({ [SOL_MINT]: '200' })
    await bot.tell(joined({}), rawEvent('contest.live', { ...live, endsAt: new Date(START_MS + 600_000).toISOString() }, START_MS))
    await bot.run(15_000)
    expect(told(watched)).toEqual([])
    await bot.run(2000)
    expect(told(watched)).toEqual(['pricesStale warn'])
    expect(messages(watched)).toEqual([
      'no price of SOL is younger than 15 s (guard.maxPriceAgeMs): nothing is swapped until the feed gives one',
    ])
    bot.price({ [SOL_MINT]: '201' })
    await bot.run(1000)
    expect(told(watched)).toEqual(['pricesStale warn', 'over info'])
  })

  test('of one token are enough, and of none that is in play nobody asks', async () => {
    const watched = await openWatchedBot()
    const { bot, says } = watched
    await bot.run(20_000)
    expect(told(watched)).toEqual([])
    const holdings = new Map([['a token without a price', 1n]])
    says.status = { portfolios: new Map([['a', { contestId: 'a', holdings, cash: 0n, fills: 1, firstAt: 0, lastAt: 0 }]]) }
    await bot.tell(joined({}), rawEvent('contest.live', { ...live, endsAt: new Date(START_MS + 600_000).toISOString() }, START_MS))
    bot.price({ [SOL_MINT]: '200' })
    await bot.run(10_000)
    expect(told(watched)).toEqual([])
    await bot.run(10_000)
    expect(messages(watched)).toEqual([expect.stringMatching(/^no price of .*SOL.* is younger/)])
  })
})
