import '../support/lowPriority.ts'
import { describe, expect, test } from 'vitest'
import { MODES } from '../../src/contract/enums.ts'
import { scenarioOf } from '../support/botSimulation/scenario.ts'
import { simulate } from '../support/botSimulation/simulate.ts'
import { BY_TEST_ALONE, MACHINES, movesOf, watchPairs } from '../support/lifecycles/machines.ts'

// Whole bots, with their journals and recordings, on a virtual clock: between them and the sandbox a network that loses, delays and
// breaks, outages, and deaths in the middle of a step. What a seed draws, it draws again: `SIMULATION_SEEDS=59-59` runs one alone.

const [FIRST = 1, LAST = 60] = (process.env.SIMULATION_SEEDS ?? '1-60').split('-').map(Number)
const isWhole = process.env.SIMULATION_SEEDS === undefined

/** Least counts over all seeds: a simulation in which bots do nothing proves nothing. */
const REACHED = {
  ...{ enqueue: 500, cancelTicket: 100, createContest: 100, joinContest: 100, leaveContest: 30, ready: 200 },
  ...{ draftPick: 50, commitPrediction: 50, revealPrediction: 50, fill: 300, decisions: 10_000, closings: 50 },
}

describe('bots in a simulated world', () => {
  const reached = new Map<string, number>()
  const moves = watchPairs(MACHINES)

  test.for(Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index))('seed %i', async (seed) => {
    const { problems, counts } = await simulate(scenarioOf(seed))
    for (const [name, times] of Object.entries(counts)) reached.set(name, (reached.get(name) ?? 0) + times)
    expect(problems).toEqual([])
  })

  test.runIf(isWhole)('they have done everything there is to do, many times', () => {
    for (const [name, least] of Object.entries(REACHED)) expect(reached.get(name) ?? 0, name).toBeGreaterThan(least)
    for (const mode of MODES) expect(reached.get(`settled ${mode}`) ?? 0, mode).toBeGreaterThan(5)
  })

  test.runIf(isWhole).for(MACHINES)('they make every move of $name that its own test does not have to make', (machine) => {
    const alone = new Set(BY_TEST_ALONE[machine.name])
    const missing = movesOf(machine).filter((move) => !moves.has(`${machine.name}: ${move}`) && !alone.has(move))
    expect(missing).toEqual([])
  })

  test('a seed is one run, whenever it is played', async () => {
    const play = async () => {
      const { bots, counts } = await simulate(scenarioOf(FIRST))
      return { counts, bots: bots.map(({ events, intents, outcomes }) => ({ events, intents: [...intents], outcomes: [...outcomes] })) }
    }
    expect(await play()).toEqual(await play())
  })
})
