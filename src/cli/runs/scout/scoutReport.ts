import { type ContestScout, type FoundCounts, foundSentence, type ScoutLog, type WatchFigures } from '../../../scout/index.ts'
import { isoTime } from '../../output.ts'
import { some } from '../logs/series.ts'

/** What a scout came to, as `--json` has it. */
export interface ScoutReport {
  /** The folder of the log. */
  readonly recording: string
  readonly service: string
  /** Null where the service has not said it. */
  readonly agentId: string | null
  /** Unix milliseconds of this run. */
  readonly from: number
  readonly until: number
  /** Answers of the price feed, and tokens that there was a price of. */
  readonly ticks: number
  readonly tokens: number
  /** Null where no list of contests was read. */
  readonly contests:
    | (WatchFigures & { readonly open: number; readonly share: number; readonly reads: number; readonly found: FoundCounts })
    | null
  /** Why there are no contests; null where there may be. */
  readonly why: string | null
}

export interface Scouted extends Pick<ScoutReport, 'recording' | 'service' | 'agentId' | 'from' | 'until' | 'why'> {
  readonly log: ScoutLog
  readonly contests: ContestScout | undefined
}

export function reportOf({ log, contests, ...fields }: Scouted): ScoutReport {
  const { recording, service, agentId, from, until, why } = fields
  const { ticks, tokens } = log
  const watched = contests === undefined ? null : figuresOf(contests)
  return { recording, service, agentId, from, until, ticks, tokens, contests: watched, why }
}

function figuresOf({ watch, reads }: ContestScout): NonNullable<ScoutReport['contests']> {
  const { settled, entries, scores, picks, startPrices } = watch.found
  return {
    ...watch.figures,
    ...{ open: watch.size, share: watch.share, reads },
    found: { settled, entries: { ...entries }, scores: { ...scores }, picks: { ...picks }, startPrices: { ...startPrices } },
  }
}

/** The same for a person. */
export function linesOf({ recording, from, until, ticks, tokens, contests, why }: ScoutReport): string[] {
  return [
    `${recording}: ${some(ticks, 'price line')} of ${some(tokens, 'token')}, ${isoTime(from)} to ${isoTime(until)}`,
    contests === null ? `no contests: ${why ?? 'the service did not answer'}` : contestsLine(contests),
    ...(contests === null || contests.settled === 0 ? [] : [foundSentence(contests.found)]),
    `try a strategy on it: npm run cornerman -- backtest --log ${recording}`,
  ]
}

/** How contests stand, in a line. */
export function contestsLine({ seen, settled, cancelled, unsettled, open, share }: NonNullable<ScoutReport['contests']>): string {
  const given = unsettled === 0 ? '' : `, ${unsettled} given up without a result`
  const sampled = share === 1 ? '' : `; one in ${Math.round(1 / share)} is followed, drawn by its id`
  return `${some(seen, 'contest')} seen: ${settled} settled, ${cancelled} cancelled, ${open} not over${given}${sampled}`
}
