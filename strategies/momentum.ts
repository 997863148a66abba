import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'

/** Drafts the token that rose most over the last seconds: what has been rising may go on doing so. */
export default defineDraftPicker({
  name: 'momentum',
  params: z.object({ lookbackSec: z.number().int().min(5).max(3600).default(30).describe('seconds that the rise is measured over') }),

  pick({ params, draft, prices }) {
    const rise = (mint: string) => prices.change(mint, params.lookbackSec) ?? 0
    return draft.available.toSorted((a, b) => rise(b) - rise(a))[0]
  },
})
