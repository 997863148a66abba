import { Presets, SingleBar } from 'cli-progress'
import { formatDuration } from './duration.ts'

/** What takes less than this needs no bar. */
const QUIET_MS = 2000
const BYTES_PER_MB = 1e6

export interface Progress {
  update(done: number, total: number): void
  end(): void
}

interface Unit {
  readonly name: string
  readonly format: (count: number) => string
}

type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean }

/**
 * A bar with rate and time left, on a terminal, for what takes over two seconds. Anywhere else nothing is shown. The time counts
 * from the first update on.
 *
 * @param unit what is counted, such as `ticks`
 */
export const progressOf = (unit: string, stream?: Terminal): Progress =>
  progressIn({ name: unit, format: (count) => Math.round(count).toLocaleString('en-US') }, stream)

/** As `progressOf`, of bytes. */
export const progressOfBytes = (stream?: Terminal): Progress =>
  progressIn({ name: 'MB', format: (bytes) => (bytes / BYTES_PER_MB).toFixed(1) }, stream)

/** Shows progress for as long as something takes. */
export function withProgress<T>(progress: Progress, work: (progress: Progress) => T): T {
  try {
    return work(progress)
  } finally {
    progress.end()
  }
}

function progressIn({ name, format }: Unit, stream: Terminal = process.stderr): Progress {
  if (stream.isTTY !== true) return { update: () => {}, end: () => {} }
  let startedAt: number | undefined
  let before = 0
  const bar = new SingleBar(
    {
      // What matters most first: a narrow terminal cuts the end off.
      format: `{bar} {percentage} % | {left} left | {done} of {all} ${name} | {rate}/s`,
      barsize: 20,
      stream,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  )
  let isShown = false
  return {
    update(done, total) {
      if (startedAt === undefined) {
        startedAt = performance.now()
        before = done
      }
      const elapsedMs = performance.now() - startedAt
      if (elapsedMs < QUIET_MS || done <= before) return
      // The bar's own estimate knows nothing of the time before it was shown.
      const perMs = (done - before) / elapsedMs
      const left = formatDuration((total - done) / perMs)
      const shown = { done: format(done), all: format(total), rate: format(1000 * perMs), left }
      if (!isShown) bar.start(total, done, shown)
      isShown = true
      bar.update(done, shown)
    },
    end() {
      if (isShown) bar.stop()
      isShown = false
    },
  }
}
