// Sources that the rules of eslint.config.js must refuse or let pass, by the rule that refuses them.

const SCHEDULER = 'export declare const clock: { readonly scheduler: SchedulerLike }\nexport declare const scheduler: SchedulerLike\n'
const scheduled = (names: string, code: string) => `import { ${names}, type SchedulerLike } from 'rxjs'\n${SCHEDULER}${code}\n`

const timedCalls: readonly (readonly [names: string, code: string])[] = [
  ['delay', 'export const late = delay(100)'],
  ['debounceTime', 'export const late = debounceTime(100)'],
  ['throttleTime', 'export const late = throttleTime(100)'],
  ['auditTime', 'export const late = auditTime(100)'],
  ['sampleTime', 'export const late = sampleTime(100)'],
  ['bufferTime', 'export const late = bufferTime(100, null, 5)'],
  ['windowTime', 'export const late = windowTime(100)'],
  ['interval', 'export const late = interval(100)'],
  ['timer', 'export const late = timer(100)'],
  ['timer', 'export const late = timer(0, 100)'],
  ['timeout', 'export const late = timeout(100)'],
  ['timeout', 'export const late = timeout({ each: 100 })'],
  ['timeoutWith, EMPTY', 'export const late = timeoutWith(100, EMPTY)'],
  ['timeout, timer', 'export const late = timeout({ each: 100, with: () => timer(1, scheduler) })'],
  ['retry', 'export const late = retry({ count: 3, delay: 100 })'],
  ['repeat', 'export const late = repeat({ delay: 100 })'],
  ['shareReplay', 'export const late = shareReplay({ refCount: true, windowTime: 100 })'],
  ['shareReplay', 'export const late = shareReplay(1, 100)'],
  ['ReplaySubject', 'export const late = new ReplaySubject(1, 100)'],
]

const globals = ['setTimeout', 'setInterval', 'setImmediate', 'performance', 'process', 'fetch', 'WebSocket', 'EventSource', 'crypto']
const modules = [
  ...['timers', 'timers/promises', 'perf_hooks', 'process', 'os', 'module', 'child_process', 'cluster', 'worker_threads'],
  ...['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises'],
]

const cryptoNames = [
  ...['webcrypto', 'getRandomValues', 'randomBytes', 'randomFill', 'randomFillSync', 'randomInt', 'randomUUID', 'randomUUIDv7', 'subtle'],
  ...['generateKey', 'generateKeySync', 'generateKeyPair', 'generateKeyPairSync', 'generatePrime', 'generatePrimeSync'],
]
const rxjsNames = [
  ...['asyncScheduler', 'asapScheduler', 'queueScheduler', 'animationFrameScheduler', 'animationFrames'],
  ...['async', 'asap', 'queue', 'animationFrame', 'timestamp', 'timeInterval'],
]

export const bannedOutsideTheEdge = {
  'no-restricted-globals': [
    ...globals.map((name) => `export const banned = ${name}\n`),
    'export const banned = globalThis.fetch\n',
    "export const banned = globalThis['process']\n",
    'export const banned = global.setTimeout\n',
    'setTimeout(() => undefined, 1)\n',
    'export const banned = process.env.KEY\n',
  ],
  'no-restricted-properties': [
    'export const banned = Date.now()\n',
    'export const { now } = Date\n',
    'export const banned = { clock: Date.now }\n',
    "export const banned = Math['random']()\n",
    'export const banned = Math.random()\n',
    'export const banned = AbortSignal.timeout(5)\n',
  ],
  'no-restricted-syntax': [
    'export const banned = new Date()\n',
    'export const banned = Date()\n',
    "export const banned = import('zod')\n",
    "import * as rx from 'rxjs'\n\nexport const banned = rx.timer(100)\n",
    "import { delay as wait } from 'rxjs'\n\nexport const banned = wait(100)\n",
    ...timedCalls.map(([names, code]) => scheduled(names, code)),
  ],
  'no-restricted-imports': [
    ...modules.flatMap((name) => [`import * as banned from 'node:${name}'\n\nexport { banned }\n`, `export * from '${name}'\n`]),
    "import { randomBytes } from 'node:crypto'\n\nexport const banned = randomBytes(16)\n",
    ...cryptoNames.map((name) => `export { ${name} } from 'node:crypto'\n`),
    "import * as banned from 'node:crypto'\n\nexport { banned }\n",
    "import banned from 'node:crypto'\n\nexport { banned }\n",
    "export { request } from 'undici'\n",
    ...rxjsNames.map((name) => `export { ${name} } from 'rxjs'\n`),
    ...['ajax', 'fetch', 'webSocket'].map((name) => `export * from 'rxjs/${name}'\n`),
    "export { delay } from 'rxjs/operators'\n",
  ],
} as const

