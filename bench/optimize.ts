// `npm exec -- node bench/optimize.ts null|power|search|speed [--sweeps N] [--contests N,…] [--days alike|correlated]`: what the search and the gate of `optimize`
// come to where the truth is known. Each sweep is a world of its own, searched by the code of src/optimize and judged on contests that the search has not seen.

import { parseArgs } from 'node:util'
import { pairedEdge } from '../src/backtest/statistics/pairedEdge.ts'
import { type SearchKind, search } from '../src/optimize/search/search.ts'
import { LEAST_POWER, powerOf, verdictOf } from '../src/optimize/verdict.ts'
import { speed } from './optimize/speed.ts'
import { syntheticWorld, type WorldOptions } from './optimize/syntheticWorld.ts'

const BUDGET = 30
const [NARROW, WIDE] = [0.2, 0.35]
const INCUMBENT = -0.05

type Cell = Omit<WorldOptions, 'seed'> & { readonly name: string; readonly kind: SearchKind }

interface Sweep {
  readonly verdict: string
  /** Of a look that is taken only where its power allows. */
  readonly careful: string
  readonly trials: number
  readonly spent: number
  readonly trueEdge: number
  /** The winner's paired edge on its own contests: shown, as it is, and what the best of as many coins would show. */
  readonly shown: number
  readonly truth: number
  readonly coins: number
}

async function sweep({ kind, ...world }: Cell, seed: number): Promise<Sweep> {
  const { space, blocks, play, sealed, train, edgeAt } = syntheticWorld({ ...world, seed })
  const { winner, tried, spent } = await search({ space, blocks, seed, budget: BUDGET, kind, play })
  const [values, look] = [winner?.values ?? space.incumbent, 1]
  const incumbent = sealed(space.incumbent)
  const said = winner === undefined ? undefined : verdictOf({ candidate: sealed(values), incumbent, look })
  const verdict = said === undefined ? 'NO_BETTER' : said.verdict === 'reject' ? said.reason : said.verdict
  const shown = pairedEdge(train(values), train(space.incumbent))
  const power = shown && powerOf({ train: shown, trials: tried, sealedContests: incumbent.length, look })
  return {
    ...{ verdict, trials: tried, spent: spent / blocks.reduce((sum, contests) => sum + contests, 0), trueEdge: edgeAt(values) },
    careful: (power?.power ?? 0) < LEAST_POWER ? 'more' : verdict,
    ...{ shown: shown?.difference ?? 0, truth: edgeAt(values) - edgeAt(space.incumbent), coins: power?.bestOfCoins ?? 0 },
  }
}

async function sweepsOf(cell: Cell, count: number): Promise<readonly Sweep[]> {
  const sweeps: Sweep[] = []
  for (let seed = 1; seed <= count; seed++) sweeps.push(await sweep(cell, seed))
  return sweeps
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const shareOf = (sweeps: readonly Sweep[], is: (sweep: Sweep) => boolean): number => sweeps.filter(is).length / sweeps.length
const columns = (sweeps: readonly Sweep[]) => ({
  promoted: percent(shareOf(sweeps, ({ verdict }) => verdict === 'promote')),
  more: percent(shareOf(sweeps, ({ verdict }) => verdict === 'more')),
  noBetter: percent(shareOf(sweeps, ({ verdict }) => verdict === 'NO_BETTER')),
  stillLoses: percent(shareOf(sweeps, ({ verdict }) => verdict === 'STILL_LOSES')),
  'promoted without --look': percent(shareOf(sweeps, ({ careful }) => careful === 'promote')),
  'true edge': mean(sweeps.map(({ trueEdge }) => trueEdge)).toFixed(4),
  shown: mean(sweeps.map(({ shown }) => shown)).toFixed(3),
  truth: mean(sweeps.map(({ truth }) => truth)).toFixed(3),
  coins: mean(sweeps.map(({ coins }) => coins)).toFixed(3),
  trials: mean(sweeps.map(({ trials }) => trials)).toFixed(0),
  spent: mean(sweeps.map(({ spent }) => spent)).toFixed(1),
})

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { sweeps: { type: 'string' }, contests: { type: 'string' }, days: { type: 'string' } },
})
const contestsOf = (usual: readonly number[]) => options.contests?.split(',').map(Number) ?? usual
const sweepsOr = (usual: number) => Number(options.sweeps ?? usual)

/** Plays the sweeps of each cell, and shows them as they come. */
async function table(cells: readonly Cell[], count: number, bar: Bar): Promise<Map<Cell, readonly Sweep[]>> {
  const [found, rows]: [Map<Cell, readonly Sweep[]>, Record<string, object>] = [new Map(), {}]
  for (const cell of cells) {
    const sweeps = await sweepsOf(cell, count)
    found.set(cell, sweeps)
    const missed = bar(cell, sweeps)
    if (missed !== '' && missed !== 'met') process.exitCode = 1
    rows[cell.name] = { ...columns(sweeps), bar: missed }
    process.stderr.write(`${cell.name}: ${Object.values(rows[cell.name] ?? {}).join(' | ')}\n`)
  }
  console.table(rows)
  return found
}
/** `met`, what is missed in a few words, or nothing where there is no bar. */
type Bar = (cell: Cell, sweeps: readonly Sweep[]) => string

