import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readControl, readRunNotes, withModeSaid, writeControl } from '../../control.ts'
import type { Logger } from '../../log.ts'
import { ControlFollower } from './followControl.ts'

const folder = mkdtempSync(join(tmpdir(), 'follow-control-'))
afterEach(() => {
  vi.useRealTimers()
  rmSync(join(folder, 'control.json'), { force: true })
})

test('who resumes one bot while all are stopped is told that they are', () => {
  writeControl(folder, { state: 'stopped', bots: { alice: 'stopped' } }, 0)
  const follower = new ControlFollower({ dataDir: folder, log: {} as Logger })
  expect(follower.say('resume', 'alice')).toBe('all bots are still stopped')
  expect(follower.stateOf('alice')).toBe('stopped')
  expect(follower.say('resume', undefined)).toBeUndefined()
  expect(follower.stateOf('alice')).toBe('running')
  follower.close()
})

test('a word of a mode that is said before the run, and one that is said in it, reach the bot it is of, and outlive what is said at the page', () => {
  vi.useFakeTimers()
  const before = withModeSaid({ state: 'running', bots: {} }, { mode: 'up_down', command: 'close' }, 1000)
  writeControl(folder, before, 0)
  const follower = new ControlFollower({ dataDir: folder, log: {} as Logger })
  const upDown = { mode: 'up_down', command: 'close', saidAt: 1000 }
  expect(follower.saidFor('alice')).toEqual(['resume', upDown])
  const told: unknown[][] = []
  follower.follow((saidFor) => told.push([...saidFor('alice')], [...saidFor('bob')]))
  const since = withModeSaid(before, { mode: 'same_token', command: 'open', bots: ['alice'] }, 2000)
  writeControl(folder, since, 0)
  vi.advanceTimersByTime(1000)
  const sameToken = { mode: 'same_token', command: 'open', saidAt: 2000 }
  expect(told).toEqual([
    ['resume', upDown, sameToken],
    ['resume', upDown],
  ])
  expect(readRunNotes(folder)).toEqual([{ pid: process.pid, obeys: since }])
  void follower.say('stopAll', undefined)
  expect(told.slice(2)).toEqual([
    ['stopAll', upDown, sameToken],
    ['stopAll', upDown],
  ])
  expect(readControl(folder).modes).toEqual(since.modes)
  follower.close()
})

describe('a control file that cannot be read', () => {
  test.each(['running', 'stopped'] as const)('stops the bots, and is said once, where it said %s before', (state) => {
    vi.useFakeTimers()
    const errors: string[] = []
    const told: string[] = []
    writeControl(folder, { state, bots: {} }, 0)
    const follower = new ControlFollower({
      dataDir: folder,
      log: { error: (message: string) => errors.push(message) } as unknown as Logger,
    })
    follower.follow((saidFor) => told.push(...saidFor('alice').map(String)))
    writeFileSync(join(folder, 'control.json'), '{"state":')
    vi.advanceTimersByTime(5000)
    expect(errors).toHaveLength(1)
    expect(told.at(-1) ?? 'stopAll').toBe('stopAll')
    writeControl(folder, { state: 'running', bots: {} }, 0)
    vi.advanceTimersByTime(1000)
    expect(told.at(-1)).toBe('resume')
    writeFileSync(join(folder, 'control.json'), '')
    vi.advanceTimersByTime(1000)
    expect(errors).toHaveLength(2)
    follower.close()
  })
})
