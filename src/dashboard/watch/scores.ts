import { contestSchema } from '../../contract/records.ts'
import type { ScoreRow } from './views.ts'

/**
 * The seats of a contest and their scores, as `agent.contests.get` has them; undefined where it does not say of which contest.
 *
 * @param bot the name of the bot that asked
 */
export function scoresOf(output: unknown, bot: string): { readonly contestId: string; readonly scores: readonly ScoreRow[] } | undefined {
  const read = contestSchema.safeParse(output)
  if (!read.success || read.data.contestId === undefined) return undefined
  const { contestId, entries = [], you } = read.data
  const own = you?.entryId
  const scores = entries.map(({ entryId, userId, kind, score }, seat) => ({
    isOwn: own !== undefined && entryId === own,
    who:
      entryId !== undefined && entryId === own
        ? bot
        : `seat ${seat + 1}${kind == null ? '' : `, ${kind.toLowerCase()}`}${userId == null ? '' : ` ${userId.slice(0, 8)}`}`,
    score: score ?? undefined,
    isEstimate: false,
  }))
  return { contestId, scores: scores.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn)) }
}

/** The place of the bot's own among the scores that are numbers, where the higher one is the better. */
export function placeOf(scores: readonly ScoreRow[]): number | undefined {
  const known = scores.flatMap(({ isOwn, score }) => {
    const value = score === undefined || score.trim() === '' ? Number.NaN : Number(score)
    return Number.isNaN(value) ? [] : [{ isOwn, value }]
  })
  const own = known.find(({ isOwn }) => isOwn)
  return own === undefined || known.length < 2 ? undefined : 1 + known.filter(({ value }) => value > own.value).length
}
