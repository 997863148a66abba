import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import botsConfig from '../bots.config.ts'
import { createLog } from '../src/cli/log.ts'
import { Fleet } from '../src/cli/runs/start/fleet.ts'
import { serviceClock } from '../src/cli/runs/start/serviceClock.ts'
import { readConfig } from '../src/strategy/config.ts'
import { startVirtualFleet } from './support/virtualFleet.ts'

// One agent is played by one start of a machine, also where the journal, which is the other lock, is not the same file.

const config = readConfig(botsConfig, 'bots.config.ts')

test('a second start on other data directories is refused every agent; a dry run, and another service’s bots, are not', async () => {
  await using world = await startVirtualFleet({ config })
  await world.until(() => world.fleet.bots.every(({ phase }) => phase === 'running'), 'the bots play')
  const folder = mkdtempSync(join(tmpdir(), 'second-'))
  const { sandbox, clock } = world
  const log = createLog({ pretty: false, sink: { write: () => {} } })
  const beside = (name: string, isDryRun: boolean) =>
    new Fleet({
      config,
      access: {
        url: sandbox.url.replace('127.0.0.1', 'localhost'),
        prices: { url: `${sandbox.url}/jup/price/v3`, apiKey: undefined },
        swaps: { swapUrl: `${sandbox.url}/jup/swap/v1`, apiKey: undefined, rpcUrl: undefined },
        keys: world.keys,
        timeoutMs: 5000,
        sandbox,
        close: () => Promise.resolve(),
      },
      dataDir: join(folder, name),
      clock: serviceClock(clock, log),
      log,
      isDryRun,
    })
  const second = beside('second', false)
  await second.ended()
  expect(second.bots.map(({ failure }) => failure?.code)).toEqual(config.bots.map(() => 'AGENT_IN_USE'))
  expect(second.bots[0]?.failure?.message).toContain(
    `process ${process.pid} (bot ${config.bots[0]?.name}, data directory ${world.dataDir})`,
  )
  await second.stop()

  const dry = beside('dry', true)
  await world.until(() => dry.bots.every(({ phase }) => phase === 'running'), 'the dry run plays beside them')
  await dry.stop()

  await using other = await startVirtualFleet({ config })
  await other.until(() => other.fleet.bots.every(({ phase }) => phase === 'running'), 'the bots of another sandbox play beside them')
  // Whoever stops lets go: the same bots start again.
  await world.restart()
  await world.until(() => world.fleet.bots.every(({ phase }) => phase === 'running'), 'the bots play again')
  rmSync(folder, { recursive: true, force: true })
}, 120_000)
