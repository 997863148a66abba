import { z } from 'zod'
import type { Checker, Plant } from '../checker.ts'
import { scanWith } from '../tool.ts'

const reportSchema = z.looseObject({
  modules: z.array(z.looseObject({ source: z.string() })),
  summary: z.looseObject({
    violations: z.array(z.looseObject({ from: z.string(), to: z.string(), rule: z.looseObject({ name: z.string() }) })),
  }),
})

/** The house as it is to be: what each folder of `src/` must not import. `cli` may import them all. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  core: 'http contract strategy guard contests pipeline recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  charts: 'core contract http strategy guard contests pipeline recording live backtest sandbox testing optimize dashboard cli scout fleet',
  contract: 'http strategy guard contests pipeline recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  http: 'contract strategy guard contests pipeline recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  strategy: 'http guard contests pipeline recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  guard: 'http contests pipeline recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  contests: 'http guard pipeline recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  pipeline: 'http contests recording live backtest sandbox testing optimize dashboard cli charts scout fleet',
  recording: 'http guard contests pipeline live backtest sandbox testing optimize dashboard cli charts scout fleet',
  live: 'contests backtest sandbox testing optimize dashboard cli charts scout fleet',
  backtest: 'http live sandbox testing optimize dashboard cli charts scout fleet',
  optimize: 'contract http guard contests pipeline live sandbox testing dashboard cli charts scout fleet',
  fleet: 'contract http guard contests pipeline live sandbox testing dashboard cli charts scout',
  sandbox: 'strategy guard pipeline recording live backtest testing optimize dashboard cli charts scout fleet',
  testing: 'http live sandbox optimize dashboard cli charts scout fleet',
  dashboard: 'live backtest sandbox testing optimize cli scout fleet',
  scout: 'http guard contests live backtest sandbox testing optimize dashboard cli charts fleet',
  cli: '',
}
const FOLDERS = Object.keys(FORBIDDEN)
const TARGETS = Object.fromEntries(FOLDERS.map((folder) => [`src/${folder}/plantedTarget.ts`, 'export const planted = 1\n']))

const SYSTEM_CLOCK = { 'src/core/systemClock.ts': 'export const planted = 1\n' }

const importing = (path: string) => `import { planted } from '${path}'\n\nexport const used = planted\n`
const plant = (rule: string, file: string, path: string, others = {}): Plant => ({
  rule,
  file,
  files: { [file]: importing(path), ...others },
})

const floors = FOLDERS.flatMap((from) =>
  (FORBIDDEN[from] ?? '')
    .split(' ')
    .filter((to) => to !== '')
    .map((to) => plant(`floor-${from}`, `src/${from}/deep/planted-${to}.ts`, `../../${to}/plantedTarget.ts`)),
)

const worlds = ['live', 'backtest', 'sandbox'].flatMap((from, _, all) =>
  all.filter((to) => to !== from).map((to) => plant(`world-${from}`, `src/${from}/planted-${to}.test.ts`, `../${to}/plantedTarget.ts`)),
)

/** Of the sandbox `cli` imports the types, and the rest where it is asked for. */
const isLazy = (from: string, to: string) => from === 'cli' && to === 'sandbox'

const fleetRooms = [
  ['database', 'journal'],
  ['journal', 'together'],
  ['together', 'host'],
].map(([room, next]) =>
  plant(`fleet-${room}`, `src/live/fleet/${room}/planted.ts`, `../${next}/plantedTarget.ts`, {
    [`src/live/fleet/${next}/plantedTarget.ts`]: 'export const planted = 1\n',
  }),
)

const allowed = FOLDERS.flatMap((from) =>
  FOLDERS.filter((to) => to !== from && !FORBIDDEN[from]?.split(' ').includes(to) && !isLazy(from, to)).map((to) => [
    `src/${from}/innocent-${to}.ts`,
    importing(`../${to}/plantedTarget.ts`),
  ]),
)

