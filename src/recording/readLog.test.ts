import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  contentOf,
  emptyFolder,
  filesIn,
  header,
  input,
  linesOf,
  prices,
  RUN,
  SOL,
  START,
  sealedText,
  segmentOf,
  writerOf,
} from '../../test/support/logFiles.ts'
import { readLog } from './readLog.ts'
import { repairLog } from './repairLog.ts'
import { packSegment, plainName, readSegment } from './segments.ts'

const withoutCrc = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const whole = sealedText([header(), input(1), prices(2), input(3)])

/** The text with one line of it (from 1) put otherwise. */
const withLine = (text: string, line: number, change: (line: string) => string): string =>
  text
    .split('\n')
    .map((found, index) => (index === line - 1 ? change(found) : found))
    .join('\n')

interface Case {
  readonly code: string
  readonly line: number
  readonly text: string
  readonly says: RegExp
}

const cases: Record<string, Case> = {
  'a digit that was altered': {
    code: 'LOG_ALTERED',
    line: 3,
    text: withLine(whole, 3, (l) => l.replace('187.25', '187.26')),
    says: /checksum/,
  },
  'a digit that was altered, with the ends of lines': {
    code: 'LOG_ALTERED',
    line: 3,
    text: withLine(whole, 3, (l) => l.replace('187.25', '187.26')).replaceAll('\n', '\r\n'),
    says: /checksum/,
  },
  'a line written anew, with spaces': {
    code: 'LOG_ALTERED',
    line: 3,
    text: withLine(whole, 3, (l) => l.replace('187.25', '187.26').replace(',"crc":', ', "crc": ')),
    says: /written anew/,
  },
  'a line written anew, its checksum not at the end': {
    code: 'LOG_ALTERED',
    line: 2,
    text: withLine(whole, 2, (l) => l.replace(/(.*),("crc":"\w+")}$/, (_, body: string, crc: string) => `{${crc},${body.slice(1)}}`)),
    says: /written anew/,
  },
  'a checksum that is a number': {
    code: 'LOG_ALTERED',
    line: 2,
    text: withLine(whole, 2, (l) => l.replace(/"crc":"\w+"/, '"crc":12')),
    says: /written anew/,
  },
  'a header written anew': {
    code: 'LOG_ALTERED',
    line: 1,
    text: withLine(whole, 1, (l) => l.replace(',"crc":', ', "crc": ')),
    says: /written anew/,
  },
  'an altered header': { code: 'LOG_ALTERED', line: 1, text: withLine(whole, 1, (l) => l.replace('alice', 'alicf')), says: /checksum/ },
  'a line taken out that was no input': {
    code: 'LOG_ALTERED',
    line: 3,
    text: withLine(
      sealedText([header(), input(1), { kind: 'output', n: 1, at: START + 1000, decisions: [] }, input(2)]),
      3,
      () => '#',
    ).replace('#\n', ''),
    says: /taken out or moved/,
  },
  'an input that is missing': {
    code: 'LOG_GAP',
    line: 3,
    text: sealedText([header(), input(1), input(3)]),
    says: /input 3 follows input 1: 1 are missing/,
  },
  'a time that goes back': {
    code: 'LOG_OUT_OF_ORDER',
    line: 3,
    text: sealedText([header(), input(1), input(2, { at: START })]),
    says: new RegExp(`${START} is before ${START + 1000}`),
  },
  'an input that comes again': {
    code: 'LOG_OUT_OF_ORDER',
    line: 3,
    text: sealedText([header(), input(1), input(1)]),
    says: /input 1 follows input 1/,
  },
  'a newer version': {
    code: 'LOG_NEWER',
    line: 1,
    text: sealedText([header({ version: 2 })]),
    says: /version 2, this Cornerman reads up to 1/,
  },
  'two bots': {
    code: 'LOG_MIXED',
    line: 3,
    text: sealedText([header(), input(1)]) + sealedText([header({ bot: 'bob' }), input(1)]),
    says: /of bot bob, those before are of alice/,
  },
  ...Object.fromEntries(
    ['0', '0.000', '-1', 'NaN', '1e5', '', ' 1', '1,5', 187.25, 0, true].map((price) => [
      `a price of ${JSON.stringify(price)}`,
      { code: 'LOG_PRICE_INVALID', line: 2, text: sealedText([header(), { ...prices(1), prices: [price] }]), says: /in column 0/ },
    ]),
  ),
  'a price of a bare NaN': {
    code: 'LOG_PRICE_INVALID',
    line: 2,
    text: withoutCrc([header(), prices(1)]).replace('"187.25"', 'NaN'),
    says: /'NaN' in column 0/,
  },
  'more prices than tokens': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), prices(1, { prices: ['1', '2'] })]),
    says: /2 prices for 1 tokens/,
  },
  'a token named twice': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), { kind: 'mints', mints: [SOL] }]),
    says: /has a column already/,
  },
  'no header': { code: 'LOG_UNREADABLE', line: 1, text: sealedText([input(1)]), says: /begins with a header line/ },
  'a header without a bot': { code: 'LOG_UNREADABLE', line: 1, text: sealedText([{ ...header(), bot: undefined }]), says: /bot/ },
  'a run that would name a file elsewhere': { code: 'LOG_UNREADABLE', line: 1, text: sealedText([header({ run: '../x' })]), says: /run/ },
  'a kind there is not': { code: 'LOG_UNREADABLE', line: 2, text: sealedText([header(), { kind: 'rumour' }]), says: /'rumour' is no kind/ },
  'an input without a number': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), { ...input(1), n: 'one' }]),
    says: /needs n, at and type/,
  },
  'an input of a type there is not': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), input(1, { type: 'rumour' })]),
    says: /'rumour' is no type of input/,
  },
  'an input without a body': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), input(1, { type: 'event', body: null })]),
    says: /type event needs a body, not null/,
  },
  'an answer without its request': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), input(1, { type: 'answer', body: { result: {} } })]),
    says: /type answer needs request/,
  },
  'a time there is no date of': {
    code: 'LOG_UNREADABLE',
    line: 2,
    text: sealedText([header(), input(1, { at: 2 ** 53 - 1 })]),
    says: /needs n, at and type/,
  },
  'a line that is not JSON': { code: 'LOG_UNREADABLE', line: 2, text: `${sealedText([header()])}what\n`, says: /not JSON/ },
  'a file that is no log': { code: 'LOG_UNREADABLE', line: 1, text: 'ts,SOL\n60,1\n', says: /check that it is a recorded log/ },
  'a file that is no log, on one line': { code: 'LOG_UNREADABLE', line: 1, text: 'hello', says: /begins with a header line/ },
  'an empty file': { code: 'LOG_EMPTY', line: 0, text: '', says: /no line in it/ },
}

