/** What `agent.tx.status` says of a transaction. Its shape is not documented: what cannot be read is `unclear`. */
export type TransactionStatus = 'confirmed' | 'failed' | 'pending' | 'unclear'

const WORDS: ReadonlyMap<string, TransactionStatus> = new Map([
  ['confirmed', 'confirmed'],
  ['finalized', 'confirmed'],
  ['success', 'confirmed'],
  ['succeeded', 'confirmed'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['reverted', 'failed'],
  ['dropped', 'failed'],
  ['expired', 'failed'],
  ['submitted', 'pending'],
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['processed', 'pending'],
  ['sent', 'pending'],
])

/** Reads the status word, or Solana's own `confirmationStatus`, and an error beside it, which says that it failed whatever the word. */
export function statusOf(answer: unknown): TransactionStatus {
  if (typeof answer !== 'object' || answer === null) return 'unclear'
  const { status, confirmationStatus, error, err } = answer as Readonly<Record<string, unknown>>
  // An empty text, a 0 or a false says that there is none.
  if (error || err) return 'failed'
  const word = typeof status === 'string' ? status : confirmationStatus
  return typeof word === 'string' ? (WORDS.get(word.toLowerCase()) ?? 'unclear') : 'unclear'
}
