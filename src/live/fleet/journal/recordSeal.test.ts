import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldPrediction, journalRecord, swapIntent, swapRecord } from '../../../../test/support/journalFiles.ts'
import { CornermanError } from '../../../core/error.ts'
import { chainAfter, type FleetRecord, RecordSeal } from './recordSeal.ts'

const KEY = new Uint8Array(32).fill(1)
const OTHER_KEY = new Uint8Array(32).fill(2)
const seal = new RecordSeal({ keys: [KEY], fleet: 'fleet', bot: 'alice' })

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const recordOf = fc.tuple(json, fc.string(), fc.bigInt(), fc.nat()).map(
  ([raw, text, stake, n]): FleetRecord => ({
    type: 'record',
    record: journalRecord({
      n,
      event: { raw, problem: text },
      cursor: text,
      intents: [{ ...swapIntent(n), key: text, stake }],
      custody: [{ ...heldPrediction(n), salt: text }],
      swaps: [{ ...swapRecord(n), given: stake, before: undefined }],
      refusals: ['n:1', 's:', text],
    }),
  }),
)
const leaseOf = fc.record({ at: fc.nat(), count: fc.nat() }).map((lease): FleetRecord => ({ type: 'lease', lease, sinceMs: lease.at - 1 }))

function codeOf(open: () => unknown): string | undefined {
  try {
    open()
    return undefined
  } catch (thrown) {
    return thrown instanceof CornermanError ? thrown.code : String(thrown)
  }
}

describe('RecordSeal', () => {
  test('what is sealed is opened equal', () => {
    fc.assert(
      fc.property(fc.oneof(recordOf, leaseOf), fc.integer({ min: 1 }), (record, seq) => {
        expect(seal.open(seq, seal.seal(seq, record))).toEqual(record)
      }),
    )
  })

  test('opens at no other place, for no other bot, fleet or key, and not with a bit flipped', () => {
    fc.assert(
      fc.property(
        recordOf,
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (record, seq, at) => {
          const body = seal.seal(seq, record)
          const bit = Math.floor(at * body.length * 8)
          const flipped = Buffer.from(body)
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          expect(codeOf(() => seal.open(seq + 1, body))).toBe('FLEET_RECORD_ALTERED')
          expect(codeOf(() => new RecordSeal({ keys: [KEY], fleet: 'fleet', bot: 'bob' }).open(seq, body))).toBe('FLEET_RECORD_ALTERED')
          expect(codeOf(() => new RecordSeal({ keys: [KEY], fleet: 'other', bot: 'alice' }).open(seq, body))).toBe('FLEET_RECORD_ALTERED')
          expect(codeOf(() => new RecordSeal({ keys: [OTHER_KEY], fleet: 'fleet', bot: 'alice' }).open(seq, body))).toBe('FLEET_KEY')
          // The first bytes name the key.
          expect(codeOf(() => seal.open(seq, flipped))).toBe(bit < 32 ? 'FLEET_KEY' : 'FLEET_RECORD_ALTERED')
          expect(codeOf(() => seal.open(seq, body.subarray(0, bit >> 3)))).toMatch(/^FLEET_/)
        },
      ),
    )
  })

  test('a key that is being changed opens what the one before it has sealed', () => {
    const both = new RecordSeal({ keys: [OTHER_KEY, KEY], fleet: 'fleet', bot: 'alice' })
    const record: FleetRecord = { type: 'lease', lease: { at: 1, count: 10 }, sinceMs: 0 }
    expect(both.open(7, seal.seal(7, record))).toEqual(record)
    expect(codeOf(() => seal.open(7, both.seal(7, record)))).toBe('FLEET_KEY')
  })

  test('shows nothing of what it seals, and a secret opens under its own name alone', () => {
    const held = heldPrediction(1)
    const body = seal.seal(1, { type: 'record', record: journalRecord({ custody: [held] }) })
    expect(body.includes(held.salt)).toBe(false)
    const text = seal.sealText(held.contestId, held.salt)
    expect(text).not.toContain(held.salt)
    expect(seal.openText(held.contestId, text)).toBe(held.salt)
    expect(codeOf(() => seal.openText('another', text))).toBe('FLEET_RECORD_ALTERED')
  })

  test('a chain tells apart what came before, and in which order', () => {
    const [a, b] = [Buffer.from('a'), Buffer.from('b')]
    expect(chainAfter(chainAfter(a, a), b)).not.toEqual(chainAfter(chainAfter(a, b), a))
    expect(chainAfter(a, b)).toHaveLength(32)
  })
})
