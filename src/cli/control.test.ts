import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commandOf, readControl, readRunNotes, removeRunNote, writeControl, writeRunNote } from './control.ts'

const folders: string[] = []
const dataDir = () => {
  const folder = mkdtempSync(join(tmpdir(), 'control-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const NO_PROCESS = 2 ** 30

describe('what the operator said', () => {
  test('of a directory nobody has said anything of, the bots play', () => {
    expect(readControl(dataDir())).toBe('running')
  })

  test.each([
    ['entries stopped', 'stopEntries'],
    ['stopped', 'stopAll'],
    ['running', 'resume'],
  ] as const)('%s is read as it was written, and leaves no draft behind', (state, command) => {
    const folder = dataDir()
    writeControl(folder, 'stopped', 0)
    writeControl(folder, state, 1000)
    expect(readControl(folder)).toBe(state)
    expect(commandOf(state)).toBe(command)
    expect(readdirSync(folder)).toEqual(['control.json'])
  })

  test.each([
    '',
    'null',
    '{}',
    '{"state":"going","since":"2025-01-01T00:00:00Z"}',
    '{"state":"running"',
    '{"state":"running","since":"now"}',
  ])('a file of %j is no leave to play', (text) => {
    const folder = dataDir()
    writeFileSync(join(folder, 'control.json'), text)
    expect(() => readControl(folder)).toThrow('stop --resume')
  })
})

describe('the note of a run', () => {
  const here = { pid: process.pid, obeys: 'stopped' } as const

  test('is there while its process is, beside those of others', () => {
    const folder = dataDir()
    expect(readRunNotes(folder)).toEqual([])
    expect(readRunNotes(join(folder, 'nowhere'))).toEqual([])
    writeRunNote(folder, { ...here, obeys: 'running' })
    writeRunNote(folder, here)
    // The parent, which runs the tests, lives as long.
    const other = { pid: process.ppid, obeys: 'running' } as const
    writeRunNote(folder, other)
    writeRunNote(folder, { pid: NO_PROCESS, obeys: 'stopped' })
    expect(readRunNotes(folder).toSorted((a, b) => Number(a.obeys === 'running') - Number(b.obeys === 'running'))).toEqual([here, other])
    removeRunNote(folder, process.ppid)
    expect(readRunNotes(folder)).toEqual([here])
  })

  test('that cannot be read is none', () => {
    const folder = dataDir()
    writeFileSync(join(folder, `start.${process.pid}.run.json`), '{"pid":')
    expect(readRunNotes(folder)).toEqual([])
  })
})
