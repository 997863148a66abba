import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { BONK, contentOf, emptyFolder, filesIn, input, linesOf, prices, RUN, SOL, START, writerOf } from '../../test/support/logFiles.ts'
import { checkLog } from './checkLog.ts'

let folder = ''
beforeEach(() => {
  folder = emptyFolder()
})

const open = `${RUN}-000001.ndjson`

describe('LogWriter', () => {
  test('what was written is read back, in a segment that is packed when it is closed', () => {
    const writer = writerOf(folder)
    writer.write(input(1, { body: { text: 'ä "quoted"\n€' } }))
    writer.write(prices(2))
    writer.close()
    expect(filesIn(folder)).toEqual([`${open}.zst`])
    expect(linesOf(folder)).toEqual([
      expect.objectContaining({ kind: 'header', version: 1, bot: 'alice', run: RUN, segment: 1, at: START + 1000, mints: [SOL] }),
      input(1, { body: { text: 'ä "quoted"\n€' } }),
      prices(2),
    ])
    expect(checkLog(folder)).toEqual([])
  })

  test('lines wait in memory until they are flushed or 64 KiB have gathered', () => {
    const writer = writerOf(folder)
    writer.write(input(1))
    expect(statSync(join(folder, open)).size).toBe(0)
    writer.flush()
    expect(contentOf(folder)).toEqual([input(1)])
    const long = input(2, { body: { filler: 'x'.repeat(65_536) } })
    writer.write(long)
    expect(contentOf(folder)).toEqual([input(1), long])
    writer.write(input(3))
    writer.sync()
    expect(contentOf(folder)).toHaveLength(3)
  })

  test('lays prices out by column and names a token before its first price', () => {
    const writer = writerOf(folder)
    writer.writePrices({ n: 1, at: START, tick: 1, prices: new Map([[SOL, '187.25']]) })
    writer.writePrices({ n: 2, at: START + 1, tick: 2, known: START, prices: new Map([[BONK, '0.00003']]) })
    writer.close()
    expect(contentOf(folder)).toEqual([
      { kind: 'prices', n: 1, at: START, tick: 1, prices: ['187.25'] },
      { kind: 'mints', mints: [BONK] },
      { kind: 'prices', n: 2, at: START + 1, tick: 2, known: START, prices: [null, '0.00003'] },
    ])
  })

  test('begins a new segment by size and by age, each with a header that names the tokens so far', () => {
    const writer = writerOf(folder, {}, { segmentBytes: 1000, segmentMs: 60_000 })
    writer.write(input(1))
    writer.writePrices({ n: 2, at: START + 2000, tick: 1, prices: new Map([[BONK, '1']]) })
    writer.write(input(3, { body: { filler: 'x'.repeat(1000) } }))
    writer.write(input(4))
    writer.write(input(5, { at: START + 64_000 }))
    writer.close()
    expect(filesIn(folder)).toEqual([1, 2, 3].map((segment) => `${RUN}-00000${segment}.ndjson.zst`))
    const headers = linesOf(folder).filter((line) => line.kind === 'header')
    expect(headers.map(({ segment, at, mints }) => ({ segment, at, mints }))).toEqual([
      { segment: 1, at: START + 1000, mints: [SOL] },
      { segment: 2, at: START + 4000, mints: [SOL, BONK] },
      { segment: 3, at: START + 64_000, mints: [SOL, BONK] },
    ])
    expect(checkLog(folder)).toEqual([])
  })

  test('packs a segment that has ended beside the loop, to the bytes that one packed at once has', async () => {
    const written = [input(1, { body: { filler: 'x'.repeat(5000) } }), input(2, { at: START + 9000 })] as const
    const writer = writerOf(folder, {}, { segmentMs: 1000 })
    for (const line of written) writer.write(line)
    expect(filesIn(folder), 'the write that ended it has not waited').toEqual([open, `${RUN}-000002.ndjson`])
    writer.flush()
    expect(contentOf(folder), 'until then it is read as it is').toEqual(written)
    await expect.poll(() => filesIn(folder)).toEqual([`${open}.zst`, `${RUN}-000002.ndjson`])
    writer.close()
    const other = emptyFolder()
    const atOnce = writerOf(other, {}, { segmentMs: 1000 })
    for (const line of written) atOnce.write(line)
    atOnce.close()
    expect(filesIn(folder)).toEqual(filesIn(other))
    for (const file of filesIn(folder)) expect(readFileSync(join(folder, file))).toEqual(readFileSync(join(other, file)))
    expect(contentOf(folder)).toEqual(written)
  })

  test('packs segments that many writers end in the same moment one after the other', async () => {
    const folders = Array.from({ length: 20 }, () => emptyFolder())
    const writers = folders.map((each) => writerOf(each, {}, { segmentMs: 1000 }))
    for (const at of [1, 3]) for (const writer of writers) writer.write(input(at))
    for (const each of folders) await expect.poll(() => filesIn(each)).toEqual([`${open}.zst`, `${RUN}-000002.ndjson`])
  })

  test('a segment that cannot be packed ends the recording, at the next line at the latest', async () => {
    const writer = writerOf(folder, {}, { segmentMs: 1000 })
    writer.write(input(1))
    writer.write(input(3))
    rmSync(join(folder, open))
    const thrown = () => {
      try {
        writer.flush()
        return undefined
      } catch (error) {
        return error
      }
    }
    await expect.poll(thrown).toMatchObject({ code: 'RECORDING_WRITE_FAILED', message: expect.stringContaining('ENOENT') })
    // Said once: whoever closes it after that is told nothing new.
    expect(() => writer.close()).not.toThrow()
  })

  test('a segment that cannot be packed is said by close, where no line came after it', () => {
    const writer = writerOf(folder, {}, { segmentMs: 1000 })
    writer.write(input(1))
    writer.write(input(3))
    rmSync(join(folder, open))
    expect(() => writer.close()).toThrow(expect.objectContaining({ code: 'RECORDING_WRITE_FAILED' }))
    expect(() => writer.close()).not.toThrow()
  })

  test('takes nothing once it is closed', () => {
    const writer = writerOf(folder)
    writer.write(input(1))
    writer.close()
    expect(() => writer.write(input(2))).toThrow(/a recording that was closed/)
    expect(filesIn(folder)).toHaveLength(1)
  })

  test('deletes the oldest segments of any run when all together are over their bytes', () => {
    const old = writerOf(folder, { run: '20250101T000000Z-aaaa' })
    old.write(input(1, { body: Array.from({ length: 2000 }, (_, i) => i * 7919) }))
    old.close()
    const writer = writerOf(folder, {}, { segmentBytes: 200, totalBytes: 1200 })
    for (let n = 1; n <= 6; n++) writer.write(input(n))
    const files = filesIn(folder)
    expect(files.some((file) => file.startsWith('2025'))).toBe(false)
    expect(files.at(-1)).toBe(`${RUN}-000006.ndjson`)
    expect(files.length).toBeLessThan(6)
    expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThanOrEqual(1200)
    writer.close()
    expect(checkLog(folder)).toEqual([])
  })

  test('deletes what began longer ago than it is to be kept, of a run before too', async () => {
    const old = writerOf(folder, { run: '20250101T000000Z-aaaa' })
    old.write(input(1))
    old.close()
    const writer = writerOf(folder, {}, { segmentMs: 1000, totalMs: 10_000 })
    writer.write(input(5))
    expect(filesIn(folder)).toHaveLength(2)
    writer.write(input(12))
    await expect.poll(() => filesIn(folder)).toEqual([`${RUN}-000001.ndjson.zst`, `${RUN}-000002.ndjson`])
  })

  test('packs what a run that died left behind, cut to its last whole line', () => {
    const dead = writerOf(folder, { run: '20250101T000000Z-aaaa' })
    dead.write(input(1))
    dead.write(input(2))
    dead.flush()
    const file = join(folder, '20250101T000000Z-aaaa-000001.ndjson')
    writeFileSync(file, readFileSync(file).subarray(0, -7))
    writeFileSync(join(folder, '20250102T000000Z-bbbb-000001.ndjson'), '{"kind":"hea')
    writeFileSync(join(folder, '20250102T000000Z-bbbb-000002.ndjson.zst.tmp'), 'half')
    writerOf(folder)
    expect(filesIn(folder)).toEqual(['20250101T000000Z-aaaa-000001.ndjson.zst'])
    expect(contentOf(folder)).toEqual([input(1)])
    expect(checkLog(folder)).toEqual([])
  })

  test('of a segment that is there plain and packed, the packed one is read: a crash came between', () => {
    const writer = writerOf(folder)
    writer.write(input(1))
    writer.flush()
    copyFileSync(join(folder, open), join(folder, 'copy'))
    writer.write(input(2))
    writer.close()
    copyFileSync(join(folder, 'copy'), join(folder, open))
    expect(contentOf(folder)).toEqual([input(1), input(2)])
  })

  test('a crash at any byte of the last lines loses a suffix, and nothing else', () => {
    const writer = writerOf(folder)
    const written = [1, 2, 3, 4, 5].map((n) => input(n))
    for (const line of written) writer.write(line)
    writer.flush()
    const whole = readFileSync(join(folder, open))
    const headerEnd = whole.indexOf('\n') + 1
    for (let length = headerEnd; length <= whole.length; length++) {
      writeFileSync(join(folder, open), whole.subarray(0, length))
      const read = contentOf(folder)
      expect(read).toEqual(written.slice(0, read.length))
      // A line that lacks nothing but its newline is whole.
      expect(read).toHaveLength(
        whole
          .subarray(0, length + 1)
          .toString()
          .split('\n').length - 2,
      )
    }
  })

  test('says which folder cannot be written, and writes nothing behind a write that failed', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => writerOf(file)).toThrow(
      expect.objectContaining({ code: 'RECORDING_WRITE_FAILED', message: expect.stringContaining(file) }),
    )
    const writer = writerOf(folder)
    writeFileSync(join(folder, open), 'another writer')
    expect(() => writer.write(input(1))).toThrow(expect.objectContaining({ code: 'RECORDING_WRITE_FAILED' }))
    expect(() => writer.flush()).toThrow(expect.objectContaining({ code: 'RECORDING_WRITE_FAILED' }))
    expect(readFileSync(join(folder, open), 'utf8')).toBe('another writer')
  })
})
