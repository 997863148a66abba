import { EMPTY, map, mergeMap, type Observable, tap } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { predictionEvents, predictionId, servePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { emptyFolder, expectIdentical } from '../../../test/support/replaying.ts'
import { accepted, rejected } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { picker, policy, predictor } from '../../../test/support/testStrategies.ts'
import { CONTEST, openTradingBot } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { type Action, commitPrediction, draftPick, enqueue, swap } from '../../strategy/action.ts'
import { defineStrategy, type RunContext, type Strategy } from '../../strategy/define.ts'

// A custom strategy hears of what strategies of the other kinds are asked about, by the stream of that name, and before they are.

const custom = (run: (context: RunContext<unknown>) => Observable<Action>, name = 'custom'): Strategy =>
  defineStrategy({ name, params: z.object({}), run })()

const DRAFT = keyedUuid('draft')
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'

async function inDraft(...strategies: readonly Strategy[]): Promise<TestBot> {
  const bot = await openTestBot({ strategies })
  const entryId = keyedUuid('entry')
  const turn = { yourTurn: true, available: [SOL_MINT, JUP], mine: [], round: 1 }
  const draft = { mode: 'draft_basket', phase: 'drafting', entryId, ...turn }
  bot.service.states.set(DRAFT, draft)
  bot.service.onAct('agent.modes.draftPick', ({ token }) => {
    bot.service.states.set(DRAFT, { ...draft, yourTurn: false, mine: [token] })
    return accepted()
  })
  await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), contestId: DRAFT, mode: 'draft_basket' }))
  await bot.run(5000)
  return bot
}

const picked = ({ service }: TestBot) =>
  service.sent('agent.modes.draftPick').map((input) => Reflect.get(input as object, 'token') as unknown)

describe('draftTurn$', () => {
  test('tells of a turn as a picker is asked, once, and what it answers is picked', async () => {
    const turns: unknown[] = []
    const bot = await inDraft(
      custom(({ draftTurn$ }) =>
        draftTurn$.pipe(
          tap((turn) => turns.push(turn)),
          map(({ contest: { contestId }, draft }) => draftPick({ contestId, token: draft.available[1] ?? '' })),
        ),
      ),
      picker(({ draft }) => draft.available[0]),
    )
    expect(picked(bot)).toEqual([JUP])
    expect(bot.refusals()).toEqual([])
    expect(turns).toMatchObject([{ contest: { contestId: DRAFT }, draft: { available: [SOL_MINT, JUP], mine: [], round: 1 } }])
  })

  test('tells nothing to a strategy that failed before it had begun, though it listens', async () => {
    const turns: unknown[] = []
    await inDraft(
      custom(({ draftTurn$ }) => {
        draftTurn$.subscribe((turn) => turns.push(turn))
        throw new Error('boom')
      }),
    )
    expect(turns).toEqual([])
  })

  test('leaves the pick to the picker where it is let pass', async () => {
    const bot = await inDraft(
      custom(({ draftTurn$ }) => draftTurn$.pipe(mergeMap(() => EMPTY))),
      picker(({ draft }) => draft.available[0]),
    )
    expect(picked(bot)).toEqual([SOL_MINT])
  })
})

describe('predictionDue$', () => {
  const commits = (price: string) =>
    custom(({ predictionDue$ }) => predictionDue$.pipe(map(({ contestId }) => commitPrediction({ contestId, price }))))

  async function inPrediction(strategies: readonly Strategy[], options: TestBotOptions = {}): Promise<TestBot> {
    const bot = await openTestBot({ ...options, strategies })
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    await bot.run(1000)
    return bot
  }

  test('tells of a prediction as a predictor is asked; its commitment is kept, and no predictor is asked', async () => {
    const asked: unknown[] = []
    const bot = await inPrediction([
      commits('187.25'),
      predictor((context) => {
        asked.push(context)
        return { price: '1' }
      }),
    ])
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(bot.journal.custodyOf(predictionId).map(({ price }) => price)).toContain('187.25')
    expect(asked).toEqual([])
    expect(bot.refusals()).toEqual([])
  })

  test('replays to the same', async () => {
    const recording = emptyFolder()
    const bot = await inPrediction([commits('187.25')], { recording })
    bot.kill()
    await expectIdentical(recording, bot.config)
  })
})

