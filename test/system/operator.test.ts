import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { StartReport } from '../../src/cli/runs/start/report.ts'
import { type CornermanRun, jsonOf, type LogLine, runCornerman } from '../support/runCornerman.ts'

const folders: string[] = []
const runs: CornermanRun[] = []
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-'))
  folders.push(folder)
})
const run = (...args: string[]) => {
  const started = runCornerman([...args, '--data-dir', folder])
  runs.push(started)
  return started
}
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const enters = ({ level, msg }: LogLine) => level === 'info' && /^(?:enqueue|joinContest|createContest) /.test(msg)
const entriesAfter = ({ logs }: CornermanRun, atMs: number) => logs().filter((line) => enters(line) && Date.parse(line.time) > atMs)

/** Says it, and sees that the bots have been told. */
async function say(flag: string): Promise<number> {
  const said = run('stop', flag, '--json')
  expect(await said.exited, said.stderr()).toBe(0)
  expect(jsonOf<object>(said)).toMatchObject({ obeying: [expect.any(Number)], silent: [] })
  return Date.now()
}

describe('the kill switch', () => {
  test('stops entries within a second, holds across a kill of the process, and lets go when it is told to', async () => {
    const first = run('start')
    await first.logged(enters)
    const stoppedAt = await say('--now')
    await delay(6000)
    expect(entriesAfter(first, stoppedAt)).toEqual([])
    expect(first.logs().filter(({ msg }) => msg.startsWith('kill switch'))).toHaveLength(2)
    first.child.kill('SIGKILL')
    await first.exited

    const second = run('start')
    await second.logged(({ msg }) => msg.startsWith('stopped by the operator'))
    await delay(6000)
    expect(entriesAfter(second, 0)).toEqual([])
    const resumedAt = await say('--resume')
    const entry = await second.logged(enters)
    expect(Date.parse(entry.time) - resumedAt).toBeLessThan(1000)
    second.child.kill('SIGKILL')
    await second.exited
  })

  test('is set where nothing runs yet, and keeps a start from its first entry', async () => {
    const said = run('stop', '--now')
    expect(await said.exited).toBe(0)
    expect(said.stdout()).toContain('it holds from the next start on')
    const started = run('start', '--for', '4s', '--json')
    expect(await started.exited, started.stderr()).toBe(0)
    expect(entriesAfter(started, 0)).toEqual([])
    const resumed = run('stop', '--resume')
    expect(await resumed.exited).toBe(0)
  })
})

describe('a dry run', () => {
  test('reports what it would have sent, and sends nothing', async () => {
    const dry = run('start', '--dry-run', '--for', '20s', '--json')
    expect(await dry.exited, dry.stderr()).toBe(0)
    for (const { name, actions, keptBack, contests } of jsonOf<StartReport>(dry).bots) {
      expect(actions, name).toMatchObject({ sent: 0, failed: 0 })
      expect(contests.settled, name).toBe(0)
      expect(keptBack?.length, name).toBeGreaterThan(0)
    }
  })
})
