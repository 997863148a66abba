import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type Control,
  type ControlState,
  commandOf,
  controlText,
  isSameControl,
  modesSaidOf,
  readControl,
  readRunNotes,
  removeRunNote,
  stateAfter,
  stateOf,
  stillText,
  takeDeadRuns,
  withModeSaid,
  withSaid,
  writeControl,
  writeRunNote,
} from './control.ts'

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

const ofAll = (state: ControlState): Control => ({ state, bots: {} })

describe('what the operator said', () => {
  test('of a directory nobody has said anything of, the bots play', () => {
    expect(readControl(dataDir())).toEqual(ofAll('running'))
  })

  test.each([
    ['entries stopped', 'stopEntries'],
    ['stopped', 'stopAll'],
    ['running', 'resume'],
  ] as const)('%s is read as it was written, and leaves no draft behind', (state, command) => {
    const folder = dataDir()
    writeControl(folder, ofAll('stopped'), 0)
    writeControl(folder, ofAll(state), 1000)
    expect(readControl(folder)).toEqual(ofAll(state))
    expect(commandOf(state)).toBe(command)
    expect(stateAfter(command)).toBe(state)
    expect(readdirSync(folder)).toEqual(['control.json'])
  })

  test('a word of one bot stands beside that of all, and the one that stops more holds', () => {
    const folder = dataDir()
    const said = withSaid(withSaid(ofAll('entries stopped'), 'stopped', ['bob']), 'running', ['alice'])
    writeControl(folder, said, 0)
    const read = readControl(folder)
    expect(isSameControl(read, said)).toBe(true)
    expect([stateOf(read, 'alice'), stateOf(read, 'bob'), stateOf(read, 'toString')]).toEqual([
      'entries stopped',
      'stopped',
      'entries stopped',
    ])
    expect(controlText(read)).toBe('entries stopped, bob: stopped')
    expect(withSaid(read, 'running', ['bob'])).toEqual(ofAll('entries stopped'))
    expect(withSaid(read, 'running')).toEqual(ofAll('running'))
    expect(controlText(ofAll('running'))).toBeUndefined()
  })

  test('a stop of all weakens no kill switch of one bot, and that all play on ends it', () => {
    const alice = withSaid(ofAll('running'), 'stopped', ['alice'])
    const entries = withSaid(alice, 'entries stopped')
    expect(['alice', 'bob'].map((bot) => stateOf(entries, bot))).toEqual(['stopped', 'entries stopped'])
    expect(stateOf(withSaid(withSaid(alice, 'stopped'), 'entries stopped'), 'alice')).toBe('stopped')
    expect(withSaid(entries, 'running')).toEqual(ofAll('running'))
  })

  test('what still stops more than was said is told', () => {
    const alice = withSaid(ofAll('entries stopped'), 'stopped', ['alice'])
    expect(stillText(alice, 'entries stopped')).toBe('alice is still stopped')
    expect(stillText(alice, 'running', ['alice'])).toBe('the entries of all bots are still stopped')
    expect(stillText(ofAll('stopped'), 'entries stopped', ['alice'])).toBe('all bots are still stopped')
    expect([
      stillText(ofAll('stopped'), 'stopped', ['alice']),
      stillText(alice, 'stopped'),
      stillText(ofAll('running'), 'running'),
    ]).toEqual([undefined, undefined, undefined])
  })

  test('a file of an earlier version says nothing of single bots', () => {
    const folder = dataDir()
    writeFileSync(join(folder, 'control.json'), '{"state":"stopped","since":"2025-01-01T00:00:00Z"}')
    expect(readControl(folder)).toEqual(ofAll('stopped'))
  })

  test.each([
    '',
    '{"state":"running","since":"2025-01-01T00:00:00Z","bots":{"alice":"resting"}}',
    'null',
    '{}',
    '{"state":"going","since":"2025-01-01T00:00:00Z"}',
    '{"state":"running"',
    '{"state":"running","since":"now"}',
    '{"state":"running","since":"2025-01-01T00:00:00Z","modes":[{"mode":"up_down","command":"play","saidAt":1}]}',
  ])('a file of %j is no leave to play', (text) => {
    const folder = dataDir()
    writeFileSync(join(folder, 'control.json'), text)
    expect(() => readControl(folder)).toThrow('stop --resume')
  })
})

