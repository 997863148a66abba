import type { Mode } from '../../contract/enums.ts'
import { invariant } from '../../core/error.ts'
import type { Contest, ModeParams } from '../types.ts'
import type { ContestMode, PlayedContest } from './contestMode.ts'
import { draftBasket } from './draftBasket.ts'
import { pricePrediction } from './pricePrediction.ts'
import { upDown } from './upDown.ts'

const played: readonly ContestMode[] = [upDown, draftBasket, pricePrediction]

const byName = new Map(played.map((mode) => [mode.name, mode]))

/** The modes that are played. */
export const contestModes: readonly Mode[] = played.map((mode) => mode.name)

/** The rules of a mode; undefined when it is not played. */
export const findMode = (name: Mode): ContestMode | undefined => byName.get(name)

/** The rules of a contest's mode. */
export function modeOf({ mode }: Pick<Contest, 'mode'>): ContestMode {
  const found = byName.get(mode)
  invariant(found !== undefined, `mode ${mode} is not played: it must be refused before it gets here`)
  return found
}

/** Whether a contest has locked, so that its mode has a state of play. */
export function hasPlay(contest: Contest): contest is PlayedContest<ModeParams, unknown> {
  return contest.play !== null && contest.startsAt !== null && contest.endsAt !== null
}
