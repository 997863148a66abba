import { EMPTY } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { predictionEvents, predictionId, predictionSettled, servePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, rejected, unknown } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { picker, predictor } from '../../../test/support/testStrategies.ts'
import { buy, CONTEST, contestOf, openTradingBot, type TradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// A contest that is settled without a valid move of the bot is an error line with the reason, whatever its result.

const told = (bot: TestBot) =>
  bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'UNPLAYED').map(({ fields }) => fields.hindrance))

describe('a prediction', () => {
  async function played(options: TestBotOptions, adapt: (bot: TestBot) => void = () => {}, result = 'LOSS'): Promise<TestBot> {
    const bot = await openTestBot(options)
    servePrediction(bot.service, () => bot.clock.now())
    adapt(bot)
    await bot.tell(...predictionEvents())
    await bot.run(22_000)
    await bot.tell(predictionSettled(result))
    await bot.run(1000)
    return bot
  }
  const says = () => predictor(() => ({ price: '187.25' }))

  test('that was committed to and shown is played, and lost', async () => {
    expect(told(await played({ strategies: [says()] }))).toEqual([])
  })

  test('that nobody predicts', async () => {
    const bot = await played({ strategies: [] })
    expect(told(bot)).toEqual(['unasked'])
    expect(bot.notes('error')).toContainEqual(
      expect.stringMatching(/^price_prediction: .* USDC were staked .* no valid move: no strategy of the bot was asked/),
    )
  })

  test('whose predictor wants nothing', async () => {
    expect(told(await played({ strategies: [predictor(() => null)] }))).toEqual(['abstained'])
  })

  test('whose commitment is refused', async () => {
    const bot = await played({ strategies: [says()] }, ({ service }) => {
      service.onAct('agent.modes.commitPrediction', () => rejected('COMMIT_CLOSED'))
    })
    expect(told(bot)).toEqual(['refused:COMMIT_CLOSED'])
  })

  test('whose entry is nowhere', async () => {
    const bot = await played({ strategies: [says()] }, ({ service }) => {
      const { entryId: _, ...state } = service.states.get(predictionId) as Record<string, unknown>
      service.states.set(predictionId, state)
    })
    expect(told(bot)).toEqual(['noPiece'])
  })

  test('whose state is never read', async () => {
    const bot = await played({ strategies: [says()] }, ({ service }) => service.states.delete(predictionId))
    expect(told(bot)).toEqual(['unread'])
  })

  test('that was shown by the run before is played', async () => {
    const journal = new MemoryJournal()
    const first = await openTestBot({ strategies: [says()], journal })
    servePrediction(first.service, () => first.clock.now())
    await first.tell(...predictionEvents())
    await first.run(22_000)
    first.kill()
    const second = await openTestBot({ strategies: [], journal, clock: first.clock })
    await second.tell(predictionSettled('LOSS'))
    expect(told(second)).toEqual([])
  })
})

describe('a draft', () => {
  const DRAFT = keyedUuid('draft')
  const ids = { contestId: DRAFT, mode: 'draft_basket' }
  const state = { mode: 'draft_basket', phase: 'drafting', entryId: keyedUuid('entry'), yourTurn: true, available: ['a', 'b'], mine: [] }
  const settled = rawEvent('contest.settled', { ...ids, result: 'WIN' }, START_MS + 21_000)

  async function drafted(options: TestBotOptions, shown: Readonly<Record<string, unknown>> = state): Promise<TestBot> {
    const bot = await openTestBot(options)
    bot.service.states.set(DRAFT, shown)
    bot.service.onAct('agent.modes.draftPick', () => {
      bot.service.states.set(DRAFT, { ...shown, yourTurn: false, mine: ['a'] })
      return accepted()
    })
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...ids }))
    await bot.run(5000)
    return bot
  }

  test('in which a pick was taken is played, by whichever run', async () => {
    const journal = new MemoryJournal()
    const bot = await drafted({ journal, strategies: [picker(({ draft }) => draft.available[0])] })
    bot.kill()
    const next = await openTestBot({ journal, clock: bot.clock })
    await next.tell(settled)
    expect(told(next)).toEqual([])
  })

  test('whose pick was lost, and is shown, is played', async () => {
    const bot = await openTestBot({ strategies: [picker(({ draft }) => draft.available[0])] })
    bot.service.states.set(DRAFT, state)
    bot.service.onAct('agent.modes.draftPick', () => {
      bot.service.states.set(DRAFT, { ...state, yourTurn: false, mine: ['a'] })
      return unknown
    })
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...ids }))
    await bot.run(8000)
    await bot.tell(settled)
    expect(told(bot)).toEqual([])
  })

  test('whose picks the service made is unplayed, though it was won', async () => {
    const bot = await drafted({ strategies: [] })
    await bot.tell(settled)
    expect(told(bot)).toEqual(['unasked'])
  })

  test('whose turns were over when the bot ran again', async () => {
    const journal = new MemoryJournal()
    const wanting = () => [picker(({ draft }) => draft.available[0])]
    const bot = await drafted({ journal, strategies: wanting() }, { ...state, yourTurn: false })
    const [startsAt, endsAt] = [2000, 20_000].map((ms) => new Date(START_MS + ms).toISOString())
    await bot.tell(rawEvent('contest.live', { ...ids, startsAt, endsAt }, START_MS + 2000))
    bot.kill()
    const next = await openTestBot({ journal, clock: bot.clock, strategies: wanting() })
    next.service.states.set(DRAFT, { ...state, phase: 'holding', yourTurn: false, mine: ['b'] })
    await next.run(3000)
    await next.tell(settled)
    expect(told(next)).toEqual(['down'])
  })

  test('whose turn is not where it is looked for', async () => {
    const { yourTurn: _, ...odd } = state
    const bot = await drafted({ strategies: [picker(({ draft }) => draft.available[0])] }, odd)
    await bot.tell(settled)
    expect(told(bot)).toEqual(['noPiece'])
  })
})

