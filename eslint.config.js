import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { MODE_TRAITS, MODES } from './src/contract/modes.ts'
import { dexNames } from './src/strategy/dexes.ts'

/**
 * Where time, randomness, the environment and the network may be touched. Everything else is handed a port. The system
 * clock is one file for the worlds that must not import one another; dependency-cruiser lets only the edge import it.
 */
const EDGE = [
  ...['src/live/**', 'src/sandbox/**', 'src/cli/**', 'src/fleet/**', 'src/core/systemClock.ts'],
  // The watch that finds strategies at it.
  'src/testing/conformance/watchedGlobals.ts',
]
const TESTS = ['**/*.test.ts']
/** The page runs in a browser, where the system clock and the network are what there is. */
const PAGE = ['src/dashboard/page/**']
/** Serve HTTP; of the edge they have nothing else. */
const LISTENER = ['src/http/**', 'src/dashboard/server/**']

const TAKE_A_CLOCK = 'Only the edge (src/live, src/sandbox, src/cli) reads the time or sets a timer: take a Clock.'
const TAKE_A_RANDOM = 'Only the edge draws chance from the system: take a keyed Random, or for secrets a port.'
const TAKE_A_PORT = 'Only the edge touches the environment and the network: take a port or a value.'
const GIVE_A_SCHEDULER = 'Give this operator the clock’s scheduler in an argument named `scheduler`: its default is the system clock.'

const BANNED_GLOBALS = {
  [TAKE_A_CLOCK]: ['setTimeout', 'setInterval', 'setImmediate', 'performance'],
  [TAKE_A_RANDOM]: ['crypto'],
  [TAKE_A_PORT]: ['process', 'fetch', 'WebSocket', 'EventSource'],
}

const BANNED_PROPERTIES = [
  { object: 'Date', property: 'now', message: TAKE_A_CLOCK },
  { object: 'AbortSignal', property: 'timeout', message: TAKE_A_CLOCK },
  { object: 'Math', property: 'random', message: TAKE_A_RANDOM },
]

/** Modules of Node that are time, environment or network, whole. */
const BANNED_MODULES = [
  ...['timers', 'perf_hooks', 'process', 'os', 'module', 'child_process', 'cluster', 'worker_threads'],
  ...['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns'],
]
const BANNED_PACKAGES = ['undici', 'rxjs/ajax', 'rxjs/fetch', 'rxjs/webSocket']

/** What node:crypto draws from the system; hashes and signatures stay allowed. */
const BANNED_CRYPTO = [
  ...[
    'default',
    'webcrypto',
    'getRandomValues',
    'randomBytes',
    'randomFill',
    'randomFillSync',
    'randomInt',
    'randomUUID',
    'randomUUIDv7',
    'subtle',
  ],
  ...['generateKey', 'generateKeySync', 'generateKeyPair', 'generateKeyPairSync', 'generatePrime', 'generatePrimeSync'],
]

/** Schedulers of RxJS on the system clock, and operators that stamp its time. */
const BANNED_RXJS = [
  ...['async', 'asyncScheduler', 'asap', 'asapScheduler', 'queue', 'queueScheduler'],
  ...['animationFrame', 'animationFrameScheduler', 'animationFrames', 'timeInterval', 'timestamp'],
]

/** Operators and sources of RxJS that run on the system clock unless they are given a scheduler. */
const TIMED = '/^(?:auditTime|bufferTime|debounceTime|delay|interval|sampleTime|throttleTime|timeout|timeoutWith|timer|windowTime)$/'
const HAS_SCHEDULER = [
  '> Identifier.arguments[name=/scheduler$/i]',
  '> MemberExpression.arguments[property.name=/scheduler$/i]',
  '> ObjectExpression.arguments:has(> Property[key.name="scheduler"])',
].join(', ')

/** Where the DEX, the RPC, the price feed and the service are asked. */
const ASKING = ['src/live/*.ts', 'src/live/market/**/*.ts', 'src/live/swaps/**/*.ts', 'src/live/tokens/**/*.ts']
/** A loop that nothing but its own body ends. */
const ENDLESS = ':matches(WhileStatement, DoWhileStatement, ForStatement[test=null])'
const BANNED_RETRIES = [
  {
    selector: `${ENDLESS} AwaitExpression`,
    message: 'A request is repeated through src/live/retried.ts alone, which has a pause before each try, and a last one.',
  },
]

