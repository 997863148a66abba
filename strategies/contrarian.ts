import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'

/**
 * Drafts the token that fell most over the last seconds, unless it fell so far that something may have happened to it: what was
 * pushed down by a large order often comes back.
 */
export default defineDraftPicker({
  name: 'contrarian',
  params: z.object({
    lookbackSec: z.number().int().min(5).max(3600).default(60).describe('seconds that the fall is measured over'),
    maxFall: z.number().min(0.001).max(1).default(0.05).describe('a deeper fall is left alone; 0.05 is 5 %'),
  }),

  pick({ params, draft, prices }) {
    const { lookbackSec, maxFall } = params
    const worth = (mint: string) => {
      const change = prices.change(mint, lookbackSec)
      // Not known is worse than a rise, and a crash is worst.
      if (change === undefined) return -1000
      return change < -maxFall ? -2000 : -change
    }
    return draft.available.toSorted((a, b) => worth(b) - worth(a))[0]
  },
})
