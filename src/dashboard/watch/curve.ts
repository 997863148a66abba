import { Thinned } from './thinned.ts'
import type { CurvePoint } from './views.ts'

const MOST_POINTS = 2000
/** While nothing else happens a point is taken so often: what is held changes with every price. */
export const SAMPLE_MS = 10_000
/** A figure that is learnt so soon after a point belongs to it: a bankroll is read after what has moved it. */
const SAME_MS = 1000

type Figures = Pick<CurvePoint, 'profit' | 'equity'>

/** Profit and equity over time, of a bot or of all bots; bounded, and its times rise strictly. */
export class Curve {
  readonly #points = new Thinned<CurvePoint>(MOST_POINTS)

  get points(): readonly CurvePoint[] {
    return this.#points.points
  }

  /** A contest was settled: of two in one millisecond there is one point. */
  settled(at: number, figures: Figures): void {
    const { newest } = this.#points
    if (newest !== undefined && at <= newest.at) this.#points.replaceNewest({ ...figures, at: newest.at })
    else this.#points.push({ ...figures, at })
  }

  /** The newest point turns out otherwise. */
  follow({ profit, equity }: Figures): void {
    const { newest } = this.#points
    if (newest === undefined) return
    this.#points.replaceNewest({ at: newest.at, profit, equity: equity ?? newest.equity })
  }

  /** How it stands; while nothing changes the newest point moves on, and no more come. */
  sample(at: number, figures: Figures): void {
    const { newest, beforeNewest } = this.#points
    if (newest === undefined) this.#points.push({ ...figures, at })
    else if (at < newest.at + SAME_MS) this.#points.replaceNewest({ ...figures, at: newest.at })
    else if (isSame(newest, figures) && beforeNewest !== undefined && isSame(beforeNewest, figures))
      this.#points.replaceNewest({ ...figures, at })
    else this.#points.push({ ...figures, at })
  }
}

const isSame = (point: Figures, { profit, equity }: Figures): boolean => point.profit === profit && point.equity === equity
