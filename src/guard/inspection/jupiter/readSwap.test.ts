import { describe, expect, test } from 'vitest'
import { JUPITER_PROGRAM } from '../programs/index.ts'
import { discriminatorOf, layoutOf } from './layouts.ts'
import { readSwap } from './readSwap.ts'

/** The positions the program's interface description gives: authority, source, destinations, source mint, destination mint. */
const POSITIONS = {
  route: [1, 2, [3, 4], undefined, 5],
  route_with_token_ledger: [1, 2, [3, 4], undefined, 5],
  exact_out_route: [1, 2, [3, 4], 5, 6],
  shared_accounts_route: [2, 3, [6], 7, 8],
  shared_accounts_route_with_token_ledger: [2, 3, [6], 7, 8],
  shared_accounts_exact_out_route: [2, 3, [6], 7, 8],
  route_v2: [0, 1, [2, 7], 3, 4],
  exact_out_route_v2: [0, 1, [2, 7], 3, 4],
  shared_accounts_route_v2: [1, 2, [5], 6, 7],
  shared_accounts_exact_out_route_v2: [1, 2, [5], 6, 7],
} as const

/** One step through Raydium: the plan's length, the venue, all of it, from token 0 to 1. */
const PLAN = '01000000' + '07' + '640001'
const PLAN_V2 = '01000000' + '07' + '10270001'
const [ONE, TWO] = ['0100000000000000', '0200000000000000']

function dataOf(name: string): Buffer {
  const start = discriminatorOf(name) + (name.startsWith('shared') ? '05' : '')
  if (name.endsWith('_v2')) return Buffer.from(`${start}${ONE}${TWO}320003000400${PLAN_V2}`, 'hex')
  return Buffer.from(`${start}${PLAN}${name.endsWith('ledger') ? '' : ONE}${TWO}320003`, 'hex')
}

const ACCOUNTS = Array.from({ length: 14 }, (_, n) => `account ${n}`)

const read = (data: Buffer, accounts: readonly (string | undefined)[] = ACCOUNTS) => {
  const layout = layoutOf(data)
  return layout && readSwap(layout, { program: JUPITER_PROGRAM, accounts, data })
}

describe.each(Object.entries(POSITIONS))('%s', (instruction, [authority, source, destinations, sourceMint, destinationMint]) => {
  const isExactOut = instruction.includes('exact_out')
  const isSecond = instruction.endsWith('_v2')

  test('is read', () => {
    expect(read(dataOf(instruction))).toEqual({
      kind: 'swap',
      swap: {
        instruction,
        isExactOut,
        inAmount: isExactOut ? 2n : instruction.endsWith('ledger') ? undefined : 1n,
        quotedOut: isExactOut ? 1n : 2n,
        slippageBps: 50,
        platformFeeBps: 3,
        positiveSlippageBps: isSecond ? 4 : 0,
        authority: ACCOUNTS[authority],
        source: ACCOUNTS[source],
        destinations: destinations.map((position) => ACCOUNTS[position]),
        sourceMint: sourceMint === undefined ? undefined : ACCOUNTS[sourceMint],
        destinationMint: ACCOUNTS[destinationMint],
      },
    })
  })

  test('pays into one account where none is named to send it on to', () => {
    const [, onTo] = destinations
    const accounts = ACCOUNTS.map((account, n) => (n === onTo ? JUPITER_PROGRAM : account))
    expect(read(dataOf(instruction), accounts)).toMatchObject({ swap: { destinations: [ACCOUNTS[destinations[0]]] } })
  })

  test('is not read cut short, nor in the first version with bytes behind its arguments', () => {
    const data = dataOf(instruction)
    const cut = data.subarray(0, isSecond ? (instruction.startsWith('shared') ? 30 : 29) : -1)
    expect(read(cut)).toMatchObject({ kind: 'unreadableSwap', instruction })
    const longer = read(Buffer.concat([data, Buffer.from([0])]))
    expect(longer?.kind).toBe(isSecond ? 'swap' : 'unreadableSwap')
  })

  test('is not read without its accounts', () => {
    expect(read(dataOf(instruction), ACCOUNTS.slice(0, 5 + (isSecond ? 0 : 1)).slice(0, -1))).toMatchObject({ kind: 'unreadableSwap' })
  })
})

test('no other instruction has a layout', () => {
  expect(layoutOf(Buffer.from(discriminatorOf('claim_token'), 'hex'))).toBeUndefined()
  expect(layoutOf(Buffer.alloc(3))).toBeUndefined()
})
