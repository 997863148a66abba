import { plainJson } from '../../core/plainJson.ts'
import type { Step } from '../../pipeline/index.ts'
import type { Action } from '../../strategy/action.ts'
import type { Fingerprint } from './fingerprint.ts'

/**
 * What a step decided, and what became of earlier decisions, into a fingerprint: all that `decisionsOf` says.
 *
 * @returns whether there was anything
 */
export function trace({ input: { at }, record, refused, orders }: Step, to: Fingerprint): boolean {
  const intents = record?.intents ?? []
  const made = record?.custody.filter(({ status }) => status === 'made') ?? []
  const outcomes = record?.outcomes ?? []
  const fills = record?.fills ?? []
  if (intents.length + refused.length + made.length + orders.length + outcomes.length + fills.length === 0) return false
  to.number(at)
  for (const { key, action, stake, risk } of intents) {
    to.name('approved')
    to.text(key)
    traceAction(action, to)
    to.amount(stake)
    to.amount(risk)
  }
  for (const { strategy, action, refusal } of refused) {
    to.name('refused')
    to.name(strategy)
    traceAction(action, to)
    to.name(refusal.code)
    to.text(JSON.stringify(plainJson(refusal.numbers)))
  }
  for (const { contestId, commitment } of made) {
    to.name('commitment')
    to.text(contestId)
    to.text(commitment)
  }
  for (const { key, request } of orders) {
    to.name('sent')
    to.text(key)
    to.name(request.procedure)
  }
  for (const { key, status, made: id, detail } of outcomes) {
    to.name('outcome')
    to.text(key)
    to.name(status)
    to.text(id)
    to.text(detail)
  }
  // Of which tokens it is, the key says: those of its intent.
  for (const { key, given, received } of fills) {
    to.name('fill')
    to.text(key)
    to.amount(given)
    to.amount(received)
  }
  return true
}

function traceAction(action: Action, to: Fingerprint): void {
  to.name(action.type)
  if (action.type !== 'swap' && action.type !== 'sweep') {
    to.text(JSON.stringify(plainJson(action)))
    return
  }
  const { contestId, from, to: into, amount, maxSlippageBps } = action
  to.name(contestId)
  to.name(from)
  to.name(into)
  to.amount(amount)
  to.number(maxSlippageBps ?? Number.NaN)
}
