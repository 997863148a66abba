import type { Strategy } from '../../strategy/define.ts'
import { judgePick, judgePrediction, judgeSwap } from './answers.ts'
import { judgeActions, judged, noteVerdict } from './judged.ts'
import type { Watch } from './watch.ts'
import { handed, toldCustom, toldTrader, watchedStream } from './watchedStream.ts'

/** The strategy as it is, with a watch on each of its calls: what it is handed, what it does, what it answers. */
export function probed(strategy: Strategy, watch: Watch): Strategy {
  const call = <T>(what: string, contestId: string | undefined, work: () => T): T => watch.during(what, contestId, work)
  switch (strategy.kind) {
    case 'queue':
      return {
        ...strategy,
        decide: (context) => {
          const input = watch.input
          const answer = call('decide', undefined, () => {
            const { state, limits, bankroll, tickets, contests, openContests, stats, modes, ...rest } = context
            const views = watch.give('context', { state, limits, bankroll, tickets, contests, openContests, stats, modes })
            return strategy.decide({ ...rest, ...handed(rest, watch, call), ...views })
          })
          return judged(answer, watch, (value) => judgeActions(value, input, watch))
        },
      }
    case 'draft':
      return {
        ...strategy,
        pick: (context) => {
          const { contest, draft, ...rest } = context
          const { contestId } = contest
          const answer = call('pick', contestId, () =>
            strategy.pick({
              ...rest,
              ...handed(rest, watch, call),
              contest: watch.give('contest', contest),
              draft: watch.give('draft', draft),
            }),
          )
          return judged(answer, watch, (value) => noteVerdict(judgePick(value, draft), contestId, watch))
        },
      }
    case 'predict':
      return {
        ...strategy,
        predict: (context) => {
          const { contest, ...rest } = context
          const { contestId, mode } = contest
          const answer = call('predict', contestId, () =>
            strategy.predict({ ...rest, ...handed(rest, watch, call), contest: watch.give('contest', contest) }),
          )
          return judged(answer, watch, (value) => noteVerdict(judgePrediction(value, mode), contestId, watch))
        },
      }
    case 'trade':
      return {
        ...strategy,
        trade: (context) => {
          const { contestId } = context.contest
          const judge = (value: unknown) => {
            noteVerdict(judgeSwap(value), contestId, watch)
            return !watch.isTooMany(contestId)
          }
          return watchedStream({ what: 'trade', contestId, watch, call, judge }, (hear) =>
            strategy.trade(toldTrader(context, watch, call, hear)),
          )
        },
      }
    case 'custom':
      return {
        ...strategy,
        run: (context) => {
          const judge = (value: unknown) => {
            judgeActions([value], watch.input, watch)
            const { type, contestId } = value as { type?: unknown; contestId?: unknown }
            return !(type === 'swap' && typeof contestId === 'string' && watch.isTooMany(contestId))
          }
          return watchedStream({ what: 'run', contestId: undefined, watch, call, judge }, (hear) =>
            strategy.run(toldCustom(context, watch, call, hear)),
          )
        },
      }
  }
}
