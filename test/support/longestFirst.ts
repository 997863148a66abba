import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files of the system suite that take a minute or more, the longest first (test/README.md has their minutes). */
export const LONGEST = [
  'docs',
  'fleet',
  'package',
  'failover',
  'crashMatrix',
  'cli.system',
  'start',
  'firstContact',
  'replay',
  'swapFaults',
  'optimize',
  'paused',
  'waysOfRunning',
  'signedOrders',
  'chaos',
  'scout',
  'isolation',
  'botSimulation',
  'takeovers',
  'tradingModes',
  'sandboxKill',
  'dashboardLive',
  'dashboard',
  'longRun',
  'trials.system',
  'simulation',
  'longRunPaused',
  'newcomer',
]

/**
 * Begins the longest files first, so that none is left to run alone at the end. Vitest knows how long each took only where it
 * ran before, which it did not in a fresh clone: there it goes by the size of the file, which says nothing here.
 */
export class LongestFirst extends BaseSequencer {
  /** Deals the files out in turn, the longest first, so that `--shard=1/2` and `--shard=2/2` take about the same time. */
  override async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    const dealt = specifications.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1))
    return dealt.filter((_, place) => place % count === index - 1)
  }

  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const rank = project.name === 'system' ? LONGEST.indexOf(basename(moduleId, '.test.ts')) : -1
  return rank === -1 ? LONGEST.length : rank
}
