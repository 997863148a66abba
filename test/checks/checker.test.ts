import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Checker, type Finding, judge } from './checker.ts'
import { Tree } from './tree.ts'

const tree = new Tree(import.meta.dirname)
const sources = tree.sources().length
const finding: Finding = { file: 'one.ts', rule: 'bad', message: 'is bad' }

function judgeScan(scan: Checker['scan'], counts: Checker['counts'] = 'files', at = tree) {
  return judge({ name: 'fake', counts, scan, plants: [], innocents: {} }, at)
}

test('green: every source was looked at and nothing was found', async () => {
  expect(sources).toBeGreaterThan(10)
  expect(await judgeScan(async () => ({ scanned: sources, findings: [] }))).toEqual({ green: true, scanned: sources, findings: [] })
})

test('red: a finding', async () => {
  expect(await judgeScan(async () => ({ scanned: sources, findings: [finding] }))).toMatchObject({ green: false, findings: [finding] })
})

test('red: a source was left out', async () => {
  const verdict = await judgeScan(async () => ({ scanned: sources - 1, findings: [] }))
  expect(verdict).toMatchObject({ green: false, reason: expect.stringContaining(`looked at ${sources - 1} files`) })
})

test('red: nothing was looked at', async () => {
  expect(await judgeScan(async () => ({ scanned: 0, findings: [] }), 'packages')).toMatchObject({ green: false })
  expect(await judgeScan(async () => ({ scanned: 1, findings: [] }), 'packages')).toMatchObject({ green: true })
  const empty = new Tree(mkdtempSync(join(tmpdir(), 'cornerman-empty-')))
  onTestFinished(() => rmdirSync(empty.root))
  expect(await judgeScan(async () => ({ scanned: 0, findings: [] }), 'files', empty)).toMatchObject({ green: false })
})

test('red: the tool broke down', async () => {
  const verdict = await judgeScan(async () => {
    throw new Error('it broke')
  })
  expect(verdict).toMatchObject({ green: false, reason: 'it broke' })
})
