import type { Observable } from 'rxjs'
import type { Clock } from '../../../core/clock.ts'
import type { Ordered } from '../../../dashboard/index.ts'
import { type IntentOutcome, isOfOrder, OPERATOR, type OperatorOrder, type Step } from '../../../pipeline/index.ts'

/** Whoever pressed a button does not wait longer: what becomes of a slow one stands in the log. */
const PATIENCE_MS = 15_000
const LATER = 'it was ordered, and is without an outcome so far: the log says what becomes of it'

/** What the orders of an operator need of the bots. */
export interface OrderedFleet {
  readonly change$: Observable<{ readonly bot: { readonly name: string }; readonly step?: Step }>
  order(bot: string, order: OperatorOrder): boolean
}

/** Has a bot do something, and tells what became of it. */
export async function ordered(
  { fleet, clock }: { readonly fleet: OrderedFleet; readonly clock: Clock },
  bot: string,
  order: OperatorOrder,
): Promise<Ordered> {
  const { promise, resolve } = Promise.withResolvers<Ordered>()
  let key: string | undefined
  const follow = ({ input, refused, record }: Step) => {
    // It is done once it is journalled: there is no action to wait for.
    if (input.type === 'ordered' && input.order === order && !isAction(order)) resolve({ isDone: true, message: undefined })
    const refusal = refused.find(({ strategy, action }) => strategy === OPERATOR && isOfOrder(action, order))?.refusal
    if (refusal !== undefined) resolve({ isDone: false, message: `${refusal.message} (${refusal.code})` })
    key ??= record?.intents.find(({ action }) => isOfOrder(action, order))?.key
    const outcome = record?.outcomes.find((one) => one.key === key)
    if (outcome !== undefined) resolve(whatBecame(outcome))
  }
  const following = fleet.change$.subscribe((change) => {
    if (change.bot.name === bot && change.step !== undefined) follow(change.step)
  })
  const cancel = clock.at(clock.now() + PATIENCE_MS, () => resolve({ isDone: true, message: LATER }))
  if (!fleet.order(bot, order)) resolve({ isDone: false, message: `${bot} does not play now: nothing was ordered` })
  try {
    return await promise
  } finally {
    cancel()
    following.unsubscribe()
  }
}

const isAction = ({ type }: OperatorOrder): boolean => type !== 'acknowledge' && type !== 'closeEntry'

function whatBecame({ status, detail }: IntentOutcome): Ordered {
  if (status === 'accepted' || status === 'filled') return { isDone: true, message: undefined }
  if (status === 'unknown') return { isDone: true, message: LATER }
  return { isDone: false, message: detail === undefined ? `it came to nothing (${status})` : `it came to nothing (${status}): ${detail}` }
}