const planted = (contests: number, peak: number, width: number, isCorrelated: boolean, kind: SearchKind = 'tpe'): Cell => ({
  ...{ contests, peak, width, isCorrelated, kind, incumbent: INCUMBENT },
  name: `${contests} contests, +${Math.round(100 * peak)} %, ${width === NARROW ? 'narrow' : 'wide'}, ${daysOf(isCorrelated)}, ${kind}`,
})
const daysOf = (isCorrelated: boolean) => `days ${isCorrelated ? 'correlated' : 'alike'}`
const isAsked = (isCorrelated: boolean) => options.days === undefined || daysOf(isCorrelated) === `days ${options.days}`

/** 5 %, and the error of a thousand sweeps. */
const MOST_FALSE = 0.065
const promotedOf = (sweeps: readonly Sweep[]) => shareOf(sweeps, ({ verdict }) => verdict === 'promote')

function nullCells(): Cell[] {
  const base = { incumbent: 0, peak: 0, width: NARROW, kind: 'tpe' } as const
  return contestsOf([300, 1000, 3000]).flatMap((contests) =>
    [true, false]
      .filter(isAsked)
      .map((isCorrelated): Cell => ({ ...base, contests, isCorrelated, name: `${contests} contests, no skill, ${daysOf(isCorrelated)}` })),
  )
}
const nullBar: Bar = (_, sweeps) => (promotedOf(sweeps) > MOST_FALSE ? `promoted > ${percent(MOST_FALSE)}` : 'met')

function powerCells(): Cell[] {
  return contestsOf([300, 1000, 3000]).flatMap((contests) =>
    [0.08, 0.14].flatMap((peak) =>
      [NARROW, WIDE].flatMap((width) => [false, true].filter(isAsked).map((isCorrelated) => planted(contests, peak, width, isCorrelated))),
    ),
  )
}
/** Least promoted, by contests and peak. */
const LEAST_PROMOTED: Readonly<Record<string, number>> = { '1000 0.08': 0.5, '1000 0.14': 0.85, '3000 0.08': 0.9 }
const MOST_REJECTED = 0.08
const powerBar: Bar = ({ contests, peak }, sweeps) => {
  const least = LEAST_PROMOTED[`${contests} ${peak}`]
  if (least === undefined) return ''
  if (promotedOf(sweeps) < least) return `promoted < ${percent(least)}`
  // Whatever the reason: who has skill and still loses on the sealed contests is rejected, too.
  const rejected = shareOf(sweeps, ({ verdict }) => verdict === 'NO_BETTER' || verdict === 'STILL_LOSES')
  return contests === 1000 && peak === 0.08 && rejected > MOST_REJECTED ? `rejected > ${percent(MOST_REJECTED)}` : 'met'
}

function searchCells(): Cell[] {
  return contestsOf([1000, 3000]).flatMap((contests) =>
    [NARROW, WIDE].flatMap((width) => (['random', 'tpe'] as const).map((kind) => planted(contests, 0.14, width, false, kind))),
  )
}
const edgesOf = (sweeps: readonly Sweep[]) => mean(sweeps.map(({ trueEdge }) => trueEdge))

const TASKS: Readonly<Record<string, () => Promise<unknown>>> = {
  speed: async () => {
    const { aSecond, cold, megabytes, contests } = await speed()
    if (aSecond < LEAST_A_SECOND || megabytes > MOST_MEGABYTES) process.exitCode = 1
    console.log(
      `${contests} contests in 16 blocks: ${cold.toFixed(0)} a second of processor time at first, ${aSecond.toFixed(0)} warm (${LEAST_A_SECOND}); a worker takes ${megabytes.toFixed(0)} MB (${MOST_MEGABYTES})`,
    )
  },
  null: () => table(nullCells(), sweepsOr(1000), nullBar),
  power: () => table(powerCells(), sweepsOr(300), powerBar),
  search: async () => {
    const found = [...(await table(searchCells(), sweepsOr(400), () => '')).values()]
    const isWorse = (sweeps: readonly Sweep[], index: number) => index % 2 === 1 && edgesOf(sweeps) < edgesOf(found[index - 1] ?? [])
    if (found.some(isWorse)) process.exitCode = 1
    console.log(found.some(isWorse) ? "TPE's winner is worse than random's" : "TPE's winner is at least as good as random's in each cell")
  },
}
/** Warm, on a machine that does nothing else. */
const [LEAST_A_SECOND, MOST_MEGABYTES] = [350, 300]

const [task = ''] = positionals
await (TASKS[task] ?? (() => Promise.reject(new Error(`what of ${Object.keys(TASKS).join(', ')}?`))))()
