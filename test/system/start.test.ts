import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { StartReport } from '../../src/cli/runs/start/report.ts'
import { MODES, TRADING_MODES } from '../../src/contract/enums.ts'
import { readChain } from '../support/chainReading.ts'
import { type CornermanRun, jsonOf, runCornerman, runNpmStart } from '../support/runCornerman.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandboxProcess.ts'
import { startReport } from '../support/startReport.ts'
import { inLong } from '../support/suite/long.ts'
import { expectBooksOnChain, moneyOf } from '../support/walletBooks.ts'

const folders: string[] = []
const runs: CornermanRun[] = []
const sandboxes: SandboxProcess[] = []
const dataDir = () => {
  const folder = mkdtempSync(join(tmpdir(), 'cornerman-'))
  folders.push(folder)
  return folder
}
const start = (...args: string[]) => {
  const run = runCornerman(['start', ...args])
  runs.push(run)
  return run
}

afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  for (const sandbox of sandboxes) await sandbox.kill()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

interface History {
  readonly items: readonly { readonly contestId: string; readonly profit: string; readonly mode: string }[]
  readonly nextCursor: string | null
}

/** All of `agent.history`, as the sandbox on this data directory tells it. */
async function historyOf(bot: string, folder: string): Promise<History['items']> {
  const items: History['items'][number][] = []
  for (let cursor: string | null = null; ; ) {
    const run = runCornerman(['call', 'agent.history', JSON.stringify({ limit: 100, cursor }), '--bot', bot, '--data-dir', folder])
    expect(await run.exited, run.stderr()).toBe(0)
    const page: History = jsonOf<History>(run)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

const sumOf = (items: History['items']) => items.reduce((sum, { profit }) => sum + BigInt(profit), 0n)

describe('start, as a user runs it', () => {
  test('by npm plays all nine modes to settlement, trades in those of swaps, and its books are the service’s and the chain’s', async () => {
    const folder = dataDir()
    const run = runNpmStart(['--for', `${inLong(120, 80)}s`, '--json', '--data-dir', folder])
    runs.push(run)
    expect(await run.exited, run.stderr()).toBe(0)
    const { bots, recordings } = startReport.parse(jsonOf(run))
    expect(bots.map(({ name }) => name)).toEqual(['alice', 'bob'])
    for (const { name, byMode, actions, reveals, profit, contests, equity, bankroll, inPlay, held } of bots) {
      for (const mode of MODES) expect(byMode[mode]?.settled, `${name}: ${mode} in ${JSON.stringify(byMode)}`).toBeGreaterThanOrEqual(1)
      expect(BigInt(equity), name).toBe(BigInt(bankroll) + BigInt(inPlay) + BigInt(held))
      // Drained: the figures are those after the last settlement.
      expect(inPlay, name).toBe('0')
      expect(actions).toMatchObject({ unknown: 0, failed: 0 })
      expect(reveals.due).toBeGreaterThan(0)
      expect(reveals.done).toBe(reveals.due)
      const history = await historyOf(name, folder)
      expect(history.length).toBe(contests.settled)
      expect(sumOf(history).toString()).toBe(profit)
    }

    expect(recordings).toEqual(bots.map(({ name }) => join(folder, 'recordings', name)))
    for (const recording of recordings) {
      const replayed = runCornerman(['replay', recording, '--verify', '--json'])
      runs.push(replayed)
      expect(await replayed.exited, replayed.stderr()).toBe(0)
      const { decisions, matched } = jsonOf<{ decisions: number; matched: number }>(replayed)
      expect(decisions, recording).toBeGreaterThan(0)
      expect(matched, recording).toBe(decisions)
    }

    // The same sandbox once more, with nobody playing: its chain is rebuilt from what it keeps.
    const sandbox = await startSandboxProcess(['--db', join(folder, 'sandbox.db'), '--agents', 'alice,bob'])
    sandboxes.push(sandbox)
    const fresh = await startSandboxProcess(['--agents', 'alice,bob'])
    sandboxes.push(fresh)
    for (const [index, agent] of sandbox.agents.entries()) {
      const { fills, profit, modes, open } = moneyOf(folder, agent)
      expect(open, agent.name).toBe(0)
      const traded = new Set(fills.map(({ contestId }) => modes.get(contestId)))
      expect(traded, `${agent.name} has swapped in every mode of swaps`).toEqual(new Set(TRADING_MODES))
      const before = await readChain(fresh, fresh.agents[index]?.wallet ?? '')
      await expectBooksOnChain(sandbox, agent, { fills, profit, before })
      expect(bots[index]?.trades.confirmed).toBe(fills.length)
    }
  })
})

// These wait, each in folders of its own: for moments to kill at, and for bots that drain.
describe.concurrent('start, ended in every way there is', () => {
  test('after a kill, the next run takes up what was open and its books are the service’s', async () => {
    const folder = dataDir()
    for (const afterMs of [6000, 9000, 14_000]) {
      const run = start('--data-dir', folder)
      await run.logged(({ msg }) => msg.startsWith('sandbox at'))
      // A real process is killed at a moment nothing in it knows of: only real time gives one.
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      run.child.kill('SIGKILL')
      expect(await run.exited).toBeNull()
    }
    const run = start('--for', '20s', '--json', '--data-dir', folder)
    expect(await run.exited, run.stderr()).toBe(0)
    for (const { name, profit, actions, contests } of jsonOf<StartReport>(run).bots) {
      const history = await historyOf(name, folder)
      expect(history.length).toBe(contests.settled)
      expect(sumOf(history).toString()).toBe(profit)
      expect(actions.unknown).toBe(0)
    }
  })

  test('Ctrl-C drains and ends with 0; a second one stops at once with 130', async () => {
    const drained = start('--json', '--data-dir', dataDir())
    await drained.logged(({ msg }) => msg.startsWith('enqueue'))
    drained.child.kill('SIGINT')
    await drained.logged(({ msg }) => msg.includes('draining'))
    expect(await drained.exited, drained.stderr()).toBe(0)
    for (const { actions } of jsonOf<StartReport>(drained).bots) expect(actions).toMatchObject({ unknown: 0, failed: 0 })

    const stopped = start('--json', '--data-dir', dataDir())
    await stopped.logged(({ msg }) => msg.includes('live'))
    stopped.child.kill('SIGINT')
    await stopped.logged(({ msg }) => msg.includes('draining'))
    // npm passes a Ctrl-C on that the terminal has sent already, so signals this close count as one.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    stopped.child.kill('SIGINT')
    expect(await stopped.exited, stopped.stderr()).toBe(130)
    expect(jsonOf<StartReport>(stopped).bots).toHaveLength(2)
    expect(stopped.logs()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringMatching(/stopping at once; left open, .*: [1-9]\d* contests, \d+ tickets, \d+ pred/),
      }),
    )
  })

  test('a run that drains since its time is up does not stop at once for the first signal', async () => {
    const run = start('--for', '8s', '--json', '--data-dir', dataDir())
    await run.logged(({ msg }) => msg === 'time is up: draining')
    run.child.kill('SIGTERM')
    await run.logged(({ msg }) => msg === 'interrupted while draining: once more stops at once')
    expect(await run.exited, run.stderr()).toBe(0)
    for (const { actions, reveals } of jsonOf<StartReport>(run).bots) {
      expect(actions.unknown).toBe(0)
      expect(reveals.done).toBe(reveals.due)
    }
  })

  test('npm dies of a SIGTERM without passing it on: what it started drains all the same', async () => {
    const args = ['src/cli/cornerman.js', 'start', '--json', '--no-dashboard', '--data-dir', dataDir()]
    // As npm runs a script: by a shell that waits for it.
    const shell = spawn('/bin/sh', ['-c', '"$0" "$@"; true', process.execPath, ...args], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [printed, said] = ['', '']
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await expect.poll(() => said, { timeout: 30_000 }).toContain('enqueue')
    const ended = once(shell.stdout, 'close')
    shell.kill('SIGTERM')
    await ended
    expect(said).toContain('npm, which started this, has ended: draining')
    expect((JSON.parse(printed) as StartReport).bots.every(({ actions }) => actions.unknown === 0)).toBe(true)
  })

  test('two runs on one data directory: the second ends with 2 and says who is there', async () => {
    const folder = dataDir()
    const first = start('--data-dir', folder)
    await first.logged(({ msg }) => msg.startsWith('enqueue'))
    const second = start('--data-dir', folder, '--for', '5s')
    expect(await second.exited).toBe(2)
    expect(second.stderr()).toContain(`process ${first.child.pid} runs on ${folder} already`)
    first.child.kill('SIGKILL')
    await first.exited
  })
})
