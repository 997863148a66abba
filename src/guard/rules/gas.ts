import { isTradingMode } from '../../contract/enums.ts'
import { entryRule } from '../rule.ts'
import type { Refusal } from '../verdict.ts'
import type { GuardView } from '../view.ts'

/** A contest that is played by swaps is entered only with SOL to pay for them. */
export const gas = entryRule(({ mode }, view) => (isTradingMode(mode) ? gasShort(view) : undefined))

export function gasShort({
  config: { minGasLamports },
  figuresHoldMs: maxAgeMs,
  gasLamports,
  now,
  wallet,
}: GuardView): Refusal | undefined {
  if (wallet === undefined) {
    return {
      code: 'LIMITS_UNKNOWN',
      message: 'the service does not say the address of the wallet: no swap can be built for it',
      numbers: {},
    }
  }
  if (gasLamports === undefined) return { code: 'LIMITS_UNKNOWN', message: "the wallet's SOL has not been read", numbers: {} }
  const ageMs = now - gasLamports.begunAt
  if (ageMs > maxAgeMs) {
    return { code: 'LIMITS_UNKNOWN', message: `the wallet's SOL was last read ${ageMs} ms ago`, numbers: { ageMs, maxAgeMs } }
  }
  if (gasLamports.value >= minGasLamports) return undefined
  return {
    code: 'GAS_LOW',
    message: `the wallet has ${gasLamports.value} lamports, under guard.minGasLamports, ${minGasLamports}`,
    numbers: { gasLamports: gasLamports.value, minGasLamports },
  }
}
