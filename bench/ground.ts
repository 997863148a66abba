// `npm exec -- node bench/ground.ts [duels]`: how often the winner of a contest changes with the seed alone, by mode and by how many
// periods of the log the contest lasts. `src/backtest/statistics/ground.ts` has what follows from it.

import { textTable } from '../src/backtest/table/textTable.ts'
import { MODES } from '../src/contract/modes.ts'
import { type HouseDuel, playHouseDuel } from '../test/support/backtest/houseArena.ts'
import { minuteLog } from '../test/support/backtest/minuteLog.ts'

const PERIODS = [1, 2, 3, 5, 8, 12, 20, 30, 40, 60]
const BRIDGE_SEEDS = [1, 2] as const
const duels = Number(process.argv[2] ?? 1000)

const arena = minuteLog()
const rows = MODES.map((mode) => {
  const shares = PERIODS.map((periods) => {
    const duel = (index: number, bridgeSeed: number): HouseDuel => {
      return { mode, durationSec: (periods * arena.stepMs) / 1000, seed: index, bridgeSeed }
    }
    // All of one seed, then all of the other: the bridges of one are kept meanwhile.
    const [one = [], other = []] = BRIDGE_SEEDS.map((bridgeSeed) =>
      Array.from({ length: duels }, (_, index) => playHouseDuel(arena, duel(index, bridgeSeed)).result),
    )
    return one.filter((result, index) => result !== other[index]).length / duels
  })
  const row = [mode, ...shares.map((share) => `${(100 * share).toFixed(1)} %`)]
  console.log(row.join('  '))
  return row
})
console.log(textTable([['other winner', ...PERIODS.map((periods) => `${periods} periods`)], ...rows]).join('\n'))
