import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { deadHolderOf, holderOf, isHeld } from './holder.ts'
import { SqliteJournal } from './sqliteJournal.ts'

const folder = mkdtempSync(join(tmpdir(), 'holder-'))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Another process that holds a journal, from when this resolves. */
async function heldElsewhere(file: string): Promise<ChildProcess> {
  const module = fileURLToPath(new URL('./sqliteJournal.ts', import.meta.url))
  const script = `const { SqliteJournal } = await import(${JSON.stringify(module)}); new SqliteJournal(${JSON.stringify(file)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  if (child.stdout !== null) await once(child.stdout, 'data')
  return child
}

const filesOf = (file: string) => readdirSync(folder).filter((name) => name.startsWith(basename(file)))

test('who comes second is told the process that holds it; a process that was killed holds nobody up', async () => {
  const file = join(folder, 'killed.db')
  const child = await heldElsewhere(file)
  expect(isHeld(file)).toBe(true)
  const inUse = { code: 'JOURNAL_IN_USE', message: expect.stringMatching(new RegExp(`held by process ${child.pid} \\(since 20\\d\\d-`)) }
  expect(() => new SqliteJournal(file)).toThrow(expect.objectContaining(inUse))
  expect(deadHolderOf(file)).toBeUndefined()

  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isHeld(file)).toBe(false)
  expect(deadHolderOf(file)).toBe(child.pid)
  expect(holderOf(file)).toBe('another process')
  const journal = new SqliteJournal(file)
  expect(holderOf(file)).toContain(`process ${process.pid} `)
  expect(deadHolderOf(file)).toBeUndefined()
  journal.close()
})

test('a journal that was closed in order leaves no note', () => {
  const file = join(folder, 'closed.db')
  const journal = new SqliteJournal(file)
  expect(existsSync(`${file}.holder.json`)).toBe(true)
  journal.close()
  journal.close()
  expect(filesOf(file)).toEqual(['closed.db'])
})

test('asking whether it is held changes nothing, and a note that says nothing does not matter', () => {
  const file = join(folder, 'asked.db')
  expect(isHeld(file)).toBe(false)
  new SqliteJournal(file).close()
  writeFileSync(`${file}.holder.json`, '{"pid":"me"}')
  expect([isHeld(file), holderOf(file), deadHolderOf(file)]).toEqual([false, 'another process', undefined])
  expect(filesOf(file)).toEqual(['asked.db', 'asked.db.holder.json'])
})
