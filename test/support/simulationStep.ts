import fc from 'fast-check'
import { DRAWN_ACTS, DRAWN_PASSES_MS, type Step } from './contests/simulation.ts'

/** A step of the simulation of the contest engine. */
export const simulationStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...DRAWN_ACTS),
  actor: fc.nat(1000),
  pick: fc.nat(1000),
  choice: fc.nat(1000),
  passMs: fc.constantFrom(...DRAWN_PASSES_MS),
})
