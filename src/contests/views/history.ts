import type { Lane } from '../../contract/enums.ts'
import { agentOf, type ContestsState, type HistoryItem } from '../state/state.ts'
import { isoOf } from '../turn.ts'
import { type Answer, answer, badCursor, DEFAULT_LIMIT, type Page } from './page.ts'

export interface HistoryQuery {
  readonly versus?: Lane | undefined
  readonly cursor?: string | number | null | undefined
  /** Default 20. */
  readonly limit?: number | undefined
}

export type HistoryRecord = ReturnType<typeof historyRecord>

/** Settled contests, newest first. A cursor counts from the oldest, so that new results move nothing. */
export function historyPage(state: ContestsState, agentId: string, query: HistoryQuery): Answer<Page<HistoryRecord>> {
  const { history } = agentOf(state, agentId)
  const { versus, cursor = null, limit = DEFAULT_LIMIT } = query
  const before = cursor === null ? history.length : Number(cursor)
  if (cursor !== null && !(/^\d+$/.test(String(cursor)) && before >= 1 && before < history.length)) return badCursor(cursor)
  const items: HistoryRecord[] = []
  let position = before
  while (position > 0 && items.length < limit) {
    position -= 1
    const item = history[position]
    if (item !== undefined && fits(item, versus)) items.push(historyRecord(item))
  }
  const hasMore = history.slice(0, position).some((item) => fits(item, versus))
  return answer({ items, nextCursor: hasMore ? String(position) : null })
}

const fits = (item: HistoryItem, versus: Lane | undefined): boolean => versus === undefined || item.versus === versus

function historyRecord({ contestId, mode, result, stake, payout, versus, rpDelta, rpAfter, settledAt }: HistoryItem) {
  const amounts = { stake: stake.toString(), payout: payout.toString(), profit: (payout - stake).toString() }
  return { contestId, mode, result, ...amounts, versus, rpDelta, rpAfter, settledAt: isoOf(settledAt) }
}
