// Time on the chain: a slot is 400 ms of the sandbox's clock, and none is ever skipped, so that a
// block's height is its slot. Slots and blockhashes are functions of the clock and the seed: there
// is nothing to store, and a restart finds the same window.

const SLOT_MS = 400

/** A transaction can be executed until this many slots after the one its blockhash is of. */
export const BLOCKHASH_WINDOW_SLOTS = 150

/** The slot at an instant; slot 0 begins with the sandbox. */
export function slotAt(atMs: number, epochMs: number): number {
  return Math.max(0, Math.floor((atMs - epochMs) / SLOT_MS))
}

/** The instant a slot begins, Unix milliseconds. */
export function slotStartMs(slot: number, epochMs: number): number {
  return epochMs + slot * SLOT_MS
}
