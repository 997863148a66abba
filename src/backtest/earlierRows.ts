import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { resultSchema } from '../contract/enums.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import { describeIssue } from '../strategy/issue.ts'
import type { BotRun } from './result.ts'
import { LEAST_PAIRED, type PairedContest, type PairedEdge, pairedEdge } from './statistics/pairedEdge.ts'

const digits = z
  .string()
  .regex(/^-?\d+$/, 'micro-USDC in digits')
  .transform(BigInt)
const rowSchema = z.object({
  bot: z.string(),
  contestId: z.string(),
  enteredAt: z.number(),
  startsAt: z.number().nullable(),
  stake: digits,
  profit: digits,
  swapProfit: digits,
  result: resultSchema.nullable(),
})

/** The contests of an earlier run, by bot. */
export type EarlierRows = ReadonlyMap<string, readonly PairedContest[]>

/** Two runs of one bot. */
export interface PairedBot {
  readonly bot: string
  /** Null where nothing can be said. */
  readonly paired: PairedEdge | null
  readonly sentence: string
}

/**
 * Reads what an earlier `backtest --rows` wrote.
 *
 * @returns undefined where the file is none, but may be a summary
 * @throws CornermanError `ROWS_INVALID` where a line of it cannot be read: the message names file, line and field
 */
export function readRows(file: string): EarlierRows | undefined {
  const lines = textOf(file)?.split('\n') ?? []
  if (!isRow(lines[0])) return undefined
  const rows = new Map<string, PairedContest[]>()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const { bot, ...contest } = readRow(line, `${file}:${index + 1}`)
    const known = rows.get(bot)
    if (known === undefined) rows.set(bot, [contest])
    else known.push(contest)
  }
  return rows
}

/** Whoever reads it as a summary says that it cannot be read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function isRow(line: string | undefined): boolean {
  try {
    const value: unknown = JSON.parse(line ?? '')
    return typeof value === 'object' && value !== null && 'contestId' in value
  } catch {
    return false
  }
}

function readRow(line: string, place: string): z.output<typeof rowSchema> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new CornermanError(
      'ROWS_INVALID',
      `${place} is no line of JSON: ${messageOf(cause)}; make the file anew with backtest --rows FILE`,
    )
  }
  const read = rowSchema.safeParse(value)
  if (read.success) return read.data
  const problems = read.error.issues.map((issue) => describeIssue(issue, value, { whole: 'the line', unknownField: 'no field of a row' }))
  throw new CornermanError('ROWS_INVALID', `${place} is no contest: ${problems[0]}; make the file anew with backtest --rows FILE`)
}

/** Each bot beside the one of its name in an earlier run; where both runs have one bot, beside that. */
export function pairedBots(bots: readonly Pick<BotRun, 'name' | 'contests'>[], rows: EarlierRows): PairedBot[] {
  const [alone] = bots.length === 1 && rows.size === 1 ? rows.values() : []
  return bots.map(({ name, contests }) => {
    const other = alone ?? rows.get(name)
    if (other === undefined) return { bot: name, paired: null, sentence: `${name}: the other run has no bot of this name` }
    const paired = pairedEdge(contests, other) ?? null
    return { bot: name, paired, sentence: `${name}: ${paired === null ? nothingOf(contests, other) : sentenceOf(paired)}` }
  })
}

function nothingOf(contests: readonly PairedContest[], other: readonly PairedContest[]): string {
  const least = Math.min(contests.length, other.length)
  return least < LEAST_PAIRED
    ? `no paired test below ${LEAST_PAIRED} contests on each side, and there are ${contests.length} and ${other.length}: play a longer log`
    : 'no paired test: the contests came out the same in both runs'
}

const points = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)}`

function sentenceOf({ contests, against, shared, chunks, difference, low, high, p, contestsNeeded }: PairedEdge): string {
  const isTold = low > 0 || high < 0
  const more = isTold || contestsNeeded === null ? '' : ` About ${contestsNeeded.toLocaleString('en')} contests would tell.`
  const few =
    2 * shared < Math.min(contests, against)
      ? ' Fewer than half of them are the same contests, so that luck tells the sides apart, too.'
      : ''
  return `${points(difference)} points of the stake a contest over the other run, paired by time: 95% interval ${points(low)} to ${points(high)}, p = ${p.toFixed(3)}; ${contests.toLocaleString('en')} contests and ${against.toLocaleString('en')}, ${shared.toLocaleString('en')} the same, in ${chunks} ranges of time. ${isTold ? 'Told from zero.' : 'Not told from zero.'}${more}${few}`
}
