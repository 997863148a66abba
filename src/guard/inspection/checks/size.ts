import { refusal } from '../codes.ts'
import { MOST_BYTES } from '../message.ts'
import type { Check } from './check.ts'

/** The network drops what does not fit into a packet. */
export const size: Check = ({ message: { bytes } }) =>
  bytes <= MOST_BYTES ? undefined : refusal('TX_TOO_LARGE', `the transaction has ${bytes} bytes`, { bytes, maxBytes: MOST_BYTES })
