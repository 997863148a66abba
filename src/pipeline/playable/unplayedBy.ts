import { isPlayedBy, type PlayKind, traitsOf } from '../../contract/modes.ts'
import type { UnplayedBy } from '../../guard/index.ts'
import type { Strategy } from '../../strategy/define.ts'

/**
 * Why nobody plays a mode: no strategy of its kind, or each of them is left alone. A custom strategy may play any, and where a side is all
 * that is asked for, whoever enters names it.
 *
 * @param suspendedUntil until when a strategy is left alone, by its name
 * @returns undefined where somebody does
 */
export function unplayedBy(
  mode: string,
  strategies: readonly Strategy[],
  suspendedUntil: (strategy: string) => number | undefined,
): UnplayedBy | undefined {
  const traits = traitsOf(mode)
  if (traits === undefined || !NEEDS_PLAYER[traits.playedBy]) return undefined
  let alone: UnplayedBy | undefined
  for (const strategy of strategies) {
    if (strategy.kind === 'custom') return undefined
    if (!plays(strategy, mode)) continue
    const untilMs = suspendedUntil(strategy.name)
    if (untilMs === undefined) return undefined
    if (alone?.untilMs === undefined || untilMs < alone.untilMs) alone = { strategy: strategy.name, untilMs }
  }
  return alone ?? { strategy: undefined, untilMs: undefined }
}

/** True where a strategy has to move: the entry itself is not the whole play. */
const NEEDS_PLAYER: Readonly<Record<PlayKind, boolean>> = { swaps: true, picks: true, sealedPrice: true, side: false }

function plays(strategy: Strategy, mode: string): boolean {
  switch (strategy.kind) {
    case 'draft':
      return isPlayedBy(mode, 'picks')
    case 'trade':
    case 'predict':
      return (strategy.modes as readonly string[]).includes(mode)
    case 'queue':
    case 'custom':
      return false
  }
}
