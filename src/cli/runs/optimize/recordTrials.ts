import { hash } from 'node:crypto'
import { botKey } from '../../../optimize/ledger/botKey.ts'
import { spansWithin } from '../../../optimize/ledger/spans.ts'
import type { SweepOutcome } from '../../../optimize/sweep.ts'
import type { Prepared } from './prepare.ts'
import { withValues } from './subject.ts'

/** Writes down what was tried: whoever backtests on this time later is told how often. @throws CornermanError `LEDGER_DAMAGED` */
export function recordTrials(
  sweep: string,
  { plan, data, bot, ledger }: Pick<Prepared, 'plan' | 'data' | 'bot' | 'ledger'>,
  { trials }: SweepOutcome,
): void {
  const spans = spansWithin(data.spans, plan.split.trainFrom, plan.split.trainUntil)
  for (const { values, state, blocks, contests, edge } of trials) {
    if (state === 'twin' || blocks.length === 0) continue
    const fingerprint = hash('sha256', JSON.stringify(blocks))
    ledger.trial({ spans, fingerprint, key: botKey(withValues(bot, values)), seed: plan.seed, contests, edge: edge ?? null, sweep })
  }
}
