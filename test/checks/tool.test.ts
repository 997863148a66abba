import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanWith, type ToolRun } from './tool.ts'
import { Tree } from './tree.ts'

let tree: Tree

beforeAll(() => {
  tree = new Tree(mkdtempSync(join(tmpdir(), 'cornerman-tool-')))
  const folder = join(tree.root, 'node_modules/fake')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ bin: { fake: './fake.cjs' } }))
  // Says its first argument and exits with its second.
  writeFileSync(join(folder, 'fake.cjs'), 'process.stdout.write(process.argv[2]); process.exitCode = Number(process.argv[3])')
})

afterAll(() => rmSync(tree.root, { recursive: true }))

const finding = { file: 'one.ts', rule: 'bad', message: 'is bad' }
const read = ({ stdout }: ToolRun) => ({ scanned: 1, findings: JSON.parse(stdout) ? [finding] : [] })
const run = (stdout: string, exitCode: number, command = 'fake', name = 'fake') =>
  scanWith(tree, { package: name, command, args: [stdout, String(exitCode)] }, read)

test('reads what the tool says, whatever its exit code', async () => {
  expect(await run('true', 1)).toEqual({ scanned: 1, findings: [finding] })
  expect(await run('true', 0)).toEqual({ scanned: 1, findings: [finding] })
  expect(await run('false', 0)).toEqual({ scanned: 1, findings: [] })
})

test('a tool that fails and finds nothing broke down', async () => {
  await expect(run('false', 1)).rejects.toThrow('fake failed and found nothing: false')
})

test('a report that cannot be read is shown', async () => {
  await expect(run('Segmentation fault', 0)).rejects.toThrow('fake gave no report that can be read (exit 0): Segmentation fault')
})

test('a tool that is not there is named', async () => {
  await expect(run('false', 0, 'fake', 'missing')).rejects.toThrow('missing is not installed: run npm ci')
  await expect(run('false', 0, 'other')).rejects.toThrow('fake has no command other')
})
