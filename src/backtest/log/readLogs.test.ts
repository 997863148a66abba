import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, filesIn, header, input, prices, RUN, START, sealedText } from '../../../test/support/logFiles.ts'
import { recordedDuel } from '../../../test/support/recordedDuel.ts'
import { cutLog, repairLog } from '../../recording/index.ts'
import { readLogs } from './readLogs.ts'

const duel = recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '0.5' } })

const contest = {
  ...{ kind: 'contest', at: START + 1000, contestId: 'offer-1', mode: 'pnl_usd', chain: 'solana', format: 'duel' },
  ...{ stake: '1000000', durationSec: 60, capacity: 2, opponents: 'AGENT', params: {}, via: 'queue' },
}
const folderOf = (...texts: readonly string[]): string => {
  const folder = emptyFolder()
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${RUN}-00000${index + 1}.ndjson`), text)
  return folder
}
const eventOf = (n: number) => {
  const id = `019b7c00-0000-7000-8000-${String(n).padStart(12, '0')}`
  const window = { startsAt: '2026-01-02T03:05:00Z', endsAt: '2026-01-02T03:06:00Z' }
  const data = { contestId: id, mode: 'pnl_usd', chain: 'solana', status: 'live', ...window }
  const raw = { id, type: 'contest.live', data, createdAt: new Date(START).toISOString() }
  return input(n, { type: 'event', body: { raw, cursor: id, recorded: false } })
}

describe('readLogs', () => {
  const once = readLogs([duel])

  test.each([
    ['twice', () => [duel, duel]],
    ['and one of its segments', () => [duel, join(duel, `${RUN}-000001.ndjson`)]],
  ])('learns nothing from a log that is named %s', (_name, logs) => {
    const { samples, opportunities, pauses } = readLogs(logs())
    expect(once.samples.eventMs.length).toBeGreaterThan(0)
    expect(samples).toEqual(once.samples)
    expect(opportunities).toEqual(once.opportunities)
    expect(pauses).toEqual(once.pauses)
  })

  test('learns nothing from a segment that was there twice and became a run of its own in a repair', () => {
    const [first, second] = [
      sealedText([header(), prices(1), eventOf(2)]),
      sealedText([header({ segment: 2, at: START + 2000 }), eventOf(3), prices(4)]),
    ]
    const mended = emptyFolder()
    repairLog(folderOf(first, second, second), mended)
    expect(filesIn(mended).some((name) => name.includes('.002-'))).toBe(true)
    expect(readLogs([mended]).samples.eventMs).toEqual([2000, 3000])
  })

  test('learns what a repaired log lacks from a whole one, whichever is named first', () => {
    const whole = folderOf(sealedText([header(), eventOf(1), eventOf(2), eventOf(3), eventOf(4), eventOf(5)]))
    const mended = emptyFolder()
    repairLog(folderOf(sealedText([header(), eventOf(1), eventOf(2), eventOf(4), eventOf(5)])), mended)
    expect(readLogs([mended]).samples.eventMs).toEqual([1000, 2000, 4000, 5000])
    for (const logs of [
      [mended, whole],
      [whole, mended],
    ])
      expect(readLogs(logs).samples.eventMs.toSorted((a, b) => a - b)).toEqual([1000, 2000, 3000, 4000, 5000])
  })

  test('does not take a run for a part of another because of its name', () => {
    const folder = emptyFolder()
    for (const [run, n] of [
      ['day.001', 1],
      ['day.002', 1],
    ] as const)
      writeFileSync(join(folder, `${run}-000001.ndjson`), sealedText([header({ run, at: START }), eventOf(n), eventOf(n + 1)]))
    expect(readLogs([folder]).samples.eventMs).toEqual([1000, 2000, 1000, 2000])
  })

  test('says whose time each log is, stretch by stretch where it changes, in the order in which they began', () => {
    const sandbox = { realm: 'sandbox', run: '20260102T030405Z-a' }
    const service = { realm: 'https://contests.example.com', run: '20260102T040405Z-b', at: START + 60_000 }
    const moved = folderOf(
      sealedText([header(sandbox), prices(1), eventOf(2), prices(3)]),
      sealedText([header({ ...sandbox, segment: 2, at: START + 4000 }), prices(4)]),
      sealedText([header(service), prices(5, { at: START + 61_000 }), prices(6, { at: START + 90_000 })]),
    )
    const older = folderOf(sealedText([header({ at: START - 5000 }), prices(1), prices(2)]))
    expect(readLogs([moved, older]).spans).toEqual([
      { realm: 'live', from: START - 5000, to: START + 2000 },
      { realm: 'sandbox', from: START, to: START + 59_999 },
      { realm: 'https://contests.example.com', from: START + 60_000, to: START + 90_000 },
    ])
  })

  test('finds the realm again in a copy that was cut, repaired or renamed', () => {
    const log = folderOf(sealedText([header({ realm: 'sandbox' }), prices(1), prices(2), prices(3)]))
    const [cut, mended] = [join(emptyFolder(), 'other'), emptyFolder()]
    cutLog(log, START + 2000, cut)
    repairLog(log, mended)
    expect(readLogs([cut]).spans).toEqual([{ realm: 'sandbox', from: START, to: START + 2000 }])
    expect(readLogs([mended]).spans).toEqual([{ realm: 'sandbox', from: START + 1000, to: START + 3000 }])
  })

  test('has an offered contest once', () => {
    const offers = folderOf(sealedText([header({ source: 'import', bot: 'import' }), prices(1), contest]))
    expect(readLogs([offers, offers]).opportunities.map(({ contestId }) => contestId)).toEqual(['offer-1'])
  })
})
