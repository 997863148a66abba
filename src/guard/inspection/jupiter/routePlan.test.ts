import { expect, test } from 'vitest'
import { endOfRoutePlan } from './routePlan.ts'

/** Whether a plan of one step, the venue given in hexadecimal, is measured to its end, and not with a byte less or more. */
function measures(venue: string): boolean {
  const plan = Buffer.from(`01000000${venue}640001`, 'hex')
  const end = endOfRoutePlan(plan, 0)
  const cut = endOfRoutePlan(plan.subarray(0, -1), 0)
  const longer = endOfRoutePlan(Buffer.concat([plan, Buffer.from([0])]), 0)
  return end === plan.length && cut === undefined && longer === plan.length
}

const bytes = (count: number) => '00'.repeat(count)

// Payloads as the program's interface description gives their fields.
test.each([
  ['Saber, nothing', '00'],
  ['Whirlpool, a boolean', `11${bytes(1)}`],
  ['Symmetry, two of 64 bits', `1d${bytes(16)}`],
  ['Clone, a byte and two booleans', `2a${bytes(3)}`],
  ['SanctumS, two bytes and two of 32 bits', `2b${bytes(10)}`],
  ['WhirlpoolSwapV2, a boolean and no slices', `2f${bytes(1)}00`],
  ['WhirlpoolSwapV2, a boolean and three slices', `2f${bytes(1)}0103000000${bytes(6)}`],
  ['MeteoraDlmmSwapV2, two slices', `4b02000000${bytes(4)}`],
  ['RaydiumLaunchlabBuy, 64 bits', `51${bytes(8)}`],
  ['HumidiFi, 64 bits and a boolean', `57${bytes(9)}`],
  ['DynamicV1, three candidates of 10, 2 and 1 bytes, and no position', `6f0300000000${bytes(9)}01${bytes(1)}0300`],
  ['DynamicV1, a candidate with slices, and a position', `6f010000000a${bytes(1)}0101000000${bytes(2)}01${bytes(1)}`],
  ['JupiterRfqV2, a side and four bytes', `78${bytes(1)}04000000${bytes(4)}`],
  ['VaultLiquidUnstake, five of 64 bits and one more', `7b${bytes(48)}`],
  ['DynamicV2, a candidate of 82 bytes with a share, and two bytes', `920100000011${bytes(81)}${bytes(4)}${bytes(2)}`],
  ['PerenaStarV2TrancheWithdrawFromExternal, a kind and an option', `b7${bytes(1)}01${bytes(1)}`],
  ['HumidiFiRouterV3, four of 64 bits, 32 and 16 bytes, and a boolean', `be${bytes(81)}`],
  ['DenaliV2, a boolean', `c4${bytes(1)}`],
])('a step through %s is measured', (_, venue) => {
  expect(measures(venue)).toBe(true)
})

test.each([
  ['a venue that is not known', '01000000c5640001'],
  ['a candidate that is not known', '010000006f010000001300640001'],
  ['an option that is neither there nor not', '010000002f000200000000640001'],
  ['more steps than there are bytes', 'ffffffff00640001'],
  ['no length', '010000'],
])('%s is not measured', (_, plan) => {
  expect(endOfRoutePlan(Buffer.from(plan, 'hex'), 0)).toBeUndefined()
})

test('a plan of no steps ends after its length', () => {
  expect(endOfRoutePlan(Buffer.from('ff00000000', 'hex'), 1)).toBe(5)
})
