/** The parts of the way of a swap: who quotes and builds, who simulates, the look inside, and who signs and sends. */
export type SwapPart = 'dex' | 'rpc' | 'inspection' | 'service'

/** Why a contest was settled without a valid move of this bot: the first reason that was found. */
export type Hindrance =
  /** The contest, or the state of its mode, was never read. */
  | 'unread'
  /** The answers do not have a piece that a move needs, or not where it is looked for. */
  | 'noPiece'
  /** A move came after its time. */
  | 'tooLate'
  /** The service refused a move, with this code. */
  | `refused:${string}`
  /** The guard kept it back, with this one: by a cap of the bot, or since its wallet was busy. */
  | `guard:${string}`
  | `swap:${SwapPart}`
  /** A swap was not executed, though no part of its way had failed: the price had moved, or it came too late for the chain. */
  | 'swap:failed'
  /** A move was still under way when the contest ended: nobody had answered. */
  | 'unanswered'
  /** The strategy threw, answered nonsense, or gave no answer in time. */
  | 'failed'
  /** The process stood still. */
  | 'paused'
  /** The strategy that plays the mode was left alone. */
  | 'suspended'
  /** No strategy was asked for a move. */
  | 'unasked'
  /** One was, and wanted nothing. */
  | 'abstained'
  /** The process did not run while it could have been played. */
  | 'down'
  /** The service calls its mode by a name that is not known. */
  | 'unnamed'

const WORDS: Readonly<Record<string, string>> = {
  unread: 'what it needs was never read',
  noPiece: "the service's answers do not have what a move needs where this bot looks for it",
  suspended: 'the strategy that plays it was left alone',
  unasked: 'no strategy of the bot was asked for a move',
  abstained: 'its strategy was asked, and wanted nothing',
  tooLate: 'its move came after its time',
  down: 'the bot did not run while it could be played',
  unnamed: 'the service calls its mode by a name that this bot does not know',
  unanswered: 'its move was sent, and nobody had answered by the end of the contest',
  failed: 'its strategy failed',
  paused: 'this process stood still',
  'swap:failed': 'its swap was not executed',
  'swap:dex': 'the DEX gave no quote or no transaction',
  'swap:rpc': 'the RPC did not answer',
  'swap:inspection': 'the look inside refused the transaction',
  'swap:service': 'the service did not send the swap',
}

/** Of a text that was written down. */
export const isHindrance = (text: string): text is Hindrance => text in WORDS || /^(?:refused|guard):/.test(text)

export function wordsOf(hindrance: Hindrance): string {
  const [by, code] = hindrance.split(':')
  return WORDS[hindrance] ?? `${by === 'guard' ? 'the guard kept its move back' : 'its move was refused'}, with ${code}`
}
