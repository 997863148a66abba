import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { LogFile } from './logFile.ts'

let folder: string
let troubles: string[]
let now: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'))
  troubles = []
  now = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (size?: '1K') =>
  new LogFile({ onTrouble: (message) => troubles.push(message), now: () => now, ...(size === undefined ? {} : { size }) })
const textOf = (name = 'cornerman.log') => readFileSync(join(folder, 'log', name), 'utf8')

test('has every line, those from before it was opened too, as JSON and without secrets', async () => {
  const file = fileOf()
  const shown: string[] = []
  const log = createLog({ pretty: true, sink: { write: (text) => shown.push(text) }, file })
  log.info('early')
  expect(file.open(join(folder, 'log'))).toBe(`${join(folder, 'log')}/cornerman.log`)
  log.warn({ bot: 'alice', key: 'secret-1', inside: { agentKey: 'secret-2', salt: 'secret-3' } }, 'late')
  await file.close()
  const lines = textOf()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toMatchObject([
    { level: 'info', msg: 'early' },
    { level: 'warn', msg: 'late', bot: 'alice', key: '[secret]', inside: { agentKey: '[secret]', salt: '[secret]' } },
  ])
  expect(textOf()).not.toMatch(/secret-\d/)
  expect(shown).toHaveLength(2)
  expect(statSync(join(folder, 'log', 'cornerman.log')).mode & 0o077).toBe(0)
})

test('goes on where a run before has ended, is rotated, and keeps five older files', async () => {
  const lineOf = (index: number) => `${JSON.stringify({ msg: `line ${index}`.padEnd(100) })}\n`
  for (const from of [0, 100]) {
    const file = fileOf('1K')
    file.open(join(folder, 'log'))
    for (let index = from; index < from + 100; index++) {
      file.write(lineOf(index))
      // A rotation takes a moment.
      if (index % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await file.close()
  }
  const names = readdirSync(join(folder, 'log')).toSorted()
  expect(names).toEqual(['cornerman.log', ...[1, 2, 3, 4, 5].map((index) => `cornerman.log.${index}`)])
  const kept = [5, 4, 3, 2, 1].map((index) => textOf(`cornerman.log.${index}`)).join('') + textOf()
  const numbers = kept
    .trim()
    .split('\n')
    .map((line) => Number(/line (\d+)/.exec(line)?.[1]))
  expect(numbers.at(-1)).toBe(199)
  expect(numbers).toEqual(numbers.map((_, index) => 199 - (numbers.length - 1) + index))
  expect(troubles).toEqual([])
})

test('that cannot be written stops nobody: it is said once, tried again after a minute, and then written', async () => {
  writeFileSync(join(folder, 'log'), 'a file in the place of the folder')
  const file = fileOf()
  file.open(join(folder, 'log'))
  for (let index = 0; index < 100; index++) file.write('{"msg":"lost"}\n')
  now = 59_999
  file.write('{"msg":"lost"}\n')
  expect(troubles).toEqual([expect.stringMatching(/^the log's file cannot be written \(.*its lines are here alone/)])
  rmSync(join(folder, 'log'))
  file.write('{"msg":"lost"}\n')
  expect(existsSync(join(folder, 'log'))).toBe(false)
  writeFileSync(join(folder, 'log'), 'once more')
  now = 60_000
  file.write('{"msg":"lost"}\n')
  expect(troubles).toHaveLength(1)
  rmSync(join(folder, 'log'))
  now = 120_000
  file.write('{"msg":"written"}\n')
  while (!existsSync(join(folder, 'log', 'cornerman.log')) || textOf() === '') await new Promise((resolve) => setTimeout(resolve, 2))
  await new Promise((resolve) => setTimeout(resolve, 5))
  file.write('{"msg":"and at once"}\n')
  await file.close()
  expect(textOf()).toBe('{"msg":"written"}\n{"msg":"and at once"}\n')
})

test('that breaks off in the middle, as on a full disk, stops nobody', async () => {
  mkdirSync(join(folder, 'log', 'cornerman.log.1', 'in the way'), { recursive: true })
  const file = fileOf('1K')
  file.open(join(folder, 'log'))
  for (let index = 0; index < 100; index++) file.write(`${JSON.stringify({ msg: 'x'.repeat(100) })}\n`)
  while (troubles.length === 0) await new Promise((resolve) => setImmediate(resolve))
  file.write('{"msg":"lost"}\n')
  await file.close()
  expect(troubles).toEqual([expect.stringMatching(/^the log's file cannot be written \(.*rename/)])
})

test('of a disk that does not keep up leaves lines out, and says how many', async () => {
  const file = fileOf()
  file.open(join(folder, 'log'))
  const line = `${JSON.stringify({ msg: 'x'.repeat(1024 * 1024) })}\n`
  for (let index = 0; index < 10; index++) file.write(line)
  const path = join(folder, 'log', 'cornerman.log')
  while (!existsSync(path) || statSync(path).size < 3 * line.length) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 5))
  file.write('{"msg":"again"}\n')
  await file.close()
  const lines = textOf().trim().split('\n')
  expect(lines.slice(-2)).toEqual(['{"level":"warn","msg":"7 lines were left out: the disk was too slow"}', '{"msg":"again"}'])
  expect(lines).toHaveLength(5)
})
