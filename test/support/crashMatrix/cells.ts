import type { ActionType } from '../../../src/strategy/action.ts'

/** Where a bot's process is killed: at steps of its own, or by what stands before the service, when the bytes of the action have come. */
export type OwnPoint =
  /** The step that ordered the action is not in the journal yet. */
  | 'beforeWrite'
  /** It is, and nothing was done about it. */
  | 'afterWrite'
  /** The transaction of a swap is about to be written down, or just was. */
  | 'beforeTransaction'
  | 'afterTransaction'
  /** The request is about to be made. */
  | 'beforeSend'
  /** The answer is there, and nothing has been made of it. */
  | 'afterAnswer'
  /** What came of it is about to be written down, or just was. */
  | 'beforeOutcome'
  | 'afterOutcome'
export type WirePoint =
  /** The service never sees it. */
  | 'receivedAndLost'
  /** The service sees it when the bot is dead. */
  | 'receivedAndDone'
  /** The service has answered, and the answer goes nowhere. */
  | 'answered'
export type CrashPoint = OwnPoint | WirePoint

const OWN_POINTS: readonly OwnPoint[] = ['beforeWrite', 'afterWrite', 'beforeSend', 'afterAnswer', 'beforeOutcome', 'afterOutcome']
export const WIRE_POINTS: readonly WirePoint[] = ['receivedAndLost', 'receivedAndDone', 'answered']
const OF_SWAPS: readonly OwnPoint[] = ['beforeTransaction', 'afterTransaction']

/** The procedure that each action is sent to. */
export const PROCEDURES: Readonly<Record<ActionType, string>> = {
  enqueue: 'agent.queue.enqueue',
  cancelTicket: 'agent.queue.cancel',
  createContest: 'agent.contests.create',
  joinContest: 'agent.contests.join',
  leaveContest: 'agent.contests.leave',
  ready: 'agent.contests.ready',
  draftPick: 'agent.modes.draftPick',
  commitPrediction: 'agent.modes.commitPrediction',
  revealPrediction: 'agent.modes.revealPrediction',
  swap: 'agent.trade.signAndSend',
  sweep: 'agent.trade.signAndSend',
}
const ACTION_TYPES = Object.keys(PROCEDURES) as readonly ActionType[]

export interface Cell {
  readonly name: string
  readonly type: ActionType
  readonly point: CrashPoint
}

const isOfSwap = (type: ActionType) => type === 'swap' || type === 'sweep'

/** Every step of every kind of action. */
export const CELLS: readonly Cell[] = ACTION_TYPES.flatMap((type) =>
  [...OWN_POINTS, ...(isOfSwap(type) ? OF_SWAPS : []), ...WIRE_POINTS].map((point) => ({
    name: `${type}-${point}`.toLowerCase(),
    type,
    point,
  })),
)

/** How the process that is to be killed, and the one after it, learn what they are about. */
export const VARIABLES = {
  type: 'CRASH_TYPE',
  point: 'CRASH_POINT',
  url: 'CRASH_URL',
  direct: 'CRASH_DIRECT_URL',
  bot: 'CRASH_BOT',
  key: 'CRASH_KEY',
  stake: 'CRASH_STAKE',
  enters: 'CRASH_ENTERS',
  status: 'CRASH_STATUS',
} as const
