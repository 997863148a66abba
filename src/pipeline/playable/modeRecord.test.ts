import { describe, expect, test } from 'vitest'
import { usdc } from '../../core/usdc.ts'
import { freshMode, type ModeHappening, type ModeRecord, nextMode } from './modeRecord.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const HOUR_MS = 60 * 60_000
const LIMITS = { hindered: 1, late: 2, abstained: 3 }
const moved: ModeHappening = { type: 'moved', isPart: false }
const unplayed = (hindrance: Extract<ModeHappening, { type: 'unplayed' }>['hindrance']): ModeHappening => ({
  type: 'unplayed',
  hindrance,
  stake: usdc('1'),
})

function recordOf(happenings: readonly ModeHappening[], at = NOON): ModeRecord {
  return happenings.reduce((record, happening) => nextMode(record, happening, at, LIMITS), freshMode('draft_basket'))
}
const said = (command: 'open' | 'close', saidAt: number): ModeHappening => ({ type: 'said', command, saidAt })
const isClosed = (...happenings: ModeHappening[]) => recordOf(happenings).closed !== undefined

describe('a mode is closed', () => {
  test.each(['unread', 'noPiece', 'swap:dex', 'suspended', 'unasked'] as const)('by one contest that was hindered: %s', (hindrance) => {
    expect(isClosed(moved, unplayed(hindrance))).toBe(true)
  })

  test.each([
    'tooLate',
    'refused:COMMIT_CLOSED',
    'swap:failed',
  ] as const)('by two in a row that were late, or the first of all: %s', (hindrance) => {
    expect(isClosed(unplayed(hindrance))).toBe(true)
    expect(isClosed(moved, unplayed(hindrance))).toBe(false)
    expect(isClosed(moved, unplayed(hindrance), moved, unplayed(hindrance))).toBe(false)
    expect(isClosed(moved, unplayed(hindrance), unplayed(hindrance))).toBe(true)
  })

  test('by three in a row of which the strategy wanted nothing', () => {
    const abstained = unplayed('abstained')
    expect(isClosed(abstained, abstained)).toBe(false)
    expect(isClosed(abstained, abstained, moved, abstained)).toBe(false)
    expect(isClosed(abstained, abstained, abstained)).toBe(true)
  })

  test('by three that the guard kept from being played, however new the mode is', () => {
    const held = unplayed('guard:SWAP_UNRESOLVED')
    expect(isClosed(held, held)).toBe(false)
    expect(isClosed(held, unplayed('abstained'), held)).toBe(true)
    expect(isClosed(...Array<ModeHappening>(5).fill(unplayed('guard:KILL_SWITCH')))).toBe(false)
  })

  test('by five entries that the service refuses with one code', () => {
    const refused = (code: string): ModeHappening => ({ type: 'entryRefused', code })
    expect(isClosed(...Array<ModeHappening>(4).fill(refused('SIDE')))).toBe(false)
    expect(isClosed(...Array<ModeHappening>(4).fill(refused('SIDE')), refused('OTHER'))).toBe(false)
    expect(isClosed(...Array<ModeHappening>(4).fill(refused('SIDE')), { type: 'entered', action: undefined }, refused('SIDE'))).toBe(false)
    expect(recordOf(Array<ModeHappening>(5).fill(refused('SIDE'))).closed?.why).toBe('refused:SIDE')
  })

  test('by nothing that was missed while the process did not run', () => {
    expect(isClosed(...Array<ModeHappening>(9).fill(unplayed('down')))).toBe(false)
  })

  test('and opened by a valid move, or the operator', () => {
    expect(isClosed(unplayed('noPiece'), moved)).toBe(false)
    expect(isClosed(unplayed('noPiece'), said('open', 1))).toBe(false)
    expect(isClosed(unplayed('noPiece'), said('open', 1), unplayed('noPiece'))).toBe(true)
  })
})

describe('trials', () => {
  test('come after half an hour, an hour, two, and three a day at most', () => {
    let record = recordOf([unplayed('noPiece')])
    const waits: number[] = []
    let now = NOON
    for (let trial = 0; trial < 5; trial++) {
      const at = record.closed?.trialAt ?? Number.NaN
      waits.push((at - now) / HOUR_MS)
      now = at
      record = nextMode(record, { type: 'trialBegun' }, now, LIMITS)
      record = nextMode(record, unplayed('noPiece'), now, LIMITS)
    }
    // Three on the day of the closing, from 12:00 on; the fourth not before midnight.
    expect(waits).toEqual([0.5, 1, 2, 8.5, 6])
    expect(record.closed).toMatchObject({ unplayed: 6, stakes: usdc('6'), at: NOON, trials: 5 })
  })

  test('are none of a mode that the operator closed', () => {
    expect(recordOf([said('close', 1)]).closed).toMatchObject({ why: 'operator', trialAt: undefined })
    expect(recordOf([said('close', 1), moved, unplayed('noPiece')]).closed).toMatchObject({ why: 'operator', trialAt: undefined })
    expect(recordOf([said('close', 1), said('open', 2)]).closed).toBeUndefined()
  })

  test('and what he says is done once, however often it is heard', () => {
    expect(isClosed(unplayed('noPiece'), said('open', 1), unplayed('noPiece'), said('open', 1))).toBe(true)
    expect(isClosed(said('close', 2), said('open', 1))).toBe(true)
  })
})