describe('a contest of swaps', () => {
  const settled = rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd', result: 'DRAW' }, START_MS + 600_000)
  async function traded(options: TradingBotOptions, play: (bot: TradingBot) => Promise<void> = async () => {}): Promise<unknown[]> {
    const bot = await openTradingBot(options)
    await play(bot)
    await bot.run(1000)
    await bot.tell(settled)
    return told(bot)
  }

  test('with a swap is played', async () => {
    expect(await traded({}, (bot) => bot.ask(buy()))).toEqual([])
  })

  test('with a swap that is known to be executed only after its end is played', async () => {
    const bot = await openTradingBot()
    bot.service.onAct('agent.trade.signAndSend', (input: { transaction: string }) =>
      bot.service.after(3000, accepted({ signature: bot.swapper.execute(input.transaction), status: 'confirmed' })),
    )
    await bot.ask(buy())
    await bot.tell(settled)
    expect(told(bot)).toEqual([])
    await bot.run(5000)
    expect(bot.journal.fills).toHaveLength(1)
    expect(told(bot)).toEqual([])
  })

  test('with a swap that came to nothing after its end is not', async () => {
    const bot = await openTradingBot()
    bot.service.onAct('agent.trade.signAndSend', () => bot.service.after(3000, rejected('TX_MALFORMED')))
    await bot.ask(buy())
    await bot.tell(settled)
    expect(told(bot)).toEqual([])
    await bot.run(5000)
    expect(told(bot)).toEqual(['swap:service'])
  })

  test('with a swap that failed on the chain, whether before its end or after it', async () => {
    for (const afterMs of [0, 3000]) {
      const bot = await openTradingBot()
      bot.swapper.onLanding = () => ({ status: 'reverted', signature: 's', reason: 'slippage', feeLamports: 5000n })
      bot.service.onAct('agent.trade.signAndSend', () => bot.service.after(afterMs, accepted({ signature: 's', status: 'failed' })))
      await bot.ask(buy())
      await bot.tell(settled)
      await bot.run(5000)
      expect(told(bot)).toEqual(['swap:failed'])
    }
  })

  test('with a swap that still waited for one of another contest when it was settled', async () => {
    const other = keyedUuid('other traded contest')
    const bot = await openTradingBot({
      prepare: (service) => {
        service.contests = [...service.contests, contestOf({ contestId: other, mode: 'pnl_usd' })]
      },
    })
    bot.swapper.onQuote = (good) => bot.service.after(3000, good)
    // The trader asks in both contests.
    await bot.ask(buy())
    await bot.tell(rawEvent('contest.settled', { contestId: other, mode: 'pnl_usd', result: 'LOSS' }, START_MS + 1000))
    await bot.run(5000)
    expect(bot.swapper.quotes).toHaveLength(1)
    expect(told(bot)).toEqual(['guard:SWAP_UNRESOLVED'])
  })

  test.each([
    ['a second before its end', 19_000, []],
    ['five seconds after its end', 25_000, ['tooLate']],
  ])('whose swap lands %s', async (_when, landsMs, hindrances) => {
    const bot = await openTradingBot({ contest: { endsAt: new Date(START_MS + 20_000).toISOString() } })
    const show = bot.swapper.onLanding
    bot.swapper.onLanding = (sent) => (bot.clock.now() < START_MS + landsMs ? { status: 'pending' } : show(sent))
    await bot.ask(buy())
    await bot.run(21_000)
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd', result: 'LOSS' }, START_MS + 21_000))
    await bot.run(10_000)
    expect(bot.journal.fills).toHaveLength(1)
    expect(told(bot)).toEqual(hindrances)
  })

  test.each([
    ['in the second before its end', 19, 21_000, []],
    ['in the second after its end', 20, 21_000, ['tooLate']],
    ['after its end, and is known before it is settled', 20, 30_000, ['tooLate']],
    ['years ahead by its block, and was seen in time', 99_999_999, 30_000, []],
  ])('whose swap lands %s', async (_when, landsSec, settledMs, hindrances) => {
    const bot = await openTradingBot({ contest: { endsAt: new Date(START_MS + 20_000).toISOString() } })
    const show = bot.swapper.onLanding
    // Nobody looks at the chain for eight seconds: its block alone says when it landed.
    const seenMs = landsSec > 100 ? 15_000 : 26_000
    bot.swapper.onLanding = async (sent) => {
      if (bot.clock.now() < START_MS + seenMs - 8000) return { status: 'pending' }
      const landing = await show(sent)
      const dated = landing.status === 'landed' ? { ...landing, blockTime: START_MS / 1000 + landsSec } : landing
      return await bot.service.after(START_MS + seenMs - bot.clock.now(), dated)
    }
    await bot.ask(buy())
    await bot.run(settledMs)
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd', result: 'LOSS' }, START_MS + settledMs))
    await bot.run(10_000)
    expect(bot.journal.fills).toHaveLength(1)
    expect(told(bot)).toEqual(hindrances)
  })

  test('whose trader wants nothing', async () => {
    expect(await traded({ trade: () => EMPTY })).toEqual(['abstained'])
  })

  test('while the operator has stopped all swaps, before its trader began or after', async () => {
    const early = await traded({ command: 'stopAll' })
    const late = await traded({}, async (bot) => {
      bot.operator$.next('stopAll')
      await bot.run(1000)
    })
    expect([early, late]).toEqual([['guard:KILL_SWITCH'], ['guard:KILL_SWITCH']])
  })

  test('without a trader', async () => {
    expect(await traded({ isWithoutTrader: true })).toEqual(['unasked'])
  })

  test('whose swap the guard keeps back', async () => {
    expect(await traded({ guard: { maxSwap: usdc('1') } }, (bot) => bot.ask(buy()))).toEqual(['guard:SWAP_TOO_LARGE'])
  })

  test('whose swap fails on the chain', async () => {
    const reverted = await traded({}, async (bot) => {
      bot.service.onAct('agent.trade.signAndSend', () => rejected('TX_SIMULATION_FAILED'))
      await bot.ask(buy())
    })
    expect(reverted).toEqual(['swap:failed'])
  })

  test('whose market moves before its transaction is built', async () => {
    const hindered = await traded({}, async (bot) => {
      bot.swapper.onBuild = () => ({ ok: false, reason: 'moved', retryable: true, isOfMarket: true })
      await bot.ask(buy())
    })
    expect(hindered).toEqual(['swap:failed'])
  })

  test('whose DEX gives no quote', async () => {
    const hindered = await traded({}, async (bot) => {
      bot.swapper.onQuote = () => ({ ok: false, reason: 'down', retryable: true })
      await bot.ask(buy())
    })
    expect(hindered).toEqual(['swap:dex'])
  })
})

