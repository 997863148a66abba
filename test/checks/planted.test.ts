import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Checker, Scan } from './checker.ts'
import { doubtsAbout } from './planted.ts'
import { Tree } from './tree.ts'

let tree: Tree

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'cornerman-planted-'))
  writeFileSync(join(root, 'one.ts'), 'good')
  mkdirSync(join(root, 'node_modules'))
  tree = new Tree(root)
})

afterAll(() => rmSync(tree.root, { recursive: true }))

/** Finds each file whose text has the word `bad`, with a tool that is installed as the real ones are. */
async function soundScan(at: Tree): Promise<Scan> {
  if (!existsSync(join(at.root, 'node_modules'))) throw new Error('the tool is not installed')
  const bad = at.sources().filter((file) => at.read(file).includes('bad'))
  return { scanned: at.sources().length, findings: bad.map((file) => ({ file, rule: 'bad', message: 'is bad' })) }
}

const sound: Checker = {
  name: 'fake',
  counts: 'files',
  scan: soundScan,
  plants: [{ file: 'planted.ts', rule: 'bad', files: { 'planted.ts': 'bad' } }],
  innocents: { 'innocent.ts': 'good' },
}

/** The sound scan with its findings, or its count, falsified. */
const falsified = (edit: (scan: Scan) => Partial<Scan>) => async (at: Tree) => {
  const scan = await soundScan(at)
  return { ...scan, ...edit(scan) }
}
const renamed = (change: object) => falsified(({ findings }) => ({ findings: findings.map((finding) => ({ ...finding, ...change })) }))

test('there is no doubt about a sound checker, and the tree is left as it was', async () => {
  expect(await doubtsAbout(sound, tree)).toEqual([])
  expect(tree.sources()).toEqual(['one.ts'])
})

test.for<{ about: string; change: Partial<Checker>; doubts: string[] }>([
  { about: 'finds nothing', change: { scan: falsified(() => ({ findings: [] })) }, doubts: ['does not find bad planted in planted.ts'] },
  { about: 'names another rule', change: { scan: renamed({ rule: 'odd' }) }, doubts: ['does not find bad planted in planted.ts'] },
  {
    about: 'names another file',
    change: { scan: renamed({ file: 'one.ts' }) },
    doubts: ['does not find bad planted in planted.ts', 'names one.ts, where nothing was planted'],
  },
  {
    about: 'does not tell one violation from another',
    change: { plants: sound.plants.map((plant) => ({ ...plant, says: 'which' })) },
    doubts: ['does not find bad planted in planted.ts: which'],
  },
  {
    about: 'finds fault with an innocent file',
    change: { innocents: { 'innocent.ts': 'not bad' } },
    doubts: ['names innocent.ts, where nothing was planted'],
  },
  {
    about: 'passes without its tool',
    change: { scan: async (at) => ({ scanned: at.sources().length, findings: [{ file: 'planted.ts', rule: 'bad', message: 'is bad' }] }) },
    doubts: ['does not say that its tool is missing'],
  },
  {
    about: 'looks at nothing',
    change: { scan: falsified(() => ({ scanned: 0 })) },
    doubts: ['gives no findings on planted violations: looked at 0 files'],
  },
])('there is a doubt about a checker that $about', async ({ change, doubts }) => {
  expect(await doubtsAbout({ ...sound, ...change }, tree)).toEqual(doubts.map((doubt) => expect.stringContaining(doubt)))
})
