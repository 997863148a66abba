import { hash } from 'node:crypto'
import { base58Of } from './base58.ts'
import { BLOCKHASH_WINDOW_SLOTS } from './slots.ts'

/** The blockhash of a slot, base58. */
export function blockhashOf(seed: number, slot: number): string {
  return base58Of(hash('sha256', JSON.stringify([seed, 'blockhash', slot]), 'buffer'))
}

/** The slot a blockhash is of, if a transaction with it can still be executed in `slot`; undefined if not. */
export function recentSlotOf(seed: number, slot: number, blockhash: string): number | undefined {
  for (let candidate = slot; candidate >= Math.max(0, slot - BLOCKHASH_WINDOW_SLOTS); candidate--) {
    if (blockhashOf(seed, candidate) === blockhash) return candidate
  }
  return undefined
}
