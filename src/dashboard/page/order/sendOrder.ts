import { type Said, tell } from '../live/say.ts'

/** What a bot is to do now; `amount` in base units. */
export type Order =
  | { readonly type: 'leaveContest'; readonly contestId: string }
  | { readonly type: 'cancelTicket'; readonly ticketId: string }
  | { readonly type: 'sell'; readonly contestId: string; readonly mint: string; readonly amount: string }

/** Resolves once it is known what became of it, or it takes too long. */
export const sendOrder = (bot: string, order: Order): Promise<Said> =>
  tell(
    '/order',
    { bot, order },
    { done: (message) => `${sentence(message)}.`, silent: 'The bots’ process does not answer: whether it was done, the log says.' },
  )

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
