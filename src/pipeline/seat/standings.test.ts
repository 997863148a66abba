import { EMPTY, map, Observable } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { policy } from '../../../test/support/testStrategies.ts'
import { CONTEST, contestOf, openTradingBot } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { ContestView, StandingView } from '../../strategy/view.ts'

const own = keyedUuid('entry')
const entriesOf = (mine: string | null, theirs: string | null) => [
  { entryId: keyedUuid('theirs'), userId: 'somebody', kind: 'HUMAN', side: null, score: theirs },
  { entryId: own, userId: 'me', kind: 'AGENT', side: null, score: mine },
]
const standing = (fields: Partial<StandingView>): StandingView => ({
  ...{ isOwn: false, userId: 'somebody', kind: 'HUMAN', side: undefined, score: undefined },
  ...fields,
})

/** A bot in a live contest of ten minutes, and what its policy and its trader were shown last. */
async function open(contest: Readonly<Record<string, unknown>>) {
  const shown: { policy?: ContestView | undefined; trader?: readonly StandingView[] | undefined } = {}
  const bot = await openTradingBot({
    contest,
    strategies: [
      policy(
        ({ contests }) => {
          shown.policy = contests.find(({ contestId }) => contestId === CONTEST)
          return []
        },
        { everySec: 1 },
      ),
    ],
    trade: ({ every, standings }) =>
      new Observable((told) =>
        every(1)
          .pipe(
            map(() => {
              shown.trader = standings()
              return EMPTY
            }),
          )
          .subscribe({ complete: () => told.complete() }),
      ),
  })
  const reads = () => bot.service.reads.filter(({ procedure }) => procedure === 'agent.contests.get').map(({ at }) => at - START_MS)
  return { bot, shown, reads }
}

describe('standings and capacity', () => {
  test('are what the service shows of the seats, for policies and traders, and the bot’s own is known', async () => {
    const { bot, shown } = await open({ capacity: 4, filled: 2, entries: entriesOf('0.5', '-0.25') })
    await bot.run(2000)
    const standings = [standing({ score: '-0.25' }), standing({ isOwn: true, userId: 'me', kind: 'AGENT', score: '0.5' })]
    expect(shown.policy).toMatchObject({ capacity: 4, filled: 2, standings })
    expect(shown.trader).toEqual(standings)
  })

  test('are undefined where the service says nothing of them, and events say how many sit there', async () => {
    const { bot, shown } = await open({})
    await bot.run(2000)
    expect([shown.policy?.standings, shown.policy?.capacity, shown.trader]).toEqual([undefined, undefined, undefined])
    await bot.tell(rawEvent('contest.joined', { contestId: CONTEST, filled: 2, capacity: 3 }, bot.clock.now()))
    await bot.run(1000)
    expect(shown.policy).toMatchObject({ capacity: 3, filled: 2, standings: undefined })
  })

  test('are read again every ten seconds where a score is told, until the contest is over', async () => {
    const { bot, shown, reads } = await open({ entries: entriesOf('0.5', '-0.25') })
    await bot.run(20_500)
    expect(reads()).toHaveLength(3)
    bot.service.contests = [contestOf({ mode: 'pnl_usd', params: {}, entries: entriesOf('0.5', '0.75') })]
    await bot.run(11_000)
    expect(shown.policy?.standings?.[0]?.score).toBe('0.75')
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }, bot.clock.now()))
    const before = reads().length
    await bot.run(60_000)
    // Once more as it was settled, as before.
    expect(reads().length - before).toBeLessThanOrEqual(1)
  })

  test('are looked at once more, half way through, where none is: of a service that keeps them to itself nothing more is asked', async () => {
    const { bot, reads } = await open({ entries: entriesOf(null, null) })
    await bot.run(590_000)
    const [first, ...more] = reads()
    expect(first).toBeLessThan(1000)
    expect(more).toEqual([300_000])
  })
})