/** As far as they are modules: who listens has `http` and `net`. */
export const bannedToListeners = bannedOutsideTheEdge['no-restricted-imports'].filter((code) => !/'(?:node:)?(?:http|net)'/.test(code))

export const bannedAnywhere = {
  '@typescript-eslint/no-floating-promises': [
    'export async function one(): Promise<number> {\n  return 1\n}\none()\n',
    // Comments switch nothing off.
    'export const one = Promise.resolve(1)\n// eslint-disable-next-line @typescript-eslint/no-floating-promises\none.then(() => undefined)\n',
  ],
  '@typescript-eslint/no-misused-promises': [
    'export const odd = [1, 2].forEach(async (value) => {\n  await Promise.resolve(value)\n})\n',
    'export const odd = (ready: Promise<boolean>) => (ready ? 1 : 2)\n',
  ],
  '@typescript-eslint/switch-exhaustiveness-check': [
    "export function of(side: 'UP' | 'DOWN'): number {\n  switch (side) {\n    case 'UP':\n      return 1\n  }\n  return 2\n}\n",
  ],
} as const

/** Comparisons that say nothing of a new member of a closed union. */
export const bannedComparisons = {
  'closed-unions/no-member-comparison': [
    "export const isPicked = (playedBy: 'swaps' | 'picks' | 'sealedPrice' | 'side'): boolean => playedBy === 'picks'\n",
    "export const isOther = (mode: string): boolean => 'up_down' !== mode\n",
    "export const isKnown = (mode: string): boolean => ['pnl_usd', 'best_trade'].includes(mode)\n",
    "export const isNew = (dex: 'jupiterV1' | 'jupiterV2'): boolean => dex === 'jupiterV2'\n",
  ],
} as const

/** The same as a table and as a switch. */
export const exhaustiveTable = [
  "type Kind = 'swaps' | 'picks' | 'sealedPrice' | 'side'",
  'const IS_PICKED: Readonly<Record<Kind, boolean>> = { swaps: false, picks: true, sealedPrice: false, side: false }',
  'export const isPicked = (kind: Kind): boolean => IS_PICKED[kind]',
  '',
].join('\n')

/** Requests that are repeated without a bound, where the market and the service are asked. */
export const bannedRetries = {
  'no-restricted-syntax': ['for (;;) {', 'while (true) {', 'do {'].map(
    (loop) =>
      `export async function asked(ask: () => Promise<boolean>): Promise<void> {\n  ${loop}\n    if (await ask()) return\n  }${loop === 'do {' ? ' while (true)' : ''}\n}\n`,
  ),
} as const

/** The same with a bound. */
export const boundedRetries =
  'export async function asked(ask: () => Promise<boolean>): Promise<void> {\n  for (let tries = 0; tries < 3; tries++) if (await ask()) return\n}\n'

/** What the edge, tests and benches may do. */
export const everyBan = [
  "import { randomBytes } from 'node:crypto'",
  "import { createServer } from 'node:http'",
  "import { setTimeout as wait } from 'node:timers/promises'",
  "import { asyncScheduler, timer } from 'rxjs'",
  "import { request } from 'undici'",
  'export const used = [randomBytes(16), createServer(), wait(1), timer(1, asyncScheduler), timer(100), request, fetch, process.env.KEY]',
  'export const read = [Date.now(), new Date(), Math.random(), performance.now(), setTimeout(() => undefined, 1)]',
  "export const loaded = import('zod')",
  '',
].join('\n')

/** What the page may do: a browser has one clock and one network. */
export const browserBans = [
  "export const source = new EventSource('/stream')",
  "export const asked = fetch('/session')",
  'export const read = [Date.now(), new Date(), Math.random(), performance.now(), setTimeout(() => undefined, 1)]',
  '',
].join('\n')

/** What looks like a violation and is none. */
export const allowedAnywhere = [
  "import { createHash, createHmac } from 'node:crypto'",
  "import { delay, ReplaySubject, retry, type SchedulerLike, shareReplay, timeout, timer } from 'rxjs'",
  SCHEDULER,
  'export const read = [new Date(0), Date.parse("2025-07-21"), Date.UTC(2025, 6), Math.max(1, 2), createHash("sha256"), createHmac("sha256", "key")]',
  'export const timed = [delay(1, scheduler), timer(0, 1, clock.scheduler), timer(1, scheduler), timeout({ each: 1, scheduler })]',
  'export const waits = [retry({ count: 3, delay: () => timer(1, scheduler) }), shareReplay(1), shareReplay({ bufferSize: 1, refCount: true })]',
  'export const replays = [new ReplaySubject(1), new ReplaySubject(1, 100, scheduler)]',
  'export const named = (box: { readonly now: number; readonly random: number }) => box.now + box.random',
  "export function of(side: 'UP' | 'DOWN'): number {\n  switch (side) {\n    case 'UP':\n      return 1\n    case 'DOWN':\n      return 2\n  }\n}",
  '',
].join('\n')
