import { quantileSorted } from 'simple-statistics'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Slope {
  readonly slope: number
  /** The bounds of its 95 % interval. */
  readonly low: number
  readonly high: number
}

/** Points of a group beyond these add little, and pairs grow with their square. */
const MOST_POINTS = 200
/** The standard normal's quantile at 0.975. */
const Z = 1.959963984540054

/**
 * The slope that several groups of points share, each with a level of its own: the median of the slopes between any two
 * points of one group. Close to a third of the points may be anything at all without swaying it.
 *
 * Henri Theil (1950), A rank-invariant method of linear and polynomial regression analysis, and P. K. Sen (1968); by
 * groups and with its interval: Richard O. Gilbert (1987), Statistical Methods for Environmental Pollution Monitoring,
 * parts 16.5 and 17.4, where groups are seasons.
 *
 * @returns null where there are too few pairs for an interval
 */
export function commonSlope(groups: Iterable<readonly Point[]>): Slope | null {
  const slopes: number[] = []
  let variance = 0
  for (const group of groups) {
    const points = thinned(group)
    const { length } = points
    variance += (length * (length - 1) * (2 * length + 5)) / 18
    points.forEach((a, at) => {
      for (const b of points.slice(at + 1)) if (a.x !== b.x) slopes.push((b.y - a.y) / (b.x - a.x))
    })
  }
  const margin = (Z * Math.sqrt(variance)) / slopes.length / 2
  if (!(margin < 0.5)) return null
  const sorted = Float64Array.from(slopes).sort()
  const quantile = (share: number) => quantileSorted(sorted as unknown as number[], share)
  return { slope: quantile(0.5), low: quantile(0.5 - margin), high: quantile(0.5 + margin) }
}

const thinned = (points: readonly Point[]): readonly Point[] => {
  const step = Math.ceil(points.length / MOST_POINTS)
  return step <= 1 ? points : points.filter((_, at) => at % step === 0)
}
