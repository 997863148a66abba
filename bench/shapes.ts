// `npm exec -- node bench/shapes.ts --seeds 1-40 --departure 0.35 --out DIR`: bots on services of other shapes (test/shapes), several at
// once beside a control on the sandbox's own shape. A seed whose result is in DIR is not played again; a batch whose control lost a
// contest without a move does not count, and is played again where its file is removed.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startSandboxProcess } from '../test/support/sandboxProcess.ts'
import { playSeed, type SeedResult, type ShapesMode } from './support/shapes/playSeed.ts'
import { type BatchResult, summaryOf, tableOf } from './support/shapes/summary.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-4' },
    departure: { type: 'string', default: '0.35' },
    seconds: { type: 'string', default: '55' },
    mode: { type: 'string', default: 'none' },
    most: { type: 'string', default: '40.00' },
    out: { type: 'string' },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    /** Seeds at once, beside the control. */
    'at-once': { type: 'string', default: String(availableParallelism()) },
  },
})
const { out } = values
if (out === undefined) throw new Error('--out DIR is where results are kept')
const mode = modeOf(values.mode)
const [departure, seconds, atOnce] = [Number(values.departure), Number(values.seconds), Number(values['at-once'])]
const folder = resolve(out)
const root = resolve(values.root)
mkdirSync(folder, { recursive: true })

const label = (seed: number): string => `${mode}-${values.departure}-${seed}`
const seedsOf = (batch: BatchResult): readonly string[] => batch.seeds.map(({ seed }) => label(seed))
const done = new Set(batchesIn(folder).flatMap(seedsOf))
const waiting = seedsIn(values.seeds).filter((seed) => !done.has(label(seed)))
while (waiting.length > 0) {
  const batch = await playBatch(waiting.splice(0, atOnce))
  writeFileSync(join(folder, `batch-${batch.batch}.json`), `${JSON.stringify(batch, null, 1)}\n`)
  for (const seed of batch.seeds) console.error(lineOf(seed))
  console.error(`${lineOf(batch.control)}${batch.counts ? '' : ': this batch does not count'}`)
}
const summary = summaryOf(batchesIn(folder).filter((batch) => seedsOf(batch).some((one) => one.startsWith(`${mode}-${values.departure}-`))))
writeFileSync(join(folder, `summary-${mode}-${values.departure}.json`), `${JSON.stringify(summary, null, 1)}\n`)
console.log(tableOf(summary))

/** All of them on one sandbox, each by itself as the service goes: an agent and a shape of its own. */
async function playBatch(seeds: readonly number[]): Promise<BatchResult> {
  const name = `${mode}-${values.departure}-${seeds[0]}-${seeds.at(-1)}`
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  const file = join(home, `sandbox-${Date.now()}.db`)
  const players = [0, ...seeds]
  const agents = players.map((seed) => `s${seed}`)
  const sandbox = await startSandboxProcess(['--db', file, '--agents', agents.join(), '--seed', String(1000 + (seeds[0] ?? 0))])
  const plays = players.map((seed, index) => {
    const agent = sandbox.agents[index]
    if (agent === undefined) throw new Error(`no agent for seed ${seed}`)
    const own = { seed, agent, folder: join(home, `seed-${seed}`), sandbox: sandbox.url }
    // The control shows what the machine bears, so that it knows its service whatever the seeds are told.
    return playSeed({ ...own, departure, seconds, mode: seed === 0 ? 'truth' : mode, most: values.most, root })
  })
  const played = await Promise.all(plays).finally(() => sandbox.kill())
  const [control, ...results] = played.map((one) => one.audited(file))
  if (control === undefined) throw new Error('no control was played')
  const counts = control.audit.verdict === 'fine' && control.audit.contests.length > 0
  return { batch: name, counts, load: loadavg()[0] ?? 0, control, seeds: results }
}

function batchesIn(dir: string): readonly BatchResult[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((file) => file.startsWith('batch-'))
    .map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as BatchResult)
}

function lineOf({ seed, start, audit, departures }: SeedResult): string {
  const lost = audit.contests.filter(({ hasMoved }) => !hasMoved)
  return `seed ${seed}: ${audit.verdict}, ${audit.contests.length} ended, ${lost.length} without a move, exit ${start.exit}, ${departures.length} departures`
}

function seedsIn(text: string): number[] {
  const [first = 1, last = first] = text.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function modeOf(text: string): ShapesMode {
  if (text === 'none' || text === 'truth' || text === 'probe') return text
  throw new Error('--mode is none, truth or probe')
}
