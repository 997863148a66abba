// `npm exec -- node bench/house.ts [--contests 10000] [--modes same_token,up_down] [--from-seed 1]`: the house against itself. In each mode
// a bot that does what its opponents do is backtested on one-minute prices; less the rake it has to come out even. Then it is paid five
// points more for the same contests, which has to be found.

import { parseArgs } from 'node:util'
import { readLogs } from '../src/backtest/index.ts'
import { textTable } from '../src/backtest/table/textTable.ts'
import { MODES, type Mode } from '../src/contract/modes.ts'
import { holdsZero, intervalOf, paidMore, playHouse } from '../test/support/backtest/houseGame.ts'
import { importedMinutes } from '../test/support/backtest/minuteLog.ts'

const PLANTED = 0.05
const MOST_MARGIN = 0.03

const { values } = parseArgs({
  options: {
    contests: { type: 'string', default: '10000' },
    modes: { type: 'string', default: MODES.join() },
    'from-seed': { type: 'string', default: '1' },
  },
})
const contests = Number(values.contests)
const data = readLogs([importedMinutes()])

function* seedsFrom(first: number): Generator<number> {
  for (let seed = first; ; seed++) yield seed
}

const points = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(2)}`

const rows: string[][] = []
for (const mode of values.modes.split(',') as Mode[]) {
  const shares = await playHouse({ data, mode, seeds: seedsFrom(Number(values['from-seed'])), contests })
  const even = intervalOf(shares)
  const paid = intervalOf(shares.map((share) => paidMore(share, PLANTED)))
  const isEven = holdsZero(even) && even.margin <= MOST_MARGIN
  const isFound = paid.mean - paid.margin > 0
  if (!isEven || !isFound) process.exitCode = 1
  const row = [
    mode,
    ...[points(even.mean), `± ${(100 * even.margin).toFixed(2)}`, isEven ? 'even' : 'NOT EVEN'],
    ...[points(paid.mean), isFound ? 'found' : 'NOT FOUND'],
  ]
  rows.push(row)
  console.log(row.join('  '))
}
console.log(textTable([['mode', 'points', '99.5 %', '', 'with five more', ''], ...rows]).join('\n'))
