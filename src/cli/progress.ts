import { Presets, SingleBar } from 'cli-progress'
import { formatDuration } from './duration.ts'

/** What takes less than this needs no bar. */
const QUIET_MS = 2000

export interface Progress {
  update(done: number, total: number): void
  end(): void
}

/**
 * A bar with rate and time left, on a terminal, for what has taken over two seconds. Anywhere else nothing is shown.
 *
 * @param unit what is counted, such as `ticks`
 */
export function progressOf(unit: string): Progress {
  if (process.stderr.isTTY !== true) return { update: () => {}, end: () => {} }
  const startedAt = performance.now()
  const format = `{bar} {percentage} % | {value} of {total} ${unit} | {rate} a second | {left} left`
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
  let isShown = false
  return {
    update(done, total) {
      const elapsedMs = performance.now() - startedAt
      if (elapsedMs < QUIET_MS || done === 0) return
      // The bar's own estimate knows nothing of the time before it was shown.
      const rate = Math.round(done / (elapsedMs / 1000)).toLocaleString('en-US')
      const shown = { rate, left: formatDuration((elapsedMs * (total - done)) / done) }
      if (!isShown) bar.start(total, done, shown)
      isShown = true
      bar.update(done, shown)
    },
    end() {
      if (isShown) bar.stop()
    },
  }
}
