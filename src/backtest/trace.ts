import { plainJson } from '../core/plainJson.ts'
import type { Step } from '../pipeline/index.ts'
import type { Action } from '../strategy/action.ts'

/**
 * What a step decided, and what became of earlier decisions, in one text: all that `decisionsOf` says, for a fingerprint
 * and not for anybody to read, at a fraction of what JSON takes. Empty where there is nothing.
 */
export function traceOf({ record, refused, orders }: Step): string {
  let text = ''
  if (record !== undefined)
    for (const { key, action, stake, risk } of record.intents) text += `approved ${key} ${wordsOf(action)} ${stake} ${risk}\n`
  for (const { strategy, action, refusal } of refused) {
    text += `refused ${strategy} ${wordsOf(action)} ${refusal.code} ${JSON.stringify(plainJson(refusal.numbers))}\n`
  }
  if (record !== undefined) {
    for (const { contestId, commitment, status } of record.custody) if (status === 'made') text += `commitment ${contestId} ${commitment}\n`
  }
  for (const { key, request } of orders) text += `sent ${key} ${request.procedure}\n`
  if (record === undefined) return text
  for (const { key, status, made, detail } of record.outcomes) text += `outcome ${key} ${status} ${made} ${detail}\n`
  // Of which tokens it is, the key says: those of its intent.
  for (const { key, given, received } of record.fills) text += `fill ${key} ${given} ${received}\n`
  return text
}

function wordsOf(action: Action): string {
  if (action.type !== 'swap' && action.type !== 'sweep') return JSON.stringify(plainJson(action))
  const { type, contestId, from, to, amount, maxSlippageBps } = action
  return `${type} ${contestId} ${from} ${to} ${amount} ${maxSlippageBps}`
}
