import type { PairedContest } from '../../src/backtest/statistics/pairedEdge.ts'
import { keyedRandom, type Random } from '../../src/core/random.ts'
import { usdc } from '../../src/core/usdc.ts'
import { chanceBelow } from '../../src/optimize/coins.ts'
import type { RangeDimension, Values } from '../../src/optimize/search/dimension.ts'
import { type Space, spaceFrom } from '../../src/optimize/search/space.ts'
import type { BlockOutcome, PlayBlocks } from '../../src/optimize/search/trial.ts'

// A world of contests in which the true edge of every place is known. A contest is won where a normal number, which is the sum of three, lies below what the
// edge there asks for: luck that befalls all alike, luck that places near one another share, and luck that sixteen neighbouring contests share as well.

export interface WorldOptions {
  readonly seed: number
  readonly contests: number
  /** The incumbent's edge, and the best one there is. Equal: none is better than another. */
  readonly incumbent: number
  readonly peak: number
  /** How far from the peak it has fallen by 39 %, of the range of a parameter. */
  readonly width: number
  /** Whether neighbouring contests go together. */
  readonly isCorrelated: boolean
}

const PARAMETERS = 3
const HOLD_OUT = 0.4
const BLOCK = 32
const GROUP = 16
const MINUTE = 60_000
const STAKE = usdc('1')
const [WON, LOST] = [usdc('0.9'), -usdc('1')]
const PRIZES = 1.9
const COMMON = 0.75
/** Share of a group in the luck of a contest. With it a test over single contests at 4 % passes about 7.5 % where there is nothing. */
const OF_GROUP = 0.0225
/** Over which a place's luck turns into another's. */
const REACH = 0.4

const DIMENSIONS = Array.from(
  { length: PARAMETERS },
  (_, index): RangeDimension => ({ kind: 'range', name: `planted.p${index}`, low: 0, high: 1, step: 0.001, scale: 'linear' }),
)
type Place = readonly number[]
const placeOf = (values: Values): Place => DIMENSIONS.map(({ name }) => Number(values[name]))

export interface SyntheticWorld {
  readonly space: Space
  /** The incumbent's contests in each block of the train time. */
  readonly blocks: readonly number[]
  readonly play: PlayBlocks
  readonly sealed: (values: Values) => PairedContest[]
  readonly train: (values: Values) => PairedContest[]
  readonly edgeAt: (values: Values) => number
}

export function syntheticWorld(options: WorldOptions): SyntheticWorld {
  const { seed, contests, incumbent, peak, width, isCorrelated } = options
  const random = keyedRandom('synthetic world', seed)
  const [top, start] = [places(random, 0.2, 0.8), places(random, 0, 1)]
  const space = spaceFrom({
    dimensions: DIMENSIONS,
    incumbent: Object.fromEntries(DIMENSIONS.map(({ name }, index) => [name, Math.round((start[index] ?? 0) * 1000) / 1000])),
  })
  const incumbentAt = placeOf(space.incumbent)
  const isIncumbent = (place: Place) => place.every((coordinate, index) => coordinate === incumbentAt[index])
  const edgeOf = (place: Place) => {
    const squares = place.reduce((sum, coordinate, index) => sum + (coordinate - (top[index] ?? 0)) ** 2, 0)
    return isIncumbent(place) ? incumbent : incumbent + (peak - incumbent) * Math.exp(-squares / (2 * width ** 2))
  }
  const luck = luckOf(random, contests, isCorrelated)
  const outcomes = Array.from({ length: contests }, (_, index) => [contestAt(index, LOST), contestAt(index, WON)] as const)
  const playRange = (values: Values, from: number, until: number): PairedContest[] => {
    const place = placeOf(values)
    const bar = quantile((1 + edgeOf(place)) / PRIZES)
    return outcomes.slice(from, until).map(([lost, won], index) => (luck(from + index, place) < bar ? won : lost))
  }
  const trained = Math.round(contests * (1 - HOLD_OUT))
  const count = Math.ceil(trained / BLOCK)
  const ends = Array.from({ length: count + 1 }, (_, block) => Math.round((block * trained) / count))
  const playBlock = (values: Values, block: number): BlockOutcome => {
    const played = playRange(values, ends[block] ?? 0, ends[block + 1] ?? 0)
    return { contests: played, fingerprint: played.map(({ result }) => (result === 'WIN' ? 1 : 0)).join('') }
  }
  return {
    space,
    blocks: ends.slice(1).map((end, block) => end - (ends[block] ?? 0)),
    play: (jobs) => Promise.resolve(jobs.map(({ values, block }) => playBlock(values, block))),
    sealed: (values) => playRange(values, trained, contests),
    train: (values) => playRange(values, 0, trained),
    edgeAt: (values) => edgeOf(placeOf(values)),
  }
}

const places = (random: Random, low: number, high: number): Place =>
  Array.from({ length: PARAMETERS }, () => low + (high - low) * random.next())

function contestAt(index: number, profit: bigint): PairedContest {
  const at = index * MINUTE
  return {
    ...{ contestId: `c${index}`, enteredAt: at, startsAt: at + 1000, stake: STAKE, swapProfit: 0n },
    ...{ profit, result: profit === WON ? 'WIN' : 'LOSS' },
  }
}

/** Standard normal at every place, by contest. */
function luckOf(random: Random, contests: number, isCorrelated: boolean): (contest: number, place: Place) => number {
  const ofGroup = isCorrelated ? OF_GROUP : 0
  const [ofAll, ofPlace, ofNeighbours] = [Math.sqrt(COMMON), Math.sqrt(1 - COMMON - ofGroup), Math.sqrt(ofGroup)]
  const common = Array.from({ length: contests }, () => random.normal())
  const own = Array.from({ length: contests }, () => waveOf(random))
  const shared = Array.from({ length: Math.ceil(contests / GROUP) }, () => waveOf(random))
  return (contest, place) => {
    const luck = ofAll * (common[contest] ?? 0) + ofPlace * (own[contest]?.(place) ?? 0)
    return isCorrelated ? luck + ofNeighbours * (shared[Math.floor(contest / GROUP)]?.(place) ?? 0) : luck
  }
}

/** Standard normal at each place, and the nearer two places are, the more alike: Ali Rahimi and Benjamin Recht (2007), Random Features for Large-Scale Kernel Machines. */
function waveOf(random: Random): (place: Place) => number {
  const [x, y, z] = [random.normal() / REACH, random.normal() / REACH, random.normal() / REACH]
  const [cosine, sine] = [random.normal(), random.normal()]
  return ([a = 0, b = 0, c = 0]) => {
    const angle = x * a + y * b + z * c
    return cosine * Math.cos(angle) + sine * Math.sin(angle)
  }
}

/** The bound that a standard normal number lies below with this probability. */
function quantile(probability: number): number {
  let [low, high] = [-8, 8]
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2
    if (chanceBelow(middle) < probability) low = middle
    else high = middle
  }
  return low
}
