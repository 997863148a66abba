import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ANSWERS_FILE, type Exchange, outputOf, readExchanges } from './exchange.ts'
import { FACTS_FILE, readFacts } from './facts.ts'

const EXCHANGE: Exchange = {
  ...{ n: 1, at: 1, procedure: 'agent.me', input: null, status: 200, headers: {} },
  body: { result: { data: { json: { agent: {} } } } },
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('a torn last line is left out, a whole one without its end is not', () => {
  const line = JSON.stringify(EXCHANGE)
  expect(readExchanges(folderWith({ [ANSWERS_FILE]: `${line}\n${line.slice(0, 20)}` }))).toEqual([EXCHANGE])
  expect(readExchanges(folderWith({ [ANSWERS_FILE]: `${line}\n${line}` }))).toEqual([EXCHANGE, EXCHANGE])
  expect(readExchanges(folderWith({ [ANSWERS_FILE]: '' }))).toEqual([])
})

test('a line that is torn elsewhere is an error', () => {
  const line = JSON.stringify(EXCHANGE)
  expect(() => readExchanges(folderWith({ [ANSWERS_FILE]: `${line.slice(0, 20)}\n${line}\n` }))).toThrow(SyntaxError)
})

test('only a success has an output', () => {
  expect(outputOf(EXCHANGE)).toEqual({ agent: {} })
  for (const body of ['', null, {}, { error: {} }, 'text']) expect(outputOf({ ...EXCHANGE, body })).toBeUndefined()
  expect(outputOf({ ...EXCHANGE, status: 429 })).toBeUndefined()
})

test('facts are read with what a later version adds', () => {
  const move = { at: 5, type: 'enqueue', mode: 'pnl_usd', accepted: true }
  const facts = { version: 1, service: 'http://x', startedAt: 1, events: [], moves: [move], more: 1 }
  expect(readFacts(folderWith({ [FACTS_FILE]: JSON.stringify(facts) })).moves).toEqual([{ ...move, began: [] }])
  expect(() => readFacts(folderWith({ [FACTS_FILE]: '{"version":2}' }))).toThrow()
})
