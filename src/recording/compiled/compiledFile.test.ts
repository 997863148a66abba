import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeTable, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import { expect, test } from 'vitest'
import { emptyFolder, filesIn, header, input, prices, SOL, sealedText, segmentOf } from '../../../test/support/logFiles.ts'
import { collectLog, otherTextsOf } from './collectLog.ts'
import { readCompiled, readLines, writeCompiled } from './compiledFile.ts'
import type { StoredPrices } from './compiledPrices.ts'
import { compileLog } from './compileLog.ts'

const LINES = 400
const FRAME_CHARACTERS = 2000

const nothing: StoredPrices = { at: new Float64Array(), known: new Float64Array(), columns: [] }
const newFile = () => join(emptyFolder(), 'compiled.arrow')

/** Some hundred lines, one of them longer than a frame. */
const longLog = () =>
  segmentOf(
    sealedText([
      header(),
      ...Array.from({ length: LINES }, (_, index) => {
        const n = index + 1
        if (n % 10 === 0) return prices(n, { prices: [`${n}.5`] })
        return input(n, { body: { said: n === 201 ? '€ 😀 '.repeat(FRAME_CHARACTERS) : `line ${n}, 1 €` } })
      }),
    ]),
  )

test('has every line as it stands in the log, and the prices, over many frames', () => {
  const log = longLog()
  const file = newFile()
  const written = writeCompiled(file, { collect: (onOther) => collectLog(log, { onOther }), frameCharacters: FRAME_CHARACTERS })
  const read = readCompiled(file)
  expect(written.frames.length).toBeGreaterThan(10)
  expect(read).toMatchObject({ frames: written.frames, at: written.at, known: written.known })
  expect(read?.columns.map(({ mint, values }) => [mint, values])).toEqual([[SOL, written.columns[0]?.values]])
  const texts = [...otherTextsOf(log)]
  expect(texts).toHaveLength(1 + LINES * 0.9)
  expect([...readLines(file, read?.frames ?? new Int32Array())]).toEqual(texts)
})

test('writes lines as they come, and reads them frame by frame', () => {
  const file = newFile()
  const sizes: number[] = []
  const { frames } = writeCompiled(file, {
    frameCharacters: 10,
    collect(onOther) {
      for (const text of ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']) {
        onOther(text)
        sizes.push(...filesIn(dirname(file)).map((name) => statSync(join(dirname(file), name)).size))
      }
      return nothing
    },
  })
  expect(sizes).toEqual([0, frames[0], frames[0], (frames[0] ?? 0) + (frames[1] ?? 0)])
  const lines = readLines(file, frames)
  expect([lines.next().value, lines.next().value]).toEqual(['{"n":1}', '{"n":2}'])
  lines.return(undefined)
})

test('is not in the way of another that writes the same file', () => {
  const file = newFile()
  const collectLine = (onOther: (text: string) => void) => {
    onOther('{"n":1}')
    return nothing
  }
  const collect = (onOther: (text: string) => void) => {
    writeCompiled(file, { collect: collectLine })
    expect([...readLines(file, readCompiled(file)?.frames ?? new Int32Array())]).toEqual(['{"n":1}'])
    return collectLine(onOther)
  }
  const { frames } = writeCompiled(file, { collect, frameCharacters: 1 })
  expect([...readLines(file, frames)]).toEqual(['{"n":1}'])
  expect(filesIn(dirname(file))).toEqual(['compiled.arrow'])
})

test('leaves nothing behind when the log turns out to be wrong', () => {
  const file = newFile()
  const collect = (onOther: (text: string) => void) => {
    onOther('{}')
    throw new Error('the log is wrong')
  }
  expect(() => writeCompiled(file, { collect, frameCharacters: 1 })).toThrow('the log is wrong')
  expect(filesIn(dirname(file))).toEqual([])
})

test('refuses texts that one column cannot hold, and does not write what cannot be read', () => {
  const file = newFile()
  const odd = { rows: new Int32Array(2), textAt: () => '1'.repeat(4e8) }
  const column = { mint: SOL, ticks: new Int32Array(2), values: new Float64Array(2), odd }
  expect(() => writeCompiled(file, { collect: () => ({ ...nothing, columns: [column] }) })).toThrow(RangeError)
  expect(filesIn(dirname(file))).toEqual([])
})

test('a cache of the form before is not read, neither under its name nor under the one of now', () => {
  const log = segmentOf(sealedText([header(), input(1), prices(2)]))
  const lines = () => [...compileLog(log).others()].map(({ kind }) => kind)
  const cache = join(dirname(log), '.compiled')
  mkdirSync(cache)
  const bytes = readFileSync(log)
  const digest = createHash('sha256')
    .update('2\n')
    .update(`${basename(log)} ${bytes.length}\n`)
    .update(bytes)
    .digest('hex')
  const before = join(cache, `${digest.slice(0, 32)}.arrow`)
  writeFileSync(before, formBefore())
  expect(lines()).toEqual(['header', 'input'])

  const now = join(cache, filesIn(cache).find((name) => name !== basename(before)) ?? '')
  const sound = readFileSync(now)
  writeFileSync(now, formBefore())
  expect(readCompiled(now)).toBeUndefined()
  expect(lines()).toEqual(['header', 'input'])
  expect(readFileSync(now)).toEqual(sound)
})

/** Of a log without prices whose only line is another one: tables alone, and a checksum that is right. */
function formBefore(): Buffer {
  const texts = (name: string, values: string[]) => new Table({ [name]: vectorFromArray(values, new Utf8()) })
  const tables = [makeTable({ at: new Float64Array(), known: new Float64Array() }), texts('mint', []), texts('line', ['{"kind":"output"}'])]
  const content = Buffer.concat(tables.map((table) => tableToIPC(table, 'stream')))
  return Buffer.concat([content, Buffer.from(crc32(content).toString(16).padStart(8, '0'))])
}