describe('a mapping', () => {
  const mapped = (hash: string | undefined, lacks: readonly string[] = []): ModeHappening => ({
    type: 'mapped',
    reading: { hash, lacks, isOnTrial: false },
  })
  const drifted = (piece: string): ModeHappening => ({ type: 'drifted', piece: { piece, place: `state:${piece}` } })
  const readable = (piece: string): ModeHappening => ({ type: 'readable', piece })
  const lacks = unplayed('noPiece')

  test('that is the same changes nothing', () => {
    const record = recordOf([mapped('a', ['turn'])])
    expect(record).toMatchObject({ reading: { hash: 'a', lacks: ['turn'], drifted: [] }, closed: undefined })
    expect(nextMode(record, mapped('a', ['turn']), NOON, LIMITS)).toBe(record)
    expect(nextMode(record, mapped('b'), NOON, LIMITS).reading).toMatchObject({ hash: 'b', lacks: [] })
  })

  test('of which a piece has drifted closes the mode, and neither a move nor a word opens it', () => {
    const record = recordOf([mapped('a'), drifted('turn'), drifted('turn'), drifted('pool'), moved, said('open', 1)])
    expect(record).toMatchObject({ hasMoved: true, closed: { why: 'drift' }, reading: { drifted: [{ piece: 'turn' }, { piece: 'pool' }] } })
    expect(recordOf([mapped('a'), drifted('turn'), moved])).toMatchObject({ hasMoved: true, closed: { why: 'drift' } })
    expect(recordOf([mapped('a'), drifted('turn'), lacks]).closed).toMatchObject({ why: 'drift', unplayed: 1 })
    expect(recordOf([drifted('turn')]).closed).toBeUndefined()
  })

  test('that is right again has one trial at once, later ones as ever, and is opened by a valid move', () => {
    const some = recordOf([mapped('a'), drifted('turn'), drifted('pool'), readable('turn')])
    expect(some.closed?.trialAt).toBe(NOON + HOUR_MS / 2)
    const back = nextMode(some, readable('pool'), NOON + 1, LIMITS)
    expect(back).toMatchObject({ closed: { why: 'drift', trialAt: NOON + 1 }, reading: { drifted: [] } })
    expect(nextMode(back, readable('pool'), NOON + 1, LIMITS)).toBe(back)
    expect(nextMode(back, moved, NOON + 1, LIMITS).closed).toBeUndefined()
    const again = recordOf([mapped('a'), drifted('turn'), readable('turn'), { type: 'trialBegun' }, drifted('turn'), readable('turn')])
    expect(again.closed?.trialAt).toBe(NOON + HOUR_MS)
  })

  test('stays closed by the operator', () => {
    expect(recordOf([mapped('a'), said('close', 1), drifted('turn'), readable('turn')]).closed).toMatchObject({
      why: 'operator',
      trialAt: undefined,
    })
    expect(recordOf([mapped('a'), said('close', 1), drifted('turn'), said('open', 2)]).closed).toMatchObject({ why: 'drift' })
  })

  test('that is another one has what closed for want of it tried at once', () => {
    for (const happening of [drifted('turn'), lacks])
      expect(recordOf([mapped('a'), happening, mapped('b')]).closed).toMatchObject({ trials: 0, trialAt: NOON })
    expect(recordOf([mapped('a'), unplayed('swap:service'), mapped('b')]).closed?.trialAt).toBe(NOON + HOUR_MS / 2)
    expect(recordOf([lacks, mapped('a')]).closed?.trialAt, 'the first').toBe(NOON + HOUR_MS / 2)
  })
})

test('a contest that lacks something while it goes on closes its mode once, and counts as no loss', () => {
  const hindered: ModeHappening = { type: 'hindered', hindrance: 'noPiece' }
  const record = recordOf([moved, hindered])
  expect(record).toMatchObject({ closed: { why: 'noPiece', unplayed: 0, stakes: 0n }, unplayed: { count: 0 } })
  expect(nextMode(record, hindered, NOON + 1, LIMITS)).toBe(record)
  expect(nextMode(record, unplayed('noPiece'), NOON + 1, LIMITS)).toMatchObject({ closed: { unplayed: 1 }, unplayed: { count: 1 } })
  expect(nextMode(recordOf([]), hindered, NOON, { ...LIMITS, hindered: 2 }).closed).toBeUndefined()
})
