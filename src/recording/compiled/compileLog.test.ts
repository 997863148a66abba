import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BONK, emptyFolder, filesIn, header, prices, SOL, START, sealedText, segmentOf, writerOf } from '../../../test/support/logFiles.ts'
import { canonicalPrice } from '../../core/price.ts'
import { readLog } from '../readLog.ts'
import type { CompiledPrices } from './compiledPrices.ts'
import { compileLog } from './compileLog.ts'

/** What a column holds, as [tick, text]. */
const rowsOf = (compiled: CompiledPrices, mint: string) => {
  const column = compiled.of(mint)
  return Array.from(column?.ticks ?? [], (tick, row) => [tick, column?.text(row)])
}

function twoRuns(): string {
  const folder = emptyFolder()
  const first = writerOf(folder, { mints: [] })
  first.writePrices({ n: 1, at: START, tick: 1, prices: new Map([[SOL, '187.25']]) })
  first.writePrices({ n: 2, at: START + 2000, tick: 2, known: START + 1500, prices: new Map([[BONK, '0.00003']]) })
  first.close()
  const second = writerOf(folder, { mints: [BONK], run: '20260102T030405Z-zzzz' })
  second.writePrices({ at: START + 2000, tick: 8, prices: new Map([[SOL, '1']]) })
  second.writePrices({
    at: START + 3000,
    tick: 9,
    prices: new Map([
      [SOL, '188'],
      [BONK, '0.0000000123'],
    ]),
  })
  second.close()
  return folder
}

const expectTwoRuns = (compiled: CompiledPrices) => {
  expect(compiled.mints).toEqual([SOL, BONK])
  expect(compiled.tickCount).toBe(3)
  expect([...compiled.at]).toEqual([START, START + 2000, START + 3000])
  expect([...compiled.known]).toEqual([START, START + 1500, START + 3000])
  expect(rowsOf(compiled, SOL)).toEqual([
    [1, '187.25'],
    [3, '188'],
  ])
  expect(rowsOf(compiled, BONK)).toEqual([
    [2, '0.00003'],
    [3, '0.0000000123'],
  ])
  expect([...(compiled.of(BONK)?.values ?? [])]).toEqual([0.00003, 1.23e-8])
  expect(compiled.of('another')).toBeUndefined()
}

