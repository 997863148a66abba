import { asSet, type Search } from './document.ts'
import type { Judgement } from './judge.ts'
import { percent, points } from './points.ts'
import { LEAST_POWER } from './verdict.ts'

/** The verdict, and what to do next. */
export function sentencesOf({ id, outcome, judged }: Search): string[] {
  const { winner, power, diagnosis } = outcome
  if (winner === null) return ['Nothing was better than the incumbent on the contests it was searched on: keep it (NO_BETTER).']
  if (judged !== undefined)
    return [
      ...judgedSentences(judged, winner.set),
      ...(judged.look === null ? [`Look all the same: cornerman optimize promote ${id} --look`] : []),
    ]
  const luck = diagnosis.bestOfCoins === null ? '' : `; the best of ${diagnosis.trials} coins would show ${points(diagnosis.bestOfCoins)}`
  const chance =
    power === null
      ? ''
      : power.power >= LEAST_POWER
        ? ` The ${power.sealedContests.toLocaleString('en')} sealed contests would tell the rest with a chance of ${percent(power.power)}.`
        : ` The ${power.sealedContests.toLocaleString('en')} sealed contests would tell the rest with a chance of ${percent(power.power)} only${needed(power.contestsNeeded)}.`
  return [
    `Candidate: ${asSet(winner.set)}, ${points(winner.paired.difference)} over the incumbent on the contests it was searched on${luck}.${chance}`,
    `Next: cornerman optimize promote ${id}`,
  ]
}

const needed = (contests: number | null): string => (contests === null ? '' : `: it takes about ${contests.toLocaleString('en')}`)

function judgedSentences({ verdict, reason, contestsNeeded, look }: Judgement, set: Search['plan']['incumbent']): string[] {
  const paired = look?.paired
  const shown =
    paired === null || paired === undefined
      ? ''
      : ` On ${paired.against.toLocaleString('en')} sealed contests it made ${points(paired.difference)} over the incumbent (95% interval ${points(paired.low)} to ${points(paired.high)}), and ${points(paired.edge)} of its own; p = ${(look?.p ?? 1).toFixed(4)} against ${look?.alpha} at look ${look?.number}.`
  switch (verdict) {
    case 'promote':
      return [`promote: play ${asSet(set)}.${shown}`]
    case 'more':
      return [
        look === null
          ? `more: the sealed contests are too few to tell what is left of the candidate, and a look costs${needed(contestsNeeded)}. The seal was left alone.`
          : `more: not told from luck${needed(contestsNeeded)}. Record more contests, and search anew.${shown}`,
      ]
    case 'reject':
      return [`reject (${reason}): ${REASONS[reason ?? 'NO_BETTER']}.${shown}`]
  }
}

const REASONS = {
  NO_BETTER: 'the candidate is no better than the incumbent, so keep that one',
  STILL_LOSES: 'the candidate is better than the incumbent and loses all the same: play neither',
  SPENT: 'these sealed contests were looked at three times, and prove nothing any more: record new ones',
} as const
