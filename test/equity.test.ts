import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formatReport, reportOf } from '../src/cli/runs/start/report.ts'
import { statusText } from '../src/cli/runs/start/screen/statusText.ts'
import { VirtualClock } from '../src/core/clock.ts'
import { SOL_MINT, tokenOf, USDC_MINT } from '../src/core/tokens.ts'
import { tokenValue } from '../src/core/tokenValue.ts'
import { formatUsdc, usdc } from '../src/core/usdc.ts'
import { Metrics } from '../src/dashboard/index.ts'
import { usdcExactText } from '../src/dashboard/page/format/usdcText.ts'
import { shownOf } from '../src/dashboard/server/shownOf.ts'
import type { ReadResult } from '../src/pipeline/index.ts'
import type { SwapIntent } from '../src/strategy/action.ts'
import { defineTrader } from '../src/strategy/define.ts'
import { MemoryJournal } from '../src/testing/memoryJournal.ts'
import { rawEvent, START_MS } from './support/rawEvents.ts'
import { accepted, decoded, unreadable } from './support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from './support/scriptedSwapper.ts'
import { buy, CONTEST, contestOf, sell } from './support/tradingBot.ts'
import { openWatchedBot, type WatchedTestBot } from './support/watchedBot.ts'

const SOL = tokenOf('SOL') ?? expect.fail('there is no SOL')
const STAKE = usdc('1')
const same = (text: string) => text
const LOOK = { good: same, bad: same, warn: same, faint: same, strong: same }

/** A bot whose trades move a wallet, of which the test keeps books of its own. */
async function openTraded(journal = new MemoryJournal()) {
  const clock = new VirtualClock(START_MS)
  const swapper = new ScriptedSwapper()
  swapper.now = () => clock.now()
  const ask$ = new Subject<SwapIntent>()
  const trader = defineTrader({ name: 'trader', modes: ['pnl_usd'], params: z.object({}), trade: () => ask$ })()
  const wallet = { usdc: usdc('1000'), sol: 0n }
  const watched = await openWatchedBot({
    ...{ clock, journal, swapper, strategies: [trader], sweep: false },
    prepare(service) {
      const bankroll = () => ({ available: `${wallet.usdc}`, inPlay: `${STAKE}`, gasLamports: '1000000000', walletAddress: WALLET })
      service.bankroll = bankroll()
      service.contests = [contestOf({ mode: 'pnl_usd', params: {} })]
      service.onAct('agent.trade.signAndSend', ({ transaction }) => {
        const signature = swapper.execute(transaction)
        const landing = swapper.landed.get(transaction)
        for (const { mint, delta } of landing?.status === 'landed' ? landing.changes : [])
          wallet[mint === USDC_MINT ? 'usdc' : 'sol'] += delta
        service.bankroll = bankroll()
        return accepted({ signature, status: 'confirmed' })
      })
    },
  })
  let sol = '200'
  const price = (now: string) => {
    sol = now
    swapper.prices.set(SOL_MINT, Number(now))
    watched.bot.price({ [SOL_MINT]: now, [USDC_MINT]: '1' })
  }
  return {
    ...watched,
    price,
    held: () => wallet.sol,
    /** By the test's own books. */
    worth: () => wallet.usdc + STAKE + tokenValue(SOL, wallet.sol, sol),
    async ask(swap: SwapIntent) {
      ask$.next(swap)
      await watched.bot.run(50)
    },
  }
}

/** The equity as each of them says it, as digits of micro-USDC, and how many holdings are in none of them. */
async function told({ bot, watch, fleet }: WatchedTestBot) {
  const view = watch.fleet()
  const page = shownOf(watch, { kind: 'bot', bot: 'alice' }).bot?.row
  const [, line = ''] = statusText({ view, address: undefined, runsForMs: 0, messages: [], columns: 200, rows: 40 }, LOOK)
    .split('\n')
    .filter((text) => /^(bot|alice) /.test(text))
  const terminal = /^alice +\S+ +(\S+)/.exec(line)?.[1]
  const { status } = bot
  const reported = { ...fleet.bots[0], life: status, status, keptBack: undefined, hasCaughtUp: true } as never
  const report = reportOf({ bots: [reported] }, 0)
  const metrics = new Metrics({ fleet, watch, clock: bot.clock, version: '' })
  const sample = /^cornerman_equity_usdc\{bot="alice"\} (\S+)$/m.exec(await metrics.text())?.[1]
  metrics.close()
  return {
    page: page?.equity,
    shown: page && usdcExactText(page.equity),
    terminal,
    json: report.bots[0]?.equity,
    metric: sample === undefined ? undefined : BigInt(Math.round(Number(sample) * 1e6)),
    unpriced: [page?.unpriced, report.bots[0]?.unpriced],
    line,
    report,
  }
}

