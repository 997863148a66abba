import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openLedger } from './ledger.ts'

const WRITER = fileURLToPath(new URL('../../../test/support/optimize/appendTrials.ts', import.meta.url))
const clock = { now: () => 5000 }
const DAY = [{ realm: 'sandbox', from: 0, to: 1000 }]

const folders: string[] = []
const newDir = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'))
  folders.push(folder)
  return folder
}
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const started = (command: string, ...args: readonly string[]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}
const namesIn = (dataDir: string) =>
  openLedger({ dataDir, clock })
    .trials(DAY)
    .map(({ fingerprint }) => fingerprint)

test('processes that write at once lose nothing', async () => {
  const dataDir = newDir()
  const names = ['a', 'b', 'c']
  const writers = names.map((name) => started(process.execPath, WRITER, dataDir, name, '60'))
  for (const writer of writers) writer.stdout.resume()
  expect(await Promise.all(writers.map((writer) => once(writer, 'close')))).toEqual(names.map(() => [0, null]))
  const found = namesIn(dataDir)
  for (const name of names)
    expect(found.filter((each) => each.startsWith(name))).toEqual(Array.from({ length: 60 }, (_, n) => `${name}-${n}`))
})

test('who is killed while it writes harms nobody: the ledger can be read and written on', async () => {
  const dataDir = newDir()
  for (const name of ['a', 'b', 'c', 'd']) {
    const writer = started(process.execPath, WRITER, dataDir, name)
    await once(writer.stdout, 'data')
    writer.kill('SIGKILL')
    await once(writer, 'close')
    openLedger({ dataDir, clock }).trial({ spans: DAY, fingerprint: `after ${name}`, key: 'k', seed: 1, contests: 1, edge: 0 })
    expect(namesIn(dataDir).at(-1)).toBe(`after ${name}`)
  }
})

test.runIf(process.platform === 'linux')('a full disk is said, and what was written before it stays whole', async () => {
  const dataDir = newDir()
  // A limit on the size of files does to it what a full disk does.
  const writer = started('sh', '-c', 'ulimit -f 16; exec "$@"', 'sh', process.execPath, WRITER, dataDir, 'a')
  writer.stdout.resume()
  const [said] = await Promise.all([text(writer.stderr), once(writer, 'close')])
  expect(said).toContain('LEDGER_DAMAGED')
  expect(said).toContain('the ledger of trials cannot be read or written')
  const whole = readFileSync(join(dataDir, 'trials', 'ledger.ndjson'), 'utf8')
  expect(whole.endsWith('\n')).toBe(true)
  expect(namesIn(dataDir).length).toBeGreaterThan(10)
})
