import { formatUsdc } from '../../core/usdc.ts'
import type { Step } from '../../pipeline/index.ts'
import type { Occurrence } from './occurrence.ts'

/** Refusals after which a bot enters nothing for a while. */
const STOPS: ReadonlySet<string> = new Set(['DAILY_LOSS_OWN', 'DAILY_LOSS_SERVICE', 'DRAWDOWN_STOP', 'COOL_DOWN'])

/** What a step has in it that an owner may want to be told. */
export function* occurrencesOf(bot: string, { input, refused, record }: Step): Iterable<Occurrence> {
  const { at } = input
  if (input.type === 'event' && !input.recorded && input.read.ok && input.read.event.type === 'contest.settled') {
    const { mode, result, profit, stake } = input.read.event.data
    const message = `${mode}: ${result}, ${formatUsdc(profit)} USDC on a stake of ${formatUsdc(stake)}`
    yield { at, bot, kind: 'settled', severity: 'info', message }
  }
  for (const { contestId, status } of record?.custody ?? [])
    if (status === 'missed')
      yield {
        at,
        bot,
        kind: 'missedReveal',
        severity: 'alarm',
        message: `the prediction in contest ${contestId} was not shown in its time`,
      }
  for (const { refusal } of refused)
    if (STOPS.has(refusal.code))
      yield { at, bot, kind: 'guardStop', about: refusal.code, severity: 'warn', message: `${refusal.code}: ${refusal.message}` }
}
