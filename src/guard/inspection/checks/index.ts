import { accountLives } from './accountLives.ts'
import type { Check } from './check.ts'
import { closedAccounts } from './closedAccounts.ts'
import { computePrice } from './computePrice.ts'
import { feePayer } from './feePayer.ts'
import { instructions } from './instructions.ts'
import { jupiterAccounts } from './jupiterAccounts.ts'
import { jupiterAmounts } from './jupiterAmounts.ts'
import { openedAccounts } from './openedAccounts.ts'
import { programs } from './programs.ts'
import { signatures } from './signatures.ts'
import { size } from './size.ts'
import { solTransfers } from './solTransfers.ts'
import { swapPresent } from './swapPresent.ts'
import { tables } from './tables.ts'
import { tokenTransfers } from './tokenTransfers.ts'
import { transferPair } from './transferPair.ts'

/** In the order they are made; the first refusal stands. The signatures cost the most and come last. */
export const CHECKS: readonly Check[] = [
  size,
  feePayer,
  programs,
  tables,
  instructions,
  computePrice,
  solTransfers,
  openedAccounts,
  tokenTransfers,
  closedAccounts,
  accountLives,
  swapPresent,
  jupiterAccounts,
  jupiterAmounts,
  transferPair,
  signatures,
]
