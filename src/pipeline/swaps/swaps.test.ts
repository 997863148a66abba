import { filter, map } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { accepted, decoded, notSent, rejected, unknown, unreadable } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { buy, CONTEST, executes, openTradingBot, sell, type TradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import type { Landing } from '../protocol/swapper.ts'

const SIGN_AND_SEND = 'agent.trade.signAndSend'
const TEN_USDC_OF_SOL = 50_000_000n

const executed =
  ({ landed }: ScriptedSwapper): ScriptedSwapper['onLanding'] =>
  ({ transaction }) =>
    landed.get(transaction) ?? { status: 'pending' }

const sent = (bot: TradingBot) => bot.service.sent(SIGN_AND_SEND)
const swapsOf = (journal: MemoryJournal) => journal.outcomes.filter(({ type }) => type === 'swap').map(({ status }) => status)

describe('a swap', () => {
  test('goes from the guard to a fill, tagged with its contest, and the trader is told', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    expect(bot.swapper.quotes).toEqual([{ from: USDC_MINT, to: SOL_MINT, amount: usdc('10'), slippageBps: 50, wallet: WALLET }])
    expect(sent(bot)).toEqual([{ transaction: expect.any(String), contestId: CONTEST }])
    const fill = { contestId: CONTEST, from: USDC_MINT, to: SOL_MINT, given: usdc('10'), received: TEN_USDC_OF_SOL, source: 'chain' }
    expect(bot.outcomes).toMatchObject([{ status: 'filled', fill }])
    expect(bot.positions.at(-1)).toEqual({
      holdings: [{ mint: SOL_MINT, amount: TEN_USDC_OF_SOL }],
      cash: usdc('-10'),
      pnl: 0n,
      fills: 1,
    })
    expect(bot.status().actions).toMatchObject({ sent: 1, refused: 0, failed: 0, unknown: 0, swapsFilled: 1, swapsFailed: 0 })
  })

  test('has the bankroll read again once it is executed, and no limit, since none is of swaps', async () => {
    const bot = await openTradingBot()
    const before = bot.service.reads.length
    bot.service.bankroll = { ...bot.service.bankroll, available: usdc('990').toString() }
    await bot.ask(buy())
    expect(bot.service.reads.slice(before).map(({ procedure }) => procedure)).toEqual(['agent.bankroll'])
    await bot.run(10)
    expect(bot.status().books.bankroll?.value.available).toBe(usdc('990'))
  })

  test('asks for no more slippage than the trader wants', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy({ maxSlippageBps: 12 }))
    expect(bot.swapper.quotes).toMatchObject([{ slippageBps: 12 }])
  })

  test('whose instructions were refused before a transaction was composed is the guard’s refusal, and nothing is sent', async () => {
    const bot = await openTradingBot()
    const numbers = { lamports: 5n, to: WALLET }
    bot.swapper.onBuild = () => ({
      ok: false,
      retryable: false,
      reason: 'TX_SOL_TRANSFER: SOL goes elsewhere',
      refusal: { code: 'TX_SOL_TRANSFER', message: 'SOL goes elsewhere', numbers },
    })
    await bot.ask(buy())
    const refused = bot.steps.flatMap((step) => step.refused)
    expect(refused).toMatchObject([{ refusal: { code: 'TX_SOL_TRANSFER', numbers } }])
    expect(sent(bot)).toEqual([])
    expect(bot.status().actions).toMatchObject({ refused: 1, swapsFailed: 0, unknown: 0 })
  })

  test('is on record, transaction and all, before it is sent', async () => {
    const journal = new MemoryJournal()
    const bot = await openTradingBot({ journal })
    const onRecord: (string | undefined)[] = []
    bot.service.onSend = () => onRecord.push(journal.records.at(-1)?.swaps[0]?.transaction)
    await bot.ask(buy())
    expect(onRecord).toEqual([sent(bot)[0]?.transaction])
  })

  test('of an unconfirmed answer waits for the chain', async () => {
    const bot = await openTradingBot()
    let pending: string | undefined
    bot.service.onAct(SIGN_AND_SEND, ({ transaction }) => {
      pending = transaction
      return accepted({ signature: 's'.repeat(64), status: 'submitted' })
    })
    bot.service.onRead('agent.tx.status', () => decoded('agent.tx.status', { status: 'submitted' }))
    await bot.ask(buy())
    await bot.run(3000)
    expect(bot.outcomes).toEqual([])
    expect(bot.status().actions.unknown).toBe(0)
    bot.swapper.execute(pending ?? '')
    await bot.run(3000)
    expect(bot.outcomes).toMatchObject([{ status: 'filled' }])
  })

  test('comes to nothing without a quote, without a transaction, and where the service refuses it', async () => {
    const bot = await openTradingBot()
    const trouble = { ok: false, reason: 'HTTP 503', retryable: true } as const
    bot.swapper.onQuote = () => trouble
    await bot.ask(buy())
    bot.swapper.onQuote = (good) => good
    bot.swapper.onBuild = () => trouble
    await bot.ask(buy())
    bot.swapper.onBuild = (built) => ({ ok: true, built })
    bot.service.onAct(SIGN_AND_SEND, () => rejected('TX_SIMULATION_FAILED'))
    await bot.ask(buy())
    bot.service.onAct(SIGN_AND_SEND, () => notSent)
    await bot.ask(buy())
    await bot.run(50)
    expect(bot.outcomes.map((outcome) => (outcome.status === 'failed' ? outcome.reason : outcome.status))).toEqual([
      'no quote: HTTP 503',
      'no transaction: HTTP 503',
      'TX_SIMULATION_FAILED: refused: TX_SIMULATION_FAILED',
      'ECONNREFUSED',
    ])
    expect(swapsOf(bot.journal)).toEqual(['unfilled', 'unfilled', 'reverted', 'unfilled'])
    expect(bot.status().actions).toMatchObject({ sent: 1, failed: 0, unknown: 0, swapsFilled: 0, swapsFailed: 4 })
    executes(bot.service, bot.swapper)
    await bot.ask(buy())
    expect(bot.outcomes.at(-1)?.status).toBe('filled')
  })

  test('that the service refuses for what it is counts as failed', async () => {
    const bot = await openTradingBot()
    bot.service.onAct(SIGN_AND_SEND, () => rejected('TX_PROGRAM_NOT_ALLOWED'))
    await bot.ask(buy())
    expect(bot.status().actions).toMatchObject({ failed: 1, swapsFailed: 1 })
  })

  test('that failed on the chain is over, and only its fee is gone', async () => {
    const bot = await openTradingBot()
    bot.swapper.onLanding = () => ({ status: 'reverted', signature: 's', reason: 'slippage', feeLamports: 5000n })
    await bot.ask(buy())
    await bot.run(50)
    expect(bot.outcomes).toEqual([{ status: 'failed', reason: 'slippage' }])
    expect(bot.status().portfolios.size).toBe(0)
  })
})