describe('equity', () => {
  test('is the same to the micro-USDC on the page, in the terminal, in start --json and in the metrics, over a run with swaps', async () => {
    const traded = await openTraded()
    const { bot, price } = traded
    const seen = new Set<bigint>()
    const agree = async () => {
      const equity = traded.worth()
      const { page, shown, terminal, json, metric } = await told(traded)
      const asText = formatUsdc(equity)
      expect({ page, shown, terminal, json, metric }).toEqual({
        ...{ page: `${equity}`, shown: asText.replace(/\B(?=(\d{3})+(?=\.))/, ','), terminal: asText, json: `${equity}`, metric: equity },
      })
      seen.add(equity)
    }
    price('200')
    await bot.run(100)
    await agree()
    for (const [step, sol] of ['200', '187.249113', '203.3', '199.999999', '210.7', '188.000001'].entries()) {
      price(sol)
      await agree()
      await traded.ask(step % 3 === 2 ? sell(traded.held() / 3n) : buy({ amount: usdc(`${3 + step}.123457`) }))
      await agree()
      await bot.run(7000)
      price(sol)
      await agree()
    }
    expect(bot.status().actions.swapsFilled).toBe(6)
    expect(seen.size).toBe(6)
  })

  test('counts the price of a swap at once, though the bankroll is read only afterwards', async () => {
    const traded = await openTraded()
    traded.price('200')
    await traded.bot.run(100)
    traded.bot.service.onRead('agent.bankroll', () => new Promise(() => {}))
    await traded.ask(buy())
    expect(traded.bot.status().books.bankroll?.value.available).toBe(usdc('1000'))
    expect(traded.watch.fleet().bots[0]).toMatchObject({ bankroll: `${usdc('990')}`, held: `${usdc('10')}`, equity: `${usdc('1001')}` })
  })

  test('says which holdings are in it at what price, and leaves out what has none, which is said everywhere', async () => {
    const traded = await openTraded()
    traded.price('200')
    await traded.bot.run(100)
    await traded.ask(buy())
    expect(traded.watch.bot('alice')?.holdings).toEqual([
      {
        ...{ id: `${CONTEST} ${SOL_MINT}`, contestId: CONTEST, mint: SOL_MINT, symbol: 'SOL', amount: '50000000', tokens: '0.05' },
        ...{ price: '200', pricedAt: START_MS, value: `${usdc('10')}` },
      },
    ])
    traded.bot.kill()
    // Another process, whose feed has said nothing yet.
    const next = await openTraded(traded.bot.journal)
    await next.bot.run(100)
    const { page, json, unpriced, line, report, terminal } = await told(next)
    expect([page, json, terminal]).toEqual([`${usdc('1001')}`, `${usdc('1001')}`, '1001.00'])
    expect(unpriced).toEqual([1, 1])
    expect(line).toContain('1001.00 + 1 unpriced ')
    expect(report.bots[0]?.holdings).toEqual([
      { contestId: CONTEST, mint: SOL_MINT, symbol: 'SOL', amount: '50000000', price: null, pricedAt: null, value: null },
    ])
    expect(formatReport(report)).toContain(
      'equity 1001.00 USDC: 1000.00 available, 1.00 in play, 0.00 in tokens; one holding has no price, and is not in it\n',
    )
    // Once it has, the price stands, with its age, however long the feed is silent.
    next.price('200')
    await next.bot.run(600_000)
    expect(next.watch.fleet().bots[0]).toMatchObject({ equity: `${usdc('1011')}`, unpriced: 0, pricedAt: START_MS + 100 })
  })

  test('is told at the end of a run as it is after the last settlement, which the run waits to read', async () => {
    const { bot, watch } = await openWatchedBot({
      prepare(service) {
        service.bankroll = { available: `${usdc('999')}`, inPlay: `${STAKE}`, gasLamports: '1000000000', walletAddress: WALLET }
        service.contests = [contestOf({ mode: 'up_down', params: {} })]
      },
    })
    await bot.run(100)
    let answer: ((read: ReadResult<'agent.bankroll'>) => void) | undefined
    bot.service.onRead('agent.bankroll', () => new Promise((resolve) => (answer = resolve)))
    bot.operator$.next('drain')
    await bot.tell(
      rawEvent('contest.settled', { contestId: CONTEST, mode: 'up_down', result: 'LOSS', stake: `${STAKE}`, profit: `-${STAKE}` }),
    )
    await bot.run(1000)
    expect(bot.end).toBeUndefined()
    answer?.(decoded('agent.bankroll', { ...bot.service.bankroll, inPlay: '0' }))
    await bot.run(100)
    expect(bot.end).toEqual({ how: 'completed' })
    expect(watch.fleet().bots[0]).toMatchObject({ bankroll: `${usdc('999')}`, equity: `${usdc('999')}` })
  })

  test('of a service that does not answer is what it said last, and no run waits for it for ever', async () => {
    const { bot } = await openWatchedBot()
    await bot.run(100)
    bot.service.onRead('agent.bankroll', () => unreadable())
    bot.operator$.next('drain')
    await bot.run(20_000)
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('is not known before the service has said what can be spent', async () => {
    const watched = await openWatchedBot({ prepare: (service) => service.onRead('agent.bankroll', () => new Promise(() => {})) })
    await watched.bot.tell(rawEvent('contest.joined', { contestId: CONTEST }))
    const { page, terminal, json, metric } = await told(watched)
    expect([page, terminal, json, metric]).toEqual([undefined, '…', null, undefined])
  })
})
