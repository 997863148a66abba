import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'
import { DISCRIMINATOR_BYTES, type SwapLayout } from './layouts.ts'
import { endOfRoutePlan } from './routePlan.ts'

/** Reads a swap instruction of Jupiter v6. */
export function readSwap(layout: SwapLayout, { program, accounts, data }: Instruction): Effect {
  const { instruction, isExactOut, accounts: at } = layout
  const args = readArguments(layout, data)
  if (args === undefined) return { kind: 'unreadableSwap', instruction, why: 'its route plan cannot be measured' }
  if (accounts.length <= Math.max(...Object.values(at))) return { kind: 'unreadableSwap', instruction, why: 'it lacks accounts' }
  const sentOnTo = at.sentOnTo === undefined ? program : accounts[at.sentOnTo]
  return {
    kind: 'swap',
    swap: {
      instruction,
      isExactOut,
      ...args,
      authority: accounts[at.authority],
      source: accounts[at.source],
      destinations: [accounts[at.destination], ...(sentOnTo === program ? [] : [sentOnTo])],
      sourceMint: at.sourceMint === undefined ? undefined : accounts[at.sourceMint],
      destinationMint: accounts[at.destinationMint],
    },
  }
}

/** In amount, out amount, slippage and a fee of one byte. */
const V1_BYTES = 8 + 8 + 2 + 1
/** In amount, out amount, slippage, fee and positive slippage. */
const V2_BYTES = 8 + 8 + 2 + 2 + 2

function readArguments({ version, isExactOut, isShared, hasLedger }: SwapLayout, data: Uint8Array) {
  const start = DISCRIMINATOR_BYTES + (isShared ? 1 : 0)
  const at = version === 2 ? start : endOfRoutePlan(data, start)
  if (at === undefined) return undefined
  const bytes = version === 2 ? V2_BYTES : V1_BYTES - (hasLedger ? 8 : 0)
  // Anchor ignores what follows the arguments. Were they looked for at the end of the data, a harmless copy of them could
  // stand there, behind those the program obeys. So the route plan is measured, and the data must end with them.
  if (version === 1 ? at + bytes !== data.length : at + bytes > data.length) return undefined

  const view = new DataView(data.buffer, data.byteOffset + at, bytes)
  const first = hasLedger ? undefined : view.getBigUint64(0, true)
  const second = view.getBigUint64(hasLedger ? 0 : 8, true)
  const after = hasLedger ? 8 : 16
  return {
    // An exact-out instruction names what comes out first.
    inAmount: isExactOut ? second : first,
    quotedOut: isExactOut ? (first ?? 0n) : second,
    slippageBps: view.getUint16(after, true),
    platformFeeBps: version === 2 ? view.getUint16(after + 2, true) : view.getUint8(after + 2),
    positiveSlippageBps: version === 2 ? view.getUint16(after + 4, true) : 0,
  }
}