describe('one swap of a wallet at a time', () => {
  test('the next one waits its turn, and is judged when it comes', async () => {
    const bot = await openTradingBot()
    bot.swapper.onBuild = (built) => bot.service.after(1000, { ok: true, built })
    await bot.ask(buy(), sell(TEN_USDC_OF_SOL))
    expect(bot.swapper.quotes).toHaveLength(1)
    await bot.run(3000)
    // What is sold was bought by the swap before it.
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled', 'filled'])
    expect(bot.positions.at(-1)).toMatchObject({ holdings: [], cash: 0n, pnl: 0n })
  })

  test('one that has waited too long is refused, one too many at once', async () => {
    const bot = await openTradingBot()
    bot.swapper.onQuote = () => new Promise(() => {})
    await bot.ask(...Array.from({ length: 18 }, () => buy()))
    expect(bot.refusals()).toEqual(['SWAP_QUEUE_FULL'])
    bot.refresh()
    await bot.run(10_000)
    bot.refresh()
    await bot.run(1000)
    expect(new Set(bot.refusals().slice(1))).toEqual(new Set(['SWAP_UNRESOLVED']))
    expect(bot.refusals()).toHaveLength(17)
  })
})

describe('a lost answer', () => {
  /** A bot whose answer to a swap is lost; the transaction that was sent. */
  async function lost(options: Parameters<typeof openTradingBot>[0] = {}): Promise<{ bot: TradingBot; transaction: string }> {
    const bot = await openTradingBot(options)
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    return { bot, transaction: sent(bot)[0]?.transaction ?? '' }
  }

  test('is unknown, holds the wallet and its reservation, and nothing is sent again', async () => {
    const { bot } = await lost()
    expect(bot.status().actions.unknown).toBe(1)
    await bot.ask(buy())
    await bot.run(30_000)
    expect(sent(bot)).toHaveLength(1)
    expect(bot.refusals()).toEqual(['SWAP_UNRESOLVED'])
  })

  test.each<[string, (bot: TradingBot, transaction: string) => Landing | undefined, string]>([
    ['landed', (bot, transaction) => void bot.swapper.execute(transaction), 'filled'],
    ['failed on the chain', () => ({ status: 'reverted', signature: 's', reason: 'slippage', feeLamports: 5000n }), 'failed'],
    ['can never land any more', () => ({ status: 'expired' }), 'failed'],
  ])('is found by the bytes of the message once it has %s', async (_, happen, status) => {
    const { bot, transaction } = await lost()
    await bot.run(5000)
    expect(bot.outcomes).toEqual([])
    const landing = happen(bot, transaction)
    if (landing !== undefined) bot.swapper.onLanding = () => landing
    await bot.run(2000)
    expect(bot.swapper.looks.every((look) => look.signature === undefined && look.transaction === transaction)).toBe(true)
    expect(bot.outcomes.map((outcome) => outcome.status)).toEqual([status])
    expect(bot.status().actions.unknown).toBe(0)
    executes(bot.service, bot.swapper)
    bot.swapper.onLanding = executed(bot.swapper)
    bot.refresh()
    await bot.ask(buy())
    expect(bot.outcomes.at(-1)?.status).toBe('filled')
  })

  test('while the chain cannot be asked it stays unknown', async () => {
    const { bot, transaction } = await lost()
    bot.swapper.onLanding = () => ({ status: 'unavailable', reason: 'HTTP 503' })
    // Nor do the balances say: something else has moved.
    bot.service.bankroll = { ...bot.service.bankroll, available: '995000000', gasLamports: '999990000' }
    await bot.run(300_000)
    expect(bot.status().actions.unknown).toBe(1)
    const said = bot.notes('warn').filter((note) => note.includes('the chain cannot be asked (HTTP 503)'))
    expect(said.length, 'said at once, and then about once a minute').toBeGreaterThan(3)
    expect(said.length).toBeLessThan(8)
    bot.swapper.execute(transaction)
    bot.swapper.onLanding = executed(bot.swapper)
    await bot.run(2000)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
  })

  test('while the chain cannot be asked the balances settle it, once it can no longer land', async () => {
    const { bot } = await lost()
    bot.swapper.onLanding = () => ({ status: 'unavailable', reason: 'HTTP 503' })
    await bot.run(100_000)
    expect(bot.outcomes).toEqual([])
    const reads = bot.service.reads.length
    await bot.run(60_000)
    expect(bot.outcomes).toMatchObject([{ status: 'failed', reason: 'the balances do not show it' }])
    expect(bot.service.reads.length - reads, 'each look is read for once').toBeLessThan(60)
  })

  test.each([
    ['TX_BLOCKHASH_EXPIRED', 409],
    ['TX_DUPLICATE', 409],
    ['SOMETHING_NEW', 400],
  ])('is not told apart from a refusal that can come after sending: %s', async (code, status) => {
    const bot = await openTradingBot()
    bot.service.onAct(SIGN_AND_SEND, ({ transaction }) => {
      bot.swapper.execute(transaction)
      return rejected(code, status)
    })
    await bot.ask(buy())
    expect(bot.outcomes.map((outcome) => outcome.status)).toEqual(['filled'])
    expect(bot.status().actions).toMatchObject({ unknown: 0, swapsFilled: 1, swapsFailed: 0 })
  })

  test('an answer that says nothing is a lost one', async () => {
    const bot = await openTradingBot()
    bot.service.onAct(SIGN_AND_SEND, ({ transaction }) => {
      bot.swapper.execute(transaction)
      return { status: 'accepted', output: null }
    })
    await bot.ask(buy())
    expect(bot.outcomes.map((outcome) => outcome.status)).toEqual(['filled'])
    expect(bot.end).toBeUndefined()
  })

  test('a node that does not have it does not outweigh the service, which has confirmed it', async () => {
    const bot = await openTradingBot()
    bot.swapper.onLanding = () => ({ status: 'expired' })
    bot.service.onRead('agent.tx.status', () => decoded('agent.tx.status', { status: 'confirmed' }))
    await bot.ask(buy())
    await bot.run(20_000)
    expect(bot.outcomes).toEqual([])
    await bot.run(20_000)
    expect(bot.outcomes).toMatchObject([{ status: 'filled', fill: { source: 'quote' } }])
    expect(bot.notes('error')).toHaveLength(1)
  })

  test('one that the service takes back, and the chain does not show, is not booked', async () => {
    const bot = await openTradingBot()
    bot.swapper.onLanding = () => ({ status: 'pending' })
    bot.service.onAct(SIGN_AND_SEND, () => accepted({ signature: 's'.repeat(64), status: 'confirmed' }))
    bot.service.onRead('agent.tx.status', () => decoded('agent.tx.status', { status: 'failed' }))
    await bot.ask(buy())
    await bot.run(40_000)
    expect(bot.outcomes).toMatchObject([{ status: 'failed' }])
    expect(swapsOf(bot.journal)).toEqual(['reverted'])
    expect(bot.status().actions).toMatchObject({ swapsFilled: 0, swapsFailed: 1 })
  })

  test.each([
    ['cannot be read', () => unreadable()],
    ['says nothing', () => decoded('agent.tx.status', {})],
    ['says that it is under way', () => decoded('agent.tx.status', { status: 'submitted' })],
  ])('one that the service is asked about again is not booked on an answer that %s', async (_, answer) => {
    const bot = await openTradingBot()
    bot.swapper.onLanding = () => ({ status: 'expired' })
    bot.service.onAct(SIGN_AND_SEND, () => accepted({ signature: 's'.repeat(64), status: 'confirmed' }))
    bot.service.onRead('agent.tx.status', answer)
    await bot.ask(buy())
    await bot.run(60_000)
    expect(bot.outcomes).toEqual([])
    expect(bot.notes('warn').filter((note) => note.includes('what the service had called confirmed'))).toHaveLength(1)
    bot.service.onRead('agent.tx.status', () => decoded('agent.tx.status', { status: 'failed' }))
    await bot.run(2000)
    expect(bot.outcomes).toMatchObject([{ status: 'failed' }])
    expect(bot.status().actions).toMatchObject({ swapsFilled: 0, swapsFailed: 1 })
  })

  test('one that the service never says again is settled by the balances', async () => {
    const bot = await openTradingBot()
    bot.swapper.onLanding = () => ({ status: 'expired' })
    bot.service.onAct(SIGN_AND_SEND, () => accepted({ signature: 's'.repeat(64), status: 'confirmed' }))
    bot.service.onRead('agent.tx.status', () => unreadable(404))
    await bot.ask(buy())
    bot.service.bankroll = { ...bot.service.bankroll, available: '990000000', gasLamports: '999990000' }
    await bot.run(115_000)
    expect(bot.outcomes).toEqual([])
    await bot.run(45_000)
    expect(bot.outcomes).toMatchObject([{ status: 'filled', fill: { source: 'quote' } }])
  })

  test('a trader that starts while an earlier swap of its own is open waits for what became of it', async () => {
    const journal = new MemoryJournal()
    const swapper = new ScriptedSwapper()
    const { bot, transaction } = await lost({ journal, swapper })
    bot.kill()
    const once: TradingBotOptions['trade'] = ({ positions$ }) =>
      positions$.pipe(
        filter(({ fills }) => fills === 0),
        map(() => buy()),
      )
    const next = await openTradingBot({ journal, swapper, clock: bot.clock, trade: once })
    await next.run(2000)
    swapper.execute(transaction)
    await next.run(15_000)
    expect(sent(next)).toEqual([])
    expect(next.status().portfolios.get(CONTEST)).toMatchObject({ cash: usdc('-10'), fills: 1 })
  })

  test('outlives a restart: the swap is found, and counted once', async () => {
    const journal = new MemoryJournal()
    const swapper = new ScriptedSwapper()
    const { bot, transaction } = await lost({ journal, swapper })
    bot.kill()
    swapper.execute(transaction)
    const next = await openTradingBot({ journal, swapper, clock: bot.clock })
    await next.run(2000)
    expect(sent(next)).toEqual([])
    expect(next.status().actions).toMatchObject({ unknown: 0, swapsFilled: 1 })
    expect(next.positions.at(-1)).toMatchObject({ holdings: [{ mint: SOL_MINT, amount: TEN_USDC_OF_SOL }], fills: 1 })
    next.kill()
    const third = await openTradingBot({ journal, swapper, clock: bot.clock })
    expect(third.status().actions).toMatchObject({ unknown: 0, swapsFilled: 1 })
    expect(third.positions.at(-1)).toMatchObject({ fills: 1 })
  })

  test('a swap that was on its way to a quote when the bot died was never sent', async () => {
    const journal = new MemoryJournal()
    const bot = await openTradingBot({ journal })
    bot.swapper.onQuote = () => new Promise(() => {})
    await bot.ask(buy())
    bot.kill()
    const next = await openTradingBot({ journal, clock: bot.clock })
    expect(swapsOf(journal)).toEqual(['unfilled'])
    await next.ask(buy())
    expect(next.outcomes.map(({ status }) => status)).toEqual(['filled'])
  })
})

