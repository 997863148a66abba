import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Backoff, readRetryAfter } from './retryAfter.ts'

const NOW = Date.parse('2025-07-21T12:00:00Z')
const HOUR_MS = 3_600_000
const NONE = undefined
const later = (ms: number) => new Date(NOW + ms)
/** As `asctime` of C has it: the oldest form of a date in HTTP. */
const asctime = (date: Date) => date.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $5 $4')
const rfc850 = (date: Date) => date.toUTCString().replace(/^\w+, (\d+) (\w+) \d\d(\d\d) (.*)$/, 'Monday, $1-$2-$3 $4')

describe('what retry-after asks for', () => {
  test.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['007', 7000],
    ['1.5', 1500],
    ['30.0', 30_000],
    ['2.', 2000],
    ['.25', 250],
    ['0.0001', 1],
    ['0', NONE],
    ['0.0', NONE],
    ['-5', NONE],
    ['-0', NONE],
    ['+7', NONE],
    ['1e3', NONE],
    ['0x10', NONE],
    ['7 s', NONE],
    ['1,5', NONE],
    ['7, 9', NONE],
    ['1/2/2030', NONE],
    ['2030-01-01T00:00:00Z', NONE],
    ['soon', NONE],
    ['NaN', NONE],
    ['Infinity', NONE],
    ['', NONE],
    ['Monday', NONE],
    ['3600', HOUR_MS],
    ['3601', HOUR_MS],
    ['31536000', HOUR_MS],
    ['9'.repeat(400), HOUR_MS],
    [String(NOW / 1000 + 9), 9000],
    [String(NOW / 1000 - 9), NONE],
    [String(NOW + 9000), 9000],
    [later(9000).toUTCString(), 9000],
    [rfc850(later(9000)), 9000],
    [later(-9000).toUTCString(), NONE],
    [later(2 * HOUR_MS).toUTCString(), HOUR_MS],
    ['Mon, 99 Foo 2025 12:00:09 GMT', NONE],
    [['7', '9'], 9000],
    [['soon', '7'], 7000],
    [[], NONE],
  ] as const)('of %j is a wait of %s ms', (value, waitMs) => {
    const header = typeof value === 'string' ? value : [...value]
    for (const statusCode of [429, 503])
      expect(readRetryAfter({ statusCode, headers: { 'retry-after': header as string } }, NOW)).toBe(waitMs && NOW + waitMs)
  })

  test('of a date in the oldest form, which names no zone, is a wait in UTC wherever the bot runs', () => {
    vi.stubEnv('TZ', 'America/New_York')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(new Date(NOW).getHours()).not.toBe(12)
    expect(readRetryAfter({ statusCode: 429, headers: { 'retry-after': asctime(later(9000)) } }, NOW)).toBe(NOW + 9000)
  })
})

describe('x-ratelimit-reset', () => {
  test.each([
    ['30', 30_000],
    ['12.75', 12_750],
    [String(NOW / 1000 + 45), 45_000],
    [`${NOW / 1000 + 45}.5`, 45_500],
    [String(NOW / 1000 - 45), NONE],
    ['-1', NONE],
    ['nonsense', NONE],
    ['99999999', HOUR_MS],
  ])('of %s is a wait of %s ms after a 429, and of no other answer: every one carries it', (value, waitMs) => {
    const headers = { 'x-ratelimit-reset': value }
    expect(readRetryAfter({ statusCode: 429, headers }, NOW)).toBe(waitMs && NOW + waitMs)
    for (const statusCode of [200, 400, 503]) expect(readRetryAfter({ statusCode, headers }, NOW)).toBeUndefined()
  })

  test.each([
    ['7', 7000],
    ['soon', 30_000],
    ['0', 30_000],
  ])('beside a retry-after of %s counts where that names no time', (retryAfter, waitMs) => {
    const headers = { 'retry-after': retryAfter, 'x-ratelimit-reset': '30' }
    expect(readRetryAfter({ statusCode: 429, headers }, NOW)).toBe(NOW + waitMs)
  })
})

describe('the waits after 429s that name none', () => {
  test('double up to the longest, and begin anew after another answer', () => {
    const backoff = new Backoff(5000)
    let now = NOW
    const waits = [429, 429, 429, 429, 429, 200, 429].map((status) => {
      const until = backoff.after(status, now, now + 10)
      now = until ?? now + 10
      return until === undefined ? 0 : until
    })
    expect(waits.map((until, index) => until && until - (waits[index - 1] || NOW) - 10).slice(0, 5)).toEqual([1000, 2000, 4000, 5000, 5000])
    expect(waits.at(5)).toBe(0)
    expect(waits.at(6)).toBe((waits.at(4) ?? 0) + 10 + 10 + 1000)
  })

  test('take no notice of answers to what was sent before: neither longer nor shorter for them', () => {
    const backoff = new Backoff()
    expect(backoff.after(429, NOW, NOW + 5)).toBe(NOW + 1005)
    expect(backoff.after(429, NOW, NOW + 6)).toBe(NOW + 1006)
    expect(backoff.after(200, NOW, NOW + 7)).toBeUndefined()
    expect(backoff.after(429, NOW + 2000, NOW + 2000)).toBe(NOW + 4000)
  })
})
