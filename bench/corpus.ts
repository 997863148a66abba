// `node bench/corpus.ts record FOLDER [FIRST-LAST]` and `node bench/corpus.ts replay FOLDER [FIRST-LAST]`: whether a change decides what
// was decided before it.
//
// What is recorded are the bots of `test/support/botSimulation`, which play all nine modes on a virtual clock, through kills and
// restarts in the middle of a step, lost answers, outages, clocks that were set and machines that slept. Record with the version before
// the change; every version after it must replay all of it to the same decisions. Seeds that are there already are left as they are.

import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replayLog } from '../src/backtest/index.ts'
import { encodeExact } from '../src/core/exactJson.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { scenarioOf, setupOf, TIMEOUT_MS } from '../test/support/botSimulation/scenario.ts'
import { Simulation } from '../test/support/botSimulation/simulation.ts'

const HOUR_MS = 3_600_000

const [task, folder, seeds = '1-300'] = process.argv.slice(2)
const [first = 1, last = first] = seeds.split('-').map(Number)
if (folder === undefined || (task !== 'record' && task !== 'replay')) throw new Error('say record or replay, and a folder')
const root = resolve(folder)
if (task === 'record') await record()
else await replay()

async function record(): Promise<void> {
  let botMs = 0
  for (let seed = first; seed <= last; seed++) {
    const at = join(root, `seed-${seed}`)
    if (existsSync(at)) continue
    const making = `${at}.part`
    mkdirSync(making, { recursive: true })
    const simulation = new Simulation(scenarioOf(seed), making)
    try {
      await simulation.play()
      botMs += (simulation.clock.now() - simulation.startedAt) * simulation.bots.length
    } finally {
      simulation.close()
    }
    renameSync(making, at)
    if (seed % 10 === 0) console.log(`seed ${seed}: ${(botMs / HOUR_MS).toFixed(1)} bot-hours`)
  }
}

async function replay(): Promise<void> {
  const sums = { recordings: 0, runs: 0, inputs: 0, decisions: 0, matched: 0, divergences: 0 }
  for (let seed = first; seed <= last; seed++) {
    const at = join(root, `seed-${seed}`)
    if (!existsSync(at)) continue
    for (const name of readdirSync(at).toSorted()) {
      const setup = setupOf(seed, name)
      if (setup === undefined || !existsSync(join(at, name))) continue
      const log = join(at, name)
      // A life that ended before its bot knew who it is has recorded nothing.
      if (readdirSync(log).length === 0) continue
      const { runs, inputs, decisions, matched, divergences, diverged, damage } = await replayLog({
        ...{ log, bots: [setup.config], paths: {}, timeoutMs: TIMEOUT_MS, clock: systemClock },
      })
      sums.recordings += 1
      for (const [key, value] of Object.entries({ runs, inputs, decisions, matched, divergences: divergences + damage.length }))
        sums[key as keyof typeof sums] += value
      if (divergences + damage.length > 0) {
        process.exitCode = 1
        console.log(`${name} of seed ${seed}: ${encodeExact(diverged[0] ?? damage[0]).slice(0, 600)}`)
      }
    }
  }
  console.log(
    Object.entries(sums)
      .map(([key, value]) => `${key} ${value}`)
      .join(', '),
  )
  if (sums.decisions === 0) throw new Error('nothing was replayed')
}