describe('without an RPC', () => {
  const without = () => Object.assign(new ScriptedSwapper(), { hasChain: false })
  const balances = (available: string, gasLamports: string) => ({ available, inPlay: '1000000', gasLamports, walletAddress: 'w' })

  test('a confirmed swap is filled as it was quoted, at the least', async () => {
    const bot = await openTradingBot({ swapper: without() })
    bot.swapper.onBuild = (built) => ({ ok: true, built: { ...built, tables: undefined, simulated: undefined } })
    await bot.ask(buy())
    expect(bot.outcomes).toMatchObject([{ status: 'filled', fill: { source: 'quote', received: 49_750_000n } }])
    expect(bot.swapper.looks).toEqual([])
  })

  test.each([
    ['the USDC is gone and the fee paid', '990000000', '999990000', ['filled']],
    ['nothing has moved', '1000000000', '1000000000', ['failed']],
    ['the fee is paid and nothing else', '1000000000', '999990000', ['failed']],
    ['something else has moved', '995000000', '999990000', []],
  ])('a lost answer is settled by the balances, once it can no longer land: %s', async (_, available, gasLamports, statuses) => {
    const bot = await openTradingBot({ swapper: without() })
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    bot.service.bankroll = balances(available, gasLamports)
    await bot.run(110_000)
    expect(bot.outcomes).toEqual([])
    await bot.run(50_000)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(statuses)
  })

  test('a swap waits for the figures that are read since money has moved, and goes without none', async () => {
    const bot = await openTradingBot({ swapper: without() })
    bot.service.onRead('agent.bankroll', () => bot.service.after(800, decoded('agent.bankroll', bot.service.bankroll)))
    await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other') }))
    await bot.ask(buy())
    expect(sent(bot)).toEqual([])
    await bot.run(2000)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])

    bot.service.onRead('agent.bankroll', () => unreadable())
    await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('another') }))
    bot.refresh()
    await bot.ask(sell(49_750_000n))
    await bot.run(6000)
    expect(bot.outcomes.slice(1)).toEqual([
      { status: 'failed', reason: 'the figures of the wallet are not fresh, and there is no RPC to look it up with' },
    ])
  })

  test('a service that shows a swap late does not have it taken for the next one, whose answer was lost', async () => {
    const bot = await openTradingBot({ swapper: without() })
    await bot.ask(buy())
    await bot.run(1000)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.run(1000)
    expect(sent(bot)).toHaveLength(1)
    bot.service.bankroll = { ...balances('990000000', '999990000'), walletAddress: WALLET }
    await bot.run(1000)
    expect(sent(bot)).toHaveLength(2)
    await bot.run(160_000)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled', 'failed'])
  })

  test('a service that never shows a fee is waited for no longer than a moment', async () => {
    const bot = await openTradingBot({ swapper: without() })
    await bot.ask(buy())
    await bot.run(19_500)
    bot.refresh()
    await bot.ask(buy())
    expect(sent(bot)).toHaveLength(1)
    await bot.run(1500)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled', 'filled'])
  })

  test.each([
    ['does not say what is in play', { available: '1000000000', gasLamports: '1000000000', walletAddress: WALLET }],
    ['no longer says what gas there is', { available: '1000000000', inPlay: '1000000', walletAddress: WALLET }],
  ])('a service that %s is not asked again and again', async (_, bankroll) => {
    const bot = await openTradingBot({ swapper: without() })
    await bot.run(1000)
    bot.service.bankroll = bankroll
    await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other') }))
    await bot.run(1000)
    const reads = () => bot.service.reads.filter(({ procedure }) => procedure === 'agent.bankroll').length
    const before = reads()
    for (let second = 0; second < 60; second++) {
      bot.refresh()
      await bot.ask(buy())
      await bot.run(1000)
    }
    expect(reads() - before).toBeLessThan(20)
    expect(sent(bot)).toEqual([])
  })

  test('one whose service answers slowly is settled all the same', async () => {
    const bot = await openTradingBot({ swapper: without() })
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.run(100)
    bot.service.bankroll = balances('990000000', '999990000')
    bot.service.onRead('agent.bankroll', () => bot.service.after(6000, decoded('agent.bankroll', bot.service.bankroll)))
    await bot.run(200_000)
    expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
  })

  test('while the stream cannot be read nothing is settled, and that is said', async () => {
    const bot = await openTradingBot({ swapper: without() })
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.run(100)
    bot.service.bankroll = balances('1000000000', '1000000000')
    bot.events.fallBehind()
    const reads = bot.service.reads.length
    await bot.run(400_000)
    expect(bot.outcomes).toEqual([])
    expect(bot.notes('warn').filter((note) => note.includes('the event stream cannot be read, so that')).length).toBeGreaterThan(2)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.bankroll').length - reads).toBeLessThan(60)
  })

  test('what a contest paid out meanwhile is told apart from the swap', async () => {
    const bot = await openTradingBot({ swapper: without() })
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }, bot.clock.now() + 1))
    bot.service.bankroll = { available: '991900000', inPlay: '0', gasLamports: '999990000', walletAddress: 'w' }
    await bot.run(150_000)
    expect(swapsOf(bot.journal)).toEqual(['unknown', 'filled'])
  })
})

