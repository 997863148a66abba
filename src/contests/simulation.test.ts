import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outcomesOf, Simulation } from '../../test/support/contests/simulation.ts'
import { Witness } from '../../test/support/contests/witness.ts'
import { simulationStep } from '../../test/support/simulationStep.ts'
import { runsOf } from '../../test/support/suite/cases.ts'
import { MODES } from '../contract/enums.ts'
import { apply } from './apply.ts'
import { auditContests } from './audit/audit.ts'
import type { AgentEvent } from './events.ts'
import { loadContests, saveContests } from './state/snapshot.ts'
import type { Command } from './types.ts'

/** The events of a log, on a fresh state or one that has gone through a snapshot after `savedAfter` commands. */
function replay(commands: readonly Command[], savedAfter = Number.POSITIVE_INFINITY): string {
  let state = Simulation.firstState()
  const events: AgentEvent[] = []
  for (const [index, command] of commands.entries()) {
    if (index === savedAfter) {
      const text = saveContests(state)
      state = loadContests(text)
      expect(saveContests(state)).toBe(text)
    }
    events.push(...apply(state, command).events)
  }
  return JSON.stringify(events)
}

const REACHED = [
  ...MODES.map((mode) => `${mode} settled`),
  ...['not_filled', 'not_ready', 'left', 'no_price'],
  ...['WIN', 'LOSS', 'DRAW', 'REFUND'],
  ...['ticket queued', 'ticket matched', 'ticket expired', 'ticket failed', 'ticket cancelled'],
]

describe('simulation', () => {
  test('invariants hold after every command; events, state and money agree; a log and a snapshot give the same events', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(fc.noBias(fc.array(simulationStep, { minLength: 1, maxLength: 400, size: 'max' })), fc.nat(400), (steps, savedAfter) => {
        const world = new Simulation(8)
        const witness = new Witness(world)
        for (const next of steps) witness.take(next)
        expect(auditContests(world.state)).toEqual([])
        const events = JSON.stringify(world.events)
        expect(replay(world.commands)).toBe(events)
        expect(replay(world.commands, savedAfter)).toBe(events)
        for (const outcome of outcomesOf(world)) reached.add(outcome)
      }),
      { numRuns: runsOf(40), seed: 20250721 },
    )
    expect(REACHED.filter((outcome) => !reached.has(outcome))).toEqual([])
  })
})
