import { type MonoTypeOperatorFunction, tap } from 'rxjs'
import type { Ports } from '../protocol/ports.ts'
import type { Step } from '../protocol/step.ts'

/** What a step leads to is durable before any of it is sent (law 4), and known to the bots beside this one. */
export const journalled = ({ recorder, journal, siblings }: Ports, bot: string): MonoTypeOperatorFunction<Step> =>
  tap((step) => {
    recorder.record(step)
    if (step.record !== undefined) journal.commit(step.record)
    for (const entry of step.siblingsEntered) siblings.entered(entry)
    for (const key of step.siblingsLeft) siblings.left(bot, key)
  })
