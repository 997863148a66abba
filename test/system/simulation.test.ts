import '../support/lowPriority.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditContests } from '../../src/contests/audit/audit.ts'
import { MODES } from '../../src/contract/enums.ts'
import { outcomesOf, Simulation } from '../support/contests/simulation.ts'
import { Witness } from '../support/contests/witness.ts'
import { simulationStep } from '../support/simulationStep.ts'
import { inLong } from '../support/suite/long.ts'

// After every command the witness compares the state with books of its own, and audits what is in play.
// What has ended is frozen as it ends, and audited with everything else once a part of the run is done.

const SEEDS = inLong(200)
const COMMANDS = 5000
const PART = 1000
const AGENTS = 20

const REACHED = [
  ...MODES.flatMap((mode) => ['settled', 'WIN', 'LOSS'].map((outcome) => `${mode} ${outcome}`)),
  ...['DRAW', 'REFUND'],
  ...['not_filled', 'not_ready', 'left', 'no_price'],
  ...['queued', 'matched', 'expired', 'failed', 'cancelled'].map((status) => `ticket ${status}`),
]

describe('simulation', () => {
  test(`${SEEDS} seeds of ${COMMANDS} commands by ${AGENTS} agents break no invariant`, () => {
    const reached = new Set<string>()
    const whole = fc.noBias(fc.array(simulationStep, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' }))
    // The whole run is given as an example, so that it can shrink to less than its length.
    const some = fc.array(simulationStep, { minLength: 1, maxLength: COMMANDS, size: 'max' })
    for (let seed = 1; seed <= SEEDS; seed++) {
      // A failure names the seed and the shortest list of steps that was found to fail as well.
      fc.assert(
        fc.property(some, (steps) => {
          const world = new Simulation(AGENTS)
          const witness = new Witness(world)
          for (const [taken, next] of steps.entries()) {
            witness.take(next)
            if (taken % PART === PART - 1) expect(auditContests(world.state)).toEqual([])
          }
          expect(auditContests(world.state)).toEqual([])
          for (const outcome of outcomesOf(world)) reached.add(outcome)
        }),
        { seed, numRuns: 1, examples: fc.sample(whole, { seed, numRuns: 1 }).map((steps) => [steps] as [typeof steps]) },
      )
    }
    expect(REACHED.filter((outcome) => !reached.has(outcome))).toEqual([])
  })
})
