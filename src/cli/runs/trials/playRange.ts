import { createInterface } from 'node:readline/promises'
import type { LogData } from '../../../backtest/index.ts'
import { CornermanError } from '../../../core/error.ts'
import type { Ledger, Look, NewLook } from '../../../optimize/ledger/ledger.ts'
import { MOST_LOOKS, type Seal } from '../../../optimize/ledger/seals.ts'
import { spansWithin } from '../../../optimize/ledger/spans.ts'
import { isoTime } from '../../output.ts'
import type { RangeEnd } from '../../rangeEnd.ts'

export interface RangeOptions {
  readonly data: Pick<LogData, 'spans'>
  /** Unix milliseconds; undefined: from the logs' beginning. */
  readonly from: number | undefined
  readonly to: RangeEnd | undefined
  readonly by: NewLook['by']
  /** The keys of the bots that are to play, by name. */
  readonly keys: ReadonlyMap<string, string>
  readonly ledger: Ledger
}

/** The range of time that is played, in Unix milliseconds, and the looks at sealed contests that it takes. */
export interface PlayRange {
  readonly to: number | undefined
  /** Nothing is entered from then on; undefined: to the end. */
  readonly entriesUntil: number | undefined
  /** By bot; none of a bot that the seal was made with. */
  readonly looks: ReadonlyMap<string, Look>
  /** What is to be said of them. */
  readonly warning: string | undefined
}

/**
 * Finds where a run on logs ends: before the contests that are sealed, unless it is told otherwise. Then it is a look at them, which is asked for on
 * a terminal and on the disk when this returns.
 *
 * @throws CornermanError `USAGE` where the answer is no
 */
export async function playRange({ data, from, to, by, keys, ledger }: RangeOptions): Promise<PlayRange> {
  const seal = ledger.sealOf(spansWithin(data.spans, from))
  const end = typeof to === 'number' ? to : undefined
  const none: PlayRange = { to: end, entriesUntil: undefined, looks: new Map(), warning: undefined }
  if (seal === undefined || (end !== undefined && end < seal.from)) return none
  if (to === undefined || to === 'sealed') {
    if (to === undefined) say(`contests from ${isoTime(seal.from)} on are sealed, and this run ends before them; --to end looks at them`)
    return { ...none, to: seal.from - 1, entriesUntil: seal.trainUntil }
  }
  const candidates = [...keys].filter(([, key]) => key !== seal.incumbent)
  if (candidates.length === 0) return none
  const asked = candidates.map(([bot, candidate]) => ({ bot, look: { by, candidate, incumbent: null, seal } }))
  await confirm(seal, asked.filter(({ look }) => ledger.stored(look) === undefined).length)
  const looks = new Map(asked.map(({ bot, look }) => [bot, ledger.look(look)]))
  const numbers = [...new Set(looks.values().map(({ number }) => number))].join(', ')
  const warning = `it has seen contests that are sealed from ${isoTime(seal.from)} on: look ${numbers} of ${MOST_LOOKS}, after which they prove nothing more`
  say(`this run sees contests that are sealed from ${isoTime(seal.from)} on: look ${numbers} of ${MOST_LOOKS} [SEALED_SEEN]`)
  return { ...none, looks, warning }
}

const say = (line: string): unknown => process.stderr.write(`cornerman: ${line}\n`)

/** Elsewhere than on a terminal there is nobody to ask: whoever wrote the command has said it. */
async function confirm({ from, looks }: Seal, count: number): Promise<void> {
  if (count === 0 || process.stdin.isTTY !== true || process.stderr.isTTY !== true) return
  const cost = `${looks} of ${MOST_LOOKS} looks at the contests sealed from ${isoTime(from)} on are taken, and this is ${count === 1 ? 'one' : count} more`
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${cost}. Look? [y/N] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new CornermanError('USAGE', 'nothing was played, and nothing was seen: --to sealed ends before them')
}
