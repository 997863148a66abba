import { refusal } from '../codes.ts'
import type { Check } from './check.ts'

/** The agent pays: it is the first signer, and so the one whose signature the service adds. */
export const feePayer: Check = ({ message: { signers }, terms: { wallet } }) => {
  const [payer = ''] = signers
  return payer === wallet ? undefined : refusal('TX_FEE_PAYER', `the fee payer is ${payer}`, { payer, wallet })
}
