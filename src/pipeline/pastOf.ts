import { readEvent } from '../contract/events.ts'
import { BotState } from './botState.ts'
import type { InputBody } from './protocol/input.ts'
import type { JournalContents, Ports } from './protocol/ports.ts'
import type { BotStatus } from './state/botStatus.ts'
import type { BotOptions } from './state/present.ts'
import { newsAfterOf } from './state/streamHistory.ts'

/** The bot as its journal alone has it, at a time: for one that does not play. */
export function statusOf(past: JournalContents, options: BotOptions, at: number): BotStatus {
  const state = new BotState(options, () => {})
  let n = past.lastInput
  for (const body of recordedIn(past, undefined)) state.fold({ ...body, n: ++n, at })
  // With the first input that is not of the journal all of its swaps are in the books.
  state.fold({ type: 'timer', n: ++n, at })
  state.stop()
  return state.status
}

/** What an earlier run left: first what was promised and sent, then the events, into the books alone. */
export function* recordedIn(
  { cursor, lastInput: _n, events, newsAfter, ...held }: JournalContents,
  ports: Ports | undefined,
): Generator<InputBody> {
  const mayArriveForMs = ports?.service.mayArriveForMs
  const hasChain = ports?.swapper.hasChain ?? false
  const reading = ports?.service.reading
  const triesPath = ports?.swapper.check !== undefined
  yield {
    type: 'started',
    ...held,
    ...(newsAfter === undefined ? {} : { newsAfter: newsAfterOf({ cursor, newsAfter }) }),
    hasChain,
    ...(triesPath ? { triesPath } : {}),
    ...(reading === undefined ? {} : { reading }),
    ...(mayArriveForMs === undefined ? {} : { mayArriveForMs }),
  }
  for (const raw of events) yield { type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: true }
}
