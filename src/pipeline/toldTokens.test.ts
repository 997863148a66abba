import { map, of, Subject, take } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { emptyFolder } from '../../test/support/replaying.ts'
import { ScriptedSwapper } from '../../test/support/scriptedSwapper.ts'
import { feeMoon, MOON_MINT, moon } from '../../test/support/tokens/facts.ts'
import { buy, CONTEST, openTradingBot } from '../../test/support/tradingBot.ts'
import type { TokenFacts } from '../core/tokenFacts.ts'
import { USDC_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import type { TradeContext } from '../strategy/define.ts'

const FEE = { feeBps: 100, maximum: 10n ** 18n }
const buyMoon = buy({ to: MOON_MINT })

/** A DEX that sells MOON at half a dollar, and a chain that keeps back what its mint does. */
function swapperOf(fee = FEE): ScriptedSwapper {
  const swapper = new ScriptedSwapper()
  swapper.prices.set(MOON_MINT, 0.5)
  swapper.transferFees.set(MOON_MINT, fee)
  return swapper
}

async function openMoonBot(tokens$: Subject<readonly TokenFacts[]> | undefined, recording?: string) {
  const bot = await openTradingBot({
    swapper: swapperOf(),
    guard: { maxFeedGapBps: 300 },
    tokens$: tokens$ ?? of([feeMoon({ maxTransferFeeBps: 100 })]),
    ...(recording === undefined ? {} : { recording }),
  })
  bot.price({ [MOON_MINT]: '0.5', [USDC_MINT]: '1' })
  return bot
}

test('the portfolio counts what came in: less the fee of the transfer', async () => {
  const bot = await openMoonBot(undefined)
  await bot.ask(buyMoon)
  await bot.run(2000)
  expect(bot.outcomes).toMatchObject([{ status: 'filled', fill: { given: usdc('10'), received: 19_800_000n } }])
  expect(bot.positions.at(-1)).toMatchObject({ holdings: [{ mint: MOON_MINT, amount: 19_800_000n }], pnl: -usdc('0.1') })
})

test('a fee that is raised between two swaps is refused with both numbers, and a token that is taken off the list is unknown', async () => {
  const tokens$ = new Subject<readonly TokenFacts[]>()
  const bot = await openMoonBot(tokens$)
  const refused = async (facts: readonly TokenFacts[]) => {
    tokens$.next(facts)
    await bot.ask(buyMoon)
    await bot.run(2000)
    bot.price({ [MOON_MINT]: '0.5', [USDC_MINT]: '1' })
    const last = bot.outcomes.at(-1)
    return last?.status === 'refused' ? { code: last.code, numbers: last.numbers } : last?.status
  }
  expect(await refused([feeMoon({ maxTransferFeeBps: 100 })])).toBe('filled')
  expect(await refused([feeMoon({ maxTransferFeeBps: 100, transferFee: { ...FEE, feeBps: 250 } })])).toMatchObject({
    code: 'TOKEN_TRANSFER_FEE',
    numbers: { feeBps: 250, maxTransferFeeBps: 100 },
  })
  expect(await refused([])).toMatchObject({ code: 'TOKEN_UNKNOWN' })
})

test('a fee that is raised between the look and the transaction is refused by what the simulation shows', async () => {
  const bot = await openMoonBot(undefined)
  bot.swapper.transferFees.set(MOON_MINT, { ...FEE, feeBps: 250 })
  await bot.ask(buyMoon)
  await bot.run(2000)
  expect(bot.outcomes).toMatchObject([{ status: 'refused', code: 'SIMULATION_MISMATCH' }])
  expect(bot.service.sent('agent.trade.signAndSend')).toEqual([])
})

test('what is not swapped is said once', async () => {
  const tokens$ = new Subject<readonly TokenFacts[]>()
  const bot = await openMoonBot(tokens$)
  const trouble = { kind: 'unknown', message: 'its decimals are not known: set market.rpcUrl', said: {} } as const
  for (let time = 0; time < 3; time++) tokens$.next([moon({ decimals: undefined, trouble })])
  await bot.run(0)
  const said = bot.steps.flatMap(({ notes }) => notes).filter(({ message }) => message.includes('is not swapped'))
  expect(said.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    `warn: MOON (${MOON_MINT}) is not swapped: its decimals are not known: set market.rpcUrl`,
  ])
})

test('a recording carries what was known of tokens: it replays to the last decision where nothing of them is known', async () => {
  const recording = emptyFolder()
  const trade = ({ prices }: TradeContext<unknown>) =>
    prices.price$(MOON_MINT).pipe(
      take(1),
      map(() => buyMoon),
    )
  const bot = await openTradingBot({
    ...{ recording, trade, swapper: swapperOf(), guard: { maxFeedGapBps: 300 } },
    tokens$: of([feeMoon({ maxTransferFeeBps: 100 })]),
  })
  bot.price({ [MOON_MINT]: '0.5', [USDC_MINT]: '1' })
  await bot.run(5000)
  expect(bot.status().portfolios.get(CONTEST)).toMatchObject({ fills: 1 })
  bot.kill()
  // Another process: it has learnt of no token.
  vi.resetModules()
  const { tokenOfMint } = await import('../core/tokens.ts')
  expect(tokenOfMint(MOON_MINT)).toBeUndefined()
  const { expectIdentical } = await import('../../test/support/replaying.ts')
  const { decisions } = await expectIdentical(recording, bot.config)
  expect(decisions).toBeGreaterThan(3)
  // A backtest finds it there, too.
  const { readLogs } = await import('../backtest/log/readLogs.ts')
  expect(readLogs([recording]).tokens).toEqual([feeMoon({ maxTransferFeeBps: 100 })])
})
