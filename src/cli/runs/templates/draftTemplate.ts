import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'

/**
 * Drafts the token that rose most over the last seconds, but none that has risen so far that it may be spent. A token whose
 * past is not known comes last.
 */
export default defineDraftPicker({
  name: 'draftTemplate',
  params: z.object({
    lookbackSec: z.number().int().min(5).max(3600).default(30).describe('seconds that the rise is measured over'),
    maxRise: z.number().min(0.001).max(10).default(0.05).describe('a larger rise counts as spent; 0.05 is 5 %'),
  }),

  pick({ params, draft, prices }) {
    const { lookbackSec, maxRise } = params
    const worth = (mint: string) => {
      // What is not known is undefined, never 0.
      const rise = prices.change(mint, lookbackSec)
      if (rise === undefined) return -Infinity
      return rise > maxRise ? -rise : rise
    }
    return draft.available.toSorted((a, b) => (worth(a) === worth(b) ? 0 : worth(b) - worth(a)))[0]
  },
})
