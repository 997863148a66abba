// `npm exec -- node bench/isolation.ts`: how long an isolated decision takes, there and back, and what fifty isolated strategies of five
// bots take of the memory. Linux only.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NEVER } from 'rxjs'
import { systemClock } from '../src/core/systemClock.ts'
import { SOL_MINT } from '../src/core/tokens.ts'
import { ProcessIsolation } from '../src/live/index.ts'
// Before the config is: what it imports is what the processes may read.
import '../src/live/isolation/ownModules.ts'
import { type Present, PriceBook } from '../src/pipeline/index.ts'
import { readConfig } from '../src/strategy/config.ts'
import type { QueuePolicy } from '../src/strategy/define.ts'
import { queueContext } from '../src/testing/contexts.ts'
import { openContestView } from '../src/testing/views.ts'

const file = fileURLToPath(new URL('./support/isolationConfig.ts', import.meta.url))
const WARM_UP = 500
const QUESTIONS = 3000
const MOST_MB = 600
const MOST_P50_MS = 5

const { default: config } = (await import('./support/isolationConfig.ts')) as { default: unknown }
const { bots } = readConfig(config, file)
const book = new PriceBook()
for (let second = 0; second < 5000; second++)
  book.append({ at: systemClock.now() + second * 1000, prices: new Map([[SOL_MINT, String(200 + (second % 7))]]) })
const present: Present = { moment: () => ({ n: 1, at: systemClock.now(), tick: book.tick }), isCaughtUp: () => true, tick$: NEVER }

const isolations = bots.map((bot) => {
  const log = ({ message }: { readonly message: string }) => console.error(message)
  const isolation = new ProcessIsolation({ file, dataDir: '/nowhere', bot, book, clock: systemClock, log })
  return { isolation, policies: bot.strategies.map((strategy, place) => isolation.standInFor(strategy, place, present) as QueuePolicy) }
})

/** Of what processes share each has its part (PSS): the text of Node, above all. */
const megabytesOf = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024

const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(sorted.length * q)] ?? Number.NaN

function report(name: string, figure: string, bar: string, isMet: boolean): void {
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${name}: ${figure} (${bar})`)
  if (!isMet) process.exitCode = 1
}

try {
  await Promise.all(isolations.map(({ isolation }) => isolation.ready()))
  const asked = queueContext({ openContests: Array.from({ length: 100 }, (_, index) => openContestView({ contestId: `c${index}` })) })
  const [policy] = isolations[0]?.policies ?? []
  const times: number[] = []
  for (let question = 0; question < WARM_UP + QUESTIONS; question++) {
    const startedAt = performance.now()
    await policy?.decide(asked)
    if (question >= WARM_UP) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  report(
    'a decision with 100 open contests',
    `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
    `p50 under ${MOST_P50_MS} ms`,
    p50 < MOST_P50_MS,
  )
  for (const { policies } of isolations) await Promise.all(policies.map((each) => each.decide(asked)))
  const pids = isolations.flatMap(({ isolation }) => isolation.pids)
  const sum = (field: string) => pids.reduce((total, pid) => total + megabytesOf(pid, field), 0)
  const [resident, proportional] = [sum('Rss'), sum('Pss')]
  const figure = `${proportional.toFixed(0)} MB in ${pids.length} processes (${resident.toFixed(0)} resident, where what they share counts in each)`
  report('50 isolated strategies of 5 bots', figure, `at most ${MOST_MB} MB`, proportional <= MOST_MB)
} finally {
  await Promise.all(isolations.map(({ isolation }) => isolation.close()))
}