describe('the reason is the one that was met', () => {
  const DRAFT = keyedUuid('draft')
  const ids = { contestId: DRAFT, mode: 'draft_basket' }
  const settled = rawEvent('contest.settled', { ...ids, result: 'LOSS' }, START_MS + 60_000)
  const [startsAt, endsAt] = [2000, 55_000].map((ms) => new Date(START_MS + ms).toISOString())
  const state = { mode: 'draft_basket', phase: 'drafting', entryId: keyedUuid('entry'), yourTurn: true, available: ['a', 'b'], mine: [] }

  async function drafting(options: TestBotOptions, adapt: (bot: TestBot) => void = () => {}): Promise<TestBot> {
    const bot = await openTestBot(options)
    bot.service.states.set(DRAFT, state)
    adapt(bot)
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...ids }))
    await bot.tell(rawEvent('contest.live', { ...ids, startsAt, endsAt }, START_MS + 2000))
    await bot.run(20_000)
    return bot
  }
  const lineOf = (bot: TestBot, code = 'UNPLAYED') =>
    bot.steps
      .flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === code))
      .map(({ message, fields }) => ({ message, ...fields }))
  const keeping = () => Object.assign(new MemoryJournal(), { keepsModes: true })
  const first = () => picker(({ draft }) => draft.available[0])

  test.each<readonly [string, TestBotOptions['strategies'], (bot: TestBot) => void, string, RegExp]>([
    ['a picker that throws', [picker(() => raise('no token is good'))], () => {}, 'failed', /its strategy failed \(no token is good\)/],
    ['a picker that wants nothing', [picker(() => undefined)], () => {}, 'abstained', /wanted nothing/],
    [
      'a pick that the service refuses',
      [first()],
      ({ service }) => service.onAct('agent.modes.draftPick', () => rejected('NOT_YOUR_TURN')),
      'refused:NOT_YOUR_TURN',
      /refused, with NOT_YOUR_TURN/,
    ],
    [
      'a pick of which nothing is heard',
      [first()],
      ({ service }) => service.onAct('agent.modes.draftPick', () => unknown),
      'unanswered',
      /nobody had answered/,
    ],
  ])('%s', async (_what, strategies = [], adapt, hindrance, words) => {
    const bot = await drafting({ strategies }, adapt)
    await bot.run(40_000)
    await bot.tell(settled)
    await bot.run(60_000)
    expect(lineOf(bot)).toMatchObject([{ hindrance, mode: 'draft_basket', contestId: DRAFT, message: expect.stringMatching(words) }])
  })

  test('a pause of the process: it is said once, shown, and closes no mode', async () => {
    const bot = await openTestBot({ strategies: [first()], journal: keeping() })
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), ...ids }))
    await bot.tell(rawEvent('contest.live', { ...ids, startsAt, endsAt }, START_MS + 2000))
    bot.service.states.set(DRAFT, { ...state, yourTurn: false, phase: 'live', mine: ['b'] })
    await bot.run(30_000)
    bot.pause$.next({ from: START_MS + 3000, until: START_MS + 19_000 })
    await bot.tell(settled)
    expect(lineOf(bot)).toMatchObject([
      { hindrance: 'paused', message: expect.stringContaining('this process stood still for 16.0 s until') },
    ])
    expect(bot.notes('debug').filter((note) => note.startsWith('this process stood still'))).toHaveLength(1)
    expect(bot.status().lastPause).toEqual({ from: START_MS + 3000, until: START_MS + 19_000 })
    expect(bot.status().modes?.find(({ mode }) => mode === 'draft_basket')).toMatchObject({ code: undefined, unplayed: { count: 1 } })
  })

  test('a draft of which the service made a pick is told with its share, and enough of them close the mode', async () => {
    const bot = await openTestBot({
      strategies: [picker(({ draft }) => (draft.mine.length === 0 ? draft.available[0] : undefined))],
      journal: keeping(),
    })
    for (let n = 0; n < 3; n++) {
      const contestId = keyedUuid(`draft ${n}`)
      const at = (ms: number) => bot.clock.now() + ms
      const about = { contestId, mode: 'draft_basket' }
      bot.service.states.set(contestId, state)
      bot.service.onAct('agent.modes.draftPick', () => {
        bot.service.states.set(contestId, { ...state, mine: ['a'], available: ['b'] })
        return accepted()
      })
      await bot.tell(rawEvent('match.found', { ticketId: keyedUuid(`ticket ${n}`), ...about }, at(0)))
      await bot.tell(
        rawEvent('contest.live', { ...about, startsAt: new Date(at(0)).toISOString(), endsAt: new Date(at(20_000)).toISOString() }, at(0)),
      )
      await bot.run(10_000)
      bot.service.states.set(contestId, { ...state, yourTurn: false, phase: 'live', mine: ['a', 'b'] })
      await bot.run(11_000)
      await bot.tell(rawEvent('contest.settled', { ...about, result: 'WIN' }, at(0)))
    }
    expect(lineOf(bot)).toEqual([])
    expect(lineOf(bot, 'UNPLAYED_PART')).toMatchObject(
      Array.from({ length: 3 }, () => ({
        ...{ hindrance: 'abstained', picked: 1, picks: 2, stake: expect.any(BigInt) },
        message: expect.stringContaining('made 1 of the 2 picks that were its own'),
      })),
    )
    expect(bot.status().modes?.find(({ mode }) => mode === 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED' })
  })
})

function raise(message: string): never {
  throw new Error(message)
}
