import { post } from './session.ts'

export type Command = 'stopEntries' | 'stopAll' | 'resume'

export interface Said {
  readonly isDone: boolean
  /** For the owner to read: why it was not done, or what still stops more. Undefined where there is nothing to say. */
  readonly message: string | undefined
}

/** What the owner is told of an answer. */
interface Words {
  /** Of one that it was done, with something to say. */
  readonly done: (message: string) => string
  /** Where no answer came. */
  readonly silent: string
}

export const say = (command: Command, bot: string | undefined): Promise<Said> =>
  tell('/operator', bot === undefined ? { command } : { command, bot }, {
    done: (message) => `It was said, but ${message}.`,
    silent: 'It was not done: the bots’ process does not answer. In a terminal, npm run cornerman -- stop --now does the same.',
  })

/** Tells the bots' process something to do, and resolves with what came of it. */
export async function tell(path: string, body: object, { done, silent }: Words): Promise<Said> {
  try {
    const answer = await post(path, body)
    if (answer.status === 204) return { isDone: true, message: undefined }
    const { message } = (await answer.json()) as { readonly message: string }
    return { isDone: answer.ok, message: answer.ok ? done(message) : `It was not done: ${message}.` }
  } catch {
    return { isDone: false, message: silent }
  }
}