describe('readLog', () => {
  test.each(Object.entries(cases))('refuses %s, naming file, line and what to do', (_name, { code, line, text, says }) => {
    const file = segmentOf(text)
    expect(() => linesOf(file)).toThrow(expect.objectContaining({ code, details: { file, line }, message: expect.stringMatching(says) }))
    expect(() => linesOf(file)).toThrow(line === 0 ? `${file}: ` : `${file}, line ${line}: `)
  })

  test('names the command that repairs it', () => {
    const file = segmentOf(sealedText([header(), input(1), input(3)]))
    expect(() => linesOf(file)).toThrow(`npm run cornerman -- logs repair ${file} --out DIR`)
  })

  test('refuses a path that is not there, and a folder without segments', () => {
    expect(() => linesOf('/nowhere/at/all')).toThrow(expect.objectContaining({ code: 'LOG_UNREADABLE' }))
    expect(() => linesOf(emptyFolder())).toThrow(expect.objectContaining({ code: 'LOG_EMPTY' }))
  })

  test('reads lines without checksums, and a last line that lacks only its newline', () => {
    const lines = [header(), input(1), prices(2)]
    expect(linesOf(segmentOf(withoutCrc(lines).trimEnd()))).toEqual(lines)
  })

  test('takes lines that end with CR LF for what they are', () => {
    expect(linesOf(segmentOf(whole.replaceAll('\n', '\r\n')))).toEqual([header(), input(1), prices(2), input(3)])
    expect(linesOf(segmentOf(withoutCrc([header(), input(1)]).replaceAll('\n', '\r\n')))).toEqual([header(), input(1)])
  })

  test('does not take a checksum out of the chain for a line that never had one', () => {
    const text = withLine(whole, 2, (line) => line.replace(/,"crc":"[0-9a-f]{8}"/, ''))
    expect(() => linesOf(segmentOf(text))).toThrow(
      expect.objectContaining({ code: 'LOG_ALTERED', details: expect.objectContaining({ line: 3 }) }),
    )
  })

  test('gives file and line of what it reads, and the inputs may begin and end anywhere', () => {
    const text = sealedText([header({ segment: 7 }), input(41), input(42)])
    const [file, texts] = [segmentOf(text), text.split('\n')]
    expect([...readLog(file)]).toEqual([
      { line: header({ segment: 7 }), text: texts[0], file, lineNumber: 1 },
      { line: input(41), text: texts[1], file, lineNumber: 2 },
      { line: input(42), text: texts[2], file, lineNumber: 3 },
    ])
  })

  test('forgives what a crash leaves at the end of a plain segment, unless told not to', () => {
    const file = segmentOf(whole.slice(0, -5))
    expect(contentOf(file)).toEqual([input(1), prices(2)])
    expect(() => [...readLog(file, { tail: 'refuse' })]).toThrow(expect.objectContaining({ code: 'LOG_CUT', details: { file, line: 4 } }))
    expect(() => linesOf(segmentOf(whole.slice(0, 30)))).toThrow(expect.objectContaining({ code: 'LOG_EMPTY' }))
  })

  test('does not forgive a packed segment that was cut, wherever it was', () => {
    const folder = emptyFolder()
    const writer = writerOf(folder)
    for (let n = 1; n <= 50; n++) writer.write(input(n, { body: { n: n ** 5 } }))
    writer.close()
    const file = join(folder, filesIn(folder)[0] ?? '')
    const stored = readFileSync(file)
    for (let length = 4; length < stored.length; length += 7) {
      writeFileSync(file, stored)
      truncateSync(file, length)
      expect(() => linesOf(folder)).toThrow(expect.objectContaining({ code: 'LOG_CUT' }))
    }
  })

  test('does not forgive a packed segment whose text was cut before it was packed', () => {
    const file = segmentOf(zstdCompressSync(whole.slice(0, -5)))
    expect(() => linesOf(file)).toThrow(expect.objectContaining({ code: 'LOG_CUT', details: { file, line: 4 } }))
  })

  describe('a packed segment of several frames', () => {
    const frames = whole.split(/(?<=\n)/).map((line) => zstdCompressSync(line))
    const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 0xab, 0xcd])

    test('takes no more memory than what is in it, however many there are', () => {
      const many = Buffer.concat(Array.from({ length: 1500 }, () => zstdCompressSync(Buffer.from(`${whole.slice(0, 60)}\n`))))
      const before = process.memoryUsage().arrayBuffers
      readSegment(segmentOf(many))
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200e6)
    })

    test('is read as a whole, also where frames are to be passed over', () => {
      const all = [header(), input(1), prices(2), input(3)]
      expect(linesOf(segmentOf(Buffer.concat(frames)))).toEqual(all)
      expect(linesOf(segmentOf(Buffer.concat(frames.flatMap((frame) => [skippable, frame]))))).toEqual(all)
    })

    test.each([
      ['cut in a later frame', Buffer.concat(frames).subarray(0, -5), 'LOG_CUT'],
      [
        'with a later frame that was altered',
        Buffer.concat([...frames.slice(0, 3), Buffer.from(frames[3] ?? []).fill(0xff, 6, 9)]),
        'LOG_ALTERED',
      ],
      ['with other bytes behind it', Buffer.concat([...frames, Buffer.from('and so on')]), 'LOG_UNREADABLE'],
      ['with a byte behind it', Buffer.concat([...frames, Buffer.from('\n')]), 'LOG_UNREADABLE'],
    ])('is not read in part: %s', (_name, stored, code) => {
      expect(() => linesOf(segmentOf(stored))).toThrow(expect.objectContaining({ code }))
    })
  })

  test('does not take a packed segment that was altered for one', () => {
    const folder = emptyFolder()
    const writer = writerOf(folder)
    for (let n = 1; n <= 50; n++) writer.write(input(n, { body: { n: n ** 5 } }))
    writer.close()
    const file = join(folder, filesIn(folder)[0] ?? '')
    const stored = readFileSync(file)
    stored[stored.length >> 1] = (stored[stored.length >> 1] ?? 0) ^ 1
    writeFileSync(file, stored)
    expect(() => linesOf(folder)).toThrow(expect.objectContaining({ code: 'LOG_ALTERED' }))
  })

  test('of a segment that cannot be opened says why, and does not call it damaged', () => {
    const folder = emptyFolder()
    mkdirSync(join(folder, plainName(RUN, 1)))
    const refusal = expect.objectContaining({ code: 'LOG_UNREADABLE', message: expect.stringMatching(/EISDIR.*may be read/) })
    expect(() => linesOf(folder)).toThrow(refusal)
    expect(() => repairLog(folder, emptyFolder())).toThrow(refusal)
  })

  test('goes from segment to segment of a run, and misses one that is not there', () => {
    const folder = emptyFolder()
    const segment = (number: number, lines: readonly unknown[]) =>
      writeFileSync(
        join(folder, `${RUN}-00000${number}.ndjson`),
        sealedText([header({ segment: number, at: START + number * 1000 }), ...lines]),
      )
    segment(1, [input(1)])
    segment(2, [input(2)])
    expect(contentOf(folder)).toEqual([input(1), input(2)])
    segment(4, [input(4)])
    expect(() => linesOf(folder)).toThrow(expect.objectContaining({ code: 'LOG_GAP', message: expect.stringContaining('segment 4') }))
  })

  test('finds a segment that was packed while it read the one before', () => {
    const folder = emptyFolder()
    const [first, second] = ['000001', '000002'].map((number) => join(folder, `${RUN}-${number}.ndjson`))
    writeFileSync(first ?? '', sealedText([header(), input(1)]))
    writeFileSync(second ?? '', sealedText([header({ segment: 2, at: START + 1000 }), input(2)]))
    const read: unknown[] = []
    for (const { line } of readLog(folder)) {
      if (read.length === 0) for (const file of [first, second]) packSegment(file ?? '')
      read.push(line)
    }
    expect(read.filter((line) => (line as { kind: string }).kind === 'input')).toEqual([input(1), input(2)])
    expect(filesIn(folder)).toEqual([`${RUN}-000001.ndjson.zst`, `${RUN}-000002.ndjson.zst`])
  })

  test('may begin in the middle of its first run, and misses the first segment of a later one', () => {
    const folder = emptyFolder()
    const segment = (run: string, number: number) =>
      writeFileSync(
        join(folder, `${run}-00000${number}.ndjson`),
        sealedText([header({ run, segment: number, at: START + number * 1000 }), input(number)]),
      )
    segment('r1', 3)
    segment('r2', 1)
    segment('r2', 2)
    expect(contentOf(folder)).toEqual([input(3), input(1), input(2)])
    rmSync(join(folder, 'r2-000001.ndjson'))
    expect(() => linesOf(folder)).toThrow(
      expect.objectContaining({ code: 'LOG_GAP', message: expect.stringMatching(/r2-000002.*run r2 begins with segment 2/) }),
    )
    rmSync(join(folder, 'r1-000003.ndjson'))
    expect(contentOf(folder)).toEqual([input(2)])
  })

  test('of several paths each is a log of its own', () => {
    const [alice, bob] = [segmentOf(sealedText([header(), input(1)])), segmentOf(sealedText([header({ bot: 'bob' }), input(9)]))]
    const read = readLog([alice, bob])
      .map(({ line }) => line)
      .toArray()
    expect(read).toEqual([header(), input(1), header({ bot: 'bob' }), input(9)])
  })
})
