import { describe, expect, test } from 'vitest'
import botsConfig from '../bots.config.ts'
import { readConfig } from '../src/strategy/config.ts'
import { type FaultyProxy, startFaultyProxy } from './support/faultyProxy.ts'
import { startVirtualFleet, type VirtualFleet } from './support/virtualFleet.ts'

// The bots that come with the project, wired as `start` wires them, against a sandbox over HTTP on one virtual clock.

const config = readConfig(botsConfig, 'bots.config.ts')
const MODES = ['up_down', 'draft_basket', 'price_prediction']

const hasPlayedAll = (world: VirtualFleet, least: number) => () =>
  world.reports().every(({ byMode }) => MODES.every((mode) => (byMode[mode]?.settled ?? 0) >= least))

async function expectBooksToAgree(world: VirtualFleet): Promise<void> {
  for (const { name, profit, contests, reveals } of world.reports()) {
    const history = await world.historyOf(name)
    expect({ name, profit: BigInt(profit), settled: contests.settled }).toEqual({ name, ...history })
    expect(reveals.done).toBe(reveals.due)
  }
}

describe('the bots of bots.config.ts', () => {
  test('play every mode to settlement, reveal all they owe, and agree with the service on the money', async () => {
    await using world = await startVirtualFleet({ config })
    await world.until(hasPlayedAll(world, 1), 'every bot has settled every mode')
    await world.drained()
    for (const report of world.reports()) {
      expect(report.actions).toMatchObject({ failed: 0, unknown: 0 })
      expect(report.reveals.due).toBeGreaterThan(0)
      expect(report.failure).toBeUndefined()
    }
    await expectBooksToAgree(world)
  })

  test('stopped at any moment and started again, they lose no stake, no salt and no count', async () => {
    await using world = await startVirtualFleet({ config })
    for (let life = 1; life <= 6; life++) {
      const until = world.clock.now() + 7000
      await world.until(() => world.clock.now() >= until, 'seven seconds have passed')
      await world.restart()
    }
    await world.until(hasPlayedAll(world, 1), 'every bot has settled every mode')
    await world.drained()
    for (const { actions, failure } of world.reports()) {
      expect(actions).toMatchObject({ failed: 0, unknown: 0 })
      expect(failure).toBeUndefined()
    }
    await expectBooksToAgree(world)
  })

  test('over a line that loses requests and answers they stake nothing twice and reveal what they owe', async () => {
    let proxy: FaultyProxy | undefined
    await using world = await startVirtualFleet({
      config,
      async between(url) {
        proxy = await startFaultyProxy(url)
        return proxy
      },
    })
    await world.until(hasPlayedAll(world, 2), 'every bot has settled every mode twice')
    await world.drained()
    expect(proxy?.lost.before).toBeGreaterThan(5)
    expect(proxy?.lost.after).toBeGreaterThan(5)
    for (const { name, actions, failure } of world.reports()) {
      expect(failure).toBeUndefined()
      expect(actions.unknown).toBe(0)
      // What the service holds of this agent is what its bot has counted: nothing is open, nothing was entered behind its back.
      const agentId = world.sandbox.agents.find((agent) => agent.name === name)?.agentId ?? ''
      const open = world.sandbox.service.read(({ tickets, contests }) => [
        ...[...tickets.values()].filter((ticket) => ticket.agentId === agentId && ticket.status === 'queued'),
        ...[...contests.values()].filter(
          ({ status, entries }) => ['open', 'live'].includes(status) && entries.some((entry) => entry.agentId === agentId),
        ),
      ])
      expect(open).toEqual([])
    }
    await expectBooksToAgree(world)
  })
})