const BANNED_SYNTAX = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: TAKE_A_CLOCK },
  { selector: 'CallExpression[callee.name="Date"]', message: TAKE_A_CLOCK },
  { selector: 'ImportExpression', message: 'Only the edge loads code while it runs: import it at the top, or take it as a value.' },
  { selector: `CallExpression[callee.name=${TIMED}]:not(:has(${HAS_SCHEDULER}))`, message: GIVE_A_SCHEDULER },
  {
    selector:
      'CallExpression[callee.name=/^(?:retry|repeat)$/] > ObjectExpression > Property[key.name="delay"]:not([value.type=/Function/])',
    message: 'A number here waits on the system clock: write a function in place that returns timer(ms, scheduler).',
  },
  {
    selector:
      'CallExpression[callee.name="shareReplay"][arguments.length=2], NewExpression[callee.name="ReplaySubject"][arguments.length=2]',
    message: GIVE_A_SCHEDULER,
  },
  {
    selector:
      'CallExpression[callee.name="shareReplay"] > ObjectExpression:has(> Property[key.name="windowTime"]):not(:has(> Property[key.name="scheduler"]))',
    message: GIVE_A_SCHEDULER,
  },
  {
    selector: 'ImportDeclaration[source.value="rxjs"] > :matches(ImportNamespaceSpecifier, ImportDefaultSpecifier)',
    message: 'Import from RxJS by name: the ban on calls without a scheduler goes by the names.',
  },
  {
    selector: `ImportDeclaration[source.value="rxjs"] > ImportSpecifier[imported.name=${TIMED}]:not([local.name=${TIMED}])`,
    message: 'Keep the name of this RxJS operator: the ban on calls without a scheduler goes by it.',
  },
]

/** Members of closed unions: a tenth mode, another way to play one, or another DEX must not compile where somebody has to know of it. */
const CLOSED = new Set([...MODES, ...MODES.map((mode) => MODE_TRAITS[mode].playedBy), ...dexNames])
const isMember = (node) => node?.type === 'Literal' && CLOSED.has(node.value)
const comparesMember = {
  meta: { messages: { table: "Write a Record of all members, or a switch: a comparison with '{{member}}' says nothing of a new one." } },
  create: (context) => {
    const report = (node, member) => context.report({ node, messageId: 'table', data: { member: member.value } })
    return {
      BinaryExpression(node) {
        const member = [node.left, node.right].find(isMember)
        if (/^[!=]==?$/.test(node.operator) && member !== undefined) report(node, member)
      },
      'CallExpression[callee.property.name="includes"][callee.object.type="ArrayExpression"]'(node) {
        const member = node.callee.object.elements.find(isMember)
        if (member !== undefined) report(node, member)
      },
    }
  },
}
/** What is made of these files is code of its user, who plays some modes. */
const TEMPLATES = ['src/cli/runs/templates/**']

const banned = (modules) => ({
  paths: [
    ...['crypto', 'node:crypto'].map((name) => ({ name, importNames: BANNED_CRYPTO, message: TAKE_A_RANDOM })),
    { name: 'rxjs', importNames: BANNED_RXJS, message: TAKE_A_CLOCK },
    { name: 'rxjs/operators', message: "Import from 'rxjs'." },
    ...BANNED_PACKAGES.map((name) => ({ name, message: TAKE_A_PORT })),
  ],
  patterns: [{ regex: `^(?:node:)?(?:${modules.join('|')})(?:/|$)`, message: TAKE_A_PORT }],
})

const globals = Object.entries(BANNED_GLOBALS).flatMap(([message, names]) => names.map((name) => ({ name, message })))

export default defineConfig(
  { ignores: ['node_modules/', '.cornerman/', 'coverage/', 'site/', 'bench/mutation/', '**/*.js', '**/*.cjs'] },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    // An exception belongs in this file, where it is seen: comments in the code switch nothing off.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'strategies/**/*.ts', 'bots.config.ts'],
    ignores: [...EDGE, ...TESTS, ...PAGE],
    // ESLint knows `globalThis` by itself, and this other name of it only when told.
    languageOptions: { globals: { global: 'readonly' } },
    rules: {
      'no-restricted-globals': ['error', { globals, checkGlobalObject: true, globalObjects: ['global'] }],
      'no-restricted-properties': ['error', ...BANNED_PROPERTIES],
      'no-restricted-syntax': ['error', ...BANNED_SYNTAX],
      'no-restricted-imports': ['error', banned(BANNED_MODULES)],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: [...TESTS, ...TEMPLATES],
    plugins: { 'closed-unions': { rules: { 'no-member-comparison': comparesMember } } },
    rules: { 'closed-unions/no-member-comparison': 'error' },
  },
  {
    files: ASKING,
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', ...BANNED_RETRIES] },
  },
  {
    files: ['src/pipeline/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', ...BANNED_SYNTAX, ...BANNED_RETRIES] },
  },
  {
    files: LISTENER.map((folder) => `${folder}/*.ts`),
    ignores: TESTS,
    rules: { 'no-restricted-imports': ['error', banned(BANNED_MODULES.filter((name) => name !== 'http' && name !== 'net'))] },
  },
)