describe('compileLog', () => {
  test('numbers ticks over all runs, and leaves out what a run says of a time the run before covers', () => {
    expectTwoRuns(compileLog(twoRuns()))
  })

  test('takes the cache while the log is the same, and makes it again when it is gone, damaged or of another log', () => {
    const log = twoRuns()
    const cache = join(log, '.compiled')
    compileLog(log)
    const [name = ''] = filesIn(cache)
    const file = join(cache, name)
    const made = statSync(file).mtimeMs
    expectTwoRuns(compileLog(log))
    expect(statSync(file).mtimeMs).toBe(made)

    const bytes = readFileSync(file)
    for (const damaged of [bytes.subarray(0, 100), Buffer.alloc(0), Buffer.from(bytes).fill(0xff, 700, 701)]) {
      writeFileSync(file, damaged)
      expectTwoRuns(compileLog(log))
      expect(readFileSync(file)).toEqual(bytes)
    }

    rmSync(cache, { recursive: true })
    expectTwoRuns(compileLog(log))
    expect(filesIn(cache)).toEqual([name])

    const third = writerOf(log, { run: '20260102T030406Z-aaaa' })
    third.writePrices({ at: START + 4000, tick: 1, prices: new Map([[SOL, '190']]) })
    third.close()
    expect(rowsOf(compileLog(log), SOL)).toEqual([
      [1, '187.25'],
      [3, '188'],
      [4, '190'],
    ])
    expect(filesIn(cache)).toHaveLength(2)
  })

  test('notices a log of the same name and size with another price in it', () => {
    const text = (price: string) => sealedText([header(), prices(1, { prices: [price] })])
    const log = segmentOf(text('187.25'))
    compileLog(log)
    writeFileSync(log, text('187.26'))
    expect(rowsOf(compileLog(log), SOL)).toEqual([[1, '187.26']])
  })

  test('comes from the cache and not from the log', () => {
    const log = twoRuns()
    const elsewhere = emptyFolder()
    compileLog(log, { cacheFolder: elsewhere })
    const other = segmentOf(sealedText([header(), prices(1, { prices: ['5'] })]))
    compileLog(other, { cacheFolder: elsewhere })
    const ofOther = join(other, '..', '.compiled')
    const [a = '', b = ''] = filesIn(elsewhere)
    const [mine, theirs] = [join(elsewhere, a), join(elsewhere, b)].map((file) => readFileSync(file))
    writeFileSync(join(elsewhere, a), theirs ?? '')
    writeFileSync(join(elsewhere, b), mine ?? '')
    expect(rowsOf(compileLog(log, { cacheFolder: elsewhere }), SOL)).toEqual([[1, '5']])
    expect(() => statSync(ofOther)).toThrow()
  })

  test('keeps the caches of a recording that goes on to a few', () => {
    const log = emptyFolder()
    for (let n = 1; n <= 6; n++) {
      const writer = writerOf(log, { run: `run-${n}` })
      writer.write(prices(n))
      writer.close()
      compileLog(log)
    }
    expect(filesIn(join(log, '.compiled'))).toHaveLength(4)
  })

  test('takes no cache away that it reads itself, however many logs stand side by side', () => {
    const folder = emptyFolder()
    const logs = Array.from({ length: 6 }, (_, index) => {
      const log = join(folder, `${index}.ndjson`)
      writeFileSync(log, sealedText([header({ bot: `bot-${index}` }), prices(index + 1)]))
      return log
    })
    const cache = join(folder, '.compiled')
    const bots = () => [...compileLog(logs).others()].map((line) => line.kind === 'header' && line.bot)
    const expected = logs.map((_, index) => `bot-${index}`)
    expect(bots()).toEqual(expected)
    const written = filesIn(cache).map((name) => statSync(join(cache, name)).mtimeMs)
    expect(written).toHaveLength(6)
    expect(bots()).toEqual(expected)
    expect(filesIn(cache).map((name) => statSync(join(cache, name)).mtimeMs)).toEqual(written)
  })

  test('has the other lines though its cache is deleted before they are read', () => {
    const log = twoRuns()
    const expected = [...compileLog(log).others()]
    const compiled = compileLog(log)
    rmSync(join(log, '.compiled'), { recursive: true })
    expect([...compiled.others()]).toEqual(expected)
    expect(expected).toHaveLength(5)
  })

  test('clears away what a writer that died has left, and not what one is writing', () => {
    const log = twoRuns()
    const cache = join(log, '.compiled')
    compileLog(log)
    for (const name of ['a.arrow.died.tmp', 'b.arrow.writing.tmp', 'c.tmp']) writeFileSync(join(cache, name), '')
    for (const name of ['a.arrow.died.tmp', 'c.tmp']) utimesSync(join(cache, name), 0, 0)
    for (const name of filesIn(cache).filter((file) => file.endsWith('.arrow'))) rmSync(join(cache, name))
    compileLog(log)
    expect(filesIn(cache).filter((name) => name.endsWith('.tmp'))).toEqual(['b.arrow.writing.tmp', 'c.tmp'])
  })

  test('does without a cache where there can be none', () => {
    const log = twoRuns()
    writeFileSync(join(log, '.compiled'), 'a file where the folder would be')
    expectTwoRuns(compileLog(log))
    expectTwoRuns(compileLog(log))
  })

  test('a log without prices has no ticks, from the cache too', () => {
    const log = segmentOf(sealedText([header()]))
    for (const compiled of [compileLog(log), compileLog(log)]) expect([compiled.tickCount, compiled.mints]).toEqual([0, []])
  })

  test('gives every price back to the digit, in canonical form', () => {
    const digits = fc.stringMatching(/^\d{1,25}(\.\d{1,18})?$/).filter((text) => /[1-9]/.test(text))
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 20 }), (texts) => {
        const log = segmentOf(sealedText([header(), ...texts.map((text, index) => prices(index + 1, { prices: [text] }))]))
        for (const compiled of [compileLog(log), compileLog(log)]) {
          expect(rowsOf(compiled, SOL).map(([, text]) => text)).toEqual(texts.map(canonicalPrice))
          expect([...(compiled.of(SOL)?.values ?? [])]).toEqual(texts.map(Number))
        }
      }),
      { numRuns: 50 },
    )
  })

  test('of several logs the one that began first counts where they overlap', () => {
    const log = (from: number, texts: readonly string[], mint = SOL) =>
      segmentOf(
        sealedText([
          header({ mints: [mint] }),
          ...texts.map((text, index) => prices(index + 1, { at: START + (from + index) * 1000, prices: [text] })),
        ]),
      )
    const late = log(2, ['12.0000000000000000001'.slice(0, 20), '13', '0.0000001'])
    const compiled = compileLog([late, log(0, ['1', '2', '3']), log(1, ['9'], BONK), log(10, ['7'], BONK)])
    expect(rowsOf(compiled, SOL)).toEqual([
      [1, '1'],
      [2, '2'],
      [3, '3'],
      [4, '13'],
      [5, '0.0000001'],
    ])
    expect(rowsOf(compiled, BONK)).toEqual([[6, '7']])
    expect([...compiled.at].map((at) => (at - START) / 1000)).toEqual([0, 1, 2, 3, 4, 10])
    expect(compiled.tickCount).toBe(6)
  })

  test('in the pause of one log another counts, with tokens of its own', () => {
    const log = (mint: string, ...minutes: readonly number[]) =>
      segmentOf(
        sealedText([
          header({ mints: [mint] }),
          ...minutes.map((minute, index) => prices(index + 1, { at: START + minute * 60_000, prices: [String(minute + 1)] })),
        ]),
      )
    const [paused, whole] = [log(SOL, 0, 1, 2, 50, 51, 52), log(BONK, 1, 2, 3, 4, 48, 49, 50, 51)]
    for (const named of [
      [paused, whole],
      [whole, paused],
    ]) {
      const compiled = compileLog(named)
      expect([...compiled.at].map((at) => (at - START) / 60_000)).toEqual([0, 1, 2, 3, 4, 48, 49, 50, 51, 52])
      expect(rowsOf(compiled, SOL).map(([, text]) => text)).toEqual(['1', '2', '3', '53'])
      expect(rowsOf(compiled, BONK).map(([tick]) => tick)).toEqual([4, 5, 6, 7, 8, 9])
      expect(rowsOf(compiled, BONK).map(([, text]) => text)).toEqual(['4', '5', '49', '50', '51', '52'])
    }
  })

  test('has the lines that are not prices, from the cache too, and of several logs in the order in which they began', () => {
    const log = (bot: string, at: number) => {
      const input = { kind: 'input', n: 1, at, type: 'timer', body: { said: `of ${bot}: 1 €` } }
      return segmentOf(sealedText([header({ bot, at }), input, prices(2, { at, prices: ['1'] })]))
    }
    const [early, late] = [log('early', START), log('late', START + 1000)]
    const said = () =>
      [...compileLog([late, early]).others()].map((line) => (line.kind === 'input' ? line.body : line.kind === 'header' ? line.bot : line))
    const expected = ['early', { said: 'of early: 1 €' }, 'late', { said: 'of late: 1 €' }]
    expect(said()).toEqual(expected)
    expect(said()).toEqual(expected)
  })

  test('tells how far it has come, over all logs', () => {
    const logs = [segmentOf(sealedText([header(), prices(1)])), segmentOf(sealedText([header(), prices(1), prices(2)]))]
    const [first = 0, second = 0] = logs.map((log) => statSync(log).size)
    const told: [number, number][] = []
    compileLog(logs, { onProgress: (bytes, total) => told.push([bytes, total]) })
    expect(told).toContainEqual([first, first + second])
    expect([told[0], told.at(-1)]).toEqual([
      [0, first + second],
      [first + second, first + second],
    ])
  })

  test('takes lines of prices from elsewhere for what they say', () => {
    const lines = [
      header({ mints: [SOL, BONK] }),
      prices(1, { prices: ['187.25', '0.00003'] }),
      prices(2, { prices: [null, '0.0000000123'] }),
    ]
    const own = sealedText(lines)
    const bare = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const reordered = lines.map((line) => `${JSON.stringify(Object.fromEntries(Object.entries(line).toReversed()))}\n`).join('')
    for (const text of [own, bare, reordered, own.replaceAll('\n', '\r\n'), own.slice(0, -1)]) {
      const compiled = compileLog(segmentOf(text))
      expect([...compiled.at]).toEqual([START + 1000, START + 2000])
      expect(rowsOf(compiled, SOL)).toEqual([[1, '187.25']])
      expect(rowsOf(compiled, BONK)).toEqual([
        [1, '0.00003'],
        [2, '0.0000000123'],
      ])
    }
  })

  test.each([
    ['a digit that was altered', sealedText([header(), prices(1), prices(2)]).replace('187.25', '187.26')],
    ['a line that was taken out', sealedText([header(), prices(1), prices(2)]).replace(/\n.*\n/, '\n')],
    ['a checksum that was altered', sealedText([header(), prices(1), prices(2)]).replace(/(\n.*"crc":")......../, '$100000000')],
    ['a number that is missing', sealedText([header(), prices(1), prices(3)])],
    ['a time that goes back', sealedText([header(), prices(1), prices(2, { at: START })])],
    ['more prices than columns', sealedText([header(), prices(1, { prices: ['1', '2'] })])],
    ['a price of 0', sealedText([header(), prices(1), prices(2, { prices: ['0.00'] })])],
    ['no header', sealedText([prices(1), prices(2)])],
    ['prices under the header of another bot', sealedText([header(), prices(1), header({ bot: 'bob', segment: 2 }), prices(2)])],
  ])('refuses %s as readLog does', (_name, text) => {
    const log = segmentOf(text)
    const refusalBy = (read: () => unknown) => {
      try {
        return read()
      } catch (thrown) {
        return (thrown as Error).message
      }
    }
    expect(refusalBy(() => compileLog(log))).toMatch(/line \d/)
    expect(refusalBy(() => compileLog(log))).toBe(refusalBy(() => [...readLog(log)]))
  })

  test('refuses what readLog refuses', () => {
    expect(() => compileLog(segmentOf('hello'))).toThrow(expect.objectContaining({ code: 'LOG_UNREADABLE' }))
    expect(() => compileLog('/nowhere')).toThrow(expect.objectContaining({ code: 'LOG_UNREADABLE' }))
  })
})
