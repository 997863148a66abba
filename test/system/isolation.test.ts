import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { StartReport } from '../../src/cli/runs/start/report.ts'
import { textOf } from '../support/replaying.ts'
import { type CornermanRun, jsonOf, runCornerman } from '../support/runCornerman.ts'
import { TestConfigs } from '../support/testConfigs.ts'

const folder = mkdtempSync(join(tmpdir(), 'cornerman-isolation-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

const PLANTED = 'planted-secret-of-the-environment'

/** The strategies of the project in workers; one of them never comes to an end, and says what it sees of the process. */
const isolated = `import { defineConfig, defineStrategy, sandbox, usdc } from 'cornerman'
import { map } from 'rxjs'
import { z } from 'zod'
import botsConfig from './bots.config.ts'

const stuck = defineStrategy({
  name: 'stuck',
  params: z.object({}),
  run: ({ every, log }) => {
    log.info('begun', { environment: process.env })
    return every(3).pipe(map(() => {
      for (;;);
    }))
  },
})
const guard = { maxStake: usdc('2'), dailyLoss: usdc('100'), maxOpenContests: 4 }
const [{ strategies = [] } = {}] = botsConfig.bots
export default defineConfig({ service: sandbox({ seed: 7 }), bots: [{ name: 'alice', strategies: [...strategies, stuck()], guard, isolate: true }] })
`

/** The config cannot be loaded where the environment is empty, as it is in a worker. */
const demanding = `import { defineConfig, sandbox, usdc } from 'cornerman'
import botsConfig from './bots.config.ts'

if (process.env.TEST_DEMAND === undefined) throw new Error('nothing is demanded')
const guard = { maxStake: usdc('2'), dailyLoss: usdc('100'), maxOpenContests: 4 }
const [{ strategies = [] } = {}] = botsConfig.bots
export default defineConfig({ service: sandbox({ seed: 7 }), bots: [{ name: 'alice', strategies, guard, isolate: true }] })
`

describe.concurrent('a bot whose strategies are isolated', () => {
  test('and do not load in a worker plays nothing: it ends with 1, says why, and has staked nothing', async () => {
    const dataDir = join(folder, 'demanding')
    const run = runCornerman(['start', '--config', configs.write(demanding), '--for', '20s', '--json', '--data-dir', dataDir], {
      env: { TEST_DEMAND: 'this' },
    })
    runs.push(run)
    expect(await run.exited, run.stderr()).toBe(1)
    expect(run.logs()).toContainEqual(
      expect.objectContaining({ bot: 'alice', code: 'STRATEGY_UNFIT', msg: expect.stringContaining('nothing is demanded') }),
    )
    expect(jsonOf<StartReport>(run).bots).toEqual([
      expect.objectContaining({ staked: '0', actions: { sent: 0, refused: 0, failed: 0, unknown: 0 } }),
    ])
  })

  test('plays on while one of them loops for ever, tells it no secret, ends by itself, and replays to the last decision', async () => {
    const config = configs.write(isolated)
    const run = runCornerman(['start', '--config', config, '--for', '75s', '--json', '--data-dir', folder], {
      env: { TEST_SECRET: PLANTED },
    })
    runs.push(run)
    expect(await run.exited, run.stderr()).toBe(0)
    const { bots, recordings } = jsonOf<StartReport>(run)
    const [alice] = bots
    expect(alice?.contests.settled, run.stderr()).toBeGreaterThanOrEqual(5)
    expect(alice?.reveals.done).toBe(alice?.reveals.due)
    expect(alice?.actions.unknown).toBe(0)
    const messages = run.logs().map(({ msg }) => msg)
    expect(messages.filter((text) => text.startsWith('strategy stuck failed: it did not come to an end'))).toHaveLength(3)
    expect(messages.filter((text) => text.startsWith('strategy ') && !text.startsWith('strategy stuck'))).toEqual([])
    expect(run.logs().find(({ msg }) => msg === 'begun')).toMatchObject({ environment: {} })

    const [recording = ''] = recordings
    for (const text of [run.stderr(), textOf(recording)]) expect(text).not.toContain(PLANTED)
    const replay = runCornerman(['replay', recording, '--verify', '--json', '--config', config])
    runs.push(replay)
    expect(await replay.exited, replay.stdout()).toBe(0)
    const { decisions, matched } = jsonOf<{ decisions: number; matched: number }>(replay)
    expect(decisions).toBeGreaterThan(20)
    expect(matched).toBe(decisions)
  })
})
