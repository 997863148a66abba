import { describe, expect, test } from 'vitest'
import { ENTRY_REFUSALS } from '../../test/support/entryRefusals.ts'
import { INSPECTION_REFUSALS } from '../../test/support/inspectionRefusals.ts'
import { byJupiterInstead } from '../../test/support/oddTransactions.ts'
import { entry, openRefusalBot, type RefusalBot, type Scenario, type Scenarios } from '../../test/support/refusalWorld.ts'
import { SWAP_REFUSALS } from '../../test/support/swapRefusals.ts'
import { buy, CONTEST, openTradingBot } from '../../test/support/tradingBot.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { INSPECTION_CODES, REFUSALS, type RefusalCode } from '../guard/index.ts'
import { type Action, joinContest } from '../strategy/action.ts'

// Every way to be refused, through the whole pipeline. A code without its scenario does not compile: it belongs in
// test/support/entryRefusals.ts, swapRefusals.ts or inspectionRefusals.ts.

const SCENARIOS: Readonly<Record<RefusalCode, Scenarios>> = { ...ENTRY_REFUSALS, ...SWAP_REFUSALS, ...INSPECTION_REFUSALS }

const ask = (bot: RefusalBot, asks: Scenario['asks']) => ('swap' in asks ? bot.ask(asks.swap) : bot.act(asks.action))

const inspectionCodes: readonly string[] = INSPECTION_CODES
const isOfInspection = (code: string) => inspectionCodes.includes(code)

/** What a bot has done from here on. */
function from(bot: RefusalBot) {
  const [steps, acts, outcomes] = [bot.steps.length, bot.service.acts.length, bot.outcomes.length]
  return {
    refused: () => bot.steps.slice(steps).flatMap(({ refused }) => refused),
    notesOf: (code: string) => bot.steps.slice(steps).flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === code)),
    recorded: () => bot.steps.slice(steps).flatMap(({ record }) => record?.refusals ?? []),
    built: () => bot.steps.slice(steps).flatMap(({ swapRequests }) => swapRequests.filter(({ kind }) => kind === 'build')),
    sent: () => bot.service.acts.slice(acts).map(({ procedure }) => procedure),
    told: () => bot.outcomes.slice(outcomes),
  }
}

describe.each(REFUSALS.map(({ code }) => [code, SCENARIOS[code]] as const))('%s', (code, scenarios) => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const { options, before, asks, waitMs = 0, numbers, after, goesOn, isBuilt = isOfInspection(code) } = scenario
    const bot = await openRefusalBot(options)
    await before?.(bot)

    const seen = from(bot)
    await ask(bot, asks)
    await bot.run(waitMs)
    expect(seen.refused()).toMatchObject([{ strategy: 'swap' in asks ? 'trader' : 'own', refusal: { code } }])
    const [refused] = seen.refused()
    expect(refused?.refusal.numbers).toEqual(numbers)
    const ofSwap = expect.stringMatching(/^(?:info|warn)$/)
    const level = code === 'MODE_ON_TRIAL' ? 'debug' : 'swap' in asks || asks.action.type === 'swap' ? ofSwap : 'info'
    expect(seen.notesOf(code), 'logged once, with its numbers').toMatchObject([{ level, fields: refused?.refusal.numbers ?? {} }])
    expect(seen.recorded(), 'in the journal').toEqual([code])
    expect(seen.told(), 'the trader is told').toEqual('swap' in asks ? [{ status: 'refused', ...refused?.refusal }] : [])
    expect(seen.built(), 'no transaction is asked for on what is refused before it').toHaveLength(isBuilt ? 1 : 0)
    expect(seen.sent()).toEqual([])

    await after?.(bot)
    bot.refresh()
    const next = from(bot)
    await ask(bot, goesOn)
    expect(next.refused()).toEqual([])
    expect(next.sent()).toHaveLength(1)
    if ('swap' in goesOn) expect(next.told()).toMatchObject([{ status: 'filled' }])
    expect(bot.end).toBeUndefined()
  })
})

test('the same swap by way of Jupiter is let pass: what is refused above is refused for its change', async () => {
  const bot = await openTradingBot()
  bot.swapper.onBuild = (good) => ({ ok: true, built: { ...good, ...byJupiterInstead(good) } })
  await bot.ask(buy())
  expect(bot.refusals()).toEqual([])
  expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
})

test('a refused swap in a contest that had none is a warning with the contest and its stake, said for each contest', async () => {
  const bot = await openTradingBot({ guard: { maxSwap: usdc('1') } })
  await bot.ask(buy())
  const [note] = bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'SWAP_TOO_LARGE'))
  expect(note).toMatchObject({ level: 'warn', fields: { contestId: CONTEST, stake: usdc('1') } })
  expect(note?.message).toMatch(/1\.00 USDC are lost if this contest gets no swap$/)
})

describe('of refusals that come again and again', () => {
  const over = entry({ stake: usdc('6') })
  const OVER = 'refused enqueue: a stake of 6.00 USDC is above guard.maxStake, 5.00 USDC'
  const asked = async (bot: RefusalBot, action: Action, times: number) => {
    for (let time = 0; time < times; time++) {
      await bot.act(action)
      await bot.run(5000)
    }
  }
  const refusedIn = (bot: RefusalBot, level: 'info' | 'debug') => bot.notes(level).filter((note) => note.startsWith('refused '))

  test('the first is in the log, and one every ten minutes that says how many there were; all are counted', async () => {
    const bot = await openRefusalBot()
    await asked(bot, over, 121)
    expect(refusedIn(bot, 'info')).toEqual([OVER, `${OVER}; 119 times more since this was last said`])
    expect(refusedIn(bot, 'debug')).toHaveLength(119)
    expect(bot.status().actions.refused).toBe(121)
    expect(bot.refusals()).toHaveLength(121)
  })

  test('another code, another kind of action and another strategy are said at once', async () => {
    const bot = await openRefusalBot()
    await asked(bot, over, 2)
    await asked(bot, entry({ stake: 0n }), 2)
    await asked(bot, joinContest({ contestId: keyedUuid('unlisted') }), 2)
    await bot.ask(buy({ amount: 0n }))
    await bot.ask(buy({ amount: 0n }))
    const said = bot.steps.flatMap(({ notes }) => notes.filter(({ level }) => level !== 'debug').map(({ fields }) => fields.code))
    expect(said.filter((code) => code !== undefined)).toEqual([
      'STAKE_OVER_OWN_CAP',
      'STAKE_INVALID',
      'CONTEST_UNKNOWN',
      'SWAP_AMOUNT_INVALID',
    ])
    expect(refusedIn(bot, 'debug')).toHaveLength(4)
  })
})
