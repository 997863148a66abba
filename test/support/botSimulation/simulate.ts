import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Findings, findingsOf } from './findings.ts'
import type { Scenario } from './scenario.ts'
import type { SimulatedBot } from './simulatedBot.ts'
import { Simulation } from './simulation.ts'

/** What the bots of a run went through, and what is wrong about it: nothing, where all is well. */
export interface Simulated extends Findings {
  readonly bots: readonly SimulatedBot[]
}

/** Plays one scenario to its end: the same one is the same run, to the byte. */
export async function simulate(scenario: Scenario): Promise<Simulated> {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'))
  const world = new Simulation(scenario, folder)
  try {
    await world.play()
    return { ...(await findingsOf(world)), bots: world.bots }
  } finally {
    world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
