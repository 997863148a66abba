import type { Said } from '../live/say.ts'
import { post } from '../live/session.ts'

/** What a bot is to do now; `amount` in base units. */
export type Order =
  | { readonly type: 'leaveContest'; readonly contestId: string }
  | { readonly type: 'cancelTicket'; readonly ticketId: string }
  | { readonly type: 'sell'; readonly contestId: string; readonly mint: string; readonly amount: string }

/** Resolves once it is known what became of it, or it takes too long. */
export async function sendOrder(bot: string, order: Order): Promise<Said> {
  try {
    const answer = await post('/order', { bot, order })
    if (answer.status === 204) return { isDone: true, message: undefined }
    const { message } = (await answer.json()) as { readonly message: string }
    return { isDone: answer.ok, message: answer.ok ? `${sentence(message)}.` : `It was not done: ${message}.` }
  } catch {
    return { isDone: false, message: 'The bots’ process does not answer: whether it was done, the log says.' }
  }
}

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
