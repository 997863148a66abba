import type { Opportunity } from '../../../backtest/log/opportunity.ts'
import { MODE_TRAITS, MODES } from '../../../contract/modes.ts'
import { keyedUuid } from '../../../core/ids.ts'
import { keyedRandom } from '../../../core/random.ts'
import { usdc } from '../../../core/usdc.ts'

const EVERY_MS = 2500
const OPEN_MS = 15_000
const STAKES = ['0.5', '1', '5']

/** Contests of others that can be joined: one after the other, of every mode in turn, with sides in both ways. */
export function offersOf(seed: number, startMs: number, seconds: number): Opportunity[] {
  return Array.from({ length: Math.floor((seconds * 1000) / EVERY_MS) }, (_, index): Opportunity => {
    const random = keyedRandom(seed, 'offer', index)
    const openAt = startMs + 1000 + index * EVERY_MS
    const mode = MODES[index % MODES.length] ?? MODES[0]
    const { sides } = MODE_TRAITS[mode]
    const side = sides.length === 0 ? null : (random.pick(sides) ?? null)
    const kind = random.pick(['AGENT', 'HUMAN'] as const) ?? 'AGENT'
    return {
      ...{ contestId: keyedUuid(seed, 'offer', index), mode, chain: 'solana', format: 'duel', capacity: 2, params: {}, via: 'list' },
      stake: usdc(random.pick(STAKES) ?? '1'),
      durationSec: random.integer(15, 20),
      ...{ openAt, joinBy: openAt + OPEN_MS, lockedAt: null, ranMs: null, side: null, facts: [] },
      others: [{ kind, side, score: undefined, picks: [], pickMs: [], predicted: undefined }],
    }
  })
}
