import type { Part } from '../coordinator/part.ts'
import { endings, finalReads, intents, orders, reads, seats } from './contests.ts'
import { prices, swaps, sweeps, tokens } from './market.ts'
import { counts, figures, ledger, results } from './money.ts'
import { drift, modes, moves, path, trials, unnamed } from './playable.ts'
import { announcements, remarks, session } from './session.ts'
import { strategies } from './strategies.ts'

/** All parts of a bot. `docs/architecture.md` has them in their order. */
export const PARTS: readonly Part[] = [
  ...[tokens, prices, results, counts, reads, ledger, figures, seats, remarks, intents, endings, swaps, moves, session],
  ...[modes, unnamed, path, trials, sweeps, finalReads, drift, announcements, orders, strategies],
]
