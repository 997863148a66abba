import { post } from './session.ts'

export type Command = 'stopEntries' | 'stopAll' | 'resume'

export interface Said {
  readonly isDone: boolean
  /** For the owner to read: why it was not done, or what still stops more. Undefined where there is nothing to say. */
  readonly message: string | undefined
}

export async function say(command: Command, bot: string | undefined): Promise<Said> {
  try {
    const answer = await post('/operator', bot === undefined ? { command } : { command, bot })
    if (answer.status === 204) return { isDone: true, message: undefined }
    const { message } = (await answer.json()) as { readonly message: string }
    return { isDone: answer.ok, message: answer.ok ? `It was said, but ${message}.` : `It was not done: ${message}.` }
  } catch {
    const message = 'It was not done: the bots’ process does not answer. In a terminal, npm run cornerman -- stop --now does the same.'
    return { isDone: false, message }
  }
}
