import type { Bot } from '../../src/pipeline/bot.ts'
import { Seats } from '../../src/pipeline/seat/seats.ts'

/** The tickets and seats of a bot that reads nothing and sends nothing. */
export const seatsOf = (bot: Bot): Seats =>
  new Seats(bot, {
    reads: { isUnderWay: () => false, ask: () => undefined },
    isStreamRead: () => false,
    isUnderWay: () => false,
    propose: () => {},
  })
