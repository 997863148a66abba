import { describe, expect, test } from 'vitest'
import { Sample } from './sample.ts'

const ids = Array.from({ length: 2000 }, (_, index) => `contest-${index}`)
const followed = (sample: Sample) => ids.filter((id) => sample.has(id))

/** Looks every second for so long. */
function look(sample: Sample, from: number, seconds: number, lateMs: number): number {
  for (let second = 0; second <= seconds; second++) sample.look(from + second * 1000, lateMs)
  return from + seconds * 1000
}

describe('a sample of contests', () => {
  test('is all of them while no read is late', () => {
    const sample = new Sample(0)
    look(sample, 0, 3600, 29_000)
    expect(sample.share).toBe(1)
    expect(followed(sample)).toEqual(ids)
  })

  test('is halved while reads are late, and no sooner than the last halving could help', () => {
    const sample = new Sample(0)
    look(sample, 0, 29, 31_000)
    expect(sample.share).toBe(1)
    look(sample, 30_000, 29, 31_000)
    expect(sample.share).toBe(0.5)
    look(sample, 60_000, 1, 31_000)
    expect(sample.share).toBe(0.25)
    const quarter = followed(sample)
    expect(quarter.length / ids.length).toBeCloseTo(0.25, 1)
    look(sample, 100_000, 100_000, 31_000)
    expect(sample.share).toBe(2 ** -10)
  })

  test('is drawn by the id: a smaller one is a part of a larger one', () => {
    const [half, eighth] = [new Sample(0), new Sample(0)]
    look(half, 0, 30, 31_000)
    look(eighth, 0, 90, 31_000)
    expect([half.share, eighth.share]).toEqual([0.5, 0.125])
    const inHalf = new Set(followed(half))
    expect(followed(eighth).filter((id) => !inHalf.has(id))).toEqual([])
    expect(followed(half).length).toBeGreaterThan(900)
  })

  test('grows again after a calm', () => {
    const sample = new Sample(0)
    const at = look(sample, 0, 60, 31_000)
    expect(sample.share).toBe(0.25)
    look(sample, at, 299, 0)
    expect(sample.share).toBe(0.25)
    look(sample, at + 300_000, 0, 0)
    expect(sample.share).toBe(0.5)
    look(sample, at + 301_000, 1000, 0)
    expect(sample.share).toBe(1)
  })

  test('does not grow while a read was late of late', () => {
    const sample = new Sample(0)
    const at = look(sample, 0, 60, 31_000)
    look(sample, at + 10_000, 0, 31_000)
    look(sample, at + 11_000, 298, 0)
    expect(sample.share).toBe(0.25)
    look(sample, at + 310_000, 0, 0)
    expect(sample.share).toBe(0.5)
  })
})
