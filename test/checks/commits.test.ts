import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judge } from './checker.ts'
import { commits, LONGEST_SUBJECT, scanHistory } from './checkers/commits.ts'
import { Tree } from './tree.ts'

const ALLOWED = 'é'.repeat(LONGEST_SUBJECT)
const LONG = `${ALLOWED}!`

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cornerman-commits-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function history(...subjects: readonly string[]): Tree {
  const tree = new Tree(emptyFolder())
  tree.commit(subjects)
  return tree
}

const hashOf = (tree: Tree, revision: string) => tree.git('rev-parse', revision).trim()

test('refuses a subject of one character too many, and says which', async () => {
  const verdict = await judge(commits, history('one', LONG, ALLOWED))
  expect(verdict).toMatchObject({ green: false, scanned: 3, findings: [{ rule: 'subject', message: expect.stringContaining(LONG) }] })
})

test('a subject goes on until the first empty line', async () => {
  expect(await judge(commits, history(`${ALLOWED}\nmore\n\nbody`))).toMatchObject({ green: false })
  expect(await judge(commits, history(`one\n\n${LONG} ${LONG}`))).toMatchObject({ green: true, scanned: 1 })
})

test('what came before the start is let be, and what came after is not', () => {
  const tree = history(LONG, LONG, 'one', LONG)
  expect(scanHistory(tree, hashOf(tree, 'HEAD~2'))).toMatchObject({ scanned: 2, findings: [{}] })
  expect(scanHistory(tree, hashOf(tree, 'HEAD'))).toEqual({ scanned: 0, findings: [], excuse: undefined })
})

test('a shallow clone says that it is one, and is judged by what it has', async () => {
  const tree = history(LONG, 'one', 'two')
  const folder = emptyFolder()
  execFileSync('git', ['clone', '--quiet', '--depth', '2', `file://${tree.root}`, folder], { stdio: 'ignore' })
  expect(await judge(commits, new Tree(folder))).toEqual({ green: true, scanned: 2, findings: [], excuse: 'a shallow clone has no others' })
})

test('without a history it says so, and is green', async () => {
  const folder = emptyFolder()
  const verdict = await judge(commits, new Tree(folder))
  expect(verdict).toEqual({ green: true, scanned: 0, findings: [], excuse: expect.stringMatching(/^no history can be read: /) })
  expect(await judge(commits, history())).toMatchObject({ green: true, excuse: 'no history: nothing is committed yet' })
})

test('the history of a folder above is none of its own', async () => {
  const tree = history('one', LONG)
  tree.write({ 'inner/one.ts': '' })
  expect(await judge(commits, new Tree(join(tree.root, 'inner')))).toMatchObject({
    green: true,
    scanned: 0,
    excuse: `no history: the repository is that of ${tree.root}`,
  })
})