/** dependency-cruiser: the floors of the house. */
export const imports: Checker = {
  name: 'imports',
  counts: 'files',
  scan: (tree) =>
    scanWith(tree, { package: 'dependency-cruiser', command: 'depcruise', args: ['--output-type', 'json', '.'] }, ({ stdout }) => {
      const { modules, summary } = reportSchema.parse(JSON.parse(stdout))
      const ours = new Set(tree.sources())
      return {
        scanned: modules.filter(({ source }) => ours.has(source)).length,
        findings: summary.violations.map(({ from, to, rule }) => ({ file: from, rule: rule.name, message: `imports ${to}` })),
      }
    }),
  plants: [
    // Brings the targets that the others import.
    {
      rule: 'floor-core',
      file: 'src/core/plantedType.ts',
      files: { ...TARGETS, 'src/core/plantedType.ts': "export type { planted } from '../contract/plantedTarget.ts'\n" },
    },
    ...floors,
    ...worlds,
    plant('floor-core', 'src/core/plantedDoor.ts', 'cornerman'),
    plant('floor-core', 'src/core/plantedStrategy.ts', '../../strategies/plantedTarget.ts', {
      'strategies/plantedTarget.ts': 'export const planted = 1\n',
    }),
    plant('floor-core', 'src/core/plantedSupport.ts', '../../test/support/plantedTarget.ts', {
      'test/support/plantedTarget.ts': 'export const planted = 1\n',
    }),
    plant('heavy-package', 'src/sandbox/dex/plantedVm.ts', 'litesvm'),
    plant('heavy-package', 'src/live/swaps/plantedKit.ts', '@solana/kit'),
    plant('heavy-package', 'src/recording/plantedArrow.ts', 'apache-arrow'),
    plant('heavy-package', 'src/recording/plantedParquet.ts', 'hyparquet-writer'),
    plant('heavy-package', 'src/cli/plantedBot.ts', 'grammy'),
    plant('heavy-package', 'src/cli/plantedPool.ts', 'piscina'),
    plant('heavy-package', 'src/cli/plantedDatabase.ts', 'pg'),
    plant('heavy-package', 'src/cli/plantedQueue.ts', 'pg-boss'),
    plant('sandbox-lazy', 'src/cli/runs/plantedSandbox.ts', '../../sandbox/plantedTarget.ts'),
    plant('floor-cli', 'src/cli/plantedSupport.ts', '../../test/support/plantedTarget.ts'),
    plant('floor-cli', 'src/cli/plantedStrategy.ts', '../../strategies/plantedTarget.ts'),
    plant('commands-light', 'src/cli/commands/plantedRun.ts', '../runs/plantedTarget.ts', {
      'src/cli/runs/plantedTarget.ts': 'export const planted = 1\n',
    }),
    plant('commands-light', 'src/cli/commands/plantedFloor.ts', '../../live/plantedTarget.ts'),
    plant('floor-door', 'src/index.ts', './guard/plantedTarget.ts'),
    plant('floor-unknown', 'src/cellar/planted.ts', '../core/plantedTarget.ts'),
    plant('floor-unknown', 'src/corelike/planted.ts', '../core/plantedTarget.ts'),
    plant('floor-unknown', 'test/plantedUnknown.ts', '../src/attic/planted.ts', { 'src/attic/planted.ts': 'export const planted = 1\n' }),
    plant('user-code', 'strategies/plantedFloor.ts', '../src/core/plantedTarget.ts'),
    plant('user-code', 'strategies/plantedBuiltin.ts', 'node:fs'),
    plant('user-code', 'strategies/plantedPackage.ts', 'undici'),
    plant('user-code', 'strategies/plantedTesting.ts', 'cornerman/testing'),
    plant('user-code', 'bots.config.ts', './src/strategy/plantedTarget.ts'),
    plant('user-code', 'strategies/plantedSupport.ts', '../test/support/plantedTarget.ts'),
    plant('user-code-door', 'strategies/plantedDoor.ts', '../src/index.ts'),
    plant('page-in-browser', 'src/dashboard/page/plantedBuiltin.tsx', 'node:fs'),
    plant('page-in-browser', 'src/dashboard/page/plantedPackage.ts', 'zod'),
    plant('page-in-browser', 'src/charts/plantedBuiltin.js', 'node:fs'),
    plant('page-in-browser', 'src/dashboard/page/plantedServer.ts', '../server/plantedServer.ts', {
      'src/dashboard/server/plantedServer.ts': 'export const planted = 1\n',
    }),
    plant('page-alone', 'src/dashboard/server/plantedPage.ts', '../page/plantedOwn.tsx', {
      'src/dashboard/page/plantedOwn.tsx': 'export const planted = 1\n',
    }),
    ...fleetRooms,
    plant('no-test-imported', 'src/core/plantedOfTest.ts', './planted.test.ts', {
      'src/core/planted.test.ts': 'export const planted = 1\n',
    }),
    plant('no-cycle', 'src/core/plantedCycle.ts', './plantedCycleBack.ts', {
      'src/core/plantedCycleBack.ts': "import { used } from './plantedCycle.ts'\n\nexport const planted = () => used\n",
    }),
    {
      rule: 'no-cycle',
      file: 'src/core/plantedTypeCycle.ts',
      files: {
        'src/core/plantedTypeCycle.ts': "import type { Back } from './plantedTypeCycleBack.ts'\n\nexport type There = Back\n",
        'src/core/plantedTypeCycleBack.ts': "import type { There } from './plantedTypeCycle.ts'\n\nexport type Back = There | 1\n",
      },
    },
    plant('no-unresolved', 'src/core/plantedNowhere.ts', './nowhere.ts'),
    plant('no-unresolved', 'src/core/plantedNoPackage.ts', 'left-pad'),
    plant('no-dev-dependency', 'src/live/plantedDev.ts', 'vitest'),
    plant('no-undeclared', 'src/live/plantedUndeclared.ts', 'acorn'),
    plant('system-clock', 'src/pipeline/plantedClock.ts', '../core/systemClock.ts', SYSTEM_CLOCK),
    plant('pure-builtins', 'src/contests/plantedBuiltin.ts', 'node:fs'),
    plant('pure-rxjs', 'src/contests/plantedRxjs.ts', 'rxjs'),
  ],
  innocents: {
    ...Object.fromEntries(allowed),
    // What the site of the documentation copies.
    'site/media/made.ts': "import './nowhere.ts'\n",
    'src/core/innocent.test.ts':
      "import 'vitest'\nimport 'rxjs'\nimport 'node:fs'\nimport '../cli/plantedTarget.ts'\nimport '../../test/support/innocent.ts'\n",
    'src/core/innocent.ts': "import 'node:crypto'\nimport 'zod'\n",
    'strategies/innocent.ts': "import 'cornerman'\nimport 'zod'\nimport 'rxjs'\nimport './innocentOther.ts'\n",
    'strategies/innocentOther.ts': 'export const planted = 1\n',
    'src/dashboard/page/innocent.tsx': "import 'preact'\nimport 'uplot'\nimport './innocentOwn.ts'\nimport '../stream/innocent.ts'\n",
    'src/charts/innocent.js': "import 'uplot'\n",
    'src/dashboard/page/innocentCharts.ts': "import '../../charts/innocent.js'\n",
    'src/dashboard/page/innocentOwn.ts': 'export const planted = 1\n',
    'src/dashboard/stream/innocent.ts': 'export const planted = 1\n',
    'strategies/innocent.test.ts':
      "import 'vitest'\nimport './innocent.ts'\nimport 'cornerman/testing'\nimport '../src/core/plantedTarget.ts'\n",
    'src/cli/commands/innocent.ts':
      "import type { planted } from '../runs/innocent.ts'\n\nexport const used = async (): Promise<typeof planted> => (await import('../runs/innocent.ts')).planted\n",
    'src/cli/runs/innocent.ts': 'export const planted = 1\n',
    'src/cli/runs/innocentSandbox.ts':
      "import type { planted } from '../../sandbox/plantedTarget.ts'\n\nexport const used = async (): Promise<typeof planted> => (await import('../../sandbox/plantedTarget.ts')).planted\n",
    'src/live/innocentClock.ts': importing('../core/systemClock.ts'),
    'src/testing/innocentClock.ts': importing('../core/systemClock.ts'),
    'src/pipeline/innocentClock.test.ts': importing('../core/systemClock.ts'),
    'test/support/innocent.ts': "import '../../src/live/plantedTarget.ts'\nimport '../../src/sandbox/plantedTarget.ts'\n",
  },
}
