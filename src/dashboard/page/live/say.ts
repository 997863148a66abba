import { post } from './session.ts'

export type Command = 'stopEntries' | 'stopAll' | 'resume'

/** @returns what went wrong, for the owner to read; undefined when it was said */
export async function say(command: Command, bot: string | undefined): Promise<string | undefined> {
  try {
    const answer = await post('/operator', bot === undefined ? { command } : { command, bot })
    if (answer.ok) return undefined
    const { message } = (await answer.json()) as { readonly message: string }
    return `It was not done: ${message}.`
  } catch {
    return 'It was not done: the bots’ process does not answer. In a terminal, npm run cornerman -- stop --now does the same.'
  }
}