describe('contest$', () => {
  const swapsOnce = (heard: unknown[]) =>
    custom(({ contest$ }) =>
      contest$.pipe(
        tap((contest) => heard.push(contest)),
        map(({ contestId }) => swap({ contestId, from: USDC_MINT, to: SOL_MINT, amount: usdc('2') })),
      ),
    )

  test('tells of a contest that has gone live once, however often the bot looks at it', async () => {
    const heard: unknown[] = []
    const bot = await openTradingBot({ trade: () => EMPTY, strategies: [swapsOnce(heard)] })
    await bot.run(5000)
    expect(heard).toMatchObject([{ contestId: CONTEST, mode: 'pnl_usd', phase: 'live' }])
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
  })

  test('needs no trader beside it', async () => {
    const heard: unknown[] = []
    const bot = await openTradingBot({ isWithoutTrader: true, strategies: [swapsOnce(heard)] })
    await bot.run(5000)
    expect(heard).toHaveLength(1)
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
  })
})

describe('policyTurn$', () => {
  const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
  const queued = ({ service }: TestBot) => service.sent('agent.queue.enqueue')

  test('tells of the bot once its money is known, and every 5 seconds', async () => {
    const at: number[] = []

    const bot = await openTestBot({
      strategies: [
        custom(({ policyTurn$, clock }) =>
          policyTurn$.pipe(
            mergeMap(({ bankroll }) => {
              if (bankroll !== undefined) at.push(clock.now() - START_MS)
              return EMPTY
            }),
          ),
        ),
      ],
    })
    await bot.run(11_000)
    expect(at).toEqual([0, 5000, 10_000])
  })

  test('is silent while an entry has no outcome, and goes on once it has, be it a refusal', async () => {
    let tickets = 0
    let isRefusing = true
    const bot = await openTestBot({
      strategies: [custom(({ policyTurn$ }) => policyTurn$.pipe(map(() => entry)))],
      prepare: (service) =>
        service.onAct('agent.queue.enqueue', () =>
          isRefusing ? rejected('NO_SUCH_MODE') : accepted({ ticketId: keyedUuid(`ticket ${tickets++}`) }),
        ),
    })
    await bot.run(500)
    expect(queued(bot)).toHaveLength(1)
    isRefusing = false
    await bot.run(1000)
    expect(queued(bot).length).toBeGreaterThan(1)
  })

  test('comes in turn with policies: neither keeps the other from entering', async () => {
    let tickets = 0
    const enters = policy(() => [{ ...entry, durationSec: 30 }])
    const bot = await openTestBot({
      strategies: [custom(({ policyTurn$ }) => policyTurn$.pipe(map(() => entry))), enters],

      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId: keyedUuid(`ticket ${tickets++}`) })),
    })
    await bot.run(5000)
    const durations = queued(bot).map((input) => Reflect.get(input as object, 'durationSec') as unknown)
    expect(new Set(durations.slice(0, 2))).toEqual(new Set([15, 30]))
  })

  test('wakes nobody where no one listens', async () => {
    const wakes = async (run: (context: RunContext<unknown>) => Observable<Action>) => {
      const bot = await openTestBot({ strategies: [custom(run)] })
      await bot.run(20_000)
      return bot.steps.filter(({ input }) => input.type === 'timer').length
    }
    const silent = await wakes(() => EMPTY)
    expect(await wakes(({ policyTurn$ }) => policyTurn$.pipe(mergeMap(() => EMPTY)))).toBeGreaterThan(silent)
  })
})
