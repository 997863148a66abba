import { Reservations } from '../../src/guard/index.ts'
import { Seats } from '../../src/pipeline/seat/seats.ts'
import type { Present } from '../../src/pipeline/state/present.ts'

/** The tickets and seats of a bot that reads nothing and sends nothing. */
export const seatsOf = (present: Present): Seats =>
  new Seats(present, {
    reservations: new Reservations(),
    reads: { isUnderWay: () => false, ask: () => undefined },
    isStreamRead: () => false,
    isUnderWay: () => false,
    propose: () => {},
  })