describe('a word of one mode', () => {
  const close = (control: Control, mode: string, at: number, bots: readonly string[] = []) =>
    withModeSaid(control, { mode, command: 'close', bots }, at)
  const open = (control: Control, mode: string, at: number, bots: readonly string[] = []) =>
    withModeSaid(control, { mode, command: 'open', bots }, at)

  test('is read as it was written, beside what is stopped, and no stop forgets it', () => {
    const folder = dataDir()
    const said = close(close(ofAll('running'), 'up_down', 1000), 'same_token', 2000, ['alice'])
    for (const control of [said, withSaid(said, 'stopped'), withSaid(withSaid(said, 'stopped', ['bob']), 'running')]) {
      writeControl(folder, control, 0)
      writeRunNote(folder, { pid: process.pid, obeys: control })
      expect(isSameControl(readControl(folder), control)).toBe(true)
      expect(readRunNotes(folder).map(({ obeys }) => isSameControl(obeys, control))).toEqual([true])
      expect(modesSaidOf(readControl(folder), 'alice')).toEqual([
        { mode: 'up_down', command: 'close', saidAt: 1000 },
        { mode: 'same_token', command: 'close', saidAt: 2000 },
      ])
      expect(modesSaidOf(readControl(folder), 'bob')).toEqual([{ mode: 'up_down', command: 'close', saidAt: 1000 }])
    }
    expect(isSameControl(said, ofAll('running'))).toBe(false)
  })

  test('holds by its time, of all bots or of one, and the newest of each is all that is kept', () => {
    const said = open(close(close(ofAll('running'), 'up_down', 1000), 'up_down', 2000, ['alice', 'bob']), 'up_down', 3000, ['alice'])
    expect(['alice', 'bob', 'carol'].map((bot) => modesSaidOf(said, bot).map(({ command, saidAt }) => [command, saidAt]))).toEqual([
      [['open', 3000]],
      [['close', 2000]],
      [['close', 1000]],
    ])
    expect(said.modes).toHaveLength(3)
    expect(open(said, 'up_down', 4000)).toEqual({ ...ofAll('running'), modes: [{ mode: 'up_down', command: 'open', saidAt: 4000 }] })
  })

  test('is newer than the one before it, whatever the clock says', () => {
    const [word] = modesSaidOf(open(close(ofAll('running'), 'up_down', 5000), 'up_down', 1000), 'alice')
    expect(word).toEqual({ mode: 'up_down', command: 'open', saidAt: 5001 })
  })
})

describe('the note of a run', () => {
  const here = { pid: process.pid, obeys: ofAll('stopped') }

  test('is there while its process is, beside those of others', () => {
    const folder = dataDir()
    expect(readRunNotes(folder)).toEqual([])
    expect(readRunNotes(join(folder, 'nowhere'))).toEqual([])
    writeRunNote(folder, { ...here, obeys: ofAll('running') })
    writeRunNote(folder, here)
    // The parent, which runs the tests, lives as long.
    const other = { pid: process.ppid, obeys: ofAll('running') }
    writeRunNote(folder, other)
    writeRunNote(folder, { pid: NO_PROCESS, obeys: ofAll('stopped') })
    expect(readRunNotes(folder).toSorted((a, b) => Number(a.obeys.state === 'running') - Number(b.obeys.state === 'running'))).toEqual([
      here,
      other,
    ])
    removeRunNote(folder, process.ppid)
    expect(readRunNotes(folder)).toEqual([here])
  })

  test('that cannot be read is none', () => {
    const folder = dataDir()
    writeFileSync(join(folder, `start.${process.pid}.run.json`), '{"pid":')
    expect(readRunNotes(folder)).toEqual([])
  })

  test('of this very process id is of an earlier one, before this one has said anything', () => {
    const folder = dataDir()
    writeRunNote(folder, here)
    expect(takeDeadRuns(folder)).toEqual([process.pid])
    expect(readRunNotes(folder)).toEqual([])
  })

  test('of a process that is gone is taken away, and its process named', () => {
    const folder = dataDir()
    const other = { pid: process.ppid, obeys: ofAll('stopped') }
    writeRunNote(folder, other)
    writeRunNote(folder, { pid: NO_PROCESS, obeys: ofAll('running') })
    expect(takeDeadRuns(folder)).toEqual([NO_PROCESS])
    expect(takeDeadRuns(folder)).toEqual([])
    expect(readRunNotes(folder)).toEqual([other])
  })
})
