import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { writeControl } from '../../control.ts'
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
    follower.follow((commandFor) => told.push(commandFor('alice')))
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
