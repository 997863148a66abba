import { plainJson } from '../core/plainJson.ts'
import type { Judgement } from './judge.ts'
import type { Plan } from './plan.ts'
import type { SweepOutcome } from './sweep.ts'

/** What is known of a search. */
export interface Search {
  readonly id: string
  readonly plan: Plan
  readonly outcome: SweepOutcome
  /** What the sealed contests have shown; undefined before anybody looked. */
  readonly judged: Judgement | undefined
}

/** The JSON document of a search (docs/json.md). Amounts are digit strings in micro-USDC, times Unix milliseconds, edges shares of the stake. */
export function documentOf({ id, plan, outcome, judged }: Search): Readonly<Record<string, unknown>> {
  const { trainFrom, trainUntil, sealedFrom, sealedUntil } = plan.split
  const trials = outcome.trials.map(({ index, generation, values, state, twinOf, rung, contests, edge, paired, drawdown }) => ({
    ...{ trial: index, generation, set: values, state, twinOf: twinOf ?? null, rung, contests },
    ...{ edge: edge ?? null, paired: paired ?? null, drawdown },
  }))
  return plainJson({
    ...{ id, space: plan.dimensions, incumbent: plan.incumbent },
    split: {
      train: { from: trainFrom, until: trainUntil },
      purge: { from: trainUntil, until: sealedFrom },
      sealed: { from: sealedFrom, until: sealedUntil },
    },
    ...{ blocks: plan.blocks.length, trials, winner: outcome.winner, diagnosis: outcome.diagnosis, power: outcome.power },
    ...{
      verdict: judged?.verdict ?? null,
      reason: judged?.reason ?? null,
      contestsNeeded: judged?.contestsNeeded ?? null,
      look: judged?.look ?? null,
    },
    ...{ warnings: outcome.warnings, spent: outcome.spent },
  }) as Readonly<Record<string, unknown>>
}

/** A point for a person: what is set, or that nothing is. */
export const valuesText = (values: Plan['incumbent']): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || 'as it is'

/** A point as it is given to `--set`. */
export const asSet = (values: Plan['incumbent']): string =>
  Object.entries(values)
    .map(([name, value]) => `--set ${name}=${value}`)
    .join(' ')
