import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BONK,
  contentOf,
  emptyFolder,
  filesIn,
  header,
  input,
  linesOf,
  prices,
  RUN,
  START,
  sealedText,
  segmentOf,
  writerOf,
} from '../../test/support/logFiles.ts'
import { checkLog } from './checkLog.ts'
import type { LogLine } from './lines.ts'
import { repairLog } from './repairLog.ts'
import { scanLog } from './scanLog.ts'
import { packSegment, ZSTD_OPTIONS } from './segments.ts'

const damaged = segmentOf(
  [
    ...sealedText([
      header(),
      input(1),
      prices(2, { prices: ['0'] }),
      input(3),
      input(6),
      input(7, { at: START }),
      { kind: 'rumour' },
      input(8),
    ])
      .trimEnd()
      .split('\n'),
    ...sealedText([header({ bot: 'bob', run: 'r2' }), input(1), input(9)])
      .trimEnd()
      .split('\n'),
    ...sealedText([header({ version: 9, run: 'r3' }), input(1)])
      .trimEnd()
      .split('\n'),
    ...sealedText([header({ run: 'r4' }), input(5), input(6)])
      .trimEnd()
      .split('\n'),
    '{"kind":"inp',
  ].join('\n'),
)

describe('checkLog', () => {
  test('finds nothing wrong with what is whole', () => {
    expect(checkLog(segmentOf(sealedText([header(), input(1), prices(2)])))).toEqual([])
  })

  test.each([
    ['of a newer version', header({ version: 9 })],
    ['of another bot', header({ bot: 'bob', segment: 2 })],
  ])('passes over what stands under a header %s', (_name, other) => {
    const text = sealedText([header(), prices(1)]) + sealedText([other, prices(2), input(3)])
    const lines = scanLog(segmentOf(text)).map(({ lineNumber, problem }) => `${lineNumber} ${problem?.code ?? 'sound'}`)
    expect([...lines]).toEqual(['1 sound', '2 sound', `3 ${other.version === 9 ? 'LOG_NEWER' : 'LOG_MIXED'}`])
  })

  test('tells how far it has come, in bytes of the segments', () => {
    const folder = emptyFolder()
    const writer = writerOf(folder, {}, { segmentBytes: 200_000, segmentMs: Number.POSITIVE_INFINITY })
    for (let n = 1; n <= 8000; n++) writer.write(prices(n))
    writer.close()
    const sizes = filesIn(folder).map((name) => statSync(join(folder, name)).size)
    const told: [number, number][] = []
    checkLog(folder, (bytes, total) => told.push([bytes, total]))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(sizes.length).toBeGreaterThan(2)
    expect(told.length).toBeGreaterThan(2 * sizes.length)
    expect(told.every(([, of]) => of === total)).toBe(true)
    expect(told.map(([bytes]) => bytes)).toEqual(told.map(([bytes]) => bytes).toSorted((a, b) => a - b))
    expect(new Set(told.map(([bytes]) => bytes)).size).toBeGreaterThan(sizes.length + 2)
    expect([told[0]?.[0], told.at(-1)?.[0]]).toEqual([0, total])
  })

  test('lists all that is wrong, each thing once, in the order of the log', () => {
    expect(checkLog(damaged).map(({ line, code }) => `${line} ${code}`)).toEqual([
      '3 LOG_PRICE_INVALID',
      '5 LOG_GAP',
      '6 LOG_OUT_OF_ORDER',
      '7 LOG_UNREADABLE',
      '9 LOG_MIXED',
      '12 LOG_NEWER',
      '17 LOG_CUT',
    ])
    expect(checkLog(damaged).every(({ file, message }) => file === damaged && message.startsWith(`${damaged}, line `))).toBe(true)
  })

  test('lists an alteration once, not in every line after it', () => {
    const text = sealedText([header(), input(1), input(2), input(3), input(4)]).replace('"n":2', '"n": 2')
    expect(checkLog(segmentOf(text)).map(({ line, code }) => `${line} ${code}`)).toEqual(['3 LOG_ALTERED'])
  })

  test('says of a line with an altered time that its checksum does not fit either', () => {
    const text = sealedText([header(), input(1), input(2), input(3)]).replace(`"at":${START + 2000}`, `"at":${START - 1}`)
    expect(checkLog(segmentOf(text))).toMatchObject([
      { line: 3, code: 'LOG_OUT_OF_ORDER', message: expect.stringContaining('does not match its checksum') },
    ])
  })
})

