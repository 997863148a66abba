import { Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { progressOf, progressOfBytes, withProgress } from './progress.ts'

/** A terminal, and what was written on it. */
class Screen extends Writable {
  readonly isTTY: boolean
  readonly columns = 80
  written = ''

  constructor(isTTY = true) {
    super()
    this.isTTY = isTTY
  }

  cursorTo(): void {}
  clearLine(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString()
    done()
  }

  /** What stands on it in the end. */
  get line(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what steers a terminal
    return this.written.split(/\x1b\[[0-9;?]*[A-Za-z]/).findLast((text) => text.includes('%')) ?? ''
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('progress', () => {
  test('shows rate and time left of what takes over two seconds, and fits into 80 columns', () => {
    const screen = new Screen()
    const progress = progressOf('ticks', screen)
    progress.update(0, 2_000_000)
    vi.advanceTimersByTime(1999)
    progress.update(20_000, 2_000_000)
    expect(screen.written).toBe('')
    vi.advanceTimersByTime(8001)
    progress.update(500_000, 2_000_000)
    expect(screen.line).toMatch(/^█{5}░{15} 25 % \| 30s left \| 500,000 of 2,000,000 ticks \| 50,000\/s$/)
    expect(screen.line.length).toBeLessThanOrEqual(80)
    progress.end()
  })

  test('counts from the first update on', () => {
    const screen = new Screen()
    const progress = progressOf('runs', screen)
    vi.advanceTimersByTime(60_000)
    progress.update(10, 110)
    vi.advanceTimersByTime(5000)
    progress.update(60, 110)
    expect(screen.line).toContain('5s left | 60 of 110 runs | 10/s')
    progress.end()
  })

  test('says bytes as MB', () => {
    const screen = new Screen()
    withProgress(progressOfBytes(screen), ({ update }) => {
      update(0, 37_700_000)
      vi.advanceTimersByTime(4000)
      update(10_000_000, 37_700_000)
    })
    expect(screen.line).toContain('10.0 of 37.7 MB | 2.5/s')
  })

  test('ends where the work fails', () => {
    const end = vi.fn()
    const failing = () => {
      throw new Error('no')
    }
    expect(() => withProgress({ update: () => {}, end }, failing)).toThrow('no')
    expect(end).toHaveBeenCalledOnce()
  })

  test('shows nothing where there is no terminal', () => {
    const screen = new Screen(false)
    const progress = progressOf('ticks', screen)
    progress.update(0, 10)
    vi.advanceTimersByTime(9000)
    progress.update(5, 10)
    progress.end()
    expect(screen.written).toBe('')
  })
})
