import './provided.ts'
import { randomInt } from 'node:crypto'
import type { TestProject } from 'vitest/node'

const VARIABLE = 'CORNERMAN_TEST_SEED'

/** The properties of the system suite are drawn from a seed of the run's own, which is printed and can be named again. */
export default function setup(project: TestProject): void {
  const named = process.env[VARIABLE]
  const seed = seedOf(named)
  project.provide('seed', seed)
  // The other projects of the run draw from the same.
  process.env[VARIABLE] = String(seed)
  if (named !== String(seed))
    console.log(`Properties are drawn from seed ${seed}. To draw the same again: ${VARIABLE}=${seed} npm run test:system`)
}

function seedOf(named: string | undefined): number {
  if (named === undefined || named === '') return randomInt(2 ** 31)
  const seed = Number(named)
  if (Number.isInteger(seed) && Math.abs(seed) < 2 ** 31) return seed
  throw new Error(`${VARIABLE} is '${named}': it must be a whole number of 32 bits, such as the one that a run has printed`)
}
