import { Presets, SingleBar } from 'cli-progress'

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
  const format = `{bar} {percentage} % | {value} of {total} ${unit} | {rate} a second | {eta_formatted} left`
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
  let isShown = false
  return {
    update(done, total) {
      const elapsedMs = performance.now() - startedAt
      if (elapsedMs < QUIET_MS) return
      if (!isShown) bar.start(total, done, { rate: '' })
      isShown = true
      bar.update(done, { rate: Math.round(done / (elapsedMs / 1000)).toLocaleString('en-US') })
    },
    end() {
      if (isShown) bar.stop()
    },
  }
}
