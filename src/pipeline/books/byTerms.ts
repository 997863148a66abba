import type { Result } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { TermsRecord } from '../../strategy/view.ts'

/** Terms that are told apart; of more, those that were played least recently are forgotten. */
const MOST_TERMS = 512

export type ByTerms = ReadonlyMap<string, TermsRecord>

export interface SettledTerms {
  readonly mode: string
  readonly versus: string
  readonly stake: Usdc
  /** Undefined where the bot never heard when it was live. */
  readonly durationSec: number | undefined
  readonly result: Result
  readonly profit: Usdc
}

/** The record with one contest more; the terms it was played on come last. */
export function withTerms(byTerms: ByTerms, { mode, versus, stake, durationSec, result, profit }: SettledTerms): ByTerms {
  const key = `${mode} ${versus} ${stake} ${durationSec}`
  const before = byTerms.get(key) ?? { mode, versus, stake, durationSec, WIN: 0, LOSS: 0, DRAW: 0, REFUND: 0, profit: 0n }
  const after = new Map(byTerms)
  after.delete(key)
  after.set(key, { ...before, [result]: before[result] + 1, profit: before.profit + profit })
  const oldest = after.size > MOST_TERMS ? after.keys().next().value : undefined
  if (oldest !== undefined) after.delete(oldest)
  return after
}
