// `npm exec -- node bench/counterfactual.ts`: whether a backtest tells the truth. A bot's recording foretells another bot, which then
// really plays on the same sandbox; what was foretold and what came is compared, contest by contest.

import { textTable } from '../src/backtest/table/textTable.ts'
import { compare, missesOf } from '../test/support/counterfactual/comparison.ts'
import { type Foretold, foretell } from '../test/support/counterfactual/foretell.ts'

const SEEDS = [7, 8, 9]
const EVERY_SEC = 7
/** Entries of each mode, seed and bot. */
const ROUNDS = 12
/** Pairs of a mode below which its figures say nothing. */
const LEAST_PAIRS = 10

const HEADER = ['mode', 'real', 'predicted', 'paired', 'equal', 'right', 'reference', 'median bps', 'p90 bps']

const foretold: Foretold[] = []
for (const seed of SEEDS) foretold.push(await foretell({ seed, everySec: EVERY_SEC, rounds: ROUNDS }))
for (const which of ['other', 'itself'] as const) {
  const runs = foretold.map((each) => each[which])
  const modes = compare(runs)
  const rows = modes.map(({ mode, real, predicted, paired, equal, right, reference, medianBps, p90Bps }) => [
    mode,
    ...[real, predicted, paired, equal, right, reference].map(String),
    ...[medianBps, p90Bps].map((bps) => bps?.toFixed(1) ?? ''),
  ])
  const expired = runs.reduce((sum, { predicted }) => sum + predicted.expired, 0)
  console.log(which === 'other' ? 'another bot foretold' : '\nthe recorded bot itself')
  console.log(textTable([HEADER, ...rows]).join('\n'))
  console.log(`tickets that nobody met in the backtest: ${expired}`)
  for (const miss of missesOf(modes, LEAST_PAIRS)) {
    console.log(miss)
    process.exitCode = 1
  }
}
