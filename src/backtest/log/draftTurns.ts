import { z } from 'zod'
import { instantSchema } from '../../contract/scalars.ts'

/** What a read of a draft under way says of its turn. Not documented: what reads otherwise says nothing. */
const turnSchema = z.looseObject({
  pickBy: instantSchema,
  turn: z.looseObject({ entryId: z.string() }),
  picks: z.array(z.looseObject({ tokens: z.array(z.string()) })),
})

interface Turn {
  readonly entryId: string
  /** Unix milliseconds at which its time runs out. */
  readonly pickBy: number
}

/** The turns of one draft, as they were seen by reading its state again and again. */
export class DraftTurns {
  /** By the number of picks made before. */
  readonly #turns = new Map<number, Turn>()

  /** One answer of `agent.modes.state`. */
  onState(state: unknown): void {
    const read = turnSchema.safeParse(state)
    if (!read.success) return
    const { pickBy, turn, picks } = read.data
    const made = picks.reduce((sum, { tokens }) => sum + tokens.length, 0)
    this.#turns.set(made, { entryId: turn.entryId, pickBy })
  }

  /**
   * How long a seat took over each of its turns, milliseconds, up to the first one that was not seen to end. Every turn has
   * the same time, so that the next one's runs out so much later as this one took. A turn that nobody saw is of who had the
   * one before, and the two took as long.
   */
  pickMsOf(entryId: string | undefined): number[] {
    const seen = [...this.#turns].sort(([a], [b]) => a - b)
    const taken: number[] = []
    for (const [place, [made, turn]] of seen.entries()) {
      if (turn.entryId !== entryId) continue
      const next = seen[place + 1]
      if (next === undefined) return taken
      const [madeNext, { pickBy }] = next
      const turns = madeNext - made
      for (let each = 0; each < turns; each++) taken.push(Math.round((pickBy - turn.pickBy) / turns))
    }
    return taken
  }
}
