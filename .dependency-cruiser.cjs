/**
 * The floors of the house: what each folder of `src/` may import besides itself. Closed: what is not listed
 * is forbidden, and a folder that is not listed may neither import nor be imported.
 */
const GROUND = ['core', 'contract', 'strategy']
const FLOORS = {
  core: [],
  charts: [],
  contract: ['core'],
  http: ['core'],
  strategy: ['core', 'contract'],
  guard: GROUND,
  contests: GROUND,
  pipeline: [...GROUND, 'guard'],
  recording: GROUND,
  probe: ['core', 'contract', 'strategy'],
  live: [...GROUND, 'http', 'guard', 'pipeline', 'recording'],
  scout: [...GROUND, 'pipeline', 'recording'],
  backtest: [...GROUND, 'guard', 'contests', 'pipeline', 'recording'],
  optimize: ['core', 'strategy', 'recording', 'backtest'],
  fleet: ['core', 'strategy', 'recording', 'backtest', 'optimize'],
  sandbox: ['core', 'contract', 'http', 'contests'],
  testing: [...GROUND, 'guard', 'contests', 'pipeline', 'recording', 'backtest'],
  dashboard: ['charts', ...GROUND, 'http', 'guard', 'contests', 'pipeline', 'recording'],
}

const OURS = '^(?:src|strategies|test|bench)/|^[^/]+\\.ts$'
const PAGE = '^src/dashboard/page/'
const CHARTS = '^src/charts/'
const TEST = '\\.test\\.ts$'
const folder = (...names) => `^src/(?:${names.join('|')})/`
const npmPackage = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})/`

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const floors = Object.entries(FLOORS).map(([name, allowed]) =>
  rule(
    `floor-${name}`,
    `src/${name} may import ${allowed.join(', ') || 'nothing else of ours'}`,
    { path: folder(name), pathNot: TEST },
    { path: OURS, pathNot: folder(name, ...allowed) },
  ),
)

const FLEET_ROOMS = ['database', 'journal', 'together', 'host']
const WORLDS = ['live', 'backtest', 'sandbox']
const worlds = WORLDS.map((name) =>
  rule(
    `world-${name}`,
    'live, backtest and sandbox never import one another, nor do the tests beside them: a test of two worlds belongs in test/',
    { path: folder(name) },
    { path: folder(...WORLDS.filter((other) => other !== name)) },
  ),
)

/** What is heavy serves one part of the house, and is loaded by nothing else. */
const HEAVY = {
  '^src/sandbox/chain/': ['litesvm', '@solana/kit'],
  '^src/recording/compiled/': ['apache-arrow'],
  '^src/recording/export/': ['hyparquet-writer'],
  '^src/live/alerts/': ['grammy'],
  '^src/cli/runs/optimize/': ['piscina'],
  '^src/(?:live/)?fleet/': ['pg'],
  '^src/fleet/': ['pg-boss'],
}
const heavy = Object.entries(HEAVY).map(([path, names]) =>
  rule(
    'heavy-package',
    `${names.join(' and ')} belong to one part of the house: whoever does without it loads nothing of them`,
    { path: '^src/', pathNot: [path, TEST] },
    { path: npmPackage(...names) },
  ),
)

const unlisted = { path: '^src/[^/]+/', pathNot: folder('cli', ...Object.keys(FLOORS)) }

module.exports = {
  forbidden: [
    ...floors,
    ...worlds,
    ...heavy,
    rule(
      'sandbox-lazy',
      'the sandbox is loaded where one is played on: whoever plays elsewhere needs none of it',
      { path: '^src/', pathNot: [folder('sandbox'), '^src/cli/runs/sandbox\\.ts$', TEST] },
      { path: folder('sandbox'), dependencyTypesNot: ['type-only', 'dynamic-import'] },
    ),
    rule('floor-cli', 'the composition roots import src/ alone', { path: folder('cli'), pathNot: TEST }, { path: OURS, pathNot: '^src/' }),
    rule(
      'commands-light',
      'a command only says what it takes: what it does is imported where it is asked for',
      { path: '^src/cli/commands/' },
      {
        path: '^src/',
        pathNot: [folder('core'), '^src/cli/(?:commands/|[^/]+\\.ts$)', '^src/dashboard/settings\\.ts$'],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),
    rule(
      'floor-door',
      'the public door shows the SDK and core',
      { path: '^src/[^/]+\\.ts$', pathNot: TEST },
      { path: OURS, pathNot: folder('strategy', 'core') },
    ),
    rule('floor-unknown', 'a new folder of src/ needs its line in .dependency-cruiser.cjs', unlisted, {}),
    rule('floor-unknown', 'a new folder of src/ needs its line in .dependency-cruiser.cjs', {}, unlisted),
    rule(
      'user-code',
      'strategies and configs import cornerman, zod, rxjs, trading-signals and each other',
      { path: '^strategies/|^bots\\.config\\.ts$', pathNot: TEST },
      { pathNot: ['^src/index\\.ts$', '^strategies/', npmPackage('zod', 'rxjs', 'trading-signals')] },
    ),
    rule(
      'user-code-door',
      "strategies and configs import the door by its name, 'cornerman'",
      { path: '^strategies/|^bots\\.config\\.ts$' },
      { path: '^src/index\\.ts$', dependencyTypes: ['local'] },
    ),
    rule(
      'page-in-browser',
      'the page and its charts run in a browser: they take preact, uplot, what the stream says, and values',
      { path: [PAGE, CHARTS], pathNot: TEST },
      {
        pathNot: [
          PAGE,
          CHARTS,
          '^src/dashboard/(?:stream/|watch/views\\.ts$)',
          '^src/(?:core/(?:csvLine|formatUnits|tokens)|contract/enums)\\.ts$',
          npmPackage('preact', 'uplot'),
        ],
      },
    ),
    rule('page-alone', 'only the build looks into the page: a server has it as files', { pathNot: [PAGE, TEST] }, { path: PAGE }),
    ...FLEET_ROOMS.slice(0, -1).map((room, place) =>
      rule(
        `fleet-${room}`,
        `the rooms of src/live/fleet know those before them: ${FLEET_ROOMS.join(', ')}`,
        { path: `^src/live/fleet/${room}/`, pathNot: TEST },
        { path: `^src/live/fleet/(?:${FLEET_ROOMS.slice(place + 1).join('|')})/` },
      ),
    ),
    rule('no-test-imported', 'what tests share is a file of its own in test/support', {}, { path: TEST }),
    rule(
      'no-cycle',
      'modules that need each other are one module; types count too: what two share stands in a third, below both',
      {},
      { circular: true },
    ),
    rule('no-unresolved', 'the import leads nowhere', {}, { couldNotResolve: true }),
    rule(
      'no-dev-dependency',
      'what runs at a user’s is a dependency, not a devDependency',
      { path: '^(?:src|strategies)/|^bots\\.config\\.ts$', pathNot: TEST },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer'] },
    ),
    rule('no-undeclared', 'every package imported is named in package.json', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
    rule(
      'system-clock',
      'only the edge, and the doors for scripts, know the system clock: everything else is handed a Clock',
      { path: '^src/', pathNot: [folder('live', 'sandbox', 'cli', 'testing'), '^src/backtest/door\\.ts$', TEST] },
      { path: '^src/core/systemClock\\.ts$' },
    ),
    rule(
      'pure-builtins',
      'the pure floors do no I/O: of Node’s own modules they take crypto, util and assert',
      { path: folder('core', 'contract', 'strategy', 'guard', 'contests'), pathNot: TEST },
      { dependencyTypes: ['core'], pathNot: '^(?:crypto|util|assert)$' },
    ),
    rule(
      'pure-rxjs',
      'values, schemas and the contest engine do without RxJS',
      { path: folder('core', 'contract', 'contests'), pathNot: TEST },
      { path: npmPackage('rxjs') },
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // What is made, not written; the peers of a bench have packages and a type check of their own.
    exclude: { path: '^(?:\\.cornerman|coverage|site|bench/peers|bench/mutation)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'types', 'default'] },
  },
}
