import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { BotModes } from '../src/cli/modesOf.ts'
import { MODES } from '../src/contract/modes.ts'
import { SqliteJournal } from '../src/live/index.ts'
import { type CornermanRun, jsonOf, type LogLine, runCornerman } from './support/runCornerman.ts'

// The command `modes` in processes of its own, beside bots that play and without them.

const folder = mkdtempSync(join(tmpdir(), 'modes-'))
const runs: CornermanRun[] = []
afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function cornerman(...args: string[]): CornermanRun {
  const run = runCornerman(args)
  runs.push(run)
  return run
}

async function done(...args: string[]): Promise<CornermanRun> {
  const run = cornerman(...args)
  expect(await run.exited, run.stderr()).toBe(0)
  return run
}

/** A data directory whose bots have played nothing yet. */
function played(name: string, ...bots: string[]): string {
  const dataDir = join(folder, name)
  mkdirSync(join(dataDir, 'bots'), { recursive: true })
  for (const bot of bots) new SqliteJournal(join(dataDir, 'bots', `${bot}.db`)).close()
  return dataDir
}

const closedIn = (run: CornermanRun) =>
  jsonOf<{ bots: BotModes[] }>(run).bots.flatMap(({ bot, modes }) =>
    (modes ?? []).flatMap(({ mode, state, why }) => (state === 'closed' ? `${mode} of ${bot}: ${why}` : [])),
  )
const isClosing =
  (bot: string, mode: string) =>
  ({ bot: whose, msg }: LogLine): boolean =>
    whose === bot && msg.startsWith(`${mode} is closed, and not entered until it is opened`)

describe('modes', () => {
  test('of bots of which nothing is known are open; what is said where nothing runs is listed, and resuming opens nothing', async () => {
    const dataDir = played('still', 'alice', 'bob')
    const at = ['--data-dir', dataDir]
    expect((await done('modes', ...at)).stdout()).toBe('alice: every mode is open so far\nbob: every mode is open so far\n')
    const said = await done('modes', 'close', 'up_down', '--bot', 'alice', ...at)
    expect(said.stdout()).toMatch(/^alice: up_down is closed until it is opened; nothing runs on .*: it holds from the next start on\n$/)
    expect(closedIn(await done('modes', '--json', ...at))).toEqual(['up_down of alice: the operator has said so'])
    expect((await done('modes', '--bot', 'bob', ...at)).stdout()).toBe('bob: every mode is open so far\n')
    expect((await done('stop', '--resume', ...at)).stdout()).toMatch(
      /^resumed; closed as before: up_down of alice \(the operator has said so\); nothing runs/,
    )
    expect(jsonOf(await done('stop', '--resume', '--bot', 'bob', '--json', ...at))).toEqual({
      ...{ state: 'running', bots: ['bob'], obeying: [], silent: [] },
    })
    expect(jsonOf(await done('modes', 'open', 'up_down', '--json', ...at))).toEqual({
      ...{ mode: 'up_down', command: 'open', obeying: [], silent: [] },
    })
    expect(closedIn(await done('modes', '--json', ...at))).toEqual([])
  })

  test('that are closed before a start and during it are closed at once, and after a kill', async () => {
    const dataDir = played('playing')
    const at = ['--data-dir', dataDir]
    await done('modes', 'close', 'same_token', ...at)
    const bots = cornerman('start', '--no-dashboard', '--for', '20s', ...at)
    await Promise.all(['alice', 'bob'].map((bot) => bots.logged(isClosing(bot, 'same_token'))))
    const said = await done('modes', 'close', 'up_down', '--bot', 'alice', '--json', ...at)
    expect(jsonOf(said)).toMatchObject({ bots: ['alice'], obeying: [bots.child.pid], silent: [] })
    await bots.logged(isClosing('alice', 'up_down'))
    const closed = ['up_down of alice', 'same_token of alice', 'same_token of bob'].map((which) => `${which}: the operator has said so`)
    expect(closedIn(await done('modes', '--json', ...at))).toEqual(closed)
    bots.child.kill('SIGKILL')
    await bots.exited
    expect(closedIn(await done('modes', '--json', ...at))).toEqual(closed)
  })

  test('cannot be opened or closed where nobody can read what is stopped: that is for stop to mend', async () => {
    const dataDir = join(folder, 'unreadable')
    mkdirSync(join(dataDir, 'control.json'), { recursive: true })
    const unreadable = cornerman('modes', 'close', 'up_down', '--data-dir', dataDir)
    expect(await unreadable.exited).toBe(2)
    expect(unreadable.stderr()).toContain('[CONTROL_UNREADABLE]')
  })

  test('of a journal that cannot be read are said to be unknown, and keep nobody from resuming', async () => {
    const dataDir = played('broken', 'alice')
    mkdirSync(join(dataDir, 'bots', 'bob.db'))
    const listed = cornerman('modes', '--json', '--data-dir', dataDir)
    expect(await listed.exited).toBe(1)
    expect(jsonOf<{ bots: BotModes[] }>(listed).bots).toMatchObject([
      { bot: 'alice', modes: [] },
      { bot: 'bob', modes: null, failure: { code: 'JOURNAL_UNREADABLE' } },
    ])
    expect((await done('stop', '--resume', '--data-dir', dataDir)).stdout()).toMatch(/^resumed; nothing runs/)
  })

  test.each<[args: string[], says: RegExp]>([
    [['open', 'dance'], new RegExp(`modes open: there is no mode dance: the modes are ${MODES.join(', ')}`)],
    [['close'], new RegExp(`modes close: say which mode, before the options: the modes are ${MODES.join(', ')}`)],
    [['dance'], /'dance' is invalid for argument 'command'. Allowed choices are open, close/],
    [['close', 'up_down', '--bot', 'zed'], /no bot zed has played on .*: there is alice\. Nothing was closed/],
    [['--bot', 'zed'], /no bot zed has played on .*: there is alice/],
    [['open', 'up_down', '--data-dir', 'gone'], /there is no gone: name the bots' data directory with --data-dir\. Nothing was opened/],
  ])('a mistake ends with 2: %j', async (args, says) => {
    const run = cornerman('modes', ...args, ...(args.includes('--data-dir') ? [] : ['--data-dir', played('mistaken', 'alice')]))
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(says)
    expect(run.stdout()).toBe('')
  })
})
