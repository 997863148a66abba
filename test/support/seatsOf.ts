import { Reservations } from '../../src/guard/index.ts'
import type { Stores } from '../../src/pipeline/coordinator/stores.ts'
import { Seats } from '../../src/pipeline/seat/seats.ts'
import type { Present } from '../../src/pipeline/state/present.ts'

/** The tickets and seats of a bot that reads nothing and sends nothing. */
export const seatsOf = (present: Present): Seats =>
  new Seats(present, {
    figures: { reservations: new Reservations() } as Stores['figures'],
    reads: { isUnderWay: () => false, ask: () => undefined },
    session: { isStreamRead: false, areSeatsRead: false },
    intents: { isUnderWay: () => false } as unknown as Stores['intents'],
  })
