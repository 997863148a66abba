import { z } from 'zod'
import type { Action } from '../../src/strategy/action.ts'
import type { Answer } from '../../src/strategy/answer.ts'
import type { Browse } from '../../src/strategy/checkBrowse.ts'
import {
  type DraftContext,
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  type PredictContext,
  type Prediction,
  type QueueContext,
  type Strategy,
} from '../../src/strategy/define.ts'

// The plainest strategies, made of one function each, for tests of what runs them.

const params = z.object({})

export function policy(
  decide: (context: QueueContext<unknown>) => Answer<readonly Action[] | null | undefined>,
  options: { name?: string; everySec?: number; browse?: Browse } = {},
): Strategy {
  const { name = 'policy', everySec = 5, browse } = options
  return defineQueuePolicy({ name, params, everySec, decide, ...(browse === undefined ? {} : { browse: () => browse }) })()
}

/** Asks for these actions when it is first called, and for nothing after. */
export function once(...actions: readonly Action[]): Strategy {
  let isFirst = true
  return policy(() => {
    const answer = isFirst ? actions : []
    isFirst = false
    return answer
  })
}

export function picker(pick: (context: DraftContext<unknown>) => Answer<string | null | undefined>): Strategy {
  return defineDraftPicker({ name: 'picker', params, pick })()
}

export function predictor(predict: (context: PredictContext<unknown>) => Answer<Prediction | null | undefined>): Strategy {
  return definePredictor({ name: 'predictor', params, predict })()
}