describe('repairLog', () => {
  test('keeps what can be trusted, as it was, and says what it did', () => {
    const out = emptyFolder()
    const { kept, mendings } = repairLog(damaged, out)
    expect(checkLog(out)).toEqual([])
    expect(contentOf(out)).toEqual([input(1), prices(2, { prices: [null] }), input(3), input(6), input(8), input(5), input(6)])
    expect(kept).toBe(7)
    expect(mendings.map(({ line, code, done }) => `${line} ${code}: ${done}`)).toEqual([
      '3 LOG_PRICE_INVALID: prices dropped',
      '5 LOG_GAP: what follows is a run of its own',
      '6 LOG_OUT_OF_ORDER: line dropped',
      '7 LOG_UNREADABLE: line dropped',
      '8 LOG_GAP: what follows is a run of its own',
      '9 LOG_MIXED: rest of the segment dropped',
      '12 LOG_NEWER: line dropped',
      '17 LOG_CUT: line dropped',
    ])
    const runs = linesOf(out).flatMap((line) => (line.kind === 'header' ? line.run : []))
    expect(runs).toEqual(['20260102T030405Z-k3f9', '20260102T030405Z-k3f9.002', '20260102T030405Z-k3f9.003', 'r4'])
  })

  test('drops a line that came twice, and lines that go back in a row, and keeps those after them', () => {
    const twice = segmentOf(sealedText([header(), input(1), input(2), input(2), input(3), input(1), input(2), input(4)]))
    const out = emptyFolder()
    const { kept, mendings } = repairLog(twice, out)
    expect(contentOf(out)).toEqual([input(1), input(2), input(3), input(4)])
    expect(kept).toBe(4)
    const dropped = { code: 'LOG_OUT_OF_ORDER', done: 'line dropped', file: twice }
    expect(mendings).toEqual([
      { line: 4, ...dropped },
      { line: 6, last: 7, ...dropped },
    ])
    expect(checkLog(out)).toEqual([])
  })

  test('of an input that is dropped nothing is kept that it led to', () => {
    const output = (n: number) => ({ kind: 'output', n, at: START + n * 1000, decisions: [] }) as const
    const lines = [
      header(),
      input(1),
      output(1),
      input(1),
      output(1),
      input(2),
      input(3, { type: 'rumour' }),
      output(3),
      input(4),
      output(4),
    ]
    const out = emptyFolder()
    repairLog(segmentOf(sealedText(lines)), out)
    expect(contentOf(out)).toEqual([input(1), output(1), input(2), input(4), output(4)])
    expect(checkLog(out)).toEqual([])
  })

  test('keeps what an earlier repair made a run of its own apart from what it makes one now, in the order of time', () => {
    const gapped = segmentOf(sealedText([header(), input(1), input(2), input(9), input(10)]))
    const once = emptyFolder()
    repairLog(gapped, once)
    // In the copy another line goes missing, twice.
    const [file = ''] = filesIn(once)
    const lines = [header(), input(1), input(2), input(4), input(6)]
    rmSync(join(once, file))
    writeFileSync(join(once, file.replace(/\.zst$/, '')), sealedText(lines))
    const twice = emptyFolder()
    const { kept } = repairLog(once, twice)
    const all = [input(1), input(2), input(4), input(6), input(9), input(10)]
    expect(contentOf(twice)).toEqual(all)
    expect(kept).toBe(all.length)
    expect(checkLog(twice)).toEqual([])
    // And once more, of what is left whole: nothing is named anew.
    const thrice = emptyFolder()
    repairLog(twice, thrice)
    expect(filesIn(thrice)).toEqual(filesIn(twice))
  })

  test('does not believe the columns behind a place where a mints line may be missing', () => {
    const text = sealedText([
      header(),
      prices(1),
      { kind: 'mints', mints: [BONK] },
      prices(2, { prices: ['1', '2'] }),
      { kind: 'mints', mints: ['another'] },
      prices(3, { prices: ['1', '2', '3'] }),
    ])
    const withoutBonk = text.split('\n').toSpliced(2, 1).join('\n')
    const out = emptyFolder()
    repairLog(segmentOf(withoutBonk), out)
    expect(contentOf(out)).toEqual([prices(1)])
    expect(checkLog(out)).toEqual([])
  })

  test('says it of a segment that is missing, and makes a run of what follows', () => {
    const folder = emptyFolder()
    const segment = (run: string, number: number, n: number) =>
      writeFileSync(join(folder, `${run}-00000${number}.ndjson`), sealedText([header({ run, segment: number }), input(n)]))
    segment('r1', 1, 1)
    segment('r1', 3, 3)
    segment('r2', 2, 5)
    const out = emptyFolder()
    const { mendings } = repairLog(folder, out)
    expect(mendings.map(({ code, done }) => `${code}: ${done}`)).toEqual([
      'LOG_GAP: what follows is a run of its own',
      'LOG_GAP: what follows is a run of its own',
    ])
    expect(contentOf(out)).toEqual([input(1), input(3), input(5)])
    expect(checkLog(out)).toEqual([])
  })

  test('leaves nothing behind where a segment cannot be read, which the check lists with the rest', () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, `${RUN}-000001.ndjson`), sealedText([header(), input(1), input(3)]))
    mkdirSync(join(folder, `${RUN}-000002.ndjson`))
    const out = emptyFolder()
    const message = expect.stringMatching(/EISDIR.*may be read, or move it out of the log/)
    expect(() => repairLog(folder, out)).toThrow(expect.objectContaining({ code: 'LOG_UNREADABLE', message }))
    expect(filesIn(out)).toEqual([])
    expect(checkLog(folder)).toMatchObject([{ code: 'LOG_GAP' }, { code: 'LOG_UNREADABLE', message }])
  })

  test('writes into nothing that is taken', () => {
    const taken = segmentOf('').replace(/[^/]+$/, '')
    expect(() => repairLog(damaged, taken)).toThrow(expect.objectContaining({ code: 'LOG_OUT_TAKEN' }))
  })

  const lines: LogLine[] = [
    ...[header(), input(1), prices(2)],
    ...[{ kind: 'mints', mints: [BONK] } as const, prices(3, { prices: [null, '2'] }), input(4), input(5)],
  ]
  const bytes: Buffer = Buffer.from(sealedText(lines))
  const place = fc.nat(bytes.length - 1)
  const withByte = (text: Buffer, at: number, byte: number): Buffer =>
    Buffer.concat([text.subarray(0, at), Buffer.of(byte), text.subarray(at + 1)])

  describe('of a packed segment that was altered', () => {
    const count = 3000
    const all = Array.from({ length: count }, (_, place) => input(place + 1, { body: { word: ((place + 1) * 2654435761) % 4294967296 } }))
    const packed = packSegment(segmentOf(sealedText([header(), ...all])))
    const stored = readFileSync(packed)
    const alteredAt = (share: number): string => segmentOf(withByte(stored, Math.floor(share * stored.length), 0xa5))

    test.each([0.5, 0.9])('keeps what its lines vouch for: a byte at %d of it', (share) => {
      const file = alteredAt(share)
      const out = emptyFolder()
      const { kept, mendings } = repairLog(file, out)
      expect(kept).toBeGreaterThan(0)
      expect(checkLog(out)).toEqual([])
      const written = new Set(all.map((line) => JSON.stringify(line)))
      expect(contentOf(out).every((line) => written.has(JSON.stringify(line)))).toBe(true)
      expect(mendings.at(-1)).toEqual({ file, line: 0, code: 'LOG_ALTERED', done: 'what cannot be unpacked dropped' })
    })

    test('keeps all of it where nothing but its checksum was hit', () => {
      const { kept } = repairLog(alteredAt(1 - 1 / stored.length), emptyFolder())
      expect(kept).toBe(count)
    })

    test('goes on with the segment after it', () => {
      const folder = emptyFolder()
      writeFileSync(join(folder, `${RUN}-000001.ndjson.zst`), readFileSync(alteredAt(0.5)))
      writeFileSync(
        join(folder, `${RUN}-000002.ndjson`),
        sealedText([header({ segment: 2, at: START + 1e9 }), input(count + 1, { at: START + 1e9 })]),
      )
      const out = emptyFolder()
      repairLog(folder, out)
      expect(checkLog(out)).toEqual([])
      expect(contentOf(out).at(-1)).toEqual(input(count + 1, { at: START + 1e9 }))
    })

    test('keeps no line that no checksum vouches for', () => {
      const text = [header(), ...all].map((line) => `${JSON.stringify(line)}\n`).join('')
      const unsealed = zstdCompressSync(text, ZSTD_OPTIONS)
      const places = Array.from({ length: 40 }, (_, index) => Math.floor(((index + 0.5) / 40) * unsealed.length))
      const altered = places.map((at) => segmentOf(withByte(unsealed, at, (unsealed[at] ?? 0) ^ 1)))
      expect(altered.map((file) => repairLog(file, emptyFolder()).kept)).toEqual(places.map(() => 0))
      expect(repairLog(segmentOf(unsealed), emptyFolder()).kept).toBe(count)
    })

    test('says so of one that does not begin as one, whose name says that it is', () => {
      const file = segmentOf(withByte(stored, 1, 0), `${RUN}-000001.ndjson.zst`)
      expect(checkLog(file)).toMatchObject([{ line: 0, code: 'LOG_ALTERED' }])
    })

    test('says so where nothing can be had', () => {
      const file = segmentOf(Buffer.concat([stored.subarray(0, 10), Buffer.alloc(2000, 0xff)]))
      const { kept, mendings } = repairLog(file, emptyFolder())
      expect(kept).toBe(0)
      expect(mendings.map(({ done }) => done)).toEqual(['what cannot be unpacked dropped'])
    })
  })

  test('whatever bytes are altered or missing, the copy is sound', () => {
    const damage = fc.record({ at: place, byte: fc.nat(255), missing: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 })) })
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        const text = damages.reduce(
          (left, { at, byte, missing }) => withByte(Buffer.concat([left.subarray(0, at), left.subarray(at + missing)]), at, byte),
          bytes,
        )
        const out = emptyFolder()
        if (repairLog(segmentOf(text), out).kept > 0) expect(checkLog(out)).toEqual([])
      }),
    )
  })

  test('whatever byte is altered, the copy has no line that was not written', () => {
    fc.assert(
      fc.property(place, fc.nat(255), (at, byte) => {
        const out = emptyFolder()
        if (repairLog(segmentOf(withByte(bytes, at, byte)), out).kept === 0) return
        for (const line of contentOf(out)) {
          // Where the seal was hit it is taken for a field that is not known; prices of lost columns are gone.
          const rest = Object.fromEntries(Object.entries(line).filter(([field]) => field in { ...input(1), ...prices(1), mints: [] }))
          const written = lines.map((one) =>
            one.kind === 'prices' && line.kind === 'prices' ? { ...one, prices: one.prices.slice(0, line.prices.length) } : one,
          )
          expect(written).toContainEqual(rest)
        }
      }),
    )
  })
})
