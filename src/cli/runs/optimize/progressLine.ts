import { createLogUpdate } from 'log-update'
import { points } from '../../../optimize/points.ts'
import type { SearchProgress } from '../../../optimize/search/search.ts'
import { formatDuration } from '../../duration.ts'

const PIPE_EVERY_MS = 10_000
/** What the rate is taken over. */
const WINDOW_MS = 60_000

type Terminal = NodeJS.WriteStream

/** How far a search has come: one line that is drawn over on a terminal, a line every ten seconds anywhere else. */
export function progressLine(stream: Terminal = process.stderr): { update(progress: SearchProgress): void; end(): void } {
  const draw = stream.isTTY ? createLogUpdate(stream) : undefined
  const seen: { readonly at: number; readonly spent: number }[] = []
  let saidAt = performance.now()
  return {
    update(progress) {
      const now = performance.now()
      seen.push({ at: now, spent: progress.spent })
      while ((seen[1]?.at ?? now) < now - WINDOW_MS) seen.shift()
      const line = lineOf(progress, seen)
      if (draw !== undefined) draw(line)
      else if (now - saidAt >= PIPE_EVERY_MS) {
        saidAt = now
        stream.write(`${line}\n`)
      }
    },
    end() {
      draw?.clear()
      draw?.done()
    },
  }
}

function lineOf(progress: SearchProgress, seen: readonly { readonly at: number; readonly spent: number }[]): string {
  const { generation, rung, rungs, spent, budget, leader } = progress
  const [first, last] = [seen[0], seen.at(-1)]
  const perMs = first === undefined || last === undefined || last.at === first.at ? 0 : (last.spent - first.spent) / (last.at - first.at)
  const left = perMs > 0 ? formatDuration((budget - spent) / perMs) : '…'
  const paired = leader?.paired
  const best = paired === undefined ? '' : ` | best ${points(paired.mean)} (${points(paired.low)} to ${points(paired.high)})`
  return `generation ${generation}, rung ${rung} of ${rungs} | ${Math.round(spent).toLocaleString('en')} of ${Math.round(budget).toLocaleString('en')} contests | ${Math.round(1000 * perMs)}/s | ${left} left${best}`
}
