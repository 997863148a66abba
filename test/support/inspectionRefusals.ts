import { expect } from 'vitest'
import type { InspectionCode, SimulatedChanges } from '../../src/guard/index.ts'
import type { BuiltSwap } from '../../src/pipeline/index.ts'
import { ODD_TRANSACTIONS } from './oddTransactions.ts'
import type { Scenario, Scenarios } from './refusalWorld.ts'
import { buy } from './tradingBot.ts'

const building = (name: string, change: (good: BuiltSwap) => Partial<BuiltSwap>, numbers: Scenario['numbers']): Scenario => ({
  name,
  before: ({ swapper }) => {
    swapper.onBuild = (good) => ({ ok: true, built: { ...good, ...change(good) } })
  },
  asks: { swap: buy() },
  numbers,
  after: ({ swapper }) => {
    swapper.onBuild = (built) => ({ ok: true, built })
  },
  goesOn: { swap: buy() },
})

const simulating = (name: string, change: Partial<SimulatedChanges>, numbers: Scenario['numbers']): Scenario =>
  building(name, ({ simulated }) => ({ simulated: simulated && { ...simulated, ...change } }), numbers)

const ofBytes = Object.entries(ODD_TRANSACTIONS).map(([code, odd]) => [
  code,
  [building('one thing in the transaction changed', odd, expect.any(Object))],
])

/** What the guard keeps back of transactions that were built for a swap it had let pass. */
export const INSPECTION_REFUSALS = {
  // What is made of the entries of a record has its keys.
  ...(Object.fromEntries(ofBytes) as Record<keyof typeof ODD_TRANSACTIONS, Scenarios>),
  SIMULATION_FAILED: [
    simulating('a simulation that fails', { error: 'custom program error 0x1771' }, { error: 'custom program error 0x1771' }),
  ],
  SIMULATION_MISMATCH: [
    simulating('a simulation in which nothing comes back', { changes: [] }, { mint: expect.any(String), delta: 0n, least: 49_750_000n }),
  ],
} satisfies Record<InspectionCode, Scenarios>