describe('after the contest', () => {
  test('what it left is sold, and counts for no contest', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    await bot.run(2000)
    expect(sent(bot).slice(1)).toEqual([{ transaction: expect.any(String) }])
    expect(bot.swapper.quotes.at(-1)).toMatchObject({ from: SOL_MINT, to: USDC_MINT, amount: TEN_USDC_OF_SOL })
    expect(bot.status().portfolios.size).toBe(0)
  })

  test('a sale that comes to nothing is tried again, later each time', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    bot.swapper.onQuote = () => ({ ok: false, reason: 'no route', retryable: false })
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    for (let round = 0; round < 20; round++) {
      bot.refresh()
      await bot.run(5000)
    }
    expect(bot.swapper.quotes).toHaveLength(1 + 5 + 1)
    expect(bot.notes('error')).toEqual([
      'SOL that a contest left could not be sold in 5 tries: it is tried again while swaps come through, ever more seldom, and counts at the newest price',
    ])
    bot.swapper.onQuote = (good) => good
    for (let round = 0; round < 25; round++) {
      bot.refresh()
      await bot.run(5000)
    }
    expect(bot.status().portfolios.size).toBe(0)
  })

  test('draining waits for the sale, and no longer than it is tried', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    bot.operator$.next('drain')
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    await bot.run(2000)
    expect(bot.end).toEqual({ how: 'completed' })
    expect(bot.status().portfolios.size).toBe(0)
  })
})
